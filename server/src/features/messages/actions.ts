import { sql } from 'kysely';
import type { DbTransaction } from '../../db/schema.ts';

/** The channels whose first message is another one now, or none. Whoever changes messages says so in an event with the fact. */
export type FirstMessages = ReadonlyMap<number, number | null>;

export interface MovedMessages {
  /** Ascending. */
  readonly messageIds: readonly number[];
  readonly firstMessages: FirstMessages;
}

/** Which messages to move: those with these ids, or all of a topic. */
export type MoveTarget = readonly number[] | { readonly channelId: number; readonly topic: string };

/**
 * Moves channel messages to a channel and a topic. Writes their rows alone: nobody's read state changes, whoever is subscribed where
 * (access/unread-messages.ts). Indexes: the primary key, or messages_by_topic.
 * @param knownDirectory the position up to which the directory was known to the change, which must fail if it is not the last: then
 *   every subscription is known to have begun, or ended, before the move or after it
 */
export async function moveMessages(
  db: DbTransaction,
  organizationId: number,
  target: MoveTarget,
  { channelId, topic }: { readonly channelId: number; readonly topic: string },
  knownDirectory: number,
): Promise<MovedMessages> {
  const chosen =
    'topic' in target
      ? sql`channel_id = ${target.channelId} AND lower(topic) = lower(${target.topic})`
      : sql`id = ANY (${target}::bigint[]) AND channel_id IS NOT NULL`;
  const { rows } = await sql<{ id: number; channel_id: number }>`
    WITH moving AS MATERIALIZED (
      SELECT id, channel_id FROM messages
       WHERE organization_id = ${organizationId} AND ${chosen}
       ORDER BY id FOR NO KEY UPDATE
    ), moved AS (
      UPDATE messages m
         SET channel_id = ${channelId}, topic = ${topic},
             home_channel_id = CASE WHEN m.channel_id = ${channelId} THEN m.home_channel_id
                                    ELSE coalesce(m.home_channel_id, m.channel_id) END,
             stay_channels = CASE WHEN m.channel_id = ${channelId} THEN m.stay_channels
                                  ELSE coalesce(m.stay_channels, ARRAY[m.channel_id]) || ${channelId}::integer END,
             stay_since = CASE WHEN m.channel_id = ${channelId} THEN m.stay_since
                               ELSE coalesce(m.stay_since, ARRAY[0::bigint]) || ${knownDirectory}::bigint END
       WHERE m.organization_id = ${organizationId} AND m.id = ANY (ARRAY(SELECT id FROM moving))
    )
    SELECT id, channel_id FROM moving ORDER BY id`.execute(db);
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
