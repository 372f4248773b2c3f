import { type RawBuilder, sql } from 'kysely';
import { bitsOf, isMovedUnread, wasReceived } from '../../access/unread-messages.ts';
import { READING_BITS } from '../../db/flag-bits.ts';
import type { DbTransaction } from '../../db/schema.ts';

/** A user's unread messages of one topic or one direct conversation. */
export interface UnreadGroup {
  readonly place: { readonly channelId: number; readonly topic: string } | { readonly participants: readonly number[] };
  /** Ascending, as JSON: there may be tens of thousands, which nobody need take apart. */
  readonly messageIds: string;
}

export interface Unread {
  readonly count: number;
  /** The one with the oldest message first. */
  readonly groups: readonly UnreadGroup[];
  /** Those that mention the user, alone or with everybody; ascending. */
  readonly mentions: readonly number[];
  /** There are more, older ones. */
  readonly isCut: boolean;
}

/** The newest so many are told; a client asks for older ones when it needs them. */
const MOST = 50_000;

/** Messages with flags of the user's, as arrays in PostgreSQL's notation: they go back as they came. */
interface Marks {
  /** Above the lowest watermark. */
  readonly read: string;
  readonly unread: string;
  /** Of those that can be unread. */
  readonly mentioned: string;
}

interface Reader {
  readonly organizationId: number;
  readonly userId: number;
}

/** What is unread of one spelling of a topic, or of a conversation. */
interface GroupRow {
  /** A channel's id, or a conversation's with a minus. */
  place: number;
  topic: string;
  /** Of all spellings. */
  key: string;
  participants: number[] | null;
  count: number;
  oldest: number;
  newest: number;
  ids: string;
  mentions: string | null;
}

/**
 * The user's unread messages in subscribed channels and direct conversations, grouped and listed by the database. Exceptions are fetched
 * first, all at once: handed back as constants they are hashed, whatever the planner believes of the tables.
 */
export async function readUnread(snapshot: DbTransaction, organizationId: number, userId: number): Promise<Unread> {
  const reader = { organizationId, userId };
  const marks = await readMarks(snapshot, reader);
  const all = await readGroups(snapshot, reader, marks, sql`0`);
  if (countOf(all) <= MOST) return unreadOf(all, false);
  const oldest = await oldestTold(snapshot, reader, marks);
  return unreadOf(await readGroups(snapshot, reader, marks, sql`${oldest}::bigint`), true);
}

/** Indexes: message_flags_unread, the primary key. */
async function readMarks(snapshot: DbTransaction, { organizationId, userId }: Reader): Promise<Marks> {
  const { rows } = await sql<Marks>`
    SELECT coalesce(array_agg(message_id) FILTER (WHERE flags & 1 <> 0), '{}')::text AS read,
           coalesce(array_agg(message_id) FILTER (WHERE flags & 2 <> 0), '{}')::text AS unread,
           coalesce(array_agg(message_id) FILTER (WHERE flags & 24 <> 0), '{}')::text AS mentioned
      FROM (
        SELECT message_id, flags FROM message_flags
         WHERE organization_id = ${organizationId} AND user_id = ${userId} AND flags & 2 <> 0
        UNION ALL
        SELECT message_id, flags FROM message_flags
         WHERE organization_id = ${organizationId} AND user_id = ${userId} AND flags & 25 <> 0 AND flags & 2 = 0
           AND message_id > least(
                 (SELECT min(read_through) FROM subscriptions
                   WHERE organization_id = ${organizationId} AND user_id = ${userId} AND is_active),
                 (SELECT min(read_through) FROM direct_participants
                   WHERE organization_id = ${organizationId} AND user_id = ${userId}))
         ORDER BY message_id
      ) AS marked`.execute(snapshot);
  return rows[0] ?? { read: '{}', unread: '{}', mentioned: '{}' };
}

/** Counts no further than to one more than is told. */
async function readGroups(
  snapshot: DbTransaction,
  reader: Reader,
  marks: Marks,
  from: RawBuilder<unknown>,
): Promise<readonly GroupRow[]> {
  const { rows } = await sql<GroupRow>`
    SELECT place, topic, lower(topic) AS key, count(*)::integer AS count, min(id) AS oldest, max(id) AS newest,
           (SELECT participants FROM direct_conversations
             WHERE organization_id = ${reader.organizationId} AND id = -place) AS participants,
           string_agg(id::text, ',') AS ids, string_agg(id::text, ',') FILTER (WHERE mentions) AS mentions
      FROM (${unreadMessages(reader, marks, from)} LIMIT ${MOST + 1}) AS unread
     GROUP BY place, topic`.execute(snapshot);
  return rows;
}

/** The oldest of the messages that are told. Looks through so many of the newest ids, and through more until that is enough. */
async function oldestTold(snapshot: DbTransaction, reader: Reader, marks: Marks): Promise<number> {
  const head = sql`(SELECT message_head FROM logs WHERE organization_id = ${reader.organizationId})`;
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
  return rows[0]?.id ?? 0;
}

/**
 * Everything that is unread from an id on: what was marked so, what was moved, and what is above the watermarks; each part by ascending
 * ids within a channel. Indexes: messages_by_channel (which has all that is asked for), messages_by_conversation,
 * messages_moved_by_home, the primary keys.
 */
function unreadMessages(reader: Reader, marks: Marks, from: RawBuilder<unknown>): RawBuilder<unknown> {
  const { organizationId, userId } = reader;
  const isMentioned = sql`m.id = ANY (${marks.mentioned}::bigint[])`;
  const isMember = sql`
    EXISTS (
      SELECT FROM subscriptions s
       WHERE s.organization_id = ${organizationId} AND s.user_id = ${userId} AND s.channel_id = m.channel_id
         AND s.is_active)`;
  return sql`
    SELECT coalesce(m.channel_id, -m.conversation_id) AS place, m.topic, m.id,
           ${isMentioned} OR (m.mentions_channel AND ${wasReceived(reader)}) AS mentions
      FROM unnest(${marks.unread}::bigint[]) AS marked (id), LATERAL (
             SELECT * FROM messages WHERE organization_id = ${organizationId} AND id = marked.id OFFSET 0
           ) AS m
     WHERE m.id >= ${from} AND (m.channel_id IS NULL OR ${isMember})
    UNION ALL
    SELECT m.channel_id, m.topic, m.id, ${isMentioned} OR m.mentions_channel
      FROM (
             SELECT channel_id, read_through, 9223372036854775807 AS until FROM subscriptions
              WHERE organization_id = ${organizationId} AND user_id = ${userId} AND is_active
             UNION ALL
             SELECT channel_id, read_through, until_message_id FROM subscription_intervals
              WHERE organization_id = ${organizationId} AND user_id = ${userId}
           ) AS member, LATERAL (
             SELECT * FROM messages
              WHERE organization_id = ${organizationId} AND home_channel_id = member.channel_id
                AND id > member.read_through AND id <= member.until AND id >= ${from}
              ORDER BY id
           ) AS m
     WHERE ${isMember} AND ${bitsOf(reader)} & ${READING_BITS} = 0 AND ${isMovedUnread(reader)}
    UNION ALL
    SELECT m.channel_id, m.topic, m.id, ${isMentioned} OR m.mentions_channel
      FROM subscriptions member, LATERAL (
             SELECT id, channel_id, topic, mentions_channel FROM messages
              WHERE organization_id = ${organizationId} AND channel_id = member.channel_id
                AND id > member.read_through AND id >= ${from} AND home_channel_id IS NULL
              ORDER BY id
           ) AS m
     WHERE member.organization_id = ${organizationId} AND member.user_id = ${userId} AND member.is_active
       AND m.id <> ALL (${marks.read}::bigint[])
    UNION ALL
    SELECT -m.conversation_id, '', m.id, ${isMentioned}
      FROM direct_participants member, LATERAL (
             SELECT id, conversation_id FROM messages
              WHERE organization_id = ${organizationId} AND conversation_id = member.conversation_id
                AND id > member.read_through AND id >= ${from}
              ORDER BY id
           ) AS m
     WHERE member.organization_id = ${organizationId} AND member.user_id = ${userId}
       AND m.id <> ALL (${marks.read}::bigint[])`;
}

function countOf(rows: readonly GroupRow[]): number {
  return rows.reduce((sum, row) => sum + row.count, 0);
}

function unreadOf(rows: readonly GroupRow[], isCut: boolean): Unread {
  const spellings = Map.groupBy(rows, ({ place, key }) => `${place}/${key}`);
  const groups = [...spellings.values()].map((spelled) => {
    const [newest] = spelled.toSorted((a, b) => b.newest - a.newest);
    return {
      oldest: Math.min(...spelled.map((row) => row.oldest)),
      place: placeOf(newest),
      messageIds: `[${ascending(spelled.map((row) => row.ids).join(','))}]`,
    };
  });
  return {
    count: countOf(rows),
    groups: groups.sort((a, b) => a.oldest - b.oldest),
    mentions: rows.flatMap(({ mentions }) => mentions?.split(',').map(Number) ?? []).sort((a, b) => a - b),
    isCut,
  };
}

function placeOf(row: GroupRow | undefined): UnreadGroup['place'] {
  if (row === undefined) throw new Error('a group without a topic');
  return row.place < 0 ? { participants: row.participants ?? [] } : { channelId: row.place, topic: row.topic };
}

/** Ids with commas between them, in order. They mostly are: no number is made of them to see it. */
function ascending(ids: string): string {
  let last = '';
  for (let start = 0; start < ids.length; ) {
    const comma = ids.indexOf(',', start);
    const end = comma < 0 ? ids.length : comma;
    const id = ids.slice(start, end);
    if (id.length < last.length || (id.length === last.length && id < last)) {
      return ids
        .split(',')
        .map(Number)
        .sort((a, b) => a - b)
        .join();
    }
    last = id;
    start = end + 1;
  }
  return ids;
}
