import { sql } from 'kysely';
import type { SeenMessage } from '../../access/message-door.ts';
import type { DbTransaction } from '../../db/schema.ts';
import type { Directory } from '../../directory/directory.ts';
import type { UnreadDetail } from './events.ts';

interface BecameUnread {
  readonly userId: number;
  readonly messages: readonly SeenMessage[];
}

/** What each user's clients must know of messages that became unread to count them without having them. */
export async function unreadDetails(
  db: DbTransaction,
  directory: Directory,
  unread: readonly BecameUnread[],
): Promise<readonly (readonly UnreadDetail[])[]> {
  if (unread.every(({ messages }) => messages.length === 0)) return unread.map(() => []);
  const muted = await mutedChannels(db, directory.organization.id, unread);
  const participants = await participantsOf(db, directory.organization.id, unread);
  return unread.map(({ userId, messages }) =>
    messages.map(({ id, isMentioned, channelId, conversationId, topic }) => ({
      messageId: id,
      mentioned: isMentioned,
      place:
        channelId === null
          ? { otherUserIds: (participants.get(conversationId ?? 0) ?? []).filter((other) => other !== userId) }
          : { channelId, topic, isMuted: muted.get(userId)?.has(channelId) ?? false },
    })),
  );
}

/** Index: the primary key of subscriptions. */
async function mutedChannels(
  db: DbTransaction,
  organizationId: number,
  unread: readonly BecameUnread[],
): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  const { rows } = await sql<{ user_id: number; channel_id: number }>`
    SELECT user_id, channel_id FROM subscriptions
     WHERE organization_id = ${organizationId} AND user_id = ANY (${unread.map(({ userId }) => userId)}::integer[])
       AND is_muted`.execute(db);
  return new Map(
    [...Map.groupBy(rows, (row) => row.user_id)].map(([userId, own]) => [
      userId,
      new Set(own.map((row) => row.channel_id)),
    ]),
  );
}

/** Index: the primary key of direct_conversations. */
async function participantsOf(
  db: DbTransaction,
  organizationId: number,
  unread: readonly BecameUnread[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const ids = new Set(unread.flatMap(({ messages }) => messages.flatMap(({ conversationId }) => conversationId ?? [])));
  if (ids.size === 0) return new Map();
  const { rows } = await sql<{ id: number; participants: number[] }>`
    SELECT id, participants FROM direct_conversations
     WHERE organization_id = ${organizationId} AND id = ANY (${[...ids]}::integer[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row.participants]));
}
