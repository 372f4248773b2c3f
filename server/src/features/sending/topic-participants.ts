import { sql } from 'kysely';
import type { Db, DbTransaction } from '../../db/schema.ts';

/** Mentions of a whole topic need its participants. No need to be exact: markup decides what is a mention. */
const TOPIC_MENTION = /@\*\*topic\*\*/i;

/** Of longer topics, only who wrote among so many newest messages is a participant: to look through all of them would take too long. */
const PARTICIPANTS_WITHIN = 10_000;

export function mayMentionTopic(content: string): boolean {
  return TOPIC_MENTION.test(content);
}

/** Who has written in the topic lately, and who is about to. Index: messages_by_topic, no further than so many messages. */
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
             ORDER BY lower(topic) DESC, id DESC LIMIT ${PARTICIPANTS_WITHIN}) AS latest`.execute(db);
  return [...new Set([...rows.map((row) => row.sender_id), senderId])];
}
