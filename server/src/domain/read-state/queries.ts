/**
 * Reads `unread_msgs` of the initial state. `selectMarks` reads the exceptions, as a part of the statement for the
 * whole state. `readGroups` then reads the messages, as a second statement.
 *
 * Example: Ada's last read id in channel 5 is 90. Messages 91, 92 and 93 follow, in the same topic as message 80. She
 * has read 92 out of order, and has marked 80 as unread.
 * - `selectMarks` returns `anyAbove` true, `read` '{92}' and `unread` '{80}'. If there were nothing above and no
 *   exceptions, no second statement would follow.
 * - `readGroups` walks channel 5 from 91 on, without 92. It returns one group with {91,93}, and one with {80} from
 *   `unread`.
 * - `unreadOf` merges groups of the same topic: 80, 91, 93.
 *
 * If there are more than 50,000 unread messages, `readGroups` returns no groups. Then `oldestTold` finds the id of the
 * 50,000th newest one, and `readGroups` reads from there.
 */
import { type RawBuilder, sql } from 'kysely';
import { includes, isMentionedAmongMany } from '../../access/mass-mentions.ts';
import { bitsOf, isMovedUnread, wasReceived } from '../../access/unread-messages.ts';
import { FlagBit, READING_BITS } from '../../db/flag-bits.ts';
import { executePrepared } from '../../db/prepared.ts';
import type { DbTransaction } from '../../db/schema.ts';
import type { ReadSnapshot, StateReader } from '../../extension/initial-state.ts';

/** A user's unread messages in one topic or one direct conversation. */
export interface UnreadGroup {
  readonly place: { readonly channelId: number; readonly topic: string } | { readonly participants: readonly number[] };
  /** Ascending, as JSON. There can be tens of thousands, so they are never parsed. */
  readonly messageIds: string;
}

export interface Unread {
  /** The number of listed messages that are not muted. */
  readonly count: number;
  /** Ordered by their oldest message. */
  readonly groups: readonly UnreadGroup[];
  /** Those that mention the user, directly or as one of many; ascending. */
  readonly mentions: readonly number[];
  /** Whether older unread messages are left out. */
  readonly isCut: boolean;
}

const MENTION_BITS = FlagBit.mentioned | FlagBit.topicMentioned;

/** Only the newest unread messages are listed. Clients fetch older ones if they need them. */
const MOST = 50_000;

/**
 * The exceptions of a user's read state. Lists of ids are arrays in PostgreSQL's notation, which the second statement
 * receives unparsed.
 */
export interface Marks {
  /** The organization's newest message. */
  readonly head: number;
  /** Whether any message is above the last read id of the channel or conversation that it was sent to. */
  readonly anyAbove: boolean;
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

/** The key of a topic is equal for all of its spellings. */
type TopicMark = readonly [channelId: number, key: string, isMuted: boolean];

export interface Reader {
  readonly organizationId: number;
  readonly userId: number;
}

/**
 * The unread messages of a topic or conversation. Parts of the statement return separate rows for the same topic, and
 * each spelling has its own.
 */
interface GroupRow {
  /** A channel's id, or the negative id of a conversation. */
  place: number;
  topic: string;
  /** Equal for all spellings of the topic. */
  key: string;
  participants: number[] | null;
  ids: string;
  mentions: string | null;
}

/** A list of ids, ascending, separated by commas. */
interface IdList {
  readonly text: string;
  readonly count: number;
  readonly first: number;
  readonly last: number;
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
  const told = (rows: readonly GroupRow[]): Unread =>
    unreadOf(
      rows.filter(({ place }) => !isHidden(place)),
      marks,
    );
  // A user who has read everything needs no second statement.
  if (!marks.anyAbove && !marks.anyMoved && marks.unread === '{}') return told([]);
  return read(async (snapshot) => {
    const all = await readGroups(snapshot, reader, marks, null);
    if (all.length > 0) return told(all);
    const oldest = await oldestTold(snapshot, reader, marks);
    if (oldest === undefined) return told([]);
    return { ...told(await readGroups(snapshot, reader, marks, oldest)), isCut: true };
  });
}

/** Indexes: message_flags_unread, the primary keys, messages_by_channel, _by_conversation and _moved_by_home, user_topics_by_user. */
export function selectMarks(reader: StateReader): RawBuilder<Marks> {
  const { organizationId, userId } = reader;
  return sql`
    WITH lowest AS MATERIALIZED (
      SELECT least(
               (SELECT min(read_through) FROM subscriptions
                 WHERE organization_id = ${organizationId} AND user_id = ${userId} AND is_active),
               (SELECT min(read_through) FROM direct_participants
                 WHERE organization_id = ${organizationId} AND user_id = ${userId})) AS watermark
    )
    SELECT row_to_json(marks) FROM (
    SELECT (SELECT message_head FROM logs WHERE organization_id = ${organizationId}) AS head,
           EXISTS (SELECT FROM subscriptions member, LATERAL (
                     SELECT FROM messages m
                      WHERE m.organization_id = ${organizationId} AND m.channel_id = member.channel_id
                        AND m.id > member.read_through AND m.home_channel_id IS NULL
                      LIMIT 1
                   ) AS m
                    WHERE member.organization_id = ${organizationId} AND member.user_id = ${userId} AND member.is_active)
             OR EXISTS (SELECT FROM direct_participants member, LATERAL (
                     SELECT FROM messages m
                      WHERE m.organization_id = ${organizationId} AND m.conversation_id = member.conversation_id
                        AND m.id > member.read_through
                      LIMIT 1
                   ) AS m
                    WHERE member.organization_id = ${organizationId} AND member.user_id = ${userId}) AS "anyAbove",
           EXISTS (SELECT FROM ${movedAbove(reader, sql`0`)} AS m) AS "anyMoved",
           ARRAY(SELECT channel_id FROM subscriptions
                  WHERE organization_id = ${organizationId} AND user_id = ${userId} AND is_active AND is_muted) AS muted,
           (SELECT coalesce(json_agg(json_build_array(channel_id, topic_key, policy = 1)), '[]') FROM (
              SELECT channel_id, topic_key, policy FROM user_topics
               WHERE organization_id = ${organizationId} AND user_id = ${userId} AND policy = 1
              UNION ALL
              SELECT own.channel_id, own.topic_key, own.policy FROM user_topics own
                JOIN subscriptions s
                  ON s.organization_id = own.organization_id AND s.user_id = own.user_id AND s.channel_id = own.channel_id
                 AND s.is_active AND s.is_muted
               WHERE own.organization_id = ${organizationId} AND own.user_id = ${userId} AND own.policy IN (2, 3)
            ) AS own) AS topics,
           coalesce(array_agg(message_id) FILTER (WHERE flags & 1 <> 0), '{}')::text AS read,
           coalesce(array_agg(message_id) FILTER (WHERE flags & 2 <> 0), '{}')::text AS unread,
           coalesce(array_agg(message_id) FILTER (WHERE flags & 24 <> 0), '{}')::text AS mentioned
      FROM (
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
      ) AS marked
    ) AS marks`;
}

/** Messages with ids at most this far below the newest are read channel by channel. The others are few. */
const RECENT = 500_000;

/**
 * The unread messages from an id on, in groups. Most of them are recent and above the last read ids of channels. These
 * are grouped per channel.
 * @param oldest null for all. If there are too many, an index-only count detects it, and the result is empty.
 */
async function readGroups(
  snapshot: DbTransaction,
  reader: Reader,
  marks: Marks,
  oldest: number | null,
): Promise<readonly GroupRow[]> {
  const { organizationId, userId } = reader;
  const isWhole = oldest === null;
  const from = isWhole ? sql`0` : sql`${oldest}::bigint`;
  const recent = sql`greatest(${from}, ${marks.head - RECENT}::bigint)`;
  const counted = sql`
    WITH counted AS MATERIALIZED (
      SELECT count(*) <= ${MOST} AS are_told FROM (${unreadMessages(reader, marks, from)} LIMIT ${MOST + 1}) AS unread
    )`;
  const areTold = isWhole ? sql`(SELECT are_told FROM counted)` : sql`true`;
  const few = [
    ...markedOrMoved(reader, marks, from),
    ...(marks.head > RECENT ? [aboveWatermarks(reader, marks, from, sql`m.id < ${recent}`)] : []),
    direct(reader, marks, from),
  ].map(
    (messages) => sql`SELECT place, ${grouped} FROM (${messages}) AS unread WHERE ${areTold} GROUP BY place, topic`,
  );
  const statement = sql<GroupRow>`
    ${isWhole ? counted : sql``}
    SELECT member.channel_id AS place, found.*, NULL::integer[] AS participants
      FROM subscriptions member, LATERAL (
             SELECT ${grouped} FROM (
               SELECT m.id, m.topic, ${isMentioned(marks)} OR m.mentions_channel AS mentions FROM messages m
                WHERE m.organization_id = ${organizationId} AND m.channel_id = member.channel_id
                  AND m.id > member.read_through AND m.id >= ${recent} AND m.home_channel_id IS NULL
                  AND ${isNotRead(marks)}
                ORDER BY m.id
             ) AS unread
              GROUP BY topic
           ) AS found
     WHERE member.organization_id = ${organizationId} AND member.user_id = ${userId} AND member.is_active AND ${areTold}
    UNION ALL
    SELECT few.*, (SELECT participants FROM direct_conversations
                    WHERE organization_id = ${organizationId} AND id = -place)
      FROM (${sql.join(few, sql` UNION ALL `)}) AS few`;
  return executePrepared(snapshot, `unread groups ${shapeOf(marks)} ${isWhole ? 'all' : 'newest'}`, statement);
}

/** Identifies the variant of the statement, because each variant is prepared under its own name. */
function shapeOf({ head, anyMoved, read, unread, mentioned }: Marks): string {
  return [head > RECENT, anyMoved, read !== '{}', unread !== '{}', mentioned !== '{}'].map(Number).join('');
}

const grouped = sql`
  topic, lower(topic) AS key, array_agg(id)::text AS ids, (array_agg(id) FILTER (WHERE mentions))::text AS mentions`;

/**
 * The oldest message that is listed; undefined if there are fewer than the maximum. Reads a part of the newest ids, and
 * a larger part until it contains enough unread messages.
 */
async function oldestTold(snapshot: DbTransaction, reader: Reader, marks: Marks): Promise<number | undefined> {
  const head = sql`${marks.head}::bigint`;
  const { rows } = await sql<{ id: number }>`
    WITH RECURSIVE spread (width) AS (
      SELECT ${MOST * 2}::bigint
      UNION ALL
      SELECT width * 4 FROM spread
       WHERE width < ${head}
         AND (SELECT count(*)
                FROM (${unreadMessages(reader, marks, sql`${head} - spread.width`)} LIMIT ${MOST}) AS counted) < ${MOST}
    ), enough AS MATERIALIZED (
      SELECT ${head} - max(width) AS id FROM spread
    )
    SELECT unread.id FROM enough, LATERAL (${unreadMessages(reader, marks, sql`enough.id`)}) AS unread
     ORDER BY unread.id DESC OFFSET ${MOST - 1} LIMIT 1`.execute(snapshot);
  return rows[0]?.id;
}

/** All unread messages from an id on. */
function unreadMessages(reader: Reader, marks: Marks, from: RawBuilder<unknown>): RawBuilder<unknown> {
  const parts = [
    ...markedOrMoved(reader, marks, from),
    aboveWatermarks(reader, marks, from, sql`true`),
    direct(reader, marks, from),
  ];
  return sql.join(parts, sql` UNION ALL `);
}

function isMentioned({ mentioned }: Marks): RawBuilder<unknown> {
  return mentioned === '{}' ? sql`false` : sql`m.id = ANY (${mentioned}::bigint[])`;
}

function isNotRead({ read }: Marks): RawBuilder<unknown> {
  return read === '{}' ? sql`true` : sql`m.id <> ALL (${read}::bigint[])`;
}

/**
 * Messages that were marked unread, and moved ones, if there are any. Moved messages look up their own bits, because an
 * ended subscription can have a lower last read id than `selectMarks` considers. Indexes: messages_moved_by_home, the
 * primary keys.
 */
function markedOrMoved(reader: Reader, marks: Marks, from: RawBuilder<unknown>): RawBuilder<unknown>[] {
  const { organizationId, userId } = reader;
  const isMember = sql`
    EXISTS (
      SELECT FROM subscriptions s
       WHERE s.organization_id = ${organizationId} AND s.user_id = ${userId} AND s.channel_id = m.channel_id
         AND s.is_active)`;
  const marked = sql`
    SELECT coalesce(m.channel_id, -m.conversation_id) AS place, m.topic, m.id,
           ${isMentioned(marks)} OR ${isMentionedAmongMany(reader)}
             OR (m.mentions_channel AND (m.channel_id IS NULL OR ${wasReceived(reader)})) AS mentions
      FROM unnest(${marks.unread}::bigint[]) AS marked (id), LATERAL (
             SELECT * FROM messages WHERE organization_id = ${organizationId} AND id = marked.id OFFSET 0
           ) AS m
     WHERE m.id >= ${from} AND (m.channel_id IS NULL OR ${isMember})`;
  const moved = sql`
    SELECT m.channel_id AS place, m.topic, m.id,
           ${bitsOf(reader)} & ${MENTION_BITS} <> 0 OR ${isMentionedAmongMany(reader)} OR m.mentions_channel AS mentions
      FROM ${movedAbove(reader, from)} AS m
     WHERE ${isMember} AND ${bitsOf(reader)} & ${READING_BITS} = 0 AND ${isMovedUnread(reader)}`;
  return [...(marks.unread === '{}' ? [] : [marked]), ...(marks.anyMoved ? [moved] : [])];
}

/**
 * Moved messages above the last read ids of their original channels. Index: messages_moved_by_home, for each span of
 * subscription.
 */
function movedAbove({ organizationId, userId }: Reader | StateReader, from: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    SELECT m.*
      FROM (
             SELECT channel_id, read_through, 9223372036854775807 AS until FROM subscriptions
              WHERE organization_id = ${organizationId} AND user_id = ${userId} AND is_active
             UNION ALL
             SELECT channel_id, read_through, until_message_id FROM subscription_intervals
              WHERE organization_id = ${organizationId} AND user_id = ${userId}
           ) AS span, LATERAL (
             SELECT * FROM messages
              WHERE organization_id = ${organizationId} AND home_channel_id = span.channel_id
                AND id > span.read_through AND id <= span.until AND id >= ${from}
             OFFSET 0
           ) AS m
  )`;
}

/** Index: messages_by_channel, which contains all columns of this query. */
function aboveWatermarks(
  { organizationId, userId }: Reader,
  marks: Marks,
  from: RawBuilder<unknown>,
  check: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    SELECT m.channel_id AS place, m.topic, m.id, ${isMentioned(marks)} OR m.mentions_channel AS mentions
      FROM subscriptions member, LATERAL (
             SELECT m.id, m.channel_id, m.topic, m.mentions_channel FROM messages m
              WHERE m.organization_id = ${organizationId} AND m.channel_id = member.channel_id
                AND m.id > member.read_through AND m.id >= ${from} AND m.home_channel_id IS NULL AND ${check}
             OFFSET 0 -- else the planner may join all messages of all channels
           ) AS m
     WHERE member.organization_id = ${organizationId} AND member.user_id = ${userId} AND member.is_active
       AND ${isNotRead(marks)}`;
}

/** Index: messages_by_conversation. */
function direct({ organizationId, userId }: Reader, marks: Marks, from: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    SELECT -m.conversation_id AS place, '' AS topic, m.id, ${isMentioned(marks)} OR m.mentions_channel AS mentions
      FROM direct_participants member, LATERAL (
             SELECT m.id, m.conversation_id, m.mentions_channel FROM messages m
              WHERE m.organization_id = ${organizationId} AND m.conversation_id = member.conversation_id
                AND m.id > member.read_through AND m.id >= ${from}
             OFFSET 0
           ) AS m
     WHERE member.organization_id = ${organizationId} AND member.user_id = ${userId}
       AND ${isNotRead(marks)}`;
}

function unreadOf(rows: readonly GroupRow[], marks: Pick<Marks, 'muted' | 'topics'>): Unread {
  const mutedChannels = new Set(marks.muted);
  const mutedTopics = new Map(marks.topics.map(([channelId, key, isMuted]) => [`${channelId}/${key}`, isMuted]));
  const total = (of: readonly { readonly ids: IdList }[]) => of.reduce((sum, { ids }) => sum + ids.count, 0);
  const topics = Map.groupBy(
    rows.map((row) => ({ row, ids: listed([row.ids]) })),
    ({ row: { place, key } }) => `${place}/${key}`,
  );
  const groups = [...topics].map(([key, parts]) => {
    const [newest] = parts.toSorted((a, b) => b.ids.last - a.ids.last);
    const ids = parts.length === 1 && newest ? newest.ids : listed(parts.map(({ row }) => row.ids));
    const isMuted = mutedTopics.get(key) ?? mutedChannels.has(newest?.row.place ?? 0);
    return { ids, isMuted, place: placeOf(newest?.row), messageIds: `[${ids.text}]` };
  });
  return {
    count: total(groups.filter(({ isMuted }) => !isMuted)),
    groups: groups.sort((a, b) => a.ids.first - b.ids.first),
    mentions: JSON.parse(`[${listed(rows.flatMap(({ mentions }) => mentions ?? [])).text}]`),
    isCut: false,
  };
}

function placeOf(row: GroupRow | undefined): UnreadGroup['place'] {
  if (row === undefined) throw new Error('a group without a topic');
  return row.place < 0 ? { participants: row.participants ?? [] } : { channelId: row.place, topic: row.topic };
}

/**
 * Joins PostgreSQL's arrays of ids to one list. Usually they are in order already, which this detects without parsing
 * them.
 */
function listed(arrays: readonly string[]): IdList {
  const text = arrays.map((array) => array.slice(1, -1)).join(',');
  let count = 1;
  let last = 0;
  let id = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== COMMA) {
      id = id * 10 + (code - ZERO);
      continue;
    }
    if (id < last) return sorted(text);
    count += 1;
    last = id;
    id = 0;
  }
  return id < last ? sorted(text) : { text, count, first: Number.parseInt(text, 10), last: id };
}

const COMMA = 44;
const ZERO = 48;

function sorted(text: string): IdList {
  const ids = text
    .split(',')
    .map(Number)
    .sort((a, b) => a - b);
  return { text: ids.join(), count: ids.length, first: ids[0] ?? 0, last: ids.at(-1) ?? 0 };
}
