/**
 * The walks of `selection.ts`. Each source returns a subquery of ids. It walks an index in the order of ids and stops
 * when the page is full.
 */
import { type RawBuilder, sql } from 'kysely';
import { includes } from '../../../access/mass-mentions.ts';
import { mayRead, type Reader } from '../../../access/readable-messages.ts';
import { isMember, isMovedUnread, isUnmarked, wasReceived } from '../../../access/unread-messages.ts';
import { Policy } from '../../topics/policies.ts';
import { inTopicWithPolicy } from '../../topics/queries.ts';
import { conversationsWith } from './narrow-checks.ts';

/** A part of the order of ids: downwards from before `end`, or upwards from `end`. */
export interface Stretch {
  readonly direction: 'before' | 'from';
  /** A number, or an SQL expression. */
  readonly end: number | RawBuilder<unknown>;
  readonly limit: number;
}

/** The channel or conversation of a narrow. */
export type Place = { readonly channelId: number } | { readonly conversationId: number };

/** The parameters of a walk along an index: the reader, the conversation, which messages to skip, and how far to go. */
export interface Walk {
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
export type Source = (walk: Walk) => RawBuilder<unknown>;

/** One walk. `key` orders the index before the ids, and has one value on the walk. */
function along({ reader, checks, stretch, width }: Walk, where: RawBuilder<unknown>, key?: RawBuilder<unknown>) {
  const by = key === undefined ? sql`` : sql`${key} ${order(stretch)}, `;
  return sql`(
    SELECT m.id FROM messages m
     WHERE m.organization_id = ${reader.organizationId} AND ${where} AND ${within(stretch, width)} AND ${checks}
     ORDER BY ${by}m.id ${order(stretch)} LIMIT ${stretch.limit})`;
}

/** One walk for each row of `rows`. */
function alongEach(walk: Walk, rows: RawBuilder<unknown>, where: RawBuilder<unknown>, key?: RawBuilder<unknown>) {
  return sql`(SELECT found.id FROM ${rows}, LATERAL ${along(walk, where, key)} AS found)`;
}

function ofReader({ organizationId, userId }: Reader): RawBuilder<unknown> {
  return sql`organization_id = ${organizationId} AND user_id = ${userId}`;
}

/** The periods of the reader's subscriptions. */
function spans(reader: Reader, where = sql`true`): RawBuilder<unknown> {
  return sql`(SELECT * FROM user_channel_spans WHERE ${ofReader(reader)} AND ${where}) AS span`;
}

/** The reader's subscriptions to the channel of the narrow, or to all channels. */
function subscriptions({ reader, place }: Walk): RawBuilder<unknown> {
  return sql`(SELECT * FROM subscriptions
               WHERE ${ofReader(reader)} AND is_active AND ${inPlace(place, 'channel_id')}) AS member`;
}

const SENT_IN_SPAN = sql`m.id > span.since_message_id AND m.id <= span.until_message_id`;

/**
 * Messages that the reader received in channels and that were never moved to another. Index: messages_by_channel, or
 * messages_mentioning_channel; for each span of subscription.
 */
function receivedWhere(walk: Walk, where: RawBuilder<unknown>): RawBuilder<unknown> {
  const { openChannels, protectedChannels } = walk.reader;
  const readable = sql`channel_id IN (SELECT unnest(${[...openChannels, ...protectedChannels]}::int[]))`;
  return alongEach(
    walk,
    spans(walk.reader, sql`${readable} AND ${inPlace(walk.place, 'channel_id')}`),
    sql`m.channel_id = span.channel_id AND ${SENT_IN_SPAN} AND m.home_channel_id IS NULL AND ${where}`,
  );
}

/**
 * Messages that the reader received and that were moved to another channel since. Index: messages_moved_by_home, for
 * each span of subscription.
 */
function movedReceivedWhere(walk: Walk, where: RawBuilder<unknown>): RawBuilder<unknown> {
  return alongEach(
    walk,
    spans(walk.reader),
    sql`m.home_channel_id = span.channel_id AND ${SENT_IN_SPAN} AND ${inPlace(walk.place, 'channel_id')}
        AND ${where} AND ${mayRead(walk.reader)}`,
  );
}

/** Direct messages. Index: messages_by_conversation, for each conversation. */
function directWhere(walk: Walk, where: RawBuilder<unknown>): RawBuilder<unknown> {
  const { reader, place, companions } = walk;
  const accompanied =
    companions.size === 0
      ? sql`true`
      : sql`conversation_id IN (${conversationsWith(reader, companions, companions.size, 'all')})`;
  return alongEach(
    walk,
    sql`(SELECT * FROM direct_participants
          WHERE ${ofReader(reader)} AND ${inPlace(place, 'conversation_id')} AND ${accompanied}) AS member`,
    sql`m.conversation_id = member.conversation_id AND ${where}`,
  );
}

export const received: Source = (walk) => receivedWhere(walk, sql`true`);
export const movedReceived: Source = (walk) => movedReceivedWhere(walk, sql`true`);
export const direct: Source = (walk) => directWhere(walk, sql`true`);

/** Messages that were moved into this channel and that the reader can read. Index: messages_moved_by_channel. */
export const movedIn: Source = (walk) =>
  along(walk, sql`m.home_channel_id IS NOT NULL AND ${inPlace(walk.place, 'channel_id')} AND ${mayRead(walk.reader)}`);

/**
 * Messages in those of the channels whose whole history the reader can read. Index: messages_by_channel, for each
 * channel.
 */
export function openOnes(channelIds: readonly number[]): Source {
  return (walk) => {
    const open = [...new Set(walk.reader.openChannels).intersection(new Set(channelIds))];
    return alongEach(walk, sql`unnest(${open}::int[]) AS of_kind (channel_id)`, sql`m.channel_id = of_kind.channel_id`);
  };
}

/** Received messages in topics for which the reader has this policy. Index: messages_by_topic, for each topic. */
function ofTopics(policy: number): Source {
  return (walk) =>
    alongEach(
      walk,
      sql`(SELECT * FROM user_topics WHERE ${ofReader(walk.reader)} AND policy = ${policy}) AS own`,
      sql`m.channel_id = own.channel_id AND lower(m.topic) = own.topic_key
          AND ${wasReceived(walk.reader)} AND ${mayRead(walk.reader)}`,
      sql`lower(m.topic)`,
    );
}

export const inFollowedTopics = ofTopics(Policy.followed);
export const inMutedTopics = ofTopics(Policy.muted);

/** Received messages in muted channels, in topics without a policy. Index: messages_by_channel, for each channel. */
export const inMutedChannels: Source = (walk) =>
  alongEach(
    walk,
    subscriptions(walk),
    sql`member.is_muted AND m.channel_id = member.channel_id AND NOT ${inTopicWithPolicy(walk.reader)}
        AND ${wasReceived(walk.reader)} AND ${mayRead(walk.reader)}`,
  );

/**
 * The messages of the rows `marks`, which have a column `message_id`. `OFFSET 0`: the planner overestimates how many
 * rows there are, and would begin with the messages.
 */
function marked({ reader, checks, stretch, width }: Walk, marks: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    SELECT m.id FROM (${marks}) AS mark, LATERAL (
             SELECT * FROM messages
              WHERE messages.organization_id = ${reader.organizationId} AND messages.id = mark.message_id
             OFFSET 0
           ) AS m
     WHERE ${within(stretch, width, sql`mark.message_id`)} AND ${checks} AND ${mayRead(reader)}
     ORDER BY mark.message_id ${order(stretch)} LIMIT ${stretch.limit})`;
}

/** Messages with a flag of the reader. Index: message_flags_starred, _alerted, _mentioned or _unread. */
function flagged(walk: Walk, bits: RawBuilder<unknown>): RawBuilder<unknown> {
  return marked(walk, sql`SELECT message_id FROM message_flags WHERE ${ofReader(walk.reader)} AND ${bits}`);
}

export const starred: Source = (walk) => flagged(walk, sql`flags & 4 <> 0`);
export const alerted: Source = (walk) => flagged(walk, sql`flags & 32 <> 0`);

/**
 * Messages that mention the reader, in several sources: flag rows, mass mentions, and mentions of everyone. Mass
 * mentions and those in conversations are few in the whole organization. Indexes: the primary key of mass_mentions,
 * messages_mentioning_channel.
 */
export const mentions: readonly Source[] = [
  (walk) => flagged(walk, sql`flags & 24 <> 0`),
  (walk) =>
    marked(
      walk,
      sql`SELECT message_id FROM mass_mentions AS mass
           WHERE organization_id = ${walk.reader.organizationId} AND ${includes(walk.reader.userId)}`,
    ),
  (walk) => receivedWhere(walk, sql`m.mentions_channel`),
  (walk) => movedReceivedWhere(walk, sql`m.mentions_channel`),
  (walk) =>
    along(
      walk,
      sql`m.channel_id IS NULL AND m.mentions_channel AND ${inPlace(walk.place, 'conversation_id')}
          AND ${isMember(walk.reader)}`,
    ),
];

/** Whether no bit decides about message `m`, and it is above the last read id of `row`. */
function isUnmarkedAbove(row: RawBuilder<unknown>, { reader }: Walk): RawBuilder<unknown> {
  return sql`m.id > ${row}.read_through AND ${isUnmarked(reader)}`;
}

const member = sql`member`;

/** Unread messages: those above the last read ids, except those read out of order, and those marked unread below. */
export const unread: readonly Source[] = [
  (walk) =>
    alongEach(
      walk,
      subscriptions(walk),
      sql`m.channel_id = member.channel_id AND m.home_channel_id IS NULL AND ${isUnmarkedAbove(member, walk)}`,
    ),
  (walk) =>
    alongEach(
      walk,
      spans(walk.reader),
      sql`m.home_channel_id = span.channel_id AND ${inPlace(walk.place, 'channel_id')} AND m.id <= span.until_message_id
          AND ${isUnmarkedAbove(sql`span`, walk)} AND ${isMember(walk.reader)} AND ${isMovedUnread(walk.reader)}`,
    ),
  (walk) => directWhere(walk, isUnmarkedAbove(member, walk)),
  (walk) => flagged({ ...walk, checks: sql`${walk.checks} AND ${isMember(walk.reader)}` }, sql`flags & 2 <> 0`),
];

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
