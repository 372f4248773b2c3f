import { textOfHtml } from '../../html-text.ts';
import type { Delivery, Rendered } from '../../integration.ts';
import { bold, cut, joined, md, quote } from '../../markdown.ts';
import { nameOf } from './conversations.ts';

/** What the person did, by the topic. */
const VERBS: readonly (readonly [topic: string, verb: string])[] = [
  ['ticket.admin.assigned', 'assigned'],
  ['ticket.admin.replied', 'replied to'],
  ['ticket.closed', 'closed'],
  ['ticket.contact.replied', 'replied to'],
  ['ticket.created', 'created'],
  ['ticket.note.created', 'added a note to'],
  ['ticket.state.updated', 'changed the state of'],
  ['ticket.team.assigned', 'assigned to a team'],
];

export const TICKET_EVENTS: readonly (readonly [string, (delivery: Delivery) => Rendered])[] = VERBS.map(
  ([topic, verb]) => [topic, (delivery) => ticketOf(delivery, topic, verb)] as const,
);

/** A reply has the ticket beside it. */
function ticketOf({ payload }: Delivery, event: string, verb: string): Rendered {
  const item = payload.needObject('data', 'item');
  const ticket = item.at('ticket').isObject ? item.at('ticket') : item;
  const part = item.at('ticket_part').isObject
    ? item.at('ticket_part')
    : ticket.list('ticket_parts', 'ticket_parts').at(-1);
  const number = ticket.text('ticket_id') || ticket.need('id');
  const title = ticket.text('ticket_attributes', '_default_title_');
  const name = `#${number} ${title}`.trim();
  const actor = (part === undefined ? '' : nameOf(part.at('author'))) || 'Somebody';
  const assignee = part === undefined || verb !== 'assigned' ? '' : nameOf(part.at('assigned_to'));
  const state = ticket.at('ticket_state').firstText('internal_label', 'external_label', 'category');
  const hasState = event === 'ticket.state.updated' && state !== '';
  const body =
    event === 'ticket.created' ? ticket.text('ticket_attributes', '_default_description_') : (part?.text('body') ?? '');
  const text = quote(textOfHtml(body));
  const [action, end] = [verb.replace(' to a team', ''), text.toString() === '' ? '.' : ':'];
  const to = verb === 'assigned to a team' ? md` to a team` : assignee !== '' && md` to ${assignee}`;
  const head = md`${actor} ${action} the ticket ${name}${to}${hasState && md` to ${bold(state)}`}${end}`;
  return { event, topic: cut(`Ticket ${name}`, 200), content: joined([head, text], '\n\n') };
}
