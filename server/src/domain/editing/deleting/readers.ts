import { channelAudience, type MessageAudience, messageAudiences } from '../../../access/message-audience.ts';
import type { DbTransaction } from '../../../db/schema.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { Audience } from '../../../log/event.ts';

/** Messages of one topic or conversation with the same audience. */
export interface MessageGroup {
  /** Ascending. */
  readonly messageIds: readonly number[];
  /** Null for direct messages. */
  readonly place: { readonly channelId: number; readonly topic: string } | null;
  /** Users who are not subscribed, and have any of them or delete them. Ascending. */
  readonly others: readonly number[];
  readonly audience: Audience;
}

export interface DeletionReaders {
  readonly groups: readonly MessageGroup[];
  /** Users who have starred some of them and can no longer read them, with those messages: by user, ascending. */
  readonly kept: ReadonlyMap<number, readonly number[]>;
}

/**
 * The users who have the messages, as of the transaction (access/message-audience.ts), and the user who deletes them.
 * @param deleterId undefined if no user deletes them
 */
export async function readersOfDeleted(
  db: DbTransaction,
  directory: Directory,
  ids: readonly number[],
  deleterId?: number,
): Promise<DeletionReaders> {
  const audiences = [...(await messageAudiences(db, directory, ids))].sort(([a], [b]) => a - b);
  const groups = Map.groupBy(audiences, ([, { channelId, topic, hidden, audience }]) =>
    JSON.stringify([channelId, topic, hidden, channelId === null ? audience : null]),
  );
  const kept = new Map<number, number[]>();
  for (const [id, { keepers }] of audiences) {
    for (const userId of keepers) kept.set(userId, [...(kept.get(userId) ?? []), id]);
  }
  const deletersOf = (channelId: number) =>
    deleterId === undefined || directory.subscriptions.has(channelId, deleterId) ? [] : [deleterId];
  return { groups: [...groups.values()].flatMap((messages) => groupsOf(messages, deletersOf)), kept };
}

/** @param moreOf other unsubscribed users of a channel who get the event */
function groupsOf(
  messages: readonly (readonly [id: number, MessageAudience])[],
  moreOf: (channelId: number) => readonly number[],
): readonly MessageGroup[] {
  const [first] = messages;
  if (first === undefined) return [];
  const [, { channelId, topic, hidden, audience }] = first;
  const messageIds = messages.map(([id]) => id);
  if (channelId === null) return [{ messageIds, place: null, others: [], audience }];
  const had = messages.flatMap(([, one]) => one.others);
  const others = [...new Set([...had, ...moreOf(channelId)])].sort((a, b) => a - b);
  return [{ messageIds, place: { channelId, topic }, others, audience: channelAudience(channelId, others, hidden) }];
}
