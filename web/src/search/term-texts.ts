import { type CurrentOperator, conditionsOf, type Narrow, type Term } from '@heddle/client/model/messages/narrow.ts';
import type { HasWord } from '@heddle/client/model/messages/narrow-vocabulary.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { type Message, msg, t } from '../base/i18n.ts';
import { formatDateTime } from '../base/i18n-formats.ts';
import { channelName, directName, topicLabel, userName } from '../shown/names.ts';
import type { ShownState } from './query.ts';

/** What `is:` conditions select. */
export const STATES: Readonly<Record<ShownState, Message>> = {
  dm: msg('direct messages'),
  starred: msg('starred messages'),
  mentioned: msg('messages that mention you'),
  alerted: msg('messages with alert words'),
  unread: msg('unread messages'),
  resolved: msg('resolved topics'),
  followed: msg('followed topics'),
  muted: msg('muted conversations'),
};

/** What `has:` conditions select. */
export const CONTENTS: Readonly<Record<HasWord, Message>> = {
  link: msg('messages with links'),
  image: msg('messages with images'),
  attachment: msg('messages with files'),
  reaction: msg('messages with reactions'),
};

/** A condition of a search in words, such as `sent by Ada`. */
export function termText(model: Model, { operator, operand, negated }: Term): string {
  const textOf = TEXTS.get(operator);
  const text = textOf === undefined ? `${operator}:${operand}` : textOf(model, operand);
  return negated ? t('not: {condition}', { condition: text }) : text;
}

type TextOf = (model: Model, operand: Term['operand']) => string;

/** Links of later clients have the operators `mentions` and `date`. */
const TEXTS: ReadonlyMap<string, TextOf> = new Map(
  Object.entries<TextOf>({
    channel: (model, operand) =>
      t('in #{channel}', { channel: typeof operand === 'number' ? channelName(model, operand) : String(operand) }),
    channels: (_, operand) =>
      operand === 'public' ? t('all public channels') : t('channels: {kind}', { kind: String(operand) }),
    topic: (model, operand) => t('topic {topic}', { topic: topicLabel(model, String(operand)).text }),
    dm: (model, operand) => t('with {people}', { people: directName(model, others(model, operand)) }),
    'dm-including': (model, operand) =>
      t('direct messages with {people}', { people: directName(model, idsOf(operand)) }),
    sender: (model, operand) => t('sent by {person}', { person: personName(model, operand) }),
    mentions: (model, operand) => t('mentions {person}', { person: personName(model, operand) }),
    is: (_, operand) => named(STATES, operand) ?? `is:${operand}`,
    has: (_, operand) => named(CONTENTS, operand) ?? `has:${operand}`,
    in: (_, operand) => (operand === 'home' ? t('conversations that are not muted') : t('all messages')),
    near: nearText,
    date: nearText,
    with: (_, operand) => t('the conversation of message {id}', { id: String(operand) }),
    id: (_, operand) => t('message {id}', { id: String(operand) }),
    search: (_, operand) => String(operand),
  } satisfies Readonly<Record<CurrentOperator | 'mentions' | 'date', TextOf>>),
);

function nearText(_: Model, operand: Term['operand']): string {
  return typeof operand === 'string' && Number.isNaN(Number(operand))
    ? t('near {date}', { date: dateText(operand) })
    : t('near message {id}', { id: String(operand) });
}

function dateText(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : formatDateTime(date);
}

function named(texts: Readonly<Record<string, Message>>, operand: Term['operand']): string | undefined {
  const name = String(operand);
  const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
  return text && t(text);
}

function idsOf(operand: Term['operand']): readonly number[] {
  if (typeof operand === 'object') return operand;
  return typeof operand === 'number' ? [operand] : [];
}

function others(model: Model, operand: Term['operand']): readonly number[] {
  return idsOf(operand).filter((id) => id !== model.ownId);
}

function personName(model: Model, operand: Term['operand']): string {
  if (operand === 'me' || operand === model.ownId) return t('you');
  return typeof operand === 'number' ? userName(model, operand) : String(operand);
}

/** Why no message can meet the conditions, and what to do. */
export function contradictionText(): string {
  return t('A message is in a channel or a direct message, never both. Remove one of these conditions.');
}

/** A search in words, such as `sent by Ada, messages with images`. */
export function narrowText(model: Model, narrow: Narrow): string {
  return conditionsOf(narrow)
    .map((term) => termText(model, term))
    .join(', ');
}
