import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import type { OutgoingMessage } from '@heddle/client/model/messages/outbox.ts';
import { keyOf, type Place } from '@heddle/client/model/messages/places.ts';

/** A row of a message list. Keys are unique within a list and stay the same while their row exists. */
export type Row =
  /** The first row of a day. */
  | { readonly kind: 'date'; readonly key: string; readonly timestamp: number }
  /** Where the following messages are, and their day. Only in feeds with several conversations. */
  | {
      readonly kind: 'place';
      readonly key: string;
      readonly place: Place;
      readonly timestamp: number;
      /** Undefined before outgoing messages. */
      readonly firstId: number | undefined;
    }
  /** Between the last message that was read when the list was opened and the first unread one. */
  | { readonly kind: 'unread-marker'; readonly key: 'unread-marker' }
  | {
      readonly kind: 'message';
      readonly key: number;
      readonly id: number;
      /** The row shows the sender. Further messages of the same run do not repeat it. */
      readonly showsSender: boolean;
    }
  /** A message that the server has not confirmed. */
  | {
      readonly kind: 'outgoing';
      readonly key: string;
      readonly message: OutgoingMessage;
      readonly showsSender: boolean;
    };

export interface RowOptions {
  /** The list has messages of several conversations. */
  readonly isMixed: boolean;
  /** The first unread message when the list was opened. */
  readonly firstUnreadId: number | undefined;
  readonly ownId: number;
}

/** A run of messages of one sender ends after a pause of this many seconds. */
const RUN_PAUSE_SECONDS = 10 * 60;

/** What the next row is compared with. */
interface Before {
  readonly day: string;
  readonly place: string;
  readonly senderId: number;
  readonly timestamp: number;
  readonly isMe: boolean;
}

/** The rows for messages in ascending order, followed by outgoing messages. */
export function rowsOf(
  messages: readonly MessageRecord[],
  outgoing: readonly OutgoingMessage[],
  { isMixed, firstUnreadId, ownId }: RowOptions,
): readonly Row[] {
  const rows: Row[] = [];
  let before: Before | undefined;
  const begin = (now: Before, place: Place, id: number | string): boolean => {
    const isNewDay = before?.day !== now.day;
    const isNewPlace = isMixed && (isNewDay || before?.place !== now.place);
    const isFirstUnread = id === firstUnreadId;
    if (isNewDay) rows.push({ kind: 'date', key: `date-${now.day}`, timestamp: now.timestamp });
    if (isFirstUnread) rows.push({ kind: 'unread-marker', key: 'unread-marker' });
    if (isNewPlace) {
      const firstId = typeof id === 'number' ? id : undefined;
      rows.push({ kind: 'place', key: `place-${id}`, place, timestamp: now.timestamp, firstId });
    }
    const continues = before !== undefined && !isNewDay && !isNewPlace && !isFirstUnread && isSameRun(before, now);
    before = now;
    return !continues;
  };
  for (const message of messages) {
    const { id, place, senderId, timestamp, isMe } = message;
    const now = { day: dayOf(timestamp), place: keyOf(place), senderId, timestamp, isMe };
    const showsSender = begin(now, place, id);
    rows.push({ kind: 'message', key: id, id, showsSender });
  }
  for (const message of withoutArrived(outgoing, messages, ownId)) {
    const timestamp = message.createdAt / 1000;
    const isMe = message.content.startsWith('/me ');
    const now = { day: dayOf(timestamp), place: keyOf(message.place), senderId: ownId, timestamp, isMe };
    const showsSender = begin(now, message.place, message.localId);
    rows.push({ kind: 'outgoing', key: message.localId, message, showsSender });
  }
  return rows;
}

/**
 * A page of history can contain a message before the response to its own request says so. Then it is not shown twice. Requests of one
 * conversation run one after the other, so an own message there after `afterId` is the one on its way.
 */
function withoutArrived(
  outgoing: readonly OutgoingMessage[],
  messages: readonly MessageRecord[],
  ownId: number,
): readonly OutgoingMessage[] {
  const first = new Map<string, OutgoingMessage>();
  for (const one of outgoing) {
    const key = keyOf(one.place);
    if ((one.state === 'sending' || one.state === 'sent') && !first.has(key)) first.set(key, one);
  }
  if (first.size === 0) return outgoing;
  const arrived = new Set<OutgoingMessage>();
  for (const { id, senderId, place } of messages) {
    const one = senderId === ownId ? first.get(keyOf(place)) : undefined;
    if (one !== undefined && id > one.afterId) arrived.add(one);
  }
  return outgoing.filter((message) => !arrived.has(message));
}

function isSameRun(before: Before, now: Before): boolean {
  if (before.isMe || now.isMe) return false;
  const isSoon = now.timestamp - before.timestamp < RUN_PAUSE_SECONDS;
  return isSoon && before.senderId === now.senderId && before.place === now.place;
}

/** The local day, such as `2026-2-3`. */
function dayOf(timestamp: number): string {
  const date = new Date(timestamp * 1000);
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
}
