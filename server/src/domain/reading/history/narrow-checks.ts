import type { HasWord, NarrowState } from '@heddle/api/narrow-vocabulary.ts';
import { type RawBuilder, sql } from 'kysely';
import { isMentioned } from '../../../access/mass-mentions.ts';
import type { Reader } from '../../../access/readable-messages.ts';
import { bitsOf, isUnread } from '../../../access/unread-messages.ts';
import { FlagBit } from '../../../db/flag-bits.ts';
import { IMAGE_NAME } from '../../../markup/index.ts';
import { RESOLVED } from '../../texts/shared/topic-names.ts';
import { inFollowedTopic, isMuted } from '../../topics/queries.ts';
import type { Condition, Term } from './narrow.ts';
import { type Found, isFound } from './search.ts';

/** What conditions name, looked up in the database. */
export interface LookedUp {
  /** The conversation's id for each narrow to one; undefined if there is none. */
  readonly conversations: ReadonlyMap<Condition, number | undefined>;
  /** The result for each search. */
  readonly found: ReadonlyMap<Condition, Found>;
}

/** Whether message `m` matches all terms for this reader. */
export function checkAll(reader: Reader, terms: readonly Term[], lookedUp: LookedUp): RawBuilder<unknown> {
  const checks: RawBuilder<unknown>[] = [sql`true`];
  const present = new Set<number>();
  const absent = { all: new Set<number>(), groups: new Set<number>() };
  let among: 'all' | 'groups' = 'all';
  for (const { condition, negated } of terms) {
    if (condition.on !== 'conversations-with') {
      const holds = checkOf(reader, condition, lookedUp);
      checks.push(negated ? sql`NOT coalesce(${holds}, false)` : holds);
    } else if (negated) {
      absent[condition.among].add(condition.userId);
    } else {
      present.add(condition.userId);
      if (condition.among === 'groups') among = 'groups';
    }
  }
  if (present.size > 0) {
    checks.push(sql`m.conversation_id IN (${conversationsWith(reader, present, present.size, among)})`);
  }
  for (const kind of ['all', 'groups'] as const) {
    if (absent[kind].size === 0) continue;
    const theirs = conversationsWith(reader, absent[kind], 1, kind);
    checks.push(sql`NOT coalesce(m.conversation_id IN (${theirs}), false)`);
  }
  return sql.join(checks, sql` AND `);
}

/**
 * The conversations with at least `atLeast` of the users. One subquery for all users, because planning takes too long
 * with one for each. Indexes: the primary keys of the conversations and their participants.
 */
export function conversationsWith(
  { organizationId }: Reader,
  users: ReadonlySet<number>,
  atLeast: number,
  among: 'all' | 'groups',
): RawBuilder<unknown> {
  const inGroups = sql`AND EXISTS (
    SELECT FROM direct_conversations c
     WHERE c.organization_id = ${organizationId} AND c.id = conversation_id AND cardinality(c.participants) > 2)`;
  return sql`
    SELECT conversation_id FROM direct_participants
     WHERE organization_id = ${organizationId} AND user_id = ANY (${[...users]}::int[])
       ${among === 'groups' ? inGroups : sql``}
       ${atLeast === 1 ? sql`` : sql`GROUP BY conversation_id HAVING count(*) >= ${atLeast}`}`;
}

function checkOf(
  reader: Reader,
  condition: Exclude<Condition, { on: 'conversations-with' }>,
  lookedUp: LookedUp,
): RawBuilder<unknown> {
  switch (condition.on) {
    case 'channel':
      return sql`m.channel_id = ${condition.channelId}`;
    case 'channels':
      return sql`m.channel_id IN (SELECT unnest(${condition.channelIds}::int[]))`;
    case 'topic':
      return sql`(m.channel_id IS NOT NULL AND lower(m.topic) = lower(${condition.topic}))`;
    case 'conversation':
      return sql`m.conversation_id = ${lookedUp.conversations.get(condition) ?? 0}`;
    case 'sender':
      return sql`m.sender_id = ${condition.userId}`;
    case 'id':
      return sql`m.id = ${condition.messageId}::bigint`;
    case 'is':
      return stateCheck(reader, condition.state);
    case 'has':
      return partCheck(condition.part);
    case 'search': {
      const found = lookedUp.found.get(condition);
      return found === undefined ? sql`false` : isFound(reader.organizationId, found);
    }
  }
}

/** The renderer escapes the texts of users, so these patterns match only what it wrote itself (markup/renderer.ts). */
function partCheck(part: HasWord): RawBuilder<unknown> {
  switch (part) {
    case 'reaction':
      return sql`m.has_reactions`;
    case 'link':
      // Links to channels, topics and messages have a class before the address.
      return sql`(m.rendered_content LIKE '%<a %')`;
    case 'attachment':
      return sql`(m.rendered_content LIKE '%<a href="/user_uploads/%')`;
    case 'image':
      return sql`(m.rendered_content LIKE '%<a href="%' AND m.rendered_content ~* ${`<a href="[^"?#]*${IMAGE_NAME.source}["?#]`})`;
  }
}

function stateCheck(reader: Reader, state: NarrowState): RawBuilder<unknown> {
  switch (state) {
    case 'dm':
      return sql`m.conversation_id IS NOT NULL`;
    case 'starred':
      return sql`(${bitsOf(reader)} & ${FlagBit.starred} <> 0)`;
    case 'alerted':
      return sql`(${bitsOf(reader)} & ${FlagBit.alerted} <> 0)`;
    case 'mentioned':
      return isMentioned(reader);
    case 'unread':
      return isUnread(reader);
    case 'followed':
      return inFollowedTopic(reader);
    case 'muted':
      return isMuted(reader);
    case 'resolved':
      return sql`(m.channel_id IS NOT NULL AND starts_with(m.topic, ${RESOLVED}))`;
  }
}
