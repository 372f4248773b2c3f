import { type RawBuilder, sql } from 'kysely';
import type { DbTransaction } from '../../db/schema.ts';
import { forgetReading, type SubscriptionChange } from './rows.ts';

export interface BegunSubscription extends SubscriptionChange {
  readonly color: string;
  /** There is a row of an earlier one. */
  readonly isAgain: boolean;
  /** The account comes with this very change: nobody else can be subscribing it. */
  readonly isNewcomer?: boolean;
}

/** A subscription that begins, but for its date. */
type Beginning = Omit<BegunSubscription, 'eventId'>;

/**
 * Begins subscriptions, anew or again: what is there counts as read, and the settings of an earlier subscription stay. Of messages that
 * were moved there the dates say so (access/unread-messages.ts). With the log's lock, so that `isAgain` stays true.
 * Until the commit nobody takes the channels (`takeChannels`).
 * @param messageHead the last message before the subscriptions begin
 * @returns false where somebody has taken one of the channels: then nothing is written
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

/** Apart from other locks of this kind, which have two keys. Who has one and stands still is known by the upper half (log/stalled.ts). */
const lockOf = (organizationId: number) => sql`(${organizationId}::bigint << 32) | channel_id`;

/**
 * Keeps others from beginning subscriptions to these channels, to the end of the transaction. Before the log is taken. Does not wait: all that is
 * large in this process would wait along. In the order of ids, up to the first that is not free: of two who want the same channels one gets them.
 * @returns false where somebody has taken one of the channels: then the transaction is to be given up
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

/** A part of a statement: the table `are_free`, whether nobody has taken a channel in which there are people to begin. Does not wait. */
function areFree(organizationId: number, begun: readonly BegunSubscription[]): RawBuilder<unknown> {
  const channelIds = [...new Set(begun.flatMap((one) => (one.isNewcomer ? [] : one.channelId)))];
  return sql`
    are_free AS MATERIALIZED (
      SELECT coalesce(bool_and(pg_try_advisory_xact_lock_shared(${lockOf(organizationId)})), true) AS free
        FROM unnest(${channelIds}::integer[]) AS channel_id
    )`;
}

/** The event and the message of rows that have no date yet. */
const UNDATED = -1;

/**
 * Writes what `beginSubscriptions` writes before it is known when the subscriptions begin. No such row may be committed.
 * @returns where the rows are, for `dateSubscriptions`
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
 * Dates rows that the same transaction has written without a date, with the log's lock. They stay where they are in the indexes.
 * @param events since which the subscriptions hold, by channel
 * @returns how many rows, and which of the channels hold messages that were moved there: what somebody had marked unread of those is
 *   forgotten yet (`forgetBegun`). Nobody who is not subscribed has anything marked unread of others.
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

/** The part of `beginSubscriptions` that is about what is in the channels. */
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

/** Those who have a row of an earlier subscription, or the others: a row that may be there costs a fifth more than one that is not. */
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
