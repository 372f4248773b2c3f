import type { Narrow, Term } from '@heddle/client/model/messages/narrow.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { type Message, msg, t } from '../base/i18n.ts';
import { formatDateTime } from '../base/i18n-formats.ts';
import { channelName, directName, topicLabel, userName } from '../shown/names.ts';

/** What `is:` conditions select. */
export const STATES: Readonly<Record<string, Message>> = {
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
export const CONTENTS: Readonly<Record<string, Message>> = {
  link: msg('messages with links'),
  image: msg('messages with images'),
  attachment: msg('messages with files'),
  reaction: msg('messages with reactions'),
};

/** A condition of a search in words, such as `sent by Ada`. */
export function termText(model: Model, { operator, operand, negated }: Term): string {
  const text = positiveText(model, operator, operand);
  return negated ? t('not: {condition}', { condition: text }) : text;
}

function positiveText(model: Model, operator: string, operand: Term['operand']): string {
  switch (operator) {
    case 'channel':
      return t('in #{channel}', {
        channel: typeof operand === 'number' ? channelName(model, operand) : String(operand),
      });
    case 'channels':
      return operand === 'public' ? t('all public channels') : t('channels: {kind}', { kind: String(operand) });
    case 'topic':
      return t('topic {topic}', { topic: topicLabel(model, String(operand)).text });
    case 'dm':
      return t('with {people}', { people: directName(model, others(model, operand)) });
    case 'dm-including':
      return t('direct messages with {people}', { people: directName(model, idsOf(operand)) });
    case 'sender':
      return t('sent by {person}', { person: personName(model, operand) });
    case 'mentions':
      return t('mentions {person}', { person: personName(model, operand) });
    case 'is':
      return named(STATES, operand) ?? `is:${operand}`;
    case 'has':
      return named(CONTENTS, operand) ?? `has:${operand}`;
    case 'in':
      return operand === 'home' ? t('conversations that are not muted') : t('all messages');
    case 'near':
    case 'date':
      return typeof operand === 'string' && Number.isNaN(Number(operand))
        ? t('near {date}', { date: dateText(operand) })
        : t('near message {id}', { id: String(operand) });
    case 'with':
      return t('the conversation of message {id}', { id: String(operand) });
    case 'id':
      return t('message {id}', { id: String(operand) });
    case 'search':
      return String(operand);
    default:
      return `${operator}:${operand}`;
  }
}

function dateText(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : formatDateTime(date);
}

function named(texts: Readonly<Record<string, Message>>, operand: Term['operand']): string | undefined {
  const text = texts[String(operand)];
  return text === undefined ? undefined : t(text);
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

/** A search in words, such as `sent by Ada, messages with images`. */
export function narrowText(model: Model, narrow: Narrow): string {
  const shown = narrow.filter(({ operator }) => operator !== 'near' && operator !== 'with');
  return shown.map((term) => termText(model, term)).join(', ');
}
