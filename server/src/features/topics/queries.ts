import { sql } from 'kysely';
import { sawArrive, wasReceived } from '../../access/unread-messages.ts';
import type { Db } from '../../db/schema.ts';

/** A topic with its newest message: the name is as that message spells it. */
export interface Topic {
  readonly name: string;
  readonly newestMessageId: number;
}

/**
 * All topics of a channel, the one with the newest message first. Walks the index from topic to topic, so that it costs one descent a
 * topic however many messages there are. Index: messages_by_topic.
 */
export async function topicsOf(db: Db, organizationId: number, channelId: number): Promise<Topic[]> {
  const { rows } = await sql<{ topic: string; id: number }>`
    WITH RECURSIVE newest AS (
      (SELECT lower(topic) AS key, topic, id
         FROM messages
        WHERE organization_id = ${organizationId} AND channel_id = ${channelId}
        ORDER BY lower(topic) DESC, id DESC
        LIMIT 1)
      UNION ALL
      SELECT next.key, next.topic, next.id
        FROM newest
       CROSS JOIN LATERAL (
              SELECT lower(messages.topic) AS key, messages.topic, messages.id
                FROM messages
               WHERE messages.organization_id = ${organizationId} AND messages.channel_id = ${channelId}
                 AND lower(messages.topic) < newest.key
               ORDER BY lower(messages.topic) DESC, messages.id DESC
               LIMIT 1
            ) AS next
    )
    SELECT topic, id
      FROM newest
     ORDER BY id DESC`.execute(db);
  return rows.map((row) => ({ name: row.topic, newestMessageId: row.id }));
}

/**
 * The topics of a channel with protected history: as the messages that the user received there make them, and those that were moved
 * there for the user to see. One descent a topic and a span of being subscribed, and one a message that was moved there. Indexes:
 * messages_by_topic, messages_moved_by_channel.
 */
export async function receivedTopicsOf(
  db: Db,
  organizationId: number,
  channelId: number,
  userId: number,
): Promise<Topic[]> {
  const whose = { organizationId, userId };
  const { rows } = await sql<{ topic: string; id: number }>`
    WITH RECURSIVE spans AS MATERIALIZED (
      SELECT since_message_id AS since, NULL::bigint AS until
        FROM subscriptions
       WHERE organization_id = ${organizationId} AND user_id = ${userId} AND channel_id = ${channelId} AND is_active
      UNION ALL
      SELECT since_message_id, until_message_id
        FROM subscription_intervals
       WHERE organization_id = ${organizationId} AND user_id = ${userId} AND channel_id = ${channelId}
    ), topics AS (
      (SELECT lower(topic) AS key
         FROM messages
        WHERE organization_id = ${organizationId} AND channel_id = ${channelId}
        ORDER BY lower(topic) DESC
        LIMIT 1)
      UNION ALL
      SELECT next.key
        FROM topics
       CROSS JOIN LATERAL (
              SELECT lower(messages.topic) AS key
                FROM messages
               WHERE messages.organization_id = ${organizationId} AND messages.channel_id = ${channelId}
                 AND lower(messages.topic) < topics.key
               ORDER BY lower(messages.topic) DESC
               LIMIT 1
            ) AS next
    ), newest AS (
      SELECT topics.key, received.topic, received.id
        FROM topics, spans, LATERAL (
               SELECT messages.topic, messages.id
                 FROM messages
                WHERE messages.organization_id = ${organizationId} AND messages.channel_id = ${channelId}
                  AND lower(messages.topic) = topics.key AND messages.home_channel_id IS NULL
                  AND messages.id > spans.since AND messages.id <= coalesce(spans.until, 9223372036854775807)
                ORDER BY messages.id DESC
                LIMIT 1
             ) AS received
      UNION ALL
      SELECT lower(m.topic), m.topic, m.id
        FROM messages m
       WHERE m.organization_id = ${organizationId} AND m.channel_id = ${channelId} AND m.home_channel_id IS NOT NULL
         AND (${wasReceived(whose)} OR ${sawArrive(whose)})
    )
    SELECT topic, id
      FROM (SELECT DISTINCT ON (key) topic, id FROM newest ORDER BY key, id DESC) AS newest
     ORDER BY id DESC`.execute(db);
  return rows.map((row) => ({ name: row.topic, newestMessageId: row.id }));
}
