import { sql } from 'kysely';
import type { DbTransaction } from '../../db/schema.ts';
import { type StateContext, type StatePart, statePart } from '../initial-state.ts';
import { shownTopic } from './limits.ts';
import { MAX_ID } from './selection.ts';
import { readUnread, type Unread } from './unread.ts';

/** The messages' part of the initial state. */
export const messagesState: readonly StatePart[] = [
  statePart<number>({
    types: ['message'],
    query: newestMessageId,
    build: (_, newest) => ({ max_message_id: newest }),
  }),
  // What is unread changes with messages as with flags, so it is told only to who hears of both.
  statePart<Unread>({
    types: ['message', 'update_message_flags'],
    query: (snapshot, { directory, user }) => readUnread(snapshot, directory.organization.id, user.id),
    build: (context, unread) => ({ unread_msgs: presentUnread(context, unread) }),
  }),
  statePart<readonly number[]>({
    types: ['starred_messages'],
    query: starredMessageIds,
    build: (_, ids) => ({ starred_messages: ids }),
  }),
  statePart<readonly RecentConversation[]>({
    types: ['recent_private_conversations'],
    query: recentConversations,
    build: ({ user }, recent) => ({
      recent_private_conversations: recent.map(({ participants, newest }) => ({
        max_message_id: newest,
        user_ids: participants.filter((id) => id !== user.id),
      })),
    }),
  }),
];

/**
 * The newest message that has reached the user, as events did or would have; -1 where none has. Others may be readable, and one that
 * reached the user may be readable no more. Indexes: messages_by_channel and _conversation, one step for each membership.
 */
async function newestMessageId(snapshot: DbTransaction, { directory, user }: StateContext): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`
    WITH spans AS (
      SELECT channel_id, since_message_id, NULL::bigint AS until_message_id FROM subscriptions
       WHERE organization_id = ${directory.organization.id} AND user_id = ${user.id} AND is_active
      UNION ALL
      SELECT channel_id, since_message_id, until_message_id FROM subscription_intervals
       WHERE organization_id = ${directory.organization.id} AND user_id = ${user.id}
    )
    SELECT greatest(
      (SELECT max(latest.id) FROM spans, LATERAL (
         SELECT m.id FROM messages m
          WHERE m.organization_id = ${directory.organization.id} AND m.channel_id = spans.channel_id
            AND m.id > spans.since_message_id AND m.id <= coalesce(spans.until_message_id, ${MAX_ID}::bigint)
          ORDER BY m.id DESC LIMIT 1
       ) AS latest),
      (SELECT max(latest.id) FROM direct_participants member, LATERAL (
         SELECT m.id FROM messages m
          WHERE m.organization_id = ${directory.organization.id} AND m.conversation_id = member.conversation_id
          ORDER BY m.id DESC LIMIT 1
       ) AS latest
        WHERE member.organization_id = ${directory.organization.id} AND member.user_id = ${user.id})
    ) AS id`.execute(snapshot);
  return rows[0]?.id ?? -1;
}

/** Index: message_flags_starred. */
async function starredMessageIds(snapshot: DbTransaction, { directory, user }: StateContext): Promise<number[]> {
  const { rows } = await sql<{ message_id: number }>`
    SELECT message_id FROM message_flags
     WHERE organization_id = ${directory.organization.id} AND user_id = ${user.id} AND flags & 4 <> 0
     ORDER BY message_id DESC LIMIT 10000`.execute(snapshot);
  return rows.map((row) => row.message_id).reverse();
}

interface RecentConversation {
  participants: number[];
  newest: number;
}

/** The conversations with the newest messages. Index: messages_by_conversation, one step for each conversation. */
async function recentConversations(snapshot: DbTransaction, { directory, user }: StateContext) {
  const { rows } = await sql<RecentConversation>`
    SELECT c.participants, latest.id AS newest
      FROM direct_participants member
      JOIN direct_conversations c ON c.organization_id = member.organization_id AND c.id = member.conversation_id,
           LATERAL (
             SELECT m.id FROM messages m
              WHERE m.organization_id = member.organization_id AND m.conversation_id = member.conversation_id
              ORDER BY m.id DESC LIMIT 1
           ) AS latest
     WHERE member.organization_id = ${directory.organization.id} AND member.user_id = ${user.id}
     ORDER BY latest.id DESC LIMIT 1000`.execute(snapshot);
  return rows;
}

function presentUnread({ user, settings }: StateContext, unread: Unread) {
  const pms = [];
  const channels = [];
  const huddles = [];
  for (const group of unread.groups) {
    const unread_message_ids = group.messageIds;
    if ('channelId' in group) {
      const topic = shownTopic(group.topic, settings.capabilities.emptyTopicName);
      channels.push({ stream_id: group.channelId, topic, unread_message_ids });
    } else if (group.participants.length <= 2) {
      const other = group.participants.find((id) => id !== user.id) ?? user.id;
      pms.push({ other_user_id: other, sender_id: other, unread_message_ids });
    } else {
      huddles.push({ user_ids_string: group.participants.join(','), unread_message_ids });
    }
  }
  return {
    count: unread.count,
    pms,
    streams: channels,
    huddles,
    mentions: unread.mentions,
    old_unreads_missing: unread.isCut,
  };
}
