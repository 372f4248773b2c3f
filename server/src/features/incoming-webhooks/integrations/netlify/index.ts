import { createHash, createHmac } from 'node:crypto';
import { durationInWords } from '../../dates.ts';
import { facts, spelledOut } from '../../facts.ts';
import { isWantedBranch } from '../../filters.ts';
import { linkIf } from '../../git.ts';
import {
  type Delivery,
  FILTERED,
  type Integration,
  neededHeader,
  type Outcome,
  type Signed,
  UnknownEventError,
} from '../../integration.ts';
import { bold, code, cut, joined, type Markdown, md } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { isEqual } from '../../signatures.ts';
import { gallery } from './gallery.ts';

const DEPLOYS: Readonly<Record<string, string>> = {
  deploy_building: '🔨 started',
  deploy_created: '✅ succeeded',
  deploy_failed: '❌ failed',
  deploy_deleted: '🗑️ was deleted',
  deploy_locked: '🔒 is locked: new deploys are not published',
  deploy_unlocked: '🔓 is unlocked: new deploys are published',
  deploy_restored: '↩️ is published again',
  deploy_request_pending: '⏳ waits for approval',
  deploy_request_accepted: '✅ was approved',
  deploy_request_rejected: '❌ was rejected',
};

const SPLIT_TESTS: Readonly<Record<string, string>> = {
  split_test_activated: 'was activated',
  split_test_deactivated: 'was deactivated',
  split_test_modified: 'was changed',
};

/** https://docs.netlify.com/site-deploys/notifications/ */
export const netlify: Integration = {
  name: 'netlify',
  title: 'Netlify',
  gallery,
  events: [...Object.keys(DEPLOYS), ...Object.keys(SPLIT_TESTS), 'submission_created'],
  ignored: {},
  isSigned,
  render(delivery) {
    const event = neededHeader(delivery.header, 'X-Netlify-Event');
    if (Object.hasOwn(DEPLOYS, event)) return deploy(delivery, event);
    if (Object.hasOwn(SPLIT_TESTS, event)) {
      const name = delivery.payload.text('name') || delivery.payload.text('site_name') || 'Netlify';
      return { event, topic: cut(name, 200), content: md`A split test of ${bold(name)} ${SPLIT_TESTS[event]}.` };
    }
    if (event === 'submission_created') return submission(delivery.payload);
    throw new UnknownEventError(event);
  },
};

/** A token of three parts, signed with HMAC, whose payload has the hash of the body (https://datatracker.ietf.org/doc/html/rfc7515). */
function isSigned({ header, body, secret }: Signed): boolean {
  const [head = '', payload = '', signature = '', ...others] = header('x-webhook-signature').split('.', 4);
  if (others.length > 0) return false;
  const expected = createHmac('sha256', secret).update(`${head}.${payload}`).digest('base64url');
  return isEqual(signature, expected) && isEqual(hashIn(payload), createHash('sha256').update(body).digest('hex'));
}

/** Only called with what the secret has signed, or compared with it. */
function hashIn(payload: string): string {
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const hash: unknown = typeof claims === 'object' && claims !== null ? Reflect.get(claims, 'sha256') : undefined;
    return typeof hash === 'string' ? hash : '';
  } catch {
    return '';
  }
}

function deploy({ payload, parameters }: Delivery, event: string): Outcome {
  const site = payload.need('name');
  const branch = payload.text('branch');
  if (branch !== '' && !isWantedBranch(branch, parameters.branches)) return FILTERED;
  const [icon = '', ...words] = (DEPLOYS[event] ?? '').split(' ');
  const id = payload.text('id');
  const admin = payload.text('admin_url');
  const page = id === '' || admin === '' ? admin : `${admin}/deploys/${encodeURIComponent(id)}`;
  const place = branch !== '' && md` of branch ${code(branch)}`;
  const head = md`${icon} The ${linkIf('deploy', page)}${place} to ${linkIf(site, payload.firstText('ssl_url', 'url'))} ${words.join(' ')}.`;
  const preview = payload.firstText('deploy_ssl_url', 'deploy_url');
  const context = payload.text('context');
  const title = payload.text('title');
  const details = facts([
    ['Error', event === 'deploy_failed' && payload.text('error_message')],
    ['Commit', commitOf(payload)],
    ['Title', payload.text('commit_ref') === '' && title],
    ['Context', context !== 'production' && spelledOut(context)],
    ['Preview', event === 'deploy_created' && preview !== '' && linkIf('open', preview)],
    [
      'Review',
      payload.text('review_url') !== '' && linkIf(`#${payload.text('review_id')}`, payload.text('review_url')),
    ],
    ['Duration', event === 'deploy_created' && durationInWords(payload.number('deploy_time'))],
  ]);
  return {
    event,
    topic: cut(branch === '' ? site : `${site} / ${branch}`, 200),
    content: joined([head, details], '\n\n'),
  };
}

function commitOf(payload: Payload): Markdown | undefined {
  const id = payload.text('commit_ref');
  if (id === '') return undefined;
  const title = payload.text('title');
  const author = payload.text('committer');
  return md`${title !== '' && md`${title} `}(${linkIf(id.slice(0, 11), payload.text('commit_url'))})${author !== '' && md` by ${author}`}`;
}

function submission(payload: Payload): Outcome {
  const form = payload.text('form_name') || 'form';
  const known = payload
    .list('ordered_human_fields')
    .map((field) => [field.text('title') || field.text('name'), field.text('value')] as const);
  const fields = known.length > 0 ? known : payload.fields('human_fields');
  const given = facts(fields.filter(([name]) => name !== '').map(([name, value]) => [name, value]));
  if (given.toString() === '') payload.need('summary');
  const number = payload.text('number');
  const head = md`📨 New submission${number !== '' && md` #${number}`} of the form ${bold(form)}${payload.text('site_url') !== '' && md` on ${linkIf('the website', payload.text('site_url'))}`}:`;
  return {
    event: 'submission_created',
    topic: cut(`Form ${form}`, 200),
    content: joined([head, given.toString() === '' ? md`${payload.text('summary')}` : given], '\n\n'),
  };
}
