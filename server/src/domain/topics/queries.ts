import { type RawBuilder, sql } from 'kysely';
import { subscribedOnArrival, type Whose, wasReceived } from '../../access/unread-messages.ts';
import { executePrepared } from '../../db/prepared.ts';
import type { Db, DbTransaction } from '../../db/schema.ts';
import { joinSettings, Policy, type TopicOfUser } from './policies.ts';

/** Whether message `m` is in a topic that the user follows. Index: the primary key of user_topics. */
export function inFollowedTopic(reader: Whose): RawBuilder<boolean> {
  return sql`EXISTS (${policyOf(reader, sql`AND own.policy = ${Policy.followed}`)})`;
}

/** Whether message `m` is in a topic for which the user has a policy. */
export function inTopicWithPolicy(reader: Whose): RawBuilder<boolean> {
  return sql`EXISTS (${policyOf(reader, sql``)})`;
}

/**
 * Whether the user muted message `m`: its topic, or its channel without a policy for the topic. Direct messages cannot
 * be muted. Indexes: the primary keys.
 */
export function isMuted(reader: Whose): RawBuilder<boolean> {
  const { organizationId, userId } = reader;
  return sql`(m.channel_id IS NOT NULL AND coalesce(
    (${policyOf(reader, sql``)}) = ${Policy.muted},
    (SELECT is_muted FROM subscriptions s
      WHERE s.organization_id = ${organizationId} AND s.user_id = ${userId} AND s.channel_id = m.channel_id
        AND s.is_active),
    false))`;
}

/** Whether users muted topics, in the given order. Indexes: the primary keys, one step each. */
export async function areMuted(
  db: Db | DbTransaction,
  organizationId: number,
  asked: readonly TopicOfUser[],
): Promise<readonly boolean[]> {
  const rows = await executePrepared(
    db,
    'muted topics',
    sql<{ muted: boolean }>`
    SELECT coalesce(own.policy = ${Policy.muted}, membership.is_muted, false) AS muted
      FROM unnest(${asked.map(({ userId }) => userId)}::integer[], ${asked.map(({ channelId }) => channelId)}::integer[],
                  ${asked.map(({ topic }) => topic)}::text[])
             WITH ORDINALITY AS asked (user_id, channel_id, topic, place)
      ${joinSettings(organizationId)}
     ORDER BY asked.place`,
  );
  return rows.map(({ muted }) => muted);
}

function policyOf({ organizationId, userId }: Whose, more: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    SELECT own.policy FROM user_topics own
     WHERE own.organization_id = ${organizationId} AND own.channel_id = m.channel_id
       AND own.topic_key = lower(m.topic) AND own.user_id = ${userId} ${more}`;
}

/** A topic with its newest message, whose spelling is the name. */
export interface Topic {
  readonly name: string;
  readonly newestMessageId: number;
}

/**
 * Returns all topics of a channel, newest message first. The query steps through the index from topic to topic. So it
 * costs one step per topic, whatever the number of messages. Index: messages_by_topic.
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
 * Returns the topics of a channel with protected history. Only messages count that were delivered to the user, or that
 * were moved there while the user was subscribed. One step per topic and subscription period, and one per moved
 * message. Indexes: messages_by_topic, messages_moved_by_channel.
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
      SELECT since_message_id AS since, until_message_id AS until
        FROM user_channel_spans
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
                  AND messages.id > spans.since AND messages.id <= spans.until
                ORDER BY messages.id DESC
                LIMIT 1
             ) AS received
      UNION ALL
      SELECT lower(m.topic), m.topic, m.id
        FROM messages m
       WHERE m.organization_id = ${organizationId} AND m.channel_id = ${channelId} AND m.home_channel_id IS NOT NULL
         AND (${wasReceived(whose)} OR ${subscribedOnArrival(whose)})
    )
    SELECT topic, id
      FROM (SELECT DISTINCT ON (key) topic, id FROM newest ORDER BY key, id DESC) AS newest
     ORDER BY id DESC`.execute(db);
  return rows.map((row) => ({ name: row.topic, newestMessageId: row.id }));
}
