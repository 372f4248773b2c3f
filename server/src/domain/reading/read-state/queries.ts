/**
 * Reads `unread_msgs` of the initial state. `selectMarks` reads the exceptions, as a part of the statement for the
 * whole state. If all unread messages are among the newest 5,000 of the organization, it also returns them, in groups. Otherwise
 * `readGroups` reads them, as a second statement.
 *
 * Example: Ada's last read id in channel 5 is 90. Messages 91, 92 and 93 follow, in the same topic as message 80. She
 * has read 92 out of order, and has marked 80 as unread.
 * - `selectMarks` returns `oldest` 91, `read` '{92}' and `unread` '{80}', and no groups because of 80. If she had not marked it, it would
 *   return the group with {91,93}, and no second statement would follow.
 * - `readGroups` looks up 80, and walks channel 5 from 91 on, without 92. It returns one group with {80,91,93}.
 *
 * If there may be more than 50,000 unread messages, `readGroups` counts them first, and returns no groups if there are more. Then
 * `oldestListed` finds the id of the 50,000th newest one, and `readGroups` reads from there.
 */
import { type RawBuilder, sql } from 'kysely';
import { includes, isMentioned } from '../../../access/mass-mentions.ts';
import { isMember, isMovedUnread, isUnmarked, type Whose } from '../../../access/unread-messages.ts';
import { executePrepared } from '../../../db/prepared.ts';
import type { DbTransaction } from '../../../db/schema.ts';
import type { ReadSnapshot, StateReader } from '../../../extension/initial-state.ts';
import { type GroupRow, type TopicMark, type Unread, unreadOf } from './unread-groups.ts';

/** Only the newest unread messages are listed. Clients fetch older ones if they need them. */
const MAX_LISTED_UNREAD_MESSAGES = 50_000;

/**
 * More are read with a statement of their own. PostgreSQL sends its rows while it reads on, but a large JSON value only at the end. From about
 * 10,000 on, that takes longer than another statement.
 */
const MAX_UNREAD_MESSAGES_AT_ONCE = 5_000;

/**
 * The exceptions of a user's read state. Lists of ids are arrays in PostgreSQL's notation, which the second statement
 * receives unparsed.
 */
export interface Marks {
  /** The organization's newest message. */
  readonly head: number;
  /** All unread messages; null if they may be many, or if some may have been moved or marked as unread. The other fields are for these. */
  readonly groups: readonly GroupRow[] | null;
  /** No later than the first message above the last read id of the channel or conversation that it was sent to; null for none. */
  readonly oldest: number | null;
  /** Whether any moved message may be unread. */
  readonly anyMoved: boolean;
  /** Messages with the bit `read`, above the lowest last read id. */
  readonly read: string;
  readonly unread: string;
  /** Messages that mention the user, among those that can be unread. */
  readonly mentioned: string;
  /** Channels that the user has muted. */
  readonly muted: readonly number[];
  /** Topics that differ from their channel: muted topics, and unmuted or followed topics in muted channels. */
  readonly topics: readonly TopicMark[];
}

export interface Reader {
  readonly organizationId: number;
  readonly userId: number;
}

/**
 * The user's unread messages in subscribed channels and direct conversations, grouped and listed by the database. The
 * exceptions are constants in the statement, so PostgreSQL hashes them, even if its statistics are wrong.
 * @param isHidden channels to leave out of the result. Their messages still count towards the maximum.
 */
export async function readUnread(
  read: ReadSnapshot,
  reader: Reader,
  marks: Marks,
  isHidden: (channelId: number) => boolean,
): Promise<Unread> {
  const listed = (rows: readonly GroupRow[]): Unread =>
    unreadOf(
      rows.filter(({ place }) => !isHidden(place)),
      marks,
    );
  if (marks.groups !== null) return listed(marks.groups);
  // A user who has read everything needs no second statement.
  if (marks.oldest === null && !marks.anyMoved && marks.unread === '{}') return listed([]);
  return read(async (snapshot) => {
    const mayBeMany = maxUnread(marks) > MAX_LISTED_UNREAD_MESSAGES;
    const all = await readGroups(snapshot, reader, marks, { from: 0, counted: mayBeMany });
    if (all.length > 0 || !mayBeMany) return listed(all);
    const oldest = await oldestListed(snapshot, reader, marks);
    if (oldest === undefined) return listed([]);
    return { ...listed(await readGroups(snapshot, reader, marks, { from: oldest, counted: true })), isCut: true };
  });
}

/** No fewer messages than are unread. Ids have no gaps, so few are unread if the oldest of them is among the newest messages. */
function maxUnread({ head, oldest, anyMoved, unread }: Marks): number {
  if (anyMoved) return Number.POSITIVE_INFINITY;
  const above = oldest === null ? 0 : head - oldest + 1;
  return above + (unread === '{}' ? 0 : unread.split(',').length);
}

/** Indexes: message_flags_unread, the primary keys, messages_by_channel, _by_conversation and _moved_by_home, user_topics_by_user. */
export function selectMarks(reader: StateReader): RawBuilder<Marks> {
  const { organizationId, userId } = reader;
  const withBits = (bits: number) => sql`(SELECT message_id FROM marked WHERE flags & ${sql.lit(bits)} <> 0)`;
  const groups = groupsOf(reader, {
    from: sql`(SELECT oldest FROM bounds)`,
    areListed: sql`true`,
    isNotRead: sql`NOT ${isIn(withBits(1))}`,
    isAmongMentioned: isIn(withBits(24)),
    others: [],
  });
  const muted = sql`SELECT channel_id FROM subscriptions
                     WHERE organization_id = ${organizationId} AND user_id = ${userId} AND is_active AND is_muted`;
  const most = sql.lit(MAX_UNREAD_MESSAGES_AT_ONCE);
  return sql`
    WITH lowest AS MATERIALIZED (
      SELECT least(
               (SELECT min(read_through) FROM subscriptions
                 WHERE organization_id = ${organizationId} AND user_id = ${userId} AND is_active),
               (SELECT min(read_through) FROM direct_participants
                 WHERE organization_id = ${organizationId} AND user_id = ${userId})) AS watermark
    ), marked AS MATERIALIZED (
      SELECT message_id, flags FROM message_flags
       WHERE organization_id = ${organizationId} AND user_id = ${userId} AND flags & 2 <> 0
      UNION ALL
      SELECT message_id, flags FROM message_flags
       WHERE organization_id = ${organizationId} AND user_id = ${userId} AND flags & 25 <> 0 AND flags & 2 = 0
         AND message_id > (SELECT watermark FROM lowest)
      UNION ALL
      SELECT message_id, 8 FROM mass_mentions AS mass
       WHERE organization_id = ${organizationId} AND message_id > (SELECT watermark FROM lowest) AND ${includes(userId)}
       ORDER BY message_id
    ), bounds AS MATERIALIZED (
      SELECT head, oldest, any_moved,
             coalesce(head - oldest, 0) < ${most} AND NOT any_moved AND NOT EXISTS ${withBits(2)} AS are_listed
        FROM (SELECT head, ${anyMovedAbove(reader)} AS any_moved,
                     CASE WHEN head - watermark <= ${most} THEN least(watermark, head) + 1
                          ELSE least((${oldestAbove(reader)}), (${oldestDirect(reader)})) END AS oldest
                FROM (SELECT message_head AS head, (SELECT watermark FROM lowest) AS watermark
                        FROM logs WHERE organization_id = ${organizationId}) AS log
              OFFSET 0) AS log
    )
    SELECT row_to_json(marks) FROM (
      SELECT head, oldest, any_moved AS "anyMoved",
             CASE WHEN are_listed THEN (SELECT coalesce(json_agg(listed), '[]') FROM (${groups}) AS listed) END AS groups,
             ARRAY(${muted}) AS muted,
             (SELECT coalesce(json_agg(json_build_array(channel_id, topic_key, policy = 1)), '[]') FROM (
                SELECT channel_id, topic_key, policy FROM user_topics
                 WHERE organization_id = ${organizationId} AND user_id = ${userId} AND policy = 1
                UNION ALL
                SELECT channel_id, topic_key, policy FROM user_topics
                 WHERE organization_id = ${organizationId} AND user_id = ${userId} AND policy IN (2, 3)
                   AND channel_id = ANY (ARRAY(${muted}))
              ) AS own) AS topics,
             exceptions.*
        FROM bounds, LATERAL (
               SELECT coalesce(array_agg(message_id) FILTER (WHERE flags & 1 <> 0), '{}')::text AS read,
                      coalesce(array_agg(message_id) FILTER (WHERE flags & 2 <> 0), '{}')::text AS unread,
                      coalesce(array_agg(message_id) FILTER (WHERE flags & 24 <> 0), '{}')::text AS mentioned
                 FROM marked WHERE NOT are_listed
             ) AS exceptions
    ) AS marks`;
}

/** Whether `m` is one of these, which are often none. PostgreSQL decides that once, and hashes the others. */
function isIn(ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(EXISTS ${ids} AND m.id IN ${ids})`;
}

interface Groups {
  /** The id to begin with. */
  readonly from: RawBuilder<unknown>;
  readonly areListed: RawBuilder<unknown>;
  readonly isNotRead: RawBuilder<unknown>;
  readonly isAmongMentioned: RawBuilder<unknown>;
  /** Queries of unread messages that are not above the last read ids of channels and conversations. */
  readonly others: readonly RawBuilder<unknown>[];
}

const grouped = sql`
  topic, lower(topic) AS key, array_agg(id)::text AS ids, (array_agg(id) FILTER (WHERE mentions))::text AS mentions`;

/** Most messages are above the last read ids of channels. Grouping these per channel halves the cost. */
function groupsOf(reader: Whose, groups: Groups): RawBuilder<GroupRow> {
  const { organizationId, userId } = reader;
  const { from, areListed, isNotRead, isAmongMentioned, others } = groups;
  const few = sql.join([...others, direct(reader, groups)], sql` UNION ALL `);
  return sql<GroupRow>`
    SELECT member.channel_id AS place, found.*, NULL::integer[] AS participants
      FROM subscriptions member, LATERAL (
             SELECT ${grouped} FROM (
               SELECT m.id, m.topic, ${isAmongMentioned} OR m.mentions_channel AS mentions FROM messages m
                WHERE m.organization_id = ${organizationId} AND m.channel_id = member.channel_id
                  AND m.id > member.read_through AND m.id >= ${from} AND m.home_channel_id IS NULL
                  AND ${isNotRead}
                ORDER BY m.id
             ) AS unread
              GROUP BY topic
           ) AS found
     WHERE member.organization_id = ${organizationId} AND member.user_id = ${userId} AND member.is_active AND ${areListed}
    UNION ALL
    SELECT few.*, (SELECT participants FROM direct_conversations
                    WHERE organization_id = ${organizationId} AND id = -place)
      FROM (SELECT place, ${grouped} FROM (${few}) AS unread WHERE ${areListed} GROUP BY place, topic) AS few`;
}

interface Listing {
  /** The id to begin with. */
  readonly from: number;
  /** Whether to count the messages first, with an index alone. There are no groups if they are more than the maximum. */
  readonly counted: boolean;
}

/** The unread messages from an id on, in groups. */
async function readGroups(
  snapshot: DbTransaction,
  reader: Reader,
  marks: Marks,
  { from, counted }: Listing,
): Promise<readonly GroupRow[]> {
  const since = sql`${from}::bigint`;
  const groups = groupsOf(reader, {
    from: since,
    areListed: counted ? sql`(SELECT are_listed FROM counted)` : sql`true`,
    isNotRead: isNotRead(marks),
    isAmongMentioned: isAmongMentioned(marks),
    others: markedOrMoved(reader, marks, since),
  });
  const shape = [counted, marks.anyMoved, marks.read !== '{}', marks.unread !== '{}', marks.mentioned !== '{}'].map(
    Number,
  );
  const statement = sql<GroupRow>`${counted ? countUnread(reader, marks, since) : sql``} ${groups}`;
  return executePrepared(snapshot, `unread groups ${shape.join('')}`, statement);
}

/** Whether all unread messages from an id on can be listed. */
function countUnread(reader: Reader, marks: Marks, since: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    WITH counted AS MATERIALIZED (
      SELECT count(*) <= ${sql.lit(MAX_LISTED_UNREAD_MESSAGES)} AS are_listed
        FROM (${unreadMessages(reader, marks, since)} LIMIT ${sql.lit(MAX_LISTED_UNREAD_MESSAGES + 1)}) AS unread
    )`;
}

/**
 * The oldest message that is listed; undefined if there are fewer than the maximum. Reads a part of the newest ids, and
 * a larger part until it contains enough unread messages.
 */
async function oldestListed(snapshot: DbTransaction, reader: Reader, marks: Marks): Promise<number | undefined> {
  const head = sql`${marks.head}::bigint`;
  const { rows } = await sql<{ id: number }>`
    WITH RECURSIVE spread (width) AS (
      SELECT ${MAX_LISTED_UNREAD_MESSAGES * 2}::bigint
      UNION ALL
      SELECT width * 4 FROM spread
       WHERE width < ${head}
         AND (SELECT count(*)
                FROM (${unreadMessages(reader, marks, sql`${head} - spread.width`)} LIMIT ${MAX_LISTED_UNREAD_MESSAGES}) AS counted) < ${MAX_LISTED_UNREAD_MESSAGES}
    ), enough AS MATERIALIZED (
      SELECT ${head} - max(width) AS id FROM spread
    )
    SELECT unread.id FROM enough, LATERAL (${unreadMessages(reader, marks, sql`enough.id`)}) AS unread
     ORDER BY unread.id DESC OFFSET ${MAX_LISTED_UNREAD_MESSAGES - 1} LIMIT 1`.execute(snapshot);
  return rows[0]?.id;
}

/** All unread messages from an id on. */
function unreadMessages(reader: Reader, marks: Marks, from: RawBuilder<unknown>): RawBuilder<unknown> {
  const parts = [
    ...markedOrMoved(reader, marks, from),
    aboveWatermarks(reader, marks, from),
    direct(reader, { isNotRead: isNotRead(marks), isAmongMentioned: isAmongMentioned(marks), from }),
  ];
  return sql.join(parts, sql` UNION ALL `);
}

function isAmongMentioned({ mentioned }: Pick<Marks, 'mentioned'>): RawBuilder<unknown> {
  return mentioned === '{}' ? sql`false` : sql`m.id = ANY (${mentioned}::bigint[])`;
}

function isNotRead({ read }: Pick<Marks, 'read'>): RawBuilder<unknown> {
  return read === '{}' ? sql`true` : sql`m.id <> ALL (${read}::bigint[])`;
}

/**
 * Messages that were marked unread, and moved ones, if there are any. Moved messages look up their own bits, because an
 * ended subscription can have a lower last read id than `selectMarks` considers. Indexes: messages_moved_by_home, the
 * primary keys.
 */
function markedOrMoved(reader: Reader, marks: Marks, from: RawBuilder<unknown>): RawBuilder<unknown>[] {
  const moved = sql`
    ${shownTo(reader)}
      FROM ${movedAbove(reader, from)} AS m
     WHERE ${isMember(reader)} IS TRUE AND ${isUnmarked(reader)} AND ${isMovedUnread(reader)}`;
  const marked = () => markedUnread(reader, sql`unnest(${marks.unread}::bigint[])`, from);
  return [...(marks.unread === '{}' ? [] : [marked()]), ...(marks.anyMoved ? [moved] : [])];
}

/** @param ids of messages that were marked unread */
function markedUnread(reader: Whose, ids: RawBuilder<unknown>, from: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    ${shownTo(reader)}
      FROM ${ids} AS marked (id), LATERAL (
             SELECT * FROM messages WHERE organization_id = ${reader.organizationId} AND id = marked.id OFFSET 0
           ) AS m
     WHERE m.id >= ${from} AND ${isMember(reader)} IS TRUE`;
}

function shownTo(reader: Whose): RawBuilder<unknown> {
  return sql`SELECT coalesce(m.channel_id, -m.conversation_id) AS place, m.topic, m.id, ${isMentioned(reader)} AS mentions`;
}

/** Many organizations never moved a message between channels. So the spans of the user are only read if there is one. */
function anyMovedAbove(reader: StateReader): RawBuilder<boolean> {
  return sql`
    CASE WHEN EXISTS (SELECT FROM messages WHERE organization_id = ${reader.organizationId} AND home_channel_id IS NOT NULL)
         THEN EXISTS (SELECT FROM ${movedAbove(reader, sql`0`)} AS m)
         ELSE false END`;
}

/**
 * Moved messages above the last read ids of their original channels. Index: messages_moved_by_home, for each span of
 * subscription.
 */
export function movedAbove(
  { organizationId, userId }: Whose | StateReader,
  from: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(
    SELECT m.*
      FROM user_channel_spans AS span, LATERAL (
             SELECT * FROM messages
              WHERE organization_id = ${organizationId} AND home_channel_id = span.channel_id
                AND id > span.read_through AND id <= span.until_message_id AND id >= ${from}
             OFFSET 0
           ) AS m
     WHERE span.organization_id = ${organizationId} AND span.user_id = ${userId}
  )`;
}

/** Index: messages_by_channel, which contains all columns of this query. */
function aboveWatermarks(
  { organizationId, userId }: Reader,
  marks: Pick<Marks, 'read' | 'mentioned'>,
  from: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    SELECT m.channel_id AS place, m.topic, m.id, ${isAmongMentioned(marks)} OR m.mentions_channel AS mentions
      FROM subscriptions member, LATERAL (
             SELECT m.id, m.channel_id, m.topic, m.mentions_channel FROM messages m
              WHERE m.organization_id = ${organizationId} AND m.channel_id = member.channel_id
                AND m.id > member.read_through AND m.id >= ${from} AND m.home_channel_id IS NULL
             OFFSET 0 -- else the planner may join all messages of all channels
           ) AS m
     WHERE member.organization_id = ${organizationId} AND member.user_id = ${userId} AND member.is_active
       AND ${isNotRead(marks)}`;
}

/** The first unread message of each channel, without exceptions, and of these the oldest. Index: messages_by_channel. */
function oldestAbove({ organizationId, userId }: StateReader): RawBuilder<unknown> {
  return sql`
    SELECT min(first.id) FROM subscriptions member, LATERAL (
             SELECT m.id FROM messages m
              WHERE m.organization_id = ${organizationId} AND m.channel_id = member.channel_id
                AND m.id > member.read_through AND m.home_channel_id IS NULL
              ORDER BY m.id LIMIT 1
           ) AS first
     WHERE member.organization_id = ${organizationId} AND member.user_id = ${userId} AND member.is_active`;
}

/** The same of direct conversations. Index: messages_by_conversation. */
function oldestDirect({ organizationId, userId }: StateReader): RawBuilder<unknown> {
  return sql`
    SELECT min(first.id) FROM direct_participants member, LATERAL (
             SELECT m.id FROM messages m
              WHERE m.organization_id = ${organizationId} AND m.conversation_id = member.conversation_id
                AND m.id > member.read_through
              ORDER BY m.id LIMIT 1
           ) AS first
     WHERE member.organization_id = ${organizationId} AND member.user_id = ${userId}`;
}

/** Index: messages_by_conversation. */
function direct(
  { organizationId, userId }: Whose,
  { from, isNotRead, isAmongMentioned }: Pick<Groups, 'from' | 'isNotRead' | 'isAmongMentioned'>,
): RawBuilder<unknown> {
  return sql`
    SELECT -m.conversation_id AS place, '' AS topic, m.id, ${isAmongMentioned} OR m.mentions_channel AS mentions
      FROM direct_participants member, LATERAL (
             SELECT m.id, m.conversation_id, m.mentions_channel FROM messages m
              WHERE m.organization_id = ${organizationId} AND m.conversation_id = member.conversation_id
                AND m.id > member.read_through AND m.id >= ${from}
             OFFSET 0
           ) AS m
     WHERE member.organization_id = ${organizationId} AND member.user_id = ${userId} AND ${isNotRead}`;
}
