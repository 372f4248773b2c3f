import { sql } from 'kysely';
import type { Db, DbTransaction } from '../../../db/schema.ts';

/**
 * Mentions of a topic need its participants. The pattern may match too much: the renderer decides what is a mention.
 */
const TOPIC_MENTION = /@\*\*topic\*\*/i;

/**
 * The number of newest messages whose senders count as participants. Reading all messages of a longer topic would take
 * too long.
 */
const MAX_EXAMINED_MESSAGES = 10_000;

export function mayMentionTopic(content: string): boolean {
  return TOPIC_MENTION.test(content);
}

/**
 * The recent senders of the topic, and the sender of this message. Index: messages_by_topic, at most
 * `MAX_EXAMINED_MESSAGES` entries.
 */
export async function topicParticipants(
  db: Db | DbTransaction,
  organizationId: number,
  { channelId, topic }: { readonly channelId: number; readonly topic: string },
  senderId: number,
): Promise<readonly number[]> {
  const { rows } = await sql<{ sender_id: number }>`
    SELECT DISTINCT sender_id
      FROM (SELECT sender_id FROM messages
             WHERE organization_id = ${organizationId} AND channel_id = ${channelId} AND lower(topic) = lower(${topic})
             ORDER BY lower(topic) DESC, id DESC LIMIT ${MAX_EXAMINED_MESSAGES}) AS latest`.execute(db);
  return [...new Set([...rows.map((row) => row.sender_id), senderId])];
}
