import type { Change } from '../../directory/organization.ts';
import { announceRead } from '../read-state/actions.ts';
import { type ChannelMessages, type LeftUnread, messagesAbove } from './rows.ts';

/** So many messages of one request are told of at most: as many as a client is told of that are unread. Of each channel its newest. */
const MOST = 50_000;

/**
 * All that is in a channel is read for whoever leaves it. Tells them which messages that concerns: those that were unread, and perhaps
 * others that were read before, so that not everybody needs an event of their own. Who had a similar number of messages before them gets
 * the same event, with at most about twice as many; so a channel has a dozen or two, however many leave it.
 */
export async function announceLeftUnread(change: Change, left: readonly LeftUnread[]): Promise<void> {
  if (left.length === 0) return;
  const { db, directory } = change;
  const byChannel = Map.groupBy(left, ({ channelId }) => channelId);
  const asked = [...byChannel].map(([channelId, users]) => ({ channelId, readThrough: lowest(users) }));
  const messages = await messagesAbove(db, directory.organization.id, asked, Math.ceil(MOST / asked.length));
  for (const ofChannel of messages) {
    const users = byChannel.get(ofChannel.channelId) ?? [];
    const alike = Map.groupBy(users, (user) => Math.ceil(Math.log2(1 + countAbove(ofChannel.above, user.readThrough))));
    for (const some of alike.values()) announceTo(change, ofChannel, some);
  }
}

function announceTo(change: Change, { above, moved }: ChannelMessages, users: readonly LeftUnread[]): void {
  const unread = above.slice(above.length - countAbove(above, lowest(users)));
  const byException = [...moved, ...users.flatMap(({ markedUnread }) => markedUnread)];
  // Most often there are none, and tens of thousands need no sorting.
  const ids = byException.length === 0 ? unread : [...new Set([...byException, ...unread])].sort((a, b) => a - b);
  if (ids.length === 0) return;
  const userIds = users.map(({ userId }) => userId).sort((a, b) => a - b);
  announceRead(change, userIds, ids);
}

function lowest(users: readonly LeftUnread[]): number {
  return users.reduce((least, { readThrough }) => Math.min(least, readThrough), Number.MAX_SAFE_INTEGER);
}

/** Halves the list until it is found: there can be thousands of users beside thousands of messages. */
function countAbove(above: readonly number[], readThrough: number): number {
  let [low, high] = [0, above.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((above[middle] ?? 0) > readThrough) high = middle;
    else low = middle + 1;
  }
  return above.length - low;
}
