import { badRequest } from '@heddle/api/errors.ts';
import { moment } from '../../dates.ts';
import { facts } from '../../facts.ts';
import { linkIf } from '../../git.ts';
import { type Integration, type Rendered, wordsFor } from '../../integration.ts';
import { bold, cut, joined, md, quote } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { gallery } from './gallery.ts';

const INCIDENTS: Readonly<Record<string, string>> = {
  investigating: '🚨 Investigating',
  identified: '🔎 Identified',
  monitoring: '👀 Monitoring',
  resolved: '✅ Resolved',
  postmortem: '📄 Postmortem',
  scheduled: '🗓️ Scheduled',
  in_progress: '🔧 In progress',
  verifying: '👀 Verifying',
  completed: '✅ Completed',
};
const COMPONENTS: Readonly<Record<string, string>> = {
  operational: '✅ operational',
  degraded_performance: '⚠️ degraded performance',
  partial_outage: '⚠️ partial outage',
  major_outage: '🚨 major outage',
  under_maintenance: '🔧 under maintenance',
};
/** Others, such as `none`, are no news. */
const IMPACTS: Readonly<Record<string, string>> = {
  minor: 'minor',
  major: 'major',
  critical: 'critical',
};

/** https://support.atlassian.com/statuspage/docs/enable-webhook-notifications/ */
export const statuspage: Integration = {
  name: 'statuspage',
  title: 'Statuspage',
  gallery,
  events: ['incident', 'component'],
  ignored: {},
  render({ payload }) {
    if (payload.at('incident').isObject) return incident(payload.at('incident'), payload.at('page'));
    if (payload.at('component').isObject) return component(payload);
    throw badRequest("Malformed payload: 'incident' or 'component' is missing");
  },
};

function incident(of: Payload, page: Payload): Rendered {
  const name = of.need('name');
  // The newest update is the first.
  const [update] = of.list('incident_updates');
  const status = update?.text('status') || of.need('status');
  const [icon = '', ...words] = wordsFor(status, INCIDENTS, `incident ${status}`).split(' ');
  const impact = of.text('impact');
  const affected = (update?.list('affected_components') ?? [])
    .map((one) => one.text('name'))
    .filter((one) => one !== '');
  const components = of
    .list('components')
    .map((one) => one.text('name'))
    .filter((one) => one !== '');
  const details = facts([
    ['Impact', Object.hasOwn(IMPACTS, impact) && IMPACTS[impact]],
    ['Components', (affected.length > 0 ? affected : components).slice(0, 20).join(', ')],
    ['From', moment(of.text('scheduled_for'))],
    ['Until', moment(of.text('scheduled_until'))],
    ['Page', page.text('status_description')],
  ]);
  const head = md`${icon} ${linkIf(name, of.text('shortlink'))}: ${bold(words.join(' '))}.`;
  const content = joined([head, quote(update?.text('body') ?? ''), details], '\n\n');
  return { event: 'incident', topic: cut(name, 200), content };
}

function component(payload: Payload): Rendered {
  const name = payload.need('component', 'name');
  const before = payload.text('component_update', 'old_status');
  const after = payload.text('component_update', 'new_status') || payload.need('component', 'status');
  const [icon = '', ...words] = wordsFor(after, COMPONENTS, `component ${after}`).split(' ');
  const old = before === '' ? '' : wordsFor(before, COMPONENTS, `component ${before}`).replace(/^\S+ /, '');
  const from = old !== '' && md` It was: ${old}.`;
  const page = facts([['Page', payload.text('page', 'status_description')]]);
  const content = joined([md`${icon} ${bold(name)}: ${bold(words.join(' '))}.${from}`, page], '\n\n');
  return { event: 'component', topic: cut(name, 200), content };
}
