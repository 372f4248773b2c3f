import { type RawBuilder, sql } from 'kysely';
import { sawArrive, type Whose, wasReceived } from '../../access/unread-messages.ts';
import { executePrepared } from '../../db/prepared.ts';
import type { Db, DbTransaction } from '../../db/schema.ts';
import { joinSettings, Policy, type TopicOfUser } from './policies.ts';

/** Whether message `m` is in a topic that the reader follows. Index: the primary key of user_topics. */
export function inFollowedTopic(reader: Whose): RawBuilder<boolean> {
  return sql`EXISTS (${policyOf(reader, sql`AND own.policy = ${Policy.followed}`)})`;
}

/** Whether message `m` is in a topic that the reader has said how to see. */
export function inTopicWithPolicy(reader: Whose): RawBuilder<boolean> {
  return sql`EXISTS (${policyOf(reader, sql``)})`;
}

/**
 * Whether message `m` is muted for the reader: its topic, or its channel and the topic is neither unmuted nor followed. Direct messages are not.
 * Indexes: the primary keys.
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

/** Whether messages in topics are muted for users, in the order in which they are named. Indexes: the primary keys, one descent each. */
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

export { Policy, type TopicOfUser } from './policies.ts';

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
