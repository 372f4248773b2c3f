/**
 * The effects of a move between channels on users: who had the messages before it, and who gets them.
 *
 * Example: messages 100 and 101 move from channel 5 to channel 8. Message 101 is the named one.
 * - Ada is subscribed to both channels. She keeps the messages and their state, and no function here returns her.
 * - Bo is subscribed to channel 5 only. If he can read channel 8, he keeps the messages, as read. Otherwise he loses
 *   them.
 * - Cleo is subscribed to neither and has starred 100. `holdersOf` finds her flag row. She is in `keeping` if she can
 *   read channel 8. Otherwise she is in `losing`, and `dropStars` removes her star.
 * - Dan is subscribed to channel 8 only. `arrivalOf` returns him only if he was subscribed to channel 5 before or has
 *   marked one unread. For all others like him, the messages arrive as read and not received.
 * - Eve subscribed to channel 5 between messages 100 and 101. If channel 5 has protected history, she can read only 101,
 *   so she is not in `hidden`. A user who subscribed after 101 can read neither, and is in `hidden`.
 */
import { sql } from 'kysely';
import { contentAccess, isProtected } from '../../../access/channels.ts';
import { type SeenMessage, seeMessages } from '../../../access/message-door.ts';
import {
  bitsOf,
  isMovedUnread,
  isUnreadAbove,
  subscribedOnArrival,
  wasReceived,
} from '../../../access/unread-messages.ts';
import { FlagBit } from '../../../db/flag-bits.ts';
import type { DbTransaction } from '../../../db/schema.ts';
import { lockUsers } from '../../../db/user-locks.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { ChannelRecord } from '../../../directory/records.ts';
import { type Holders, mayReadArrivals } from './audiences.ts';
import type { NewReaders } from './body.ts';

export interface MessageHolders extends Holders {
  /** Those of `keeping` and `losing` who have not received the named message. */
  readonly notReceived: readonly number[];
}

/**
 * Finds the users who have the messages without being subscribed to their channel, and the subscribers who have none of
 * them. Call it before the move. Indexes: message_flags_by_message, the primary keys.
 * @param hidden subscribers who cannot read the named message
 */
export async function holdersOf(
  db: DbTransaction,
  directory: Directory,
  { ids, named }: { readonly ids: readonly number[]; readonly named: number },
  { from, to }: { readonly from: ChannelRecord; readonly to: ChannelRecord },
  hidden: readonly number[],
): Promise<MessageHolders> {
  const whose = { organizationId: directory.organization.id, userId: sql.ref('flagged.user_id') };
  const { rows } = await sql<{ user_id: number; sees: boolean; received: boolean }>`
    SELECT flagged.user_id, CASE WHEN ${isProtected(from)}::boolean THEN EXISTS (
             SELECT FROM messages m
              WHERE m.organization_id = ${whose.organizationId} AND m.id = ANY (${ids}::bigint[])
                AND (${wasReceived(whose)} OR ${subscribedOnArrival(whose)})) ELSE true END AS sees,
           EXISTS (SELECT FROM messages m
                    WHERE m.organization_id = ${whose.organizationId} AND m.id = ${named} AND ${wasReceived(whose)}) AS received
      FROM (SELECT DISTINCT user_id FROM message_flags
             WHERE organization_id = ${whose.organizationId} AND message_id = ANY (${ids}::bigint[])
               AND user_id NOT IN (SELECT user_id FROM subscriptions
                                    WHERE organization_id = ${whose.organizationId} AND channel_id = ${from.id} AND is_active)
           ) AS flagged
     ORDER BY flagged.user_id`.execute(db);
  const had = rows.filter(({ user_id: userId, sees }) => {
    const user = directory.user(userId);
    return user?.isActive && sees && contentAccess(directory, user, from) !== 'none';
  });
  const holders = had.map((row) => row.user_id);
  return {
    hidden: ids.length === 1 || hidden.length === 0 ? hidden : await seeingNone(db, directory, ids, hidden),
    keeping: holders.filter((userId) => from === to || mayReadArrivals(directory, userId, to)),
    losing: holders.filter((userId) => from !== to && !mayReadArrivals(directory, userId, to)),
    notReceived: had.filter(({ received }) => !received).map((row) => row.user_id),
  };
}

/** Those of the users who can read none of the messages. Indexes: the primary keys. */
async function seeingNone(
  db: DbTransaction,
  directory: Directory,
  ids: readonly number[],
  userIds: readonly number[],
): Promise<readonly number[]> {
  const whose = { organizationId: directory.organization.id, userId: sql.ref('asked.user_id') };
  // The newest first: a user who subscribed late can read only those.
  const { rows } = await sql<{ user_id: number }>`
    SELECT asked.user_id FROM unnest(${userIds}::integer[]) AS asked (user_id)
     WHERE NOT EXISTS (
             SELECT FROM unnest(${ids.toReversed()}::bigint[]) AS named (id), LATERAL (
                    SELECT id, channel_id, home_channel_id, stay_channels, stay_since FROM messages
                     WHERE organization_id = ${whose.organizationId} AND messages.id = named.id OFFSET 0) AS m
              WHERE ${wasReceived(whose)} OR ${subscribedOnArrival(whose)})
     ORDER BY asked.user_id`.execute(db);
  return rows.map((row) => row.user_id);
}

/**
 * Removes the stars of users who can no longer read the messages. For them, the move is like a deletion. Index:
 * message_flags_by_message.
 */
export async function dropStars(
  db: DbTransaction,
  directory: Directory,
  ids: readonly number[],
  hasLost: (userId: number) => boolean,
): Promise<void> {
  const organizationId = directory.organization.id;
  const { rows } = await sql<{ user_id: number }>`
    SELECT DISTINCT user_id FROM message_flags
     WHERE organization_id = ${organizationId} AND message_id = ANY (${ids}::bigint[]) AND flags & ${FlagBit.starred} <> 0
     ORDER BY user_id`.execute(db);
  const losing = rows.map((row) => row.user_id).filter(hasLost);
  if (losing.length === 0) return;
  await lockUsers(db, organizationId, losing);
  const theirs = sql`organization_id = ${organizationId} AND message_id = ANY (${ids}::bigint[])
                     AND user_id = ANY (${losing}::integer[]) AND flags & ${FlagBit.starred} <> 0`;
  await sql`DELETE FROM message_flags WHERE ${theirs} AND flags = ${FlagBit.starred}`.execute(db);
  await sql`UPDATE message_flags SET flags = flags & ~${FlagBit.starred}::smallint WHERE ${theirs}`.execute(db);
}

/** Pairs of user and message that are checked one by one for messages that become unread. */
const MAX_PAIRS_CHECKED_SINGLY = 20_000;

export interface Arrival {
  readonly newReaders: NewReaders;
  /** The users for whom some of the messages are unread now, with these messages. */
  readonly unread: readonly { readonly userId: number; readonly messages: readonly SeenMessage[] }[];
}

/**
 * Determines the state of arrived messages for subscribers of the new channel who are not subscribed to the old one.
 * The messages are read and not received, with two exceptions: users who were subscribed to the original channel, and
 * users who marked them unread. Call it after the move. Indexes: subscriptions_by_channel, the primary keys,
 * message_flags_by_message.
 */
export async function arrivalOf(
  db: DbTransaction,
  directory: Directory,
  ids: readonly number[],
  named: number,
  { from, to }: { readonly from: ChannelRecord; readonly to: ChannelRecord },
): Promise<Arrival> {
  const organizationId = directory.organization.id;
  const whose = { organizationId, userId: sql.ref('known.user_id') };
  const { rows } = await sql<{ user_id: number; received: boolean; is_unread: boolean }>`
    WITH homes AS MATERIALIZED (
      SELECT DISTINCT coalesce(home_channel_id, channel_id) AS channel_id FROM messages
       WHERE organization_id = ${organizationId} AND id = ANY (${ids}::bigint[])
    ), newly AS MATERIALIZED (
      SELECT user_id, read_through FROM subscriptions
       WHERE organization_id = ${organizationId} AND channel_id = ${to.id} AND is_active
         AND user_id NOT IN (SELECT user_id FROM subscriptions
                              WHERE organization_id = ${organizationId} AND channel_id = ${from.id} AND is_active)
    ), known AS MATERIALIZED (
      SELECT user_id, read_through FROM newly
       WHERE user_id IN (SELECT user_id FROM user_channel_spans
                          WHERE organization_id = ${organizationId} AND channel_id = ANY (ARRAY(SELECT channel_id FROM homes)))
          OR user_id IN (SELECT user_id FROM message_flags
                          WHERE organization_id = ${organizationId} AND message_id = ANY (${ids}::bigint[])
                            AND flags & ${FlagBit.unread} <> 0)
    )
    SELECT known.user_id, ${wasReceived(whose)} AS received,
           ${isUnreadAbove(bitsOf(whose), sql`known.read_through`, isMovedUnread(whose))} AS is_unread
      FROM known, messages m
     WHERE m.organization_id = ${organizationId} AND m.id = ${named}
     ORDER BY known.user_id`.execute(db);
  const newReaders = {
    received: rows.filter(({ received }) => received).map((row) => row.user_id),
    unread: rows.filter((row) => row.is_unread).map((row) => row.user_id),
  };
  const users = rows
    .slice(0, Math.floor(MAX_PAIRS_CHECKED_SINGLY / ids.length))
    .flatMap((row) => directory.user(row.user_id) ?? []);
  const asked = users.flatMap((user) => ids.map((messageId) => ({ user, messageId })));
  const seen = asked.length === 0 ? [] : await seeMessages(db, directory, asked, 'look');
  const unread = users.map(({ id: userId }, index) => ({
    userId,
    messages: seen.slice(index * ids.length, (index + 1) * ids.length).filter((message) => message?.isUnread === true),
  }));
  return {
    newReaders,
    unread: unread.flatMap(({ userId, messages }) => {
      const known = messages.flatMap((message) => message ?? []);
      return known.length === 0 ? [] : { userId, messages: known };
    }),
  };
}
