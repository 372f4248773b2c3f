import { badRequest } from '@heddle/api/errors.ts';
import { type RawBuilder, sql } from 'kysely';
import type { DbTransaction } from '../../../db/schema.ts';
import type { OptimisticChange } from '../../../directory/organization.ts';
import { lockLog } from '../../../log/change.ts';
import { WHOLE } from './edits.ts';

/**
 * The new first message of each channel whose first message changed; null if the channel has none now. The caller
 * announces it in an event with a state delta.
 */
export type FirstMessages = ReadonlyMap<number, number | null>;

/** The target of a move, and what the edit history records. */
export interface Moving {
  /** Channel messages. The caller has locked them in their old thread, so no other request moves or deletes them. */
  readonly messageIds: readonly number[];
  readonly channelId: number;
  /** Null: each message keeps its topic. */
  readonly topic: string | null;
  /** False for resolving and unresolving a topic, which do not set `moved_at`. */
  readonly counts: boolean;
  readonly userId: number;
  /** Seconds since the epoch. */
  readonly at: number;
  /** The message whose text the same change edited. Both changes share one entry of its edit history. */
  readonly edited: number | null;
  /**
   * The position of the directory that the change saw. The change must fail if this is not the last position. So every
   * subscription is known to have begun, or ended, before the move or after it.
   */
  readonly knownDirectory: number;
}

/** Channels in the history of one message. Every read of a moved message evaluates all of them. */
const MAX_CHANNELS_IN_HISTORY = 100;

/**
 * Moves messages. Records their channel history, and an entry in their edit history. It writes no read state, whatever
 * the subscriptions are (access/unread-messages.ts). Index: the primary keys.
 * @returns the channels that messages left or entered: their first message may have changed. See `updateFirstMessages`
 * @throws ApiError if one of them was moved between channels too often
 */
export async function moveMessages(
  db: DbTransaction,
  organizationId: number,
  moving: Moving,
): Promise<readonly number[]> {
  const { messageIds, channelId, topic, counts, userId, at, edited, knownDirectory } = moving;
  const { rows } = await sql<{ channel_id: number; stays: number | null }>`
    WITH moving AS MATERIALIZED (
      SELECT id, channel_id, topic, stay_channels FROM messages
       WHERE organization_id = ${organizationId} AND id = ANY (${messageIds}::bigint[]) AND channel_id IS NOT NULL
    ), moved AS (
      UPDATE messages m
         SET channel_id = ${channelId}, topic = coalesce(${topic}::text, m.topic),
             home_channel_id = CASE WHEN m.channel_id = ${channelId} THEN m.home_channel_id
                                    ELSE coalesce(m.home_channel_id, m.channel_id) END,
             stay_channels = CASE WHEN m.channel_id = ${channelId} THEN m.stay_channels
                                  ELSE coalesce(m.stay_channels, ARRAY[m.channel_id]) || ${channelId}::integer END,
             stay_since = CASE WHEN m.channel_id = ${channelId} THEN m.stay_since
                               ELSE coalesce(m.stay_since, ARRAY[0::bigint]) || ${knownDirectory}::bigint END,
             edit_count = m.edit_count + CASE WHEN m.id = ${edited}::bigint THEN 0 ELSE 1 END,
             moved_at = CASE WHEN ${counts}::boolean THEN to_timestamp(${at}::bigint) ELSE m.moved_at END
       WHERE m.organization_id = ${organizationId} AND m.id = ANY (ARRAY(SELECT id FROM moving))
      RETURNING m.id, m.edit_count, m.topic
    ), kept AS (
      INSERT INTO message_edits (organization_id, message_id, number, user_id, edited_at, prev_topic, topic,
                                 prev_channel_id, channel_id)
      SELECT ${organizationId}, moved.id, moved.edit_count, ${userId}, to_timestamp(${at}::bigint),
             CASE WHEN moving.topic <> moved.topic THEN moving.topic END,
             CASE WHEN moving.topic <> moved.topic THEN moved.topic END,
             CASE WHEN moving.channel_id <> ${channelId} THEN moving.channel_id END,
             CASE WHEN moving.channel_id <> ${channelId} THEN ${channelId}::integer END
        FROM moving FULL JOIN moved ON moved.id = moving.id -- the same messages: see server/src/db/README.md
          ON CONFLICT (organization_id, message_id, number)
          DO UPDATE SET prev_topic = excluded.prev_topic, topic = excluded.topic,
                        prev_channel_id = excluded.prev_channel_id, channel_id = excluded.channel_id
    ), forgotten AS (
      DELETE FROM message_edits WHERE organization_id = ${organizationId} AND ctid = ANY (ARRAY(
        SELECT edit.place FROM moved, LATERAL (
               SELECT ctid AS place FROM message_edits
                WHERE organization_id = ${organizationId} AND message_id = moved.id
                  AND number <= moved.edit_count - ${WHOLE.changes} AND prev_content IS NULL
               OFFSET 0) AS edit
         WHERE moved.edit_count > ${WHOLE.changes}))
    )
    SELECT channel_id, max(cardinality(stay_channels)) AS stays FROM moving
     WHERE channel_id <> ${channelId}
     GROUP BY channel_id`.execute(db);
  if (rows.some(({ stays }) => (stays ?? 0) >= MAX_CHANNELS_IN_HISTORY)) {
    throw badRequest('The messages were moved between channels too often');
  }
  return rows.length === 0 ? [] : [...rows.map((row) => row.channel_id), channelId];
}

/**
 * Deletes messages with the flags of all users. The last read ids stay: they are positions, not messages. Indexes: the
 * primary key; message_flags_by_message for the flags.
 * @returns the channels that contained them: their first message may have changed. See `updateFirstMessages`
 */
export async function deleteMessages(
  db: DbTransaction,
  organizationId: number,
  ids: readonly number[],
): Promise<readonly number[]> {
  const { rows } = await sql<{ channel_id: number }>`
    WITH going AS MATERIALIZED (
      SELECT id, channel_id FROM messages
       WHERE organization_id = ${organizationId} AND id = ANY (${ids}::bigint[])
       ORDER BY id FOR UPDATE
    ), gone AS (
      DELETE FROM messages
       WHERE organization_id = ${organizationId} AND id = ANY (ARRAY(SELECT id FROM going))
    )
    SELECT DISTINCT channel_id FROM going WHERE channel_id IS NOT NULL`.execute(db);
  return rows.map((row) => row.channel_id);
}

/**
 * Updates `first_message_id` of the channels, and returns those that changed. Call it after all other statements of the change: if a first
 * message changes, it acquires the organization lock. Without the lock, another transaction could commit first and delete the new first
 * message, or add an earlier one. Index: messages_by_channel, one step for each channel.
 */
export async function updateFirstMessages(
  { db, directory, holdsLog }: OptimisticChange,
  channelIds: readonly number[],
): Promise<FirstMessages> {
  const organizationId = directory.organization.id;
  if (channelIds.length === 0) return new Map();
  const first = firstMessagesOf(organizationId, channelIds);
  const differ = sql`channels.organization_id = ${organizationId} AND channels.id = first.id
                     AND channels.first_message_id IS DISTINCT FROM first.message_id`;
  if (!holdsLog) {
    const { rows } = await sql`${first} SELECT FROM first, channels WHERE ${differ}`.execute(db);
    if (rows.length === 0) return new Map();
  }
  // Sent together: the second statement reads after the first holds the lock.
  const [, { rows }] = await Promise.all([
    holdsLog ? undefined : lockLog(db, organizationId),
    sql<{ id: number; first_message_id: number | null }>`
      ${first}
      UPDATE channels
         SET first_message_id = first.message_id,
             -- An empty channel can fall silent now (channels/activity.ts).
             activity_due_at = CASE WHEN first.message_id IS NULL THEN now() ELSE channels.activity_due_at END
        FROM first WHERE ${differ}
      RETURNING channels.id, channels.first_message_id`.execute(db),
  ]);
  return new Map(rows.map((row) => [row.id, row.first_message_id]));
}

function firstMessagesOf(organizationId: number, channelIds: readonly number[]): RawBuilder<unknown> {
  return sql`
    WITH first AS MATERIALIZED (
      SELECT channel.id, (
               SELECT m.id FROM messages m
                WHERE m.organization_id = ${organizationId} AND m.channel_id = channel.id
                ORDER BY m.id LIMIT 1) AS message_id
        FROM unnest(${[...channelIds].sort((a, b) => a - b)}::integer[]) AS channel (id)
    )`;
}
