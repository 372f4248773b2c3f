import { sql } from 'kysely';
import { seeMessages } from '../../access/message-door.ts';
import { asInaccessible, canAccess } from '../../access/people.ts';
import type { Db, DbTransaction } from '../../db/schema.ts';
import type { Directory } from '../../directory/directory.ts';
import type { ChannelRecord, UserRecord } from '../../directory/records.ts';

/** The message of a reminder. */
export interface Target {
  readonly id: number;
  readonly sender: UserRecord;
  /** Null for direct messages. */
  readonly channel: ChannelRecord | null;
  readonly topic: string;
  readonly content: string;
  /** The participants of the direct conversation. */
  readonly participants: readonly number[];
}

/** The current message; undefined if the user may not see it. `change` prevents its deletion until the commit. */
export async function targetOf(
  db: Db | DbTransaction,
  directory: Directory,
  user: UserRecord,
  messageId: number,
  hold: 'look' | 'change',
): Promise<Target | undefined> {
  const [seen] = await seeMessages(db, directory, [{ user, messageId }], hold);
  if (seen === undefined) return undefined;
  const { rows } = await sql<{ content: string; participants: number[] | null }>`
    SELECT m.content, c.participants
      FROM messages m
      LEFT JOIN direct_conversations c ON c.organization_id = m.organization_id AND c.id = m.conversation_id
     WHERE m.organization_id = ${directory.organization.id} AND m.id = ${messageId}`.execute(db);
  const [row] = rows;
  const sender = directory.correspondent(seen.senderId);
  const channel = seen.channelId === null ? null : directory.channel(seen.channelId);
  if (row === undefined || sender === undefined || channel === undefined) return undefined;
  const { content, participants } = row;
  const shownSender = canAccess(directory, user, sender) ? sender : asInaccessible(directory, sender);
  return { id: messageId, sender: shownSender, channel, topic: seen.topic, content, participants: participants ?? [] };
}
