import { sql } from 'kysely';
import { type StateReader, statePart } from '../../../extension/initial-state.ts';

export const recentConversationsState = statePart<readonly RecentConversation[]>({
  types: ['recent_private_conversations'],
  select: recentConversations,
  build: ({ user }, recent) => ({
    recent_private_conversations: recent.map(({ participants, newest }) => ({
      max_message_id: newest,
      user_ids: participants.filter((id) => id !== user.id),
    })),
  }),
  spectators: { build: () => ({ recent_private_conversations: [] }) },
});

interface RecentConversation {
  readonly participants: readonly number[];
  readonly newest: number;
}

/** The most recent conversations of the user. Index: messages_by_conversation, one step per conversation. */
function recentConversations({ organizationId, userId }: StateReader) {
  return sql<readonly RecentConversation[]>`
    SELECT coalesce(json_agg(recent), '[]') FROM (
      SELECT c.participants, latest.id AS newest
        FROM direct_participants member
        JOIN direct_conversations c ON c.organization_id = member.organization_id AND c.id = member.conversation_id,
             LATERAL (
               SELECT m.id FROM messages m
                WHERE m.organization_id = member.organization_id AND m.conversation_id = member.conversation_id
                ORDER BY m.id DESC LIMIT 1
             ) AS latest
       WHERE member.organization_id = ${organizationId} AND member.user_id = ${userId}
       ORDER BY latest.id DESC LIMIT 1000
    ) AS recent`;
}
