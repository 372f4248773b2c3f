import { linkIf } from '../../git.ts';
import { textOfHtml } from '../../html-text.ts';
import type { Delivery, Rendered } from '../../integration.ts';
import { cut, joined, type Markdown, md, quote } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';

/** What the person did, by the topic. */
const VERBS: readonly (readonly [topic: string, verb: string])[] = [
  ['conversation.admin.assigned', 'assigned'],
  ['conversation.admin.closed', 'closed'],
  ['conversation.admin.noted', 'added a note to'],
  ['conversation.admin.open.assigned', 'assigned'],
  ['conversation.admin.opened', 'opened'],
  ['conversation.admin.replied', 'replied to'],
  ['conversation.admin.single.created', 'began'],
  ['conversation.admin.snoozed', 'snoozed'],
  ['conversation.admin.unsnoozed', 'ended the pause of'],
  ['conversation.deleted', 'deleted'],
  ['conversation.operator.replied', 'replied to'],
  ['conversation.priority.updated', 'changed the priority of'],
  ['conversation.user.created', 'began'],
  ['conversation.user.replied', 'replied to'],
];

export const CONVERSATION_EVENTS: readonly (readonly [string, (delivery: Delivery) => Rendered])[] = VERBS.map(
  ([topic, verb]) => [topic, (delivery) => conversation(delivery, topic, verb)] as const,
);

export function nameOf(person: Payload): string {
  return person.firstText('name', 'pseudonym', 'email');
}

function conversation({ payload }: Delivery, event: string, verb: string): Rendered {
  const item = payload.needObject('data', 'item');
  // The newest part is the last one.
  const part = item.list('conversation_parts', 'conversation_parts').at(-1);
  const isFirst = verb === 'began';
  const body = isFirst ? firstTextOf(item) : (part?.text('body') ?? '');
  const head = md`${actorOf(item, isFirst ? undefined : part, event) || 'Somebody'} ${verb} ${linkOf(payload, item, event)}${assigneeOf(item, part, verb)}`;
  const text = quote(textOfHtml(body));
  const end = text.toString() === '' ? '.' : ':';
  return { event, topic: cut(topicOf(item), 200), content: joined([md`${head}${end}`, text], '\n\n') };
}

/** Newer versions of the API have the first text in `source`. */
function firstTextOf(item: Payload): string {
  return item.text('conversation_message', 'body') || item.text('source', 'body');
}

function actorOf(item: Payload, part: Payload | undefined, event: string): string {
  const author = part === undefined ? '' : nameOf(part.at('author'));
  const isOfUser = event.startsWith('conversation.user.');
  return (
    author ||
    (isOfUser ? nameOf(item.at('user')) : '') ||
    nameOf(item.at('source', 'author')) ||
    nameOf(item.at('assignee'))
  );
}

function linkOf(payload: Payload, item: Payload, event: string): Markdown {
  const [workspace, id] = [payload.text('app_id'), item.need('id')];
  const made = `https://app.intercom.com/a/apps/${encodeURIComponent(workspace)}/conversations/${encodeURIComponent(id)}`;
  const url = item.text('links', 'conversation_web') || (workspace === '' ? '' : made);
  return linkIf('the conversation', event === 'conversation.deleted' ? '' : url);
}

function assigneeOf(item: Payload, part: Payload | undefined, verb: string): Markdown | undefined {
  if (verb !== 'assigned') return undefined;
  const name = (part === undefined ? '' : nameOf(part.at('assigned_to'))) || nameOf(item.at('assignee'));
  return name === '' ? undefined : md` to ${name}`;
}

/** All conversations of a person have one topic. */
function topicOf(item: Payload): string {
  const author = item.at('source', 'author');
  const writer = author.text('type') === 'admin' ? '' : nameOf(author);
  return nameOf(item.at('user')) || writer || `Conversation ${item.need('id')}`;
}
