/** Tokens that expire, and vulnerabilities. */
import { dayInWords } from '../../dates.ts';
import { facts } from '../../facts.ts';
import { linkIf } from '../../git.ts';
import { type Delivery, type Rendered, UnknownEventError, wordsFor } from '../../integration.ts';
import { bold, code, joined, md } from '../../markdown.ts';
import { inWords, placeOf } from './common.ts';

const MAX_IDENTIFIERS = 5;

const TOKENS: Readonly<Record<string, string>> = {
  expiring_access_token: 'access token',
  expiring_deploy_token: 'deploy token',
};

/** GitLab sends this some days before a token ends. */
export function expiringToken({ payload, header }: Delivery): Rendered {
  const event = header('x-gitlab-event');
  const kind = wordsFor(payload.need('event_name'), TOKENS, `${event} ${payload.text('event_name')}`);
  const token = payload.needObject('object_attributes');
  const place = placeOf(payload);
  const content = md`⚠️ The ${kind} ${bold(token.need('name'))} of ${place} expires on ${dayInWords(token.need('expires_at'))}.`;
  return { event, topic: place, content };
}

const STATES: ReadonlySet<string> = new Set(['confirmed', 'detected', 'dismissed', 'resolved']);

/** The payload has the number of the project, and the address of the vulnerability, which names it. */
export function vulnerability({ payload }: Delivery): Rendered {
  const item = payload.needObject('object_attributes');
  const state = item.need('state');
  if (!STATES.has(state)) throw new UnknownEventError(`Vulnerability Hook ${state}`);
  const [url, file] = [item.text('url'), item.text('location', 'file')];
  const dependency = item.at('location', 'dependency');
  const identifiers = item.list('identifiers').map((one) => one.text('name'));
  const details = facts([
    ['Severity', inWords(item.text('severity'))],
    ['File', file !== '' && code(file)],
    ['Package', `${dependency.text('package', 'name')} ${dependency.text('version')}`.trim()],
    [
      'Identifiers',
      identifiers
        .filter((name) => name !== '')
        .slice(0, MAX_IDENTIFIERS)
        .join(', '),
    ],
  ]);
  return {
    event: 'Vulnerability Hook',
    topic: `${placeOf(payload, url)} / security`,
    content: joined([md`Vulnerability ${linkIf(item.need('title'), url)}: ${bold(state)}.`, details], '\n\n'),
  };
}
