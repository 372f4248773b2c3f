/** The missed messages of a mail as they are now: unread, readable, and still with what the user is notified about. */
import { type RawBuilder, sql } from 'kysely';
import { mayRead, readerOf } from '../../access/readable-messages.ts';
import { bitsOf, isUnread } from '../../access/unread-messages.ts';
import { FlagBit } from '../../db/flag-bits.ts';
import type { DbTransaction } from '../../db/schema.ts';
import type { Directory } from '../../directory/directory.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { Settings } from '../../domain/users/user-settings/first-settings.ts';

/** A message to mail about, as it was noted. */
export interface NotedMessage {
  readonly id: number;
  readonly cause: string;
  readonly groupId: number | null;
}

export interface MissedMessage extends NotedMessage {
  readonly senderId: number;
  /** Null for direct messages. */
  readonly channelId: number | null;
  readonly topic: string;
  /** Of direct messages, ascending. */
  readonly participants: readonly number[];
  readonly conversationId: number | null;
  readonly renderedContent: string;
  readonly sentAt: Date;
}

interface Row {
  readonly id: number;
  readonly sender_id: number;
  readonly channel_id: number | null;
  readonly conversation_id: number | null;
  readonly topic: string;
  readonly rendered_content: string;
  readonly sent_at: Date;
  readonly participants: number[] | null;
  readonly flags: number;
  readonly mentions_channel: boolean;
}

/** In the order of the messages. Indexes: the primary keys. */
export async function stillMissed(
  { db, directory, caller }: { readonly db: DbTransaction; readonly directory: Directory; readonly caller: UserRecord },
  settings: Settings,
  noted: readonly NotedMessage[],
): Promise<readonly MissedMessage[]> {
  const whose = { organizationId: directory.organization.id, userId: caller.id };
  const statement: RawBuilder<Row> = sql`
    SELECT m.id, m.sender_id, m.channel_id, m.conversation_id, m.topic, m.rendered_content, m.sent_at, m.mentions_channel,
           ${bitsOf(whose)} AS flags,
           (SELECT participants FROM direct_conversations c
             WHERE c.organization_id = ${whose.organizationId} AND c.id = m.conversation_id) AS participants
      FROM messages m
     WHERE m.organization_id = ${whose.organizationId} AND m.id = ANY (${noted.map(({ id }) => id)}::bigint[])
       AND ${isUnread(whose)} AND ${mayRead(readerOf(directory, caller))}
     ORDER BY m.id`;
  const { rows } = await statement.execute(db);
  const byId = new Map(noted.map((one) => [one.id, one]));
  return rows.flatMap((row) => {
    const one = byId.get(row.id);
    return one !== undefined && isStillWanted(row, one.cause, settings) ? [messageOf(row, one)] : [];
  });
}

/** An edit can remove the mention, and the user can have switched off such mails. */
function isStillWanted({ flags, mentions_channel }: Row, cause: string, settings: Settings): boolean {
  switch (cause) {
    case 'followed':
      return settings.enable_followed_topic_email_notifications;
    case 'channel':
      return true;
    case 'mentioned':
      return settings.enable_offline_email_notifications && (flags & FlagBit.mentioned) !== 0;
    case 'everyone':
      return (
        settings.enable_offline_email_notifications && (mentions_channel || (flags & FlagBit.topicMentioned) !== 0)
      );
    default:
      return settings.enable_offline_email_notifications;
  }
}

function messageOf(row: Row, noted: NotedMessage): MissedMessage {
  return {
    ...noted,
    senderId: row.sender_id,
    channelId: row.channel_id,
    conversationId: row.conversation_id,
    topic: row.topic,
    participants: row.participants ?? [],
    renderedContent: row.rendered_content,
    sentAt: row.sent_at,
  };
}
