/** What a move means to those who have the messages, or come to have them: read from the database before it and after it. */
import { sql } from 'kysely';
import { contentAccess, isProtected } from '../../access/channels.ts';
import { type SeenMessage, seeMessages } from '../../access/message-door.ts';
import { isUnreadAbove, sawArrive, wasReceived } from '../../access/unread-messages.ts';
import { FlagBit } from '../../db/flag-bits.ts';
import type { DbTransaction } from '../../db/schema.ts';
import type { Directory } from '../../directory/directory.ts';
import type { ChannelRecord } from '../../directory/records.ts';
import { type Holders, mayReadArrivals } from './audiences.ts';
import type { NewReaders } from './body.ts';

export interface MessageHolders extends Holders {
  /** Of those who are not subscribed: who has not received the named message. */
  readonly notReceived: readonly number[];
}

/**
 * Who has the messages, beyond the subscribers of the channel that they are in; and which of those do not. Before they move. Indexes:
 * message_flags_by_message, the primary keys.
 * @param hidden subscribers who may not read the named message
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
                AND (${wasReceived(whose)} OR ${sawArrive(whose)})) ELSE true END AS sees,
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

/** Of these users, who has seen none of the messages. Indexes: the primary keys. */
async function seeingNone(
  db: DbTransaction,
  directory: Directory,
  ids: readonly number[],
  userIds: readonly number[],
): Promise<readonly number[]> {
  const whose = { organizationId: directory.organization.id, userId: sql.ref('asked.user_id') };
  // The newest first: who came late has seen those at most.
  const { rows } = await sql<{ user_id: number }>`
    SELECT asked.user_id FROM unnest(${userIds}::integer[]) AS asked (user_id)
     WHERE NOT EXISTS (
             SELECT FROM unnest(${ids.toReversed()}::bigint[]) AS named (id), LATERAL (
                    SELECT id, channel_id, home_channel_id, stay_channels, stay_since FROM messages
                     WHERE organization_id = ${whose.organizationId} AND messages.id = named.id OFFSET 0) AS m
              WHERE ${wasReceived(whose)} OR ${sawArrive(whose)})
     ORDER BY asked.user_id`.execute(db);
  return rows.map((row) => row.user_id);
}

/**
 * Takes the stars of messages that users cannot read any more: for them it is as if the messages were deleted. Index:
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
  const losers = rows.map((row) => row.user_id).filter(hasLost);
  if (losers.length === 0) return;
  // Nobody else works on their read state meanwhile; in the order of ids.
  await sql`
    SELECT pg_advisory_xact_lock(${organizationId}::integer, user_id)
      FROM unnest(${losers}::integer[]) AS user_id`.execute(db);
  const theirs = sql`organization_id = ${organizationId} AND message_id = ANY (${ids}::bigint[])
                     AND user_id = ANY (${losers}::integer[]) AND flags & ${FlagBit.starred} <> 0`;
  await sql`DELETE FROM message_flags WHERE ${theirs} AND flags = ${FlagBit.starred}`.execute(db);
  await sql`UPDATE message_flags SET flags = flags & ~${FlagBit.starred}::smallint WHERE ${theirs}`.execute(db);
}

/** So many messages of so many users are looked at, each by itself, for whether they become unread where they come to. */
const MOST_PAIRS = 20_000;

export interface Arrival {
  readonly newReaders: NewReaders;
  /** For whom which of them are unread now. */
  readonly unread: readonly { readonly userId: number; readonly messages: readonly SeenMessage[] }[];
}

/**
 * What messages that have come to a channel are to its subscribers who were not in the one that they come from: read, and not received, but
 * for those who were subscribed where they were sent, or had marked them unread. After they moved. Indexes: subscriptions_by_channel, the
 * primary keys, message_flags_by_message.
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
  const bits = sql<number>`coalesce((
    SELECT flags FROM message_flags
     WHERE organization_id = ${organizationId} AND user_id = known.user_id AND message_id = m.id), 0)`;
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
       WHERE user_id IN (SELECT user_id FROM subscriptions
                          WHERE organization_id = ${organizationId} AND channel_id IN (SELECT channel_id FROM homes) AND is_active)
          OR user_id IN (SELECT user_id FROM subscription_intervals
                          WHERE organization_id = ${organizationId} AND channel_id IN (SELECT channel_id FROM homes))
          OR user_id IN (SELECT user_id FROM message_flags
                          WHERE organization_id = ${organizationId} AND message_id = ANY (${ids}::bigint[])
                            AND flags & ${FlagBit.unread} <> 0)
    )
    SELECT known.user_id, ${wasReceived(whose)} AS received,
           ${isUnreadAbove(whose, bits, sql`known.read_through`)} AS is_unread
      FROM known, messages m
     WHERE m.organization_id = ${organizationId} AND m.id = ${named}
     ORDER BY known.user_id`.execute(db);
  const newReaders = {
    received: rows.filter(({ received }) => received).map((row) => row.user_id),
    unread: rows.filter((row) => row.is_unread).map((row) => row.user_id),
  };
  const users = rows.slice(0, Math.floor(MOST_PAIRS / ids.length)).flatMap((row) => directory.user(row.user_id) ?? []);
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
