import { sql } from 'kysely';
import { executePrepared } from '../../db/prepared.ts';
import type { DbTransaction } from '../../db/schema.ts';
import { type StateContext, statePart } from '../initial-state.ts';

export const recentConversationsState = statePart<readonly RecentConversation[]>({
  types: ['recent_private_conversations'],
  query: recentConversations,
  build: ({ user }, recent) => ({
    recent_private_conversations: recent.map(({ participants, newest }) => ({
      max_message_id: newest,
      user_ids: participants.filter((id) => id !== user.id),
    })),
  }),
});

interface RecentConversation {
  participants: number[];
  newest: number;
}

/** The conversations with the newest messages. Index: messages_by_conversation, one step for each conversation. */
async function recentConversations(snapshot: DbTransaction, { directory, user }: StateContext) {
  const rows = await executePrepared(
    snapshot,
    'recent conversations',
    sql<RecentConversation>`
    SELECT c.participants, latest.id AS newest
      FROM direct_participants member
      JOIN direct_conversations c ON c.organization_id = member.organization_id AND c.id = member.conversation_id,
           LATERAL (
             SELECT m.id FROM messages m
              WHERE m.organization_id = member.organization_id AND m.conversation_id = member.conversation_id
              ORDER BY m.id DESC LIMIT 1
           ) AS latest
     WHERE member.organization_id = ${directory.organization.id} AND member.user_id = ${user.id}
     ORDER BY latest.id DESC LIMIT 1000`,
  );
  return rows;
}
