import { durationInWords, moment } from '../../dates.ts';
import { facts } from '../../facts.ts';
import { linkIf } from '../../git.ts';
import { type Integration, type Rendered, wordsFor } from '../../integration.ts';
import { bold, cut, joined, md, quote } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { isBearer } from '../../signatures.ts';
import { gallery } from './gallery.ts';

/** The states of issues, those of incidents before workflows, and those of policies before New Relic Alerts. */
const STATES: Readonly<Record<string, string>> = {
  activated: 'activated',
  created: 'created',
  acknowledged: 'acknowledged',
  closed: 'closed',
  deactivated: 'closed',
  open: 'activated',
  active: 'activated',
  test: 'created',
};
const ICONS: Readonly<Record<string, string>> = { activated: '🚨', created: '⚠️', acknowledged: '👀', closed: '✅' };

export const newrelic: Integration = {
  name: 'newrelic',
  title: 'New Relic',
  gallery,
  events: ['activated', 'created', 'acknowledged', 'closed', 'deployment'],
  ignored: {},
  isSigned: isBearer,
  render({ payload }) {
    if (payload.at('deployment').isObject) return deployment(payload.at('deployment'));
    if (!payload.at('current_state').isMissing || !payload.at('incident_id').isMissing) return incident(payload);
    return issue(payload);
  },
};

/** The default template of a workflow. */
function issue(payload: Payload): Rendered {
  const state = payload.need('state');
  const event = wordsFor(state.toLowerCase(), STATES, `state ${state}`);
  const title = payload.need('title');
  const names = (field: string) => {
    const { raw } = payload.at(field);
    if (typeof raw === 'string') return raw;
    const found = payload
      .list(field)
      .map((one) => one.text())
      .filter((one) => one !== '');
    return found.slice(0, 10).join(', ');
  };
  const head = md`${ICONS[event]} ${linkIf(title, payload.text('issueUrl'))}: ${bold(event)}.`;
  const incidents = payload.number('totalIncidents') ?? 0;
  const details = facts([
    ['Priority', payload.text('priority').toLowerCase()],
    ['Entities', names('impactedEntities')],
    ['Policy', names('alertPolicyNames')],
    ['Condition', names('alertConditionNames')],
    ['Incidents', incidents > 1 && incidents],
    ['Created', moment(payload.number('createdAt') ?? payload.text('createdAt'))],
  ]);
  const page = payload.text('dashboardUrl');
  const text = joined([head, details, page !== '' && linkIf('Dashboard', page)], '\n\n');
  return { event, topic: cut(title, 200), content: text };
}

/** The default of notification channels, which older accounts still have. */
function incident(payload: Payload): Rendered {
  const state = payload.text('current_state') || payload.need('event_type');
  const event = wordsFor(state.toLowerCase().replace(/^incident_/, ''), STATES, `state ${state}`);
  const condition = payload.text('condition_name') || payload.need('policy_name');
  const policy = payload.text('policy_name');
  const id = payload.text('incident_id');
  const name = linkIf(id === '' ? 'Incident' : `Incident ${id}`, payload.text('incident_url'));
  const seconds = payload.number('duration');
  const targets = payload
    .list('targets')
    .slice(0, 10)
    .map((one) => one.text('name'))
    .filter((one) => one !== '');
  const runbook = payload.text('runbook_url');
  const details = facts([
    ['Severity', payload.text('severity').toLowerCase()],
    ['Condition', payload.text('condition_name')],
    ['Policy', linkIf(policy, payload.text('policy_url'))],
    ['Targets', targets.join(', ')],
    ['Owner', payload.text('owner')],
    ['Duration', seconds !== undefined && event === 'closed' && durationInWords(seconds / 1000)],
    ['Runbook', runbook !== '' && linkIf('open', runbook)],
  ]);
  const head = md`${ICONS[event]} ${name}: ${bold(event)}.`;
  return {
    event,
    topic: cut(condition, 200),
    content: joined([head, quote(payload.text('details')), details], '\n\n'),
  };
}

function deployment(of: Payload): Rendered {
  const application = of.need('application_name');
  const revision = of.text('revision');
  const by = of.text('deployed_by') || of.text('user');
  const what =
    revision === '' ? linkIf('a deployment', of.text('deployment_url')) : linkIf(revision, of.text('deployment_url'));
  const head = md`🚀 ${by === '' ? 'Somebody' : by} deployed ${what} of ${bold(application)}.`;
  const details = facts([['Changes', of.text('changelog')]]);
  return {
    event: 'deployment',
    topic: cut(`${application} / deployments`, 200),
    content: joined([head, quote(of.text('description')), details], '\n\n'),
  };
}
