/**
 * Selects the messages of a page within a narrow. Each `Source` walks an index in the order of ids and stops when the
 * page is full. It checks all other conditions on the way.
 *
 * Example: Ada requests 50 messages before message 9000.
 * - In `channel:5 sender:Bo`, she can read all of channel 5. One walk goes down the channel from 8999, checks the
 *   sender, and stops after 50 hits.
 * - In `is:starred`, one walk goes along the rows of her stars and looks each message up.
 * - In `is:mentioned`, there are five sources: flag rows, mass mentions, mentions of channels, those of moved messages,
 *   and those of conversations. Each finds at most 50 messages, and `inOrder` takes the newest 50 of all.
 * - Without a narrow, she reads what she received in 300 channels. A walk of 50 messages per channel would read 15,000.
 *   So `nearest` first finds the newest message of all, say 8990, with one step per channel. It then reads only ids
 *   above 8790, which is 50 × 4 below. If these are fewer than 50 messages, it goes eight times as far, and so on.
 */
import { type RawBuilder, sql } from 'kysely';
import { includes } from '../../access/mass-mentions.ts';
import { mayRead, type Reader } from '../../access/readable-messages.ts';
import { bitsOf, isMovedUnread, wasReceived } from '../../access/unread-messages.ts';
import { READING_BITS } from '../../db/flag-bits.ts';
import type { Chosen } from '../messages/queries.ts';
import { inTopicWithPolicy } from '../topics/queries.ts';
import { type State, type Term, wanted } from './narrow.ts';
import { checkAll, conversationsWith, type LookedUp } from './narrow-checks.ts';

/** A part of the order of ids: downwards from before `end`, or upwards from `end`. */
export interface Stretch {
  readonly direction: 'before' | 'from';
  /** A number, or an SQL expression. */
  readonly end: number | RawBuilder<unknown>;
  readonly limit: number;
}

/** The channel or conversation of a narrow. */
type Place = { readonly channelId: number } | { readonly conversationId: number };

/** The parameters of a walk along an index: the reader, the conversation, which messages to skip, and how far to go. */
interface Walk {
  readonly reader: Reader;
  readonly place: Place | undefined;
  readonly checks: RawBuilder<unknown>;
  readonly stretch: Stretch;
  /** Users who must participate in a direct conversation. */
  readonly companions: ReadonlySet<number>;
  /** Leaves out messages whose ids are further than this from the first one; null for no bound. */
  readonly width: RawBuilder<unknown> | null;
}

/** Returns a subquery of ids in brackets. */
type Source = (walk: Walk) => RawBuilder<unknown>;

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
  if (states.includes('mentioned'))
    return inOrder(
      [mentions, mentionsAmongMany, channelMentions, movedChannelMentions, directMentions],
      walk('mentioned'),
      'overlapping',
    );
  if (states.includes('unread')) {
    if (place !== undefined) return inOrder(unreadSources, walk('unread'), 'disjoint');
    return nearest(unreadSources, walk('unread'));
  }
  if (place === undefined && states.includes('followed')) return nearest([ofTopics(FOLLOWED)], walk('followed'));
  if (place === undefined && states.includes('muted'))
    return nearest([ofTopics(MUTED), ofMutedChannels], walk('muted'));
  if (place !== undefined) {
    const isOpen = 'conversationId' in place || reader.openChannels.includes(place.channelId);
    // If the user can read only received messages, the others can be many, so a walk must not pass them.
    return isOpen ? ordered(walk(), sql`true`) : inOrder([received, movedIn], walk(), 'disjoint');
  }
  const ofKind = wanted(terms, 'channels')[0]?.channelIds;
  const isRare = wanted(terms, 'sender').length > 0 || wanted(terms, 'has').some(({ part }) => part === 'reaction');
  // Like a channel that is named, channels of a kind are searched completely, even if the reader is not subscribed.
  if (ofKind !== undefined) return isRare ? ordered(walk(), mayRead(reader)) : nearest([openOnes(ofKind)], walk());
  if (isRare) {
    return ordered(walk(), hasAndMayRead(reader));
  }
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
    wanted(terms, 'is').some(({ state }) => MARKED.has(state));
  return isNamed ? mayRead(reader) : hasAndMayRead(reader);
}

const MARKED: ReadonlySet<State> = new Set(['starred', 'alerted', 'mentioned', 'unread']);

/**
 * Whether the reader received message `m` and can read it. Most other messages are in channels that the reader never
 * subscribed to. These channels are excluded with a hash.
 */
function hasAndMayRead(reader: Reader): RawBuilder<unknown> {
  const theirs = sql`(SELECT span.channel_id FROM ${spans(reader)} AS span)`;
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

/**
 * Messages that the reader received in channels and that were never moved to another. Index: messages_by_channel, for
 * each span of subscription.
 */
const received: Source = (walk) => receivedWhere(walk, sql`true`);

/** Those of them that mention the channel. Index: messages_mentioning_channel. */
const channelMentions: Source = (walk) => receivedWhere(walk, sql`m.mentions_channel`);

function receivedWhere({ reader, place, checks, stretch, width }: Walk, ofMessage: RawBuilder<unknown>) {
  const readable = [...reader.openChannels, ...reader.protectedChannels];
  return sql`(
    SELECT found.id FROM (
      SELECT channel_id, since_message_id AS since, ${MAX_ID}::bigint AS until FROM subscriptions
       WHERE organization_id = ${reader.organizationId} AND user_id = ${reader.userId} AND is_active
         AND ${inPlace(place, 'channel_id')}
      UNION ALL
      SELECT channel_id, since_message_id, until_message_id FROM subscription_intervals
       WHERE organization_id = ${reader.organizationId} AND user_id = ${reader.userId}
         AND channel_id IN (SELECT unnest(${readable}::int[])) AND ${inPlace(place, 'channel_id')}
    ) AS span, LATERAL (
      SELECT m.id FROM messages m
       WHERE m.organization_id = ${reader.organizationId} AND m.channel_id = span.channel_id
         AND m.id > span.since AND m.id <= span.until AND m.home_channel_id IS NULL
         AND ${ofMessage} AND ${within(stretch, width)} AND ${checks}
       ORDER BY m.id ${order(stretch)} LIMIT ${stretch.limit}
    ) AS found)`;
}

/**
 * Messages that the reader received and that were moved to another channel since. Index: messages_moved_by_home, for
 * each span of subscription.
 */
const movedReceived: Source = (walk) => movedReceivedWhere(walk, sql`true`);

/** Those of them that mention the channel. */
const movedChannelMentions: Source = (walk) => movedReceivedWhere(walk, sql`m.mentions_channel`);

function movedReceivedWhere({ reader, place, checks, stretch, width }: Walk, ofMessage: RawBuilder<unknown>) {
  return sql`(
    SELECT found.id FROM ${spans(reader)} AS span, LATERAL (
      SELECT m.id FROM messages m
       WHERE m.organization_id = ${reader.organizationId} AND m.home_channel_id = span.channel_id
         AND m.id > span.since AND m.id <= span.until AND ${inPlace(place, 'channel_id')}
         AND ${ofMessage} AND ${within(stretch, width)} AND ${checks} AND ${mayRead(reader)}
       ORDER BY m.id ${order(stretch)} LIMIT ${stretch.limit}
    ) AS found)`;
}

/**
 * Messages in those of the channels whose whole history the reader can read. Index: messages_by_channel, for each
 * channel.
 */
function openOnes(channelIds: readonly number[]): Source {
  return ({ reader, checks, stretch, width }) => {
    const open = [...new Set(reader.openChannels).intersection(new Set(channelIds))];
    return sql`(
    SELECT found.id FROM unnest(${open}::int[]) AS of_kind (channel_id), LATERAL (
      SELECT m.id FROM messages m
       WHERE m.organization_id = ${reader.organizationId} AND m.channel_id = of_kind.channel_id
         AND ${within(stretch, width)} AND ${checks}
       ORDER BY m.id ${order(stretch)} LIMIT ${stretch.limit}
    ) AS found)`;
  };
}

/** Messages that were moved into this channel and that the reader can read. Index: messages_moved_by_channel. */
const movedIn: Source = ({ reader, place, checks, stretch, width }) => sql`(
    SELECT m.id FROM messages m
     WHERE m.organization_id = ${reader.organizationId} AND m.home_channel_id IS NOT NULL
       AND ${inPlace(place, 'channel_id')} AND ${within(stretch, width)} AND ${checks} AND ${mayRead(reader)}
     ORDER BY m.id ${order(stretch)} LIMIT ${stretch.limit})`;

const MUTED = 1;
const FOLLOWED = 3;

/**
 * Received messages in topics for which the reader has this policy. Indexes: user_topics_by_user, messages_by_topic for
 * each topic.
 */
function ofTopics(policy: number): Source {
  return ({ reader, checks, stretch, width }) => sql`(
    SELECT found.id FROM user_topics own, LATERAL (
      SELECT m.id FROM messages m
       WHERE m.organization_id = ${reader.organizationId} AND m.channel_id = own.channel_id
         AND lower(m.topic) = own.topic_key AND ${within(stretch, width)} AND ${checks}
         AND ${wasReceived(reader)} AND ${mayRead(reader)}
       ORDER BY lower(m.topic) ${order(stretch)}, m.id ${order(stretch)} LIMIT ${stretch.limit}
    ) AS found
     WHERE own.organization_id = ${reader.organizationId} AND own.user_id = ${reader.userId} AND own.policy = ${policy})`;
}

/**
 * Received messages in muted channels, in topics without a policy. Index: messages_by_channel, for each muted channel.
 */
const ofMutedChannels: Source = ({ reader, checks, stretch, width }) => sql`(
    SELECT found.id FROM subscriptions member, LATERAL (
      SELECT m.id FROM messages m
       WHERE m.organization_id = ${reader.organizationId} AND m.channel_id = member.channel_id
         AND NOT ${inTopicWithPolicy(reader)} AND ${within(stretch, width)} AND ${checks}
         AND ${wasReceived(reader)} AND ${mayRead(reader)}
       ORDER BY m.id ${order(stretch)} LIMIT ${stretch.limit}
    ) AS found
     WHERE member.organization_id = ${reader.organizationId} AND member.user_id = ${reader.userId}
       AND member.is_active AND member.is_muted)`;

/** The periods of the reader's subscriptions. */
function spans(reader: Reader): RawBuilder<unknown> {
  return sql`(
      SELECT channel_id, since_message_id AS since, ${MAX_ID}::bigint AS until, read_through FROM subscriptions
       WHERE organization_id = ${reader.organizationId} AND user_id = ${reader.userId} AND is_active
      UNION ALL
      SELECT channel_id, since_message_id, until_message_id, read_through FROM subscription_intervals
       WHERE organization_id = ${reader.organizationId} AND user_id = ${reader.userId}
    )`;
}

/** Direct messages. Index: messages_by_conversation, for each conversation. */
const direct: Source = (walk) => directWhere(walk, sql`true`);

/**
 * Those that mention everyone in the conversation: few in the whole organization. Index: messages_mentioning_channel.
 */
const directMentions: Source = ({ reader, place, checks, stretch, width }) => sql`(
    SELECT m.id FROM messages m
     WHERE m.organization_id = ${reader.organizationId} AND m.channel_id IS NULL AND m.mentions_channel
       AND ${inPlace(place, 'conversation_id')} AND ${within(stretch, width)} AND ${checks}
       AND EXISTS (
         SELECT FROM direct_participants member
          WHERE member.organization_id = ${reader.organizationId} AND member.user_id = ${reader.userId}
            AND member.conversation_id = m.conversation_id)
     ORDER BY m.id ${order(stretch)} LIMIT ${stretch.limit})`;

function directWhere({ reader, place, companions, checks, stretch, width }: Walk, ofMessage: RawBuilder<unknown>) {
  const accompanied =
    companions.size === 0
      ? sql``
      : sql` AND member.conversation_id IN (${conversationsWith(reader, companions, companions.size, 'all')})`;
  return sql`(
    SELECT found.id FROM direct_participants member, LATERAL (
      SELECT m.id FROM messages m
       WHERE m.organization_id = ${reader.organizationId} AND m.conversation_id = member.conversation_id
         AND ${ofMessage} AND ${within(stretch, width)} AND ${checks}
       ORDER BY m.id ${order(stretch)} LIMIT ${stretch.limit}
    ) AS found
     WHERE member.organization_id = ${reader.organizationId} AND member.user_id = ${reader.userId}
       AND ${inPlace(place, 'conversation_id')}${accompanied})`;
}

/** Messages with a flag of the reader. Index: message_flags_starred, _alerted, _mentioned or _unread. */
function flagged({ reader, checks, stretch, width }: Walk, bits: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    SELECT m.id FROM message_flags flag, LATERAL (
             SELECT * FROM messages
              WHERE messages.organization_id = flag.organization_id AND messages.id = flag.message_id
             OFFSET 0 -- the planner overestimates how many have a flag, and would begin with the messages
           ) AS m
     WHERE flag.organization_id = ${reader.organizationId} AND flag.user_id = ${reader.userId} AND ${bits}
       AND ${within(stretch, width, sql`flag.message_id`)} AND ${checks} AND ${mayRead(reader)}
     ORDER BY flag.message_id ${order(stretch)} LIMIT ${stretch.limit}`;
}

const starred: Source = (walk) => flagged(walk, sql`flag.flags & 4 <> 0`);
const alerted: Source = (walk) => flagged(walk, sql`flag.flags & 32 <> 0`);
const mentions: Source = (walk) => sql`(${flagged(walk, sql`flag.flags & 24 <> 0`)})`;

/**
 * Mass mentions. The organization has few, so the walk skips those of other users. Index: the primary key of
 * mass_mentions.
 */
const mentionsAmongMany: Source = ({ reader, checks, stretch, width }) => sql`(
    SELECT m.id FROM mass_mentions AS mass, LATERAL (
             SELECT * FROM messages
              WHERE messages.organization_id = mass.organization_id AND messages.id = mass.message_id
             OFFSET 0
           ) AS m
     WHERE mass.organization_id = ${reader.organizationId} AND ${includes(reader.userId)}
       AND ${within(stretch, width, sql`mass.message_id`)} AND ${checks} AND ${mayRead(reader)}
     ORDER BY mass.message_id ${order(stretch)} LIMIT ${stretch.limit})`;

/** Unread messages: those above the last read ids, except those read out of order, and those marked unread below. */
const unreadSources: readonly Source[] = [
  ({ reader, place, checks, stretch, width }) => sql`(
    SELECT found.id FROM subscriptions member, LATERAL (
      SELECT m.id FROM messages m
       WHERE m.organization_id = ${reader.organizationId} AND m.channel_id = member.channel_id
         AND m.home_channel_id IS NULL AND ${isUnreadAbove(reader)} AND ${within(stretch, width)} AND ${checks}
       ORDER BY m.id ${order(stretch)} LIMIT ${stretch.limit}
    ) AS found
     WHERE member.organization_id = ${reader.organizationId} AND member.user_id = ${reader.userId} AND member.is_active
       AND ${inPlace(place, 'channel_id')})`,
  ({ reader, place, checks, stretch, width }) => sql`(
    SELECT found.id FROM ${spans(reader)} AS member, LATERAL (
      SELECT m.id FROM messages m
       WHERE m.organization_id = ${reader.organizationId} AND m.home_channel_id = member.channel_id
         AND ${inPlace(place, 'channel_id')} AND m.id <= member.until AND ${isUnreadAbove(reader)}
         AND ${isMember(reader)} AND ${isMovedUnread(reader)} AND ${within(stretch, width)} AND ${checks}
       ORDER BY m.id ${order(stretch)} LIMIT ${stretch.limit}
    ) AS found)`,
  (walk) => directWhere(walk, isUnreadAbove(walk.reader)),
  (walk) =>
    sql`(${flagged({ ...walk, checks: sql`${walk.checks} AND ${isMember(walk.reader)}` }, sql`flag.flags & 2 <> 0`)})`,
];

/** Whether message `m` is above the last read id of `member` and has no bit of its own. */
function isUnreadAbove(reader: Reader): RawBuilder<unknown> {
  return sql`m.id > member.read_through AND ${bitsOf(reader)} & ${READING_BITS} = 0`;
}

/** Whether the reader is subscribed to the channel of message `m`. In other channels, everything is read. */
function isMember(reader: Reader): RawBuilder<unknown> {
  return sql`(m.channel_id IS NULL OR EXISTS (
    SELECT FROM subscriptions s
     WHERE s.organization_id = ${reader.organizationId} AND s.user_id = ${reader.userId}
       AND s.channel_id = m.channel_id AND s.is_active))`;
}

/** Whether a membership belongs to the channel or conversation of the narrow. */
function inPlace(place: Place | undefined, column: 'channel_id' | 'conversation_id'): RawBuilder<unknown> {
  if (place === undefined) return sql`true`;
  if (column === 'channel_id') return 'channelId' in place ? sql`channel_id = ${place.channelId}` : sql`false`;
  return 'conversationId' in place ? sql`conversation_id = ${place.conversationId}` : sql`false`;
}

export function within(
  { direction, end }: Pick<Stretch, 'direction' | 'end'>,
  width: RawBuilder<unknown> | null,
  id: RawBuilder<unknown> = sql`m.id`,
): RawBuilder<unknown> {
  const near = width === null ? null : sql`(SELECT first.id FROM first)`;
  if (direction === 'before') {
    return sql`${id} < ${end}::bigint${near === null ? sql`` : sql` AND ${id} > ${near} - ${width}`}`;
  }
  return sql`${id} >= ${end}::bigint${near === null ? sql`` : sql` AND ${id} < ${near} + ${width}`}`;
}

export function order({ direction }: Pick<Stretch, 'direction'>): RawBuilder<unknown> {
  return direction === 'before' ? sql`DESC` : sql`ASC`;
}

/** Greater than every message id. */
export const MAX_ID = Number.MAX_SAFE_INTEGER;
