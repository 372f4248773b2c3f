import { linkIf } from '../../git.ts';
import {
  type Delivery,
  type IgnoredEvents,
  type Integration,
  type Outcome,
  type Rendered,
  renderedBy,
} from '../../integration.ts';
import { bold, bullets, cut, joined, type Markdown, md, quote } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { hmacIn } from '../../signatures.ts';
import { gallery } from './gallery.ts';

/** The events, by `webhookEvent` (https://developer.atlassian.com/server/jira/platform/webhooks/). */
const EVENTS: ReadonlyMap<string, (payload: Payload) => Outcome> = new Map([
  ['jira:issue_created', issueCreated],
  ['jira:issue_deleted', issueDeleted],
  ['jira:issue_updated', issueUpdated],
  ['comment_created', commented],
  ['comment_updated', commented],
  ['comment_deleted', commented],
]);

const NOTHING_CHANGED = 'jira:issue_updated without changes';
const IGNORED: IgnoredEvents = { [NOTHING_CHANGED]: 'Nothing changed that people see.' };

export const jira: Integration = {
  name: 'jira',
  title: 'Jira',
  gallery,
  events: [...EVENTS.keys()],
  ignored: IGNORED,
  isSigned: hmacIn('x-hub-signature', 'sha256='),
  render({ payload }: Delivery) {
    return renderedBy(payload.need('webhookEvent'), EVENTS, IGNORED, payload);
  },
};

function personOf(user: Payload): string {
  return user.text('displayName') || user.text('name') || 'Somebody';
}

function topicOf(payload: Payload): string {
  return cut(`${payload.need('issue', 'key')}: ${payload.text('issue', 'fields', 'summary')}`, 200);
}

/** The key with a link to the issue. The address of the API leads to the address of the site. */
function issueLink(payload: Payload): Markdown {
  const key = payload.need('issue', 'key');
  const site = /^(https?:\/\/[^/]+(?:\/[^/]+)*?)\/rest\/api\//.exec(payload.text('issue', 'self').slice(0, 2000))?.[1];
  const summary = payload.text('issue', 'fields', 'summary');
  return linkIf(
    summary === '' ? key : `${key}: ${summary}`,
    site === undefined ? '' : `${site}/browse/${encodeURIComponent(key)}`,
  );
}

function issueCreated(payload: Payload): Rendered {
  const fields = payload.at('issue', 'fields');
  const facts = [
    ['Priority', fields.text('priority', 'name')],
    ['Assignee', fields.text('assignee', 'displayName')],
  ].filter(([, value]) => value !== '');
  const head = md`${personOf(payload.at('user'))} created ${issueLink(payload)}:`;
  return {
    event: 'jira:issue_created',
    topic: topicOf(payload),
    content: joined([head, bullets(facts.map(([name, value]) => md`${bold(name ?? '')}: ${value}`))], '\n\n'),
  };
}

function issueDeleted(payload: Payload): Rendered {
  const content = md`${personOf(payload.at('user'))} deleted ${issueLink(payload)}.`;
  return { event: 'jira:issue_deleted', topic: topicOf(payload), content };
}

/** An update with a comment, which Jira Server sends, or with changed fields. */
function issueUpdated(payload: Payload): Outcome {
  const kind = payload.text('issue_event_type_name');
  if (/^issue_comment/.test(kind) || !payload.at('comment').isMissing)
    return commentOf(payload, kind, 'jira:issue_updated');
  const changes = payload.list('changelog', 'items').flatMap((item) => {
    const [from, to] = [item.text('fromString'), item.text('toString')];
    if (item.text('field') === 'description') return [md`Changed ${bold('description')}`];
    if (from === to) return [];
    const before = from === '' ? undefined : md`from ${bold(from)} `;
    return [md`Changed ${bold(item.text('field'))} ${before}to ${bold(to === '' ? 'None' : to)}`];
  });
  if (changes.length === 0) return { ignored: NOTHING_CHANGED };
  const head = md`${personOf(payload.at('user'))} updated ${issueLink(payload)}:`;
  return { event: 'jira:issue_updated', topic: topicOf(payload), content: joined([head, bullets(changes)], '\n\n') };
}

function commented(payload: Payload): Rendered {
  const event = payload.need('webhookEvent');
  return commentOf(payload, event, event);
}

function commentOf(payload: Payload, kind: string, event: string): Rendered {
  const comment = payload.needObject('comment');
  const isDeletion = kind.endsWith('deleted');
  const verb = isDeletion
    ? 'deleted a comment on'
    : /edited|updated/.test(kind)
      ? 'edited a comment on'
      : 'commented on';
  const author = personOf(payload.at('user').isMissing ? comment.at('updateAuthor') : payload.at('user'));
  const head = md`${author} ${verb} ${issueLink(payload)}${isDeletion ? '.' : ':'}`;
  const text = isDeletion ? undefined : quote(comment.text('body'));
  return { event, topic: topicOf(payload), content: joined([head, text], '\n\n') };
}
