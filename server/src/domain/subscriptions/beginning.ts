import { type RawBuilder, sql } from 'kysely';
import type { DbTransaction } from '../../db/schema.ts';
import { forgetReading, type SubscriptionChange } from './rows.ts';

export interface BegunSubscription extends SubscriptionChange {
  readonly color: string;
  /** The user has a row from an earlier subscription. */
  readonly isAgain: boolean;
  /** The same transaction creates the account, so no other transaction can subscribe it. */
  readonly isNewcomer?: boolean;
}

/** A subscription that begins, without its date. */
type Beginning = Omit<BegunSubscription, 'eventId'>;

/**
 * Begins subscriptions, new ones or again. All messages in the channel count as read, and earlier settings stay. For
 * moved messages, the dates decide (access/unread-messages.ts). Call it with the organization lock, so that `isAgain`
 * stays true. It holds shared advisory locks of the channels until the commit, so that `takeChannels` fails.
 * @param messageHead the last message before the subscriptions begin
 * @returns false if another transaction holds the lock of a channel: then nothing is written
 */
export async function beginSubscriptions(
  db: DbTransaction,
  organizationId: number,
  begun: readonly BegunSubscription[],
  messageHead: number,
): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    WITH ${areFree(organizationId, begun)}, ${beginning(begun, sql`${begun.map((one) => one.eventId)}::bigint[]`, sql`WHERE (SELECT free FROM are_free)`)}, ${forgetReading(organizationId, sql`SELECT user_id, channel_id, ${messageHead}::bigint AS read_through FROM begun`)}, again AS (
      ${inserted(organizationId, messageHead, 'again')}
    ), anew AS (
      ${inserted(organizationId, messageHead, 'anew')}
    )
    SELECT free FROM are_free`.execute(db);
  return rows[0]?.free ?? false;
}

/**
 * An advisory lock with one 64-bit key. Other locks of this kind have two keys. The upper half is the organization, by
 * which `log/stalled.ts` finds a stalled holder.
 */
const lockOf = (organizationId: number) => sql`(${organizationId}::bigint << 32) | channel_id`;

/**
 * Prevents other transactions from beginning subscriptions to these channels until the end of this one. Call it before
 * acquiring the organization lock. It does not wait, because all other large changes of this process would wait too. It
 * locks in the order of ids and stops at the first conflict. So if two requests want the same channels, one gets all of
 * them.
 * @returns false if another transaction holds the lock of a channel: then roll back
 */
export async function takeChannels(
  db: DbTransaction,
  organizationId: number,
  channelIds: readonly number[],
): Promise<boolean> {
  if (channelIds.length === 0) return true;
  const ordered = channelIds.toSorted((a, b) => a - b);
  const { rows } = await sql<{ free: boolean }>`
    SELECT NOT EXISTS (SELECT FROM unnest(${ordered}::integer[]) AS channel_id
                        WHERE NOT pg_try_advisory_xact_lock(${lockOf(organizationId)})) AS free`.execute(db);
  return rows[0]?.free ?? false;
}

/**
 * A part of a statement: the table `are_free`. It says whether the channels of existing accounts are unlocked. It does
 * not wait.
 */
function areFree(organizationId: number, begun: readonly BegunSubscription[]): RawBuilder<unknown> {
  const channelIds = [...new Set(begun.flatMap((one) => (one.isNewcomer ? [] : one.channelId)))];
  return sql`
    are_free AS MATERIALIZED (
      SELECT coalesce(bool_and(pg_try_advisory_xact_lock_shared(${lockOf(organizationId)})), true) AS free
        FROM unnest(${channelIds}::integer[]) AS channel_id
    )`;
}

/** The event id and message id of rows without a date. */
const UNDATED = -1;

/**
 * Writes what `beginSubscriptions` writes, before the start of the subscriptions is known. Such a row must never
 * commit.
 * @returns the `ctid` of each row, for `dateSubscriptions`
 */
export async function insertUndated(
  db: DbTransaction,
  organizationId: number,
  begun: readonly Beginning[],
): Promise<string> {
  const { rows } = await sql<{ places: string }>`
    WITH ${beginning(begun, sql`array_fill(${UNDATED}::bigint, ARRAY[${begun.length}::integer])`)}, again AS (
      ${inserted(organizationId, UNDATED, 'again')} RETURNING subscriptions.ctid
    ), anew AS (
      ${inserted(organizationId, UNDATED, 'anew')} RETURNING subscriptions.ctid
    )
    SELECT coalesce(array_agg(ctid), '{}')::text AS places
      FROM (SELECT ctid FROM again UNION ALL SELECT ctid FROM anew) AS written`.execute(db);
  return rows[0]?.places ?? '{}';
}

/**
 * Dates the rows that this transaction inserted without a date. Call it with the organization lock. The update leaves
 * the indexes alone.
 * @param events the event at which the subscriptions begin, by channel
 * @returns the number of rows, and the channels with moved messages. For these channels, call `forgetBegun`: users may
 *   have marked moved messages as unread. Users cannot have unread marks on other messages of a channel without a
 *   subscription.
 */
export async function dateSubscriptions(
  db: DbTransaction,
  organizationId: number,
  places: string,
  events: ReadonlyMap<number, number>,
  messageHead: number,
): Promise<{ readonly dated: number; readonly withMoved: readonly number[] }> {
  const channels = [...events.keys()];
  const [updated, moved] = await Promise.all([
    sql`
      UPDATE subscriptions
         SET since_event_id = dated.event_id, since_message_id = ${messageHead}, read_through = ${messageHead}
        FROM unnest(${channels}::integer[], ${[...events.values()]}::bigint[]) AS dated (channel_id, event_id),
             channels
       WHERE subscriptions.ctid = ANY (${places}::tid[])
         AND subscriptions.organization_id = ${organizationId}
         AND subscriptions.since_event_id = ${UNDATED}
         AND dated.channel_id = subscriptions.channel_id
         AND channels.organization_id = ${organizationId} AND channels.id = dated.channel_id`.execute(db),
    sql<{ channel_id: number }>`
      SELECT channel_id FROM unnest(${channels}::integer[]) AS channel_id
       WHERE EXISTS (SELECT FROM messages
                      WHERE organization_id = ${organizationId} AND messages.channel_id = channel_id.channel_id
                        AND home_channel_id IS NOT NULL)`.execute(db),
  ]);
  return { dated: Number(updated.numAffectedRows), withMoved: moved.rows.map((row) => row.channel_id) };
}

/** The part of `beginSubscriptions` that clears read state in the channels. */
export async function forgetBegun(
  db: DbTransaction,
  organizationId: number,
  begun: readonly Pick<BegunSubscription, 'userId' | 'channelId'>[],
  messageHead: number,
): Promise<void> {
  const changed = sql`
    SELECT user_id, channel_id, ${messageHead}::bigint AS read_through
      FROM unnest(${begun.map((one) => one.userId)}::integer[],
                  ${begun.map((one) => one.channelId)}::integer[]) AS begun (user_id, channel_id)`;
  await sql`WITH ${forgetReading(organizationId, changed)} SELECT`.execute(db);
}

/** A part of a statement: the table `begun`. */
function beginning(
  begun: readonly Beginning[],
  eventIds: RawBuilder<unknown>,
  where: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  return sql`
    begun AS MATERIALIZED (
      SELECT * FROM unnest(${begun.map((one) => one.userId)}::integer[],
                           ${begun.map((one) => one.channelId)}::integer[],
                           ${eventIds},
                           ${begun.map((one) => one.color)}::text[],
                           ${begun.map((one) => one.isAgain)}::boolean[])
                      AS begun (user_id, channel_id, event_id, color, is_again)
       ${where}
    )`;
}

/**
 * Selects users with an earlier row, or those without. They are separate because `ON CONFLICT` makes an insert slower.
 */
function inserted(organizationId: number, messageHead: number, who: 'again' | 'anew'): RawBuilder<unknown> {
  const insert = sql`
    INSERT INTO subscriptions (organization_id, user_id, channel_id, since_event_id, since_message_id, read_through, color)
    SELECT ${organizationId}, user_id, channel_id, event_id, ${messageHead}, ${messageHead}, color
      FROM begun
     WHERE is_again = ${who === 'again'}`;
  if (who === 'anew') return insert;
  return sql`${insert}
        ON CONFLICT (organization_id, user_id, channel_id) DO UPDATE
       SET is_active = true,
           since_event_id = excluded.since_event_id,
           since_message_id = excluded.since_message_id,
           read_through = excluded.read_through
     WHERE NOT subscriptions.is_active`;
}
