import { badRequest } from '@heddle/api/errors.ts';
import { changes, facts, spelledOut } from '../../facts.ts';
import { linkIf } from '../../git.ts';
import { textOfHtml } from '../../html-text.ts';
import { type Integration, type Rendered, UnknownEventError } from '../../integration.ts';
import { cut, joined, type Markdown, md, quote } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { isBearer } from '../../signatures.ts';
import { gallery } from './gallery.ts';

/** Freshdesk names the old value by its number only. Those above 7 are the user's own. */
const STATUSES: Readonly<Record<string, string>> = {
  2: 'Open',
  3: 'Pending',
  4: 'Resolved',
  5: 'Closed',
  6: 'Waiting on customer',
  7: 'Waiting on third party',
};
const PRIORITIES: Readonly<Record<string, string>> = { 1: 'Low', 2: 'Medium', 3: 'High', 4: 'Urgent' };

/** What happened, by the name before the colon and by the value: `{note_type:public}`. */
const ACTIONS: Readonly<Record<string, string>> = {
  'ticket_action created': 'created',
  'ticket_action updated': 'updated',
  'ticket_action deleted': 'deleted',
  'ticket_action marked_spam': 'marked as spam',
  'ticket_action marked_as_spam': 'marked as spam',
  'ticket_action linked': 'linked',
  'note_type public': 'added a public note to',
  'note_type private': 'added a private note to',
  'reply_sent sent': 'replied to',
};

/** Fields that change: the name of the event, and that of the field with the current value. */
const FIELDS: Readonly<Record<string, string>> = {
  status: 'ticket_status',
  priority: 'ticket_priority',
  ticket_type: 'ticket_type',
  group_id: 'ticket_group',
  group: 'ticket_group',
  user_id: 'ticket_agent',
  agent: 'ticket_agent',
  responder_id: 'ticket_agent',
  due_by: 'ticket_due',
};
const NAMES: Readonly<Record<string, string>> = {
  user_id: 'Agent',
  responder_id: 'Agent',
  group_id: 'Group',
  ticket_type: 'Type',
  due_by: 'Due',
};

/** The body of an automation, which the user pastes from `docs/integrations.md`. */
export const freshdesk: Integration = {
  name: 'freshdesk',
  title: 'Freshdesk',
  gallery,
  events: ['ticket_action', 'note_type', 'reply_sent', 'customer_feedback', ...Object.keys(FIELDS)],
  ignored: { time_sheet_action: 'Agents record their time for themselves.' },
  isSigned: isBearer,
  render({ payload }) {
    const ticket = payload.needObject('freshdesk_webhook');
    const [event, before, after] = eventIn(ticket.need('triggered_event'));
    if (event === 'time_sheet_action') return { ignored: event };
    if (event === 'customer_feedback') return rendered(ticket, event, feedback(ticket, before));
    if (Object.hasOwn(FIELDS, event) && after !== undefined)
      return rendered(ticket, event, changed(ticket, event, before, after));
    const action = `${event} ${before}`;
    if (!Object.hasOwn(ACTIONS, action)) throw new UnknownEventError(action);
    return rendered(ticket, event, acted(ticket, action));
  },
};

/** `{ticket_action:created}` or `{status:{from:4,to:6}}`, whose names and values have no quotes. */
function eventIn(text: string): readonly [event: string, value: string, after?: string] {
  const changed = /^\{(\w{1,50}):\{from:([^,{}]{0,100}),to:([^,{}]{0,100})\}\}$/.exec(text);
  if (changed !== null) return [changed[1] ?? '', changed[2] ?? '', changed[3] ?? ''];
  const simple = /^\{(\w{1,50}):([^,{}]{0,100})\}$/.exec(text);
  if (simple === null) throw badRequest("Malformed payload: 'freshdesk_webhook.triggered_event' is no event");
  return [simple[1] ?? '', simple[2] ?? ''];
}

function rendered(ticket: Payload, event: string, content: Markdown): Rendered {
  const id = ticket.need('ticket_id');
  const title = ticket.text('ticket_subject');
  return { event, topic: cut(title === '' ? `#${id}` : `#${id}: ${title}`, 200), content };
}

function nameOf(ticket: Payload): Markdown {
  const url = ticket.text('ticket_url');
  const address = url === '' || /^https?:/.test(url) ? url : `https://${url}`;
  return md`ticket ${linkIf(`#${ticket.need('ticket_id')}`, address)}`;
}

/** Freshdesk names the requester, and not who acted. */
function acted(ticket: Payload, action: string): Markdown {
  const words = ACTIONS[action] ?? '';
  const requester = ticket.text('requester_name') || ticket.text('requester_email');
  const agent = ticket.text('actor');
  if (action === 'ticket_action created') {
    const details = facts([
      ['Type', ticket.text('ticket_type')],
      ['Priority', ticket.text('ticket_priority')],
      ['Status', ticket.text('ticket_status')],
    ]);
    const head = md`${requester || 'Somebody'} created ${nameOf(ticket)}:`;
    return joined([head, quote(textOfHtml(ticket.text('ticket_description'))), details], '\n\n');
  }
  if (!action.startsWith('ticket_action')) {
    const head = md`${agent || 'Somebody'} ${words} ${nameOf(ticket)}`;
    const text = quote(textOfHtml(ticket.text('latest_comment')));
    return text.toString() === '' ? md`${head}.` : joined([md`${head}:`, text], '\n\n');
  }
  const [verb = '', ...rest] = words.split(' ');
  return md`${joined([agent || 'Somebody', verb, nameOf(ticket), rest.join(' ')], ' ')}.`;
}

function changed(ticket: Payload, event: string, before: string, after: string): Markdown {
  const table = event === 'status' ? STATUSES : event === 'priority' ? PRIORITIES : {};
  // Numbers of agents, groups and own statuses mean nothing to people.
  const wordsOf = (value: string) =>
    Object.hasOwn(table, value) ? (table[value] ?? '') : /^\d+$/.test(value) ? '' : value;
  const now = ticket.text(FIELDS[event] ?? '') || wordsOf(after);
  const name = Object.hasOwn(NAMES, event) ? (NAMES[event] ?? '') : spelledOut(event);
  const head = md`${ticket.text('actor') || 'Somebody'} updated ${nameOf(ticket)}:`;
  const old = wordsOf(before);
  if (now === '' && old === '') return joined([head, md`* Another ${name.toLowerCase()}`], '\n\n');
  return joined([head, changes([{ name, before: old === now ? '' : old, after: now }])], '\n\n');
}

function feedback(ticket: Payload, value: string): Markdown {
  const requester = ticket.text('requester_name') || 'The customer';
  return md`${requester} rated the support of ${nameOf(ticket)}${value !== '' && !/^\d+$/.test(value) && md`: ${value}`}.`;
}
