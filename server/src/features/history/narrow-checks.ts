import { type RawBuilder, sql } from 'kysely';
import type { Reader } from '../../access/readable-messages.ts';
import { bitsOf, isUnread, wasReceived } from '../../access/unread-messages.ts';
import { FlagBit } from '../../db/flag-bits.ts';
import type { Condition, Term } from './narrow.ts';

/** A conversation's id for each narrow to one, found before; undefined where it does not exist. */
export type ConversationIds = ReadonlyMap<Condition, number | undefined>;

/** Whether message `m` fits all the terms, for a reader. */
export function checkAll(reader: Reader, terms: readonly Term[], conversations: ConversationIds): RawBuilder<unknown> {
  return sql.join([sql`true`, ...terms.map((term) => check(reader, term, conversations))], sql` AND `);
}

function check(reader: Reader, { condition, negated }: Term, conversations: ConversationIds): RawBuilder<unknown> {
  const holds = checkOf(reader, condition, conversations);
  return negated ? sql`NOT coalesce(${holds}, false)` : holds;
}

function checkOf(reader: Reader, condition: Condition, conversations: ConversationIds): RawBuilder<unknown> {
  switch (condition.on) {
    case 'channel':
      return sql`m.channel_id = ${condition.channelId}`;
    case 'topic':
      return sql`(m.channel_id IS NOT NULL AND lower(m.topic) = lower(${condition.topic}))`;
    case 'conversation':
      return sql`m.conversation_id = ${conversations.get(condition) ?? 0}`;
    case 'conversations-with':
      return conversationsWith(reader, condition.userId, condition.among);
    case 'sender':
      return sql`m.sender_id = ${condition.userId}`;
    case 'id':
      return sql`m.id = ${condition.messageId}::bigint`;
    case 'is':
      return stateCheck(reader, condition.state);
  }
}

function stateCheck(reader: Reader, state: 'dm' | 'unread' | 'starred' | 'mentioned'): RawBuilder<unknown> {
  switch (state) {
    case 'dm':
      return sql`m.conversation_id IS NOT NULL`;
    case 'starred':
      return sql`(${bitsOf(reader)} & ${FlagBit.starred} <> 0)`;
    case 'mentioned':
      return sql`(${bitsOf(reader)} & ${FlagBit.mentioned | FlagBit.topicMentioned} <> 0
                  OR (m.mentions_channel AND (m.conversation_id IS NOT NULL OR ${wasReceived(reader)})))`;
    case 'unread':
      return isUnread(reader);
  }
}

/** Indexes: the primary keys of the conversations and of who takes part in them. */
function conversationsWith({ organizationId }: Reader, userId: number, among: 'all' | 'groups'): RawBuilder<unknown> {
  const theirs = sql`m.conversation_id IN (
    SELECT conversation_id FROM direct_participants
     WHERE organization_id = ${organizationId} AND user_id = ${userId})`;
  if (among === 'all') return theirs;
  return sql`(${theirs} AND EXISTS (
    SELECT FROM direct_conversations c
     WHERE c.organization_id = ${organizationId} AND c.id = m.conversation_id AND cardinality(c.participants) > 2))`;
}
