import type { Change } from '../../../directory/organization.ts';
import { announceRead } from '../../reading/read-state/actions.ts';
import { type ChannelMessages, type LeftUnread, messagesAbove } from './rows.ts';

/**
 * Bounds the messages in the read events of one request. Initial state has the same bound for unread messages. Each
 * channel sends its newest.
 */
const MAX_LEFT_UNREAD_MESSAGES = 50_000;

/**
 * Announces that all messages of a channel are read for users who leave it. An event can contain messages that a user
 * had read before. So users with a similar number of messages above their last read id share an event, with at most
 * about twice the messages. A channel thus needs one or two dozen events, whatever the number of users.
 */
export async function announceLeftUnread(change: Change, left: readonly LeftUnread[]): Promise<void> {
  if (left.length === 0) return;
  const { db, directory } = change;
  const byChannel = Map.groupBy(left, ({ channelId }) => channelId);
  const asked = [...byChannel].map(([channelId, users]) => ({ channelId, lastReadId: lowest(users) }));
  const messages = await messagesAbove(
    db,
    directory.organization.id,
    asked,
    Math.ceil(MAX_LEFT_UNREAD_MESSAGES / asked.length),
  );
  for (const ofChannel of messages) {
    const users = byChannel.get(ofChannel.channelId) ?? [];
    const alike = Map.groupBy(users, (user) => Math.ceil(Math.log2(1 + countAbove(ofChannel.above, user.lastReadId))));
    for (const some of alike.values()) announceTo(change, ofChannel, some);
  }
}

function announceTo(change: Change, { above, moved }: ChannelMessages, users: readonly LeftUnread[]): void {
  const unread = above.slice(above.length - countAbove(above, lowest(users)));
  const byException = [...moved, ...users.flatMap(({ markedUnread }) => markedUnread)];
  // Usually there are none, and then tens of thousands of ids need no sorting.
  const ids = byException.length === 0 ? unread : [...new Set([...byException, ...unread])].sort((a, b) => a - b);
  if (ids.length === 0) return;
  const userIds = users.map(({ userId }) => userId).sort((a, b) => a - b);
  announceRead(change, userIds, ids);
}

function lowest(users: readonly LeftUnread[]): number {
  return users.reduce((least, { lastReadId }) => Math.min(least, lastReadId), Number.MAX_SAFE_INTEGER);
}

/** A binary search, since there can be thousands of users and thousands of messages. */
function countAbove(above: readonly number[], lastReadId: number): number {
  let [low, high] = [0, above.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((above[middle] ?? 0) > lastReadId) high = middle;
    else low = middle + 1;
  }
  return above.length - low;
}
