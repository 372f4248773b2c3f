/**
 * Selects the messages of a page within a narrow. Each `Source` (sources.ts) walks an index in the order of ids, and
 * checks all other conditions on the way.
 *
 * Example: Ada requests 50 messages before message 9000.
 * - In `channel:5 sender:Bo`, she can read all of channel 5. One walk goes down the channel from 8999, checks the
 *   sender, and stops after 50 hits.
 * - In `is:starred`, one walk goes along the rows of her stars and looks each message up.
 * - In `is:mentioned`, there are five sources, such as flag rows and mentions of channels. Each finds at most 50
 *   messages. `inOrder` takes the newest 50 of all.
 * - Without a narrow, she reads what she received in 300 channels. A walk of 50 messages per channel would read 15,000.
 *   So `nearest` first finds the newest message of all, say 8990, with one step per channel. It then reads only ids
 *   above 8790, which is 50 × 4 below. If these are fewer than 50 messages, it goes eight times as far, and so on.
 */
import { IS_WORDS } from '@heddle/api/narrow-vocabulary.ts';
import { type RawBuilder, sql } from 'kysely';
import { mayRead, type Reader } from '../../../access/readable-messages.ts';
import { wasReceived } from '../../../access/unread-messages.ts';
import type { Chosen } from '../../messages/messages/queries.ts';
import { type Term, wanted } from './narrow.ts';
import { checkAll, type LookedUp } from './narrow-checks.ts';
import {
  alerted,
  direct,
  inFollowedTopics,
  inMutedChannels,
  inMutedTopics,
  mentions,
  movedIn,
  movedReceived,
  openOnes,
  order,
  type Place,
  received,
  type Source,
  type Stretch,
  starred,
  unread,
  type Walk,
  within,
} from './sources.ts';

/** The ids of the selection, as a subquery with one column `id`. */
export function idsIn({ finds, query }: Chosen): RawBuilder<unknown> {
  return finds === 'ids' ? query : sql`SELECT id FROM (${query}) AS found`;
}

/**
 * The messages in a narrow that the reader can read. The most selective condition of the narrow determines the index to
 * walk. If one walk suffices, it returns whole rows.
 */
export function select(reader: Reader, terms: readonly Term[], lookedUp: LookedUp, stretch: Stretch): Chosen {
  const place = placeOf(terms, lookedUp);
  /** The parameters for a source that finds only messages in this state, so that the state is not checked again. */
  const walk = (state?: string): Walk => {
    const open = terms.filter(
      ({ condition, negated }) => negated || condition.on !== 'is' || condition.state !== state,
    );
    const companions = new Set(wanted(terms, 'conversations-with').map(({ userId }) => userId));
    return { reader, place, companions, checks: checkAll(reader, open, lookedUp), stretch, width: null };
  };
  const states = wanted(terms, 'is').map((condition) => condition.state);
  if (wanted(terms, 'id').length > 0) return ordered(walk(), mayRead(reader));
  if (states.includes('starred')) return idsOf(starred(walk('starred')));
  if (states.includes('alerted')) return idsOf(alerted(walk('alerted')));
  if (states.includes('mentioned')) return inOrder(mentions, walk('mentioned'), 'overlapping');
  if (states.includes('unread')) {
    return place === undefined ? nearest(unread, walk('unread')) : inOrder(unread, walk('unread'), 'disjoint');
  }
  if (place !== undefined) {
    const isOpen = 'conversationId' in place || reader.openChannels.includes(place.channelId);
    // If the user can read only received messages, the others can be many, so a walk must not pass them.
    return isOpen ? ordered(walk(), sql`true`) : inOrder([received, movedIn], walk(), 'disjoint');
  }
  if (states.includes('followed')) return nearest([inFollowedTopics], walk('followed'));
  if (states.includes('muted')) return nearest([inMutedTopics, inMutedChannels], walk('muted'));
  const ofKind = wanted(terms, 'channels')[0]?.channelIds;
  const isRare = wanted(terms, 'sender').length > 0 || wanted(terms, 'has').some(({ part }) => part === 'reaction');
  // Like a channel that is named, channels of a kind are searched completely, even if the reader is not subscribed.
  if (ofKind !== undefined) return isRare ? ordered(walk(), mayRead(reader)) : nearest([openOnes(ofKind)], walk());
  if (isRare) return ordered(walk(), hasAndMayRead(reader));
  if (states.includes('dm') || wanted(terms, 'conversations-with').length > 0) return nearest([direct], walk('dm'));
  return nearest([received, movedReceived, direct], walk());
}

/**
 * Whether `select` finds message `m`, if it matches the terms. A narrow without a channel, conversation or kind of
 * channels finds what the reader received. Narrows for the reader's own marks find those messages anywhere.
 */
export function isSelected(reader: Reader, terms: readonly Term[], lookedUp: LookedUp): RawBuilder<unknown> {
  const isNamed =
    placeOf(terms, lookedUp) !== undefined ||
    wanted(terms, 'channels').length > 0 ||
    wanted(terms, 'id').length > 0 ||
    wanted(terms, 'is').some(({ state }) => IS_WORDS[state].findsHistory);
  return isNamed ? mayRead(reader) : hasAndMayRead(reader);
}

/**
 * Whether the reader received message `m` and can read it. Most other messages are in channels that the reader never
 * subscribed to. These channels are excluded with a hash.
 */
function hasAndMayRead(reader: Reader): RawBuilder<unknown> {
  const theirs = sql`(SELECT channel_id FROM user_channel_spans
                      WHERE organization_id = ${reader.organizationId} AND user_id = ${reader.userId})`;
  return sql`
    (m.channel_id IS NULL OR (coalesce(m.home_channel_id, m.channel_id) IN ${theirs} AND ${wasReceived(reader)}))
    AND ${mayRead(reader)}`;
}

function placeOf(terms: readonly Term[], { conversations }: LookedUp): Place | undefined {
  const [channel] = wanted(terms, 'channel');
  if (channel !== undefined) return { channelId: channel.channelId };
  const [conversation] = wanted(terms, 'conversation');
  // A conversation that does not exist has no messages, and no conversation has the id 0.
  return conversation && { conversationId: conversations.get(conversation) ?? 0 };
}

/** Indexes: messages_by_topic, _by_channel, _by_conversation, _by_sender, messages_with_reactions, or the primary key. */
function ordered({ reader, place, checks, stretch }: Walk, readable: RawBuilder<unknown>): Chosen {
  const query = sql`
    SELECT m.* FROM messages m
     WHERE m.organization_id = ${reader.organizationId} AND ${within(stretch, null)} AND ${checks} AND ${readable}
     ORDER BY m.id ${order(stretch)} LIMIT ${stretch.limit}`;
  return { finds: 'rows', query, among: place !== undefined && 'channelId' in place ? 'channel messages' : 'all' };
}

export function idsOf(query: RawBuilder<unknown>): Chosen {
  return { finds: 'ids', query, among: 'all' };
}

/** The first messages of all that the sources find. */
function inOrder(sources: readonly Source[], walk: Walk, overlap: 'overlapping' | 'disjoint'): Chosen {
  const union = overlap === 'overlapping' ? sql` UNION ` : sql` UNION ALL `;
  return idsOf(sql`
    SELECT id FROM (${sql.join(
      sources.map((source) => source(walk)),
      union,
    )}) AS found
     ORDER BY id ${order(walk.stretch)} LIMIT ${walk.stretch.limit}`);
}

/**
 * The same for disjoint sources with many walks each, of which only few contribute to the page. From the first message
 * on, all walks have a common bound, which grows until the page is full. Ids are dense, so the walks read little more
 * than a page.
 */
function nearest(sources: readonly Source[], walk: Walk): Chosen {
  const { reader, stretch } = walk;
  if (stretch.limit <= 1) return inOrder(sources, walk, 'disjoint');
  const found = (bounds: Partial<Walk>) =>
    sql.join(
      sources.map((source) => source({ ...walk, ...bounds })),
      sql` UNION ALL `,
    );
  const [first, farthest] =
    stretch.direction === 'before'
      ? [sql`max(id)`, sql`id`]
      : [sql`min(id)`, sql`(SELECT message_head FROM logs WHERE organization_id = ${reader.organizationId}) - id`];
  return idsOf(sql`
    (WITH RECURSIVE first AS MATERIALIZED (
      SELECT ${first} AS id FROM (${found({ stretch: { ...stretch, limit: 1 } })}) AS firsts
    ), spread (width, farthest) AS (
      SELECT ${stretch.limit * 4}::bigint, ${farthest} FROM first
      UNION ALL
      SELECT width * 8, farthest FROM spread
       WHERE width <= farthest
         AND (SELECT count(*) FROM (SELECT FROM (${found({ width: sql`spread.width` })}) AS near LIMIT ${stretch.limit}) AS counted)
             < ${stretch.limit}
    ), enough AS MATERIALIZED (
      SELECT max(width) AS width FROM spread
    )
    SELECT found.id FROM enough, LATERAL (${found({ width: sql`enough.width` })}) AS found
     ORDER BY found.id ${order(stretch)} LIMIT ${stretch.limit})`);
}
