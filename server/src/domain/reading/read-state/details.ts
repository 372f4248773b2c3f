import { sql } from 'kysely';
import type { SeenMessage } from '../../../access/message-door.ts';
import type { DbTransaction } from '../../../db/schema.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { TopicOfUser } from '../../topics/policies.ts';
import { areMuted } from '../../topics/queries.ts';
import type { UnreadDetail } from './events.ts';

interface BecameUnread {
  readonly userId: number;
  readonly messages: readonly SeenMessage[];
}

/** The facts that a user's clients need to count messages that became unread, without fetching them. */
export async function unreadDetails(
  db: DbTransaction,
  directory: Directory,
  unread: readonly BecameUnread[],
): Promise<readonly (readonly UnreadDetail[])[]> {
  if (unread.every(({ messages }) => messages.length === 0)) return unread.map(() => []);
  const isMuted = await mutedAmong(db, directory.organization.id, unread);
  const participants = await participantsOf(db, directory.organization.id, unread);
  return unread.map(({ userId, messages }) =>
    messages.map(({ id, isMentioned, channelId, conversationId, topic }) => ({
      messageId: id,
      mentioned: isMentioned,
      place:
        channelId === null
          ? { otherUserIds: (participants.get(conversationId ?? 0) ?? []).filter((other) => other !== userId) }
          : { channelId, topic, isMuted: isMuted({ userId, channelId, topic }) },
    })),
  );
}

/** Looks each topic up once. */
async function mutedAmong(
  db: DbTransaction,
  organizationId: number,
  unread: readonly BecameUnread[],
): Promise<(place: TopicOfUser) => boolean> {
  const keyOf = ({ userId, channelId, topic }: TopicOfUser) => `${userId}/${channelId}/${topic}`;
  const places = new Map<string, TopicOfUser>();
  for (const { userId, messages } of unread) {
    for (const { channelId, topic } of messages) {
      if (channelId !== null) places.set(keyOf({ userId, channelId, topic }), { userId, channelId, topic });
    }
  }
  const muted = await areMuted(db, organizationId, [...places.values()]);
  const known = new Map([...places.keys()].map((key, place) => [key, muted[place] ?? false]));
  return (place) => known.get(keyOf(place)) ?? false;
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
