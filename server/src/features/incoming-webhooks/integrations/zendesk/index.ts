import { createHmac } from 'node:crypto';
import { type Change, capitalized, changes, facts, spelledOut } from '../../facts.ts';
import { linkIf } from '../../git.ts';
import {
  type IgnoredEvents,
  type Integration,
  type Outcome,
  type Rendered,
  type Signed,
  wordsFor,
} from '../../integration.ts';
import { cut, joined, type Markdown, md, quote } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { isEqual, isRecent } from '../../signatures.ts';
import { gallery } from './gallery.ts';

const PREFIX = 'zen:event-type:';

/** Events of tickets, by their type without the prefix (https://developer.zendesk.com/api-reference/webhooks/event-types/ticket-events/). */
const VERBS: Readonly<Record<string, string>> = {
  'ticket.created': 'was created',
  'ticket.comment_added': 'has a new comment',
  'ticket.status_changed': 'has another status',
  'ticket.custom_status_changed': 'has another status',
  'ticket.priority_changed': 'has another priority',
  'ticket.type_changed': 'has another type',
  'ticket.subject_changed': 'has another subject',
  'ticket.description_changed': 'has another description',
  'ticket.agent_assignment_changed': 'has another assignee',
  'ticket.group_assignment_changed': 'has another group',
  'ticket.organization_changed': 'has another organization',
  'ticket.requester_changed': 'has another requester',
  'ticket.tags_changed': 'has other tags',
  'ticket.attachment_linked_to_comment': 'has a new attachment',
  'ticket.merged': 'was merged into another ticket',
  'ticket.problem_link_changed': 'is linked to another problem',
  'ticket.marked_as_spam': 'was marked as spam',
  'ticket.soft_deleted': 'was deleted',
  'ticket.permanently_deleted': 'was deleted permanently',
  'ticket.undeleted': 'was restored',
  'ticket.sla_policy_changed': 'has another service level',
};

const REASON = 'Zendesk also reports a change that people see.';
const IGNORED: IgnoredEvents = {
  'ticket.brand_changed': 'It concerns the administration of Zendesk only.',
  'ticket.comment_made_private': 'The comment itself had a message.',
  'ticket.comment_redacted': 'The comment was hidden on purpose.',
  'ticket.attachment_redacted': 'The attachment was hidden on purpose.',
  'ticket.custom_field_changed': REASON,
  'ticket.email_ccs_changed': REASON,
  'ticket.external_id_changed': REASON,
  'ticket.followers_changed': REASON,
  'ticket.form_changed': REASON,
  'ticket.OutOfOfficeRemoved': REASON,
  'ticket.submitter_changed': REASON,
  'ticket.task_due_at_changed': REASON,
};

/** Webhooks of events, or the body of a trigger, which the user pastes from `docs/integrations.md`. */
export const zendesk: Integration = {
  name: 'zendesk',
  title: 'Zendesk',
  gallery,
  events: [...Object.keys(VERBS), 'ticket'],
  ignored: IGNORED,
  isSigned,
  render: ({ payload }) => (payload.at('type').isMissing ? ofTrigger(payload) : ofEvent(payload)),
};

/** The signature is that of the time and the body. */
function isSigned({ header, body, secret, now }: Signed): boolean {
  const time = header('x-zendesk-webhook-signature-timestamp');
  const seconds = Math.floor(Date.parse(time.slice(0, 50)) / 1000);
  const expected = createHmac('sha256', secret).update(time).update(body).digest('base64');
  return isRecent(String(seconds), now) && isEqual(header('x-zendesk-webhook-signature'), expected);
}

function topicOf(id: string, title: string): string {
  return cut(title === '' ? `#${id}` : `#${id}: ${title}`, 200);
}

function ofEvent(payload: Payload): Outcome {
  const event = payload.need('type').replace(PREFIX, '');
  if (Object.hasOwn(IGNORED, event)) return { ignored: event };
  const verb = wordsFor(event, VERBS, event);
  const ticket = payload.needObject('detail');
  const [id, title] = [ticket.need('id'), ticket.text('subject')];
  const head = md`Ticket #${id}${title !== '' && md` ${title}`} ${verb}${by(payload.text('event', 'comment', 'author', 'name'))}`;
  const details = joined([detailsOf(payload, ticket, event)], '');
  const content = details.toString() === '' ? md`${head}.` : joined([md`${head}:`, details], '\n\n');
  return { event, topic: topicOf(id, title), content };
}

function detailsOf(payload: Payload, ticket: Payload, event: string): Markdown | undefined {
  const change = payload.at('event');
  if (event === 'ticket.created') {
    const details = facts([
      ['Status', words(ticket.text('status'))],
      ['Priority', words(ticket.text('priority'))],
      ['Type', words(ticket.text('type'))],
      ['Tags', listOf(ticket.at('tags'))],
    ]);
    return joined([quote(ticket.text('description')), details], '\n\n');
  }
  if (event === 'ticket.comment_added') return quote(change.text('comment', 'body'));
  if (event === 'ticket.tags_changed') {
    return facts([
      ['Added', listOf(change.at('added_tags'))],
      ['Removed', listOf(change.at('removed_tags'))],
    ]);
  }
  // The others name accounts and groups by their numbers only.
  if (!['status', 'priority', 'type', 'subject'].some((field) => event === `ticket.${field}_changed`)) return undefined;
  const [before, after] = [change.text('previous'), change.text('current')];
  const spelled = event === 'ticket.subject_changed' ? (text: string) => text : words;
  return changes([
    { name: capitalized(event.replace(/^ticket\.|_changed$/g, '')), before: spelled(before), after: spelled(after) },
  ]);
}

/** Zendesk writes names of its own values in upper case. */
function words(value: string): string {
  return spelledOut(value);
}

function by(name: string): Markdown | undefined {
  return name === '' ? undefined : md` by ${name}`;
}

function listOf(list: Payload): string {
  return list
    .list()
    .slice(0, 20)
    .map((one) => one.text())
    .filter((text) => text !== '')
    .join(', ');
}

function ofTrigger(payload: Payload): Rendered {
  const id = payload.need('ticket_id');
  const title = payload.text('ticket_title');
  const url = payload.text('ticket_url');
  // Zendesk writes addresses of tickets without a scheme.
  const address = url === '' || /^https?:/.test(url) ? url : `https://${url}`;
  const what = payload.text('event') || 'updated';
  const name = linkIf(`#${id}${title === '' ? '' : `: ${title}`}`, address);
  const head = md`Ticket ${name} was ${what}${by(payload.text('actor'))}.`;
  const list: readonly Change[] = [
    { name: 'Status', after: payload.text('ticket_status') },
    { name: 'Priority', after: payload.text('ticket_priority') },
    { name: 'Type', after: payload.text('ticket_type') },
    { name: 'Assignee', after: payload.text('assignee') },
    { name: 'Requester', after: payload.text('requester') },
    { name: 'Tags', after: payload.text('ticket_tags') },
  ];
  const details = changes(list.filter(({ after }) => after !== ''));
  const text = quote(payload.text('message') || payload.text('comment'));
  return { event: 'ticket', topic: topicOf(id, title), content: joined([head, text, details], '\n\n') };
}
