import { badRequest } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import type { DbTransaction } from '../../db/schema.ts';
import { WHOLE } from './edits.ts';

/** The channels whose first message is another one now, or none. Whoever changes messages says so in an event with the fact. */
export type FirstMessages = ReadonlyMap<number, number | null>;

export interface MovedMessages {
  /** Ascending. */
  readonly messageIds: readonly number[];
  readonly firstMessages: FirstMessages;
}

/** Where messages go, and what is kept of their going. */
export interface Moving {
  /** Channel messages. */
  readonly messageIds: readonly number[];
  readonly channelId: number;
  /** Null: each keeps its own. */
  readonly topic: string | null;
  /** Resolving a topic, or taking that back, does not count as moving. */
  readonly counts: boolean;
  readonly userId: number;
  /** Seconds since the epoch. */
  readonly at: number;
  /** The message whose text was edited by the same change: that is one entry of its history. */
  readonly edited: number | null;
  /**
   * The position up to which the directory was known to the change, which must fail if it is not the last: then every subscription is known
   * to have begun, or ended, before the move or after it.
   */
  readonly knownDirectory: number;
}

/** Whoever reads a message that was moved between channels pays for each of its stays. */
const MOST_STAYS = 100;

/**
 * Moves messages, and keeps where they were: all stays, and of its history what is told. Writes their rows and their history alone: nobody's read state changes, whoever is subscribed
 * where (access/unread-messages.ts). Index: the primary keys.
 * @throws ApiError where one of them was moved between channels too often
 */
export async function moveMessages(db: DbTransaction, organizationId: number, moving: Moving): Promise<MovedMessages> {
  const { messageIds, channelId, topic, counts, userId, at, edited, knownDirectory } = moving;
  const { rows } = await sql<{ id: number; channel_id: number; stays: number | null }>`
    WITH moving AS MATERIALIZED (
      SELECT id, channel_id, topic, stay_channels FROM messages
       WHERE organization_id = ${organizationId} AND id = ANY (${messageIds}::bigint[]) AND channel_id IS NOT NULL
       ORDER BY id FOR NO KEY UPDATE
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
        FROM moving FULL JOIN moved ON moved.id = moving.id -- the same messages: see ARCHITECTURE.md, "Joins of what has no index"
          ON CONFLICT (organization_id, message_id, number)
          DO UPDATE SET prev_topic = excluded.prev_topic, topic = excluded.topic,
                        prev_channel_id = excluded.prev_channel_id, channel_id = excluded.channel_id
    ), forgotten AS (
      DELETE FROM message_edits WHERE ctid = ANY (ARRAY(
        SELECT edit.place FROM moved, LATERAL (
               SELECT ctid AS place FROM message_edits
                WHERE organization_id = ${organizationId} AND message_id = moved.id
                  AND number <= moved.edit_count - ${WHOLE.changes} AND prev_content IS NULL
               OFFSET 0) AS edit
         WHERE moved.edit_count > ${WHOLE.changes}))
    )
    SELECT id, channel_id, cardinality(stay_channels) AS stays FROM moving ORDER BY id`.execute(db);
  if (rows.some((row) => row.channel_id !== channelId && (row.stays ?? 0) >= MOST_STAYS)) {
    throw badRequest('The messages were moved between channels too often');
  }
  const channels = rows.filter((row) => row.channel_id !== channelId).map((row) => row.channel_id);
  return {
    messageIds: rows.map(({ id }) => id),
    firstMessages:
      channels.length === 0 ? new Map() : await setFirstMessages(db, organizationId, [...channels, channelId]),
  };
}

export interface DeletedMessages {
  /** Ascending. */
  readonly messageIds: readonly number[];
  readonly firstMessages: FirstMessages;
}

/**
 * Deletes messages with everybody's flags. Watermarks stay: they are positions, not messages. Index: the primary key;
 * message_flags_by_message for what goes with them.
 */
export async function deleteMessages(
  db: DbTransaction,
  organizationId: number,
  ids: readonly number[],
): Promise<DeletedMessages> {
  const { rows } = await sql<{ id: number; channel_id: number | null }>`
    WITH going AS MATERIALIZED (
      SELECT id, channel_id FROM messages
       WHERE organization_id = ${organizationId} AND id = ANY (${ids}::bigint[])
       ORDER BY id FOR UPDATE
    ), gone AS (
      DELETE FROM messages
       WHERE organization_id = ${organizationId} AND id = ANY (ARRAY(SELECT id FROM going))
    )
    SELECT id, channel_id FROM going ORDER BY id`.execute(db);
  return {
    messageIds: rows.map(({ id }) => id),
    firstMessages: await setFirstMessages(
      db,
      organizationId,
      rows.flatMap((row) => row.channel_id ?? []),
    ),
  };
}

/** Brings `first_message_id` of the channels up to date; returns those that changed. Index: messages_by_channel, one step each. */
async function setFirstMessages(
  db: DbTransaction,
  organizationId: number,
  channelIds: readonly number[],
): Promise<FirstMessages> {
  const { rows } = await sql<{ id: number; first_message_id: number | null }>`
    WITH first AS MATERIALIZED (
      SELECT channel.id, (
               SELECT m.id FROM messages m
                WHERE m.organization_id = ${organizationId} AND m.channel_id = channel.id
                ORDER BY m.id LIMIT 1) AS message_id
        FROM unnest(${[...new Set(channelIds)].sort((a, b) => a - b)}::integer[]) AS channel (id)
    )
    UPDATE channels SET first_message_id = first.message_id
      FROM first
     WHERE channels.organization_id = ${organizationId} AND channels.id = first.id
       AND channels.first_message_id IS DISTINCT FROM first.message_id
    RETURNING channels.id, channels.first_message_id`.execute(db);
  return new Map(rows.map((row) => [row.id, row.first_message_id]));
}
