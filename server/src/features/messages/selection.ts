import { type RawBuilder, sql } from 'kysely';
import { mayRead, type Reader, wasReceived } from '../../access/readable-messages.ts';
import { FlagBit } from './flag-bits.ts';
import { type Condition, type Term, wanted } from './narrow.ts';

/** Which messages, and which of them first: those before `end` downwards, or those from `end` upwards. */
export interface Stretch {
  readonly direction: 'before' | 'from';
  readonly end: number;
  readonly limit: number;
}

/** A conversation's id for each narrow to one, found before; undefined where it does not exist. */
export type ConversationIds = ReadonlyMap<Condition, number | undefined>;

/**
 * The ids of the messages in a narrow that the reader may read, as a subquery with one column `id`. The narrow's most selective
 * condition picks the index to walk in id order; all others are checked on the way.
 */
export function selectIds(
  reader: Reader,
  terms: readonly Term[],
  conversations: ConversationIds,
  stretch: Stretch,
): RawBuilder<unknown> {
  const checks = sql.join([sql`true`, ...terms.map((term) => check(reader, term, conversations))], sql` AND `);
  const [messageId] = wanted(terms, 'id');
  if (messageId !== undefined || wanted(terms, 'channel').length > 0 || wanted(terms, 'conversation').length > 0) {
    return ordered(reader, sql`${mayRead(reader)} AND ${checks}`, stretch);
  }
  const states = wanted(terms, 'is').map(({ state }) => state);
  if (states.includes('unread')) return merged(unreadSources(reader, checks, stretch), stretch);
  if (states.includes('starred')) return merged([flagged(reader, sql`flags & 4 <> 0`, checks, stretch)], stretch);
  if (states.includes('mentioned')) return merged(mentionSources(reader, checks, stretch), stretch);
  if (wanted(terms, 'sender').length > 0) {
    return ordered(
      reader,
      sql`(m.channel_id IS NULL OR ${wasReceived(reader)}) AND ${mayRead(reader)} AND ${checks}`,
      stretch,
    );
  }
  const direct = directSource(reader, sql`0`, checks, stretch);
  if (states.includes('dm') || wanted(terms, 'conversations-with').length > 0) return merged([direct], stretch);
  return merged([receivedSource(reader, sql`true`, checks, stretch), direct], stretch);
}

/** Indexes: messages_by_topic, messages_by_channel, messages_by_conversation, messages_by_sender, or the primary key. */
function ordered(reader: Reader, conditions: RawBuilder<unknown>, stretch: Stretch): RawBuilder<unknown> {
  return sql`
    SELECT m.id FROM messages m
     WHERE m.organization_id = ${reader.organizationId} AND ${within(stretch)} AND ${conditions}
     ORDER BY m.id ${order(stretch)} LIMIT ${stretch.limit}`;
}

function merged(sources: readonly RawBuilder<unknown>[], stretch: Stretch): RawBuilder<unknown> {
  return sql`
    SELECT id FROM (${sql.join(sources, sql` UNION `)}) AS found
     ORDER BY id ${order(stretch)} LIMIT ${stretch.limit}`;
}

/** What reached the reader in channels: a walk along messages_by_channel for each span of subscription. */
function receivedSource(
  reader: Reader,
  ofMessage: RawBuilder<unknown>,
  checks: RawBuilder<unknown>,
  stretch: Stretch,
): RawBuilder<unknown> {
  const readable = [...reader.openChannels, ...reader.protectedChannels];
  return sql`(
    SELECT found.id FROM (
      SELECT channel_id, since_message_id AS since, ${MAX_ID}::bigint AS until FROM subscriptions
       WHERE organization_id = ${reader.organizationId} AND user_id = ${reader.userId} AND is_active
      UNION ALL
      SELECT channel_id, since_message_id, until_message_id FROM subscription_intervals
       WHERE organization_id = ${reader.organizationId} AND user_id = ${reader.userId}
         AND channel_id = ANY (${readable}::int[])
    ) AS span, LATERAL (
      SELECT m.id FROM messages m
       WHERE m.organization_id = ${reader.organizationId} AND m.channel_id = span.channel_id
         AND m.id > span.since AND m.id <= span.until AND ${ofMessage} AND ${within(stretch)} AND ${checks}
       ORDER BY m.id ${order(stretch)} LIMIT ${stretch.limit}
    ) AS found)`;
}

/** Direct messages above a position of the membership: a walk along messages_by_conversation for each conversation. */
function directSource(
  reader: Reader,
  after: RawBuilder<unknown>,
  checks: RawBuilder<unknown>,
  stretch: Stretch,
): RawBuilder<unknown> {
  return sql`(
    SELECT found.id FROM direct_participants member, LATERAL (
      SELECT m.id FROM messages m
       WHERE m.organization_id = ${reader.organizationId} AND m.conversation_id = member.conversation_id
         AND m.id > ${after} AND ${within(stretch)} AND ${checks}
       ORDER BY m.id ${order(stretch)} LIMIT ${stretch.limit}
    ) AS found
     WHERE member.organization_id = ${reader.organizationId} AND member.user_id = ${reader.userId})`;
}

/** Messages on which the reader has a flag: along message_flags_starred, _mentioned or _unread. */
function flagged(
  reader: Reader,
  bits: RawBuilder<unknown>,
  checks: RawBuilder<unknown>,
  stretch: Stretch,
): RawBuilder<unknown> {
  return sql`(
    SELECT m.id FROM message_flags flag JOIN messages m
        ON m.organization_id = flag.organization_id AND m.id = flag.message_id
     WHERE flag.organization_id = ${reader.organizationId} AND flag.user_id = ${reader.userId} AND ${bits}
       AND ${within(stretch)} AND ${mayRead(reader)} AND ${checks}
     ORDER BY flag.message_id ${order(stretch)} LIMIT ${stretch.limit})`;
}

/** Unread is what lies above the watermarks and what was marked so below them; `checks` sorts out the rest. */
function unreadSources(reader: Reader, checks: RawBuilder<unknown>, stretch: Stretch): RawBuilder<unknown>[] {
  const inChannels = sql`(
    SELECT found.id FROM subscriptions member, LATERAL (
      SELECT m.id FROM messages m
       WHERE m.organization_id = ${reader.organizationId} AND m.channel_id = member.channel_id
         AND m.id > member.read_through AND ${within(stretch)} AND ${checks}
       ORDER BY m.id ${order(stretch)} LIMIT ${stretch.limit}
    ) AS found
     WHERE member.organization_id = ${reader.organizationId} AND member.user_id = ${reader.userId} AND member.is_active)`;
  return [
    inChannels,
    directSource(reader, sql`member.read_through`, checks, stretch),
    flagged(reader, sql`flags & 2 <> 0`, checks, stretch),
  ];
}

function mentionSources(reader: Reader, checks: RawBuilder<unknown>, stretch: Stretch): RawBuilder<unknown>[] {
  return [
    flagged(reader, sql`flags & 24 <> 0`, checks, stretch),
    receivedSource(reader, sql`m.mentions_channel`, checks, stretch),
  ];
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
      return sql`m.conversation_id IN (
        SELECT conversation_id FROM direct_participants
         WHERE organization_id = ${reader.organizationId} AND user_id = ${condition.userId})`;
    case 'sender':
      return sql`m.sender_id = ${condition.userId}`;
    case 'id':
      return sql`m.id = ${condition.messageId}`;
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
                  OR (m.mentions_channel AND ${wasReceived(reader)}))`;
    case 'unread':
      return isUnread(reader);
  }
}

/** The SQL form of `isUnread` in flag-bits.ts, for message `m`. */
function isUnread(reader: Reader): RawBuilder<unknown> {
  const readThrough = sql`
    CASE WHEN m.channel_id IS NULL THEN (
           SELECT p.read_through FROM direct_participants p
            WHERE p.organization_id = ${reader.organizationId} AND p.user_id = ${reader.userId}
              AND p.conversation_id = m.conversation_id)
         ELSE (
           SELECT s.read_through FROM subscriptions s
            WHERE s.organization_id = ${reader.organizationId} AND s.user_id = ${reader.userId}
              AND s.channel_id = m.channel_id AND s.is_active)
    END`;
  return sql`
    CASE WHEN m.id > (${readThrough}) THEN ${bitsOf(reader)} & ${FlagBit.read} = 0
         WHEN m.id <= (${readThrough}) THEN ${bitsOf(reader)} & ${FlagBit.unread} <> 0
         ELSE false
    END`;
}

function bitsOf(reader: Reader): RawBuilder<unknown> {
  return sql`coalesce((
    SELECT f.flags FROM message_flags f
     WHERE f.organization_id = ${reader.organizationId} AND f.user_id = ${reader.userId} AND f.message_id = m.id), 0)`;
}

function within({ direction, end }: Stretch): RawBuilder<unknown> {
  return direction === 'before' ? sql`m.id < ${end}::bigint` : sql`m.id >= ${end}::bigint`;
}

function order({ direction }: Stretch): RawBuilder<unknown> {
  return direction === 'before' ? sql`DESC` : sql`ASC`;
}

/** Above every message id. */
export const MAX_ID = Number.MAX_SAFE_INTEGER;
