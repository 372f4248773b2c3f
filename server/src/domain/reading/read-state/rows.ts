import { type RawBuilder, sql } from 'kysely';
import { bitsOf, isMovedUnread, isUnmarked } from '../../../access/unread-messages.ts';
import { FlagBit } from '../../../db/flag-bits.ts';
import { executePrepared } from '../../../db/prepared.ts';
import type { DbTransaction } from '../../../db/schema.ts';

/**
 * The statements that change read state. Each one looks its rows up one by one. `OFFSET 0` and `ctid = ANY` keep the
 * planner from reordering them: with outdated statistics, it would begin with everything that is unread.
 */

/** One user's channel or direct conversation; the other id is null. */
export interface Membership {
  readonly userId: number;
  readonly channelId: number | null;
  readonly conversationId: number | null;
}

export interface FlagRow {
  readonly userId: number;
  readonly messageId: number;
  /** 0: the row is deleted. */
  readonly flags: number;
}

/** The tables of one kind of membership. */
interface Kind {
  /** Part of the names of prepared statements. */
  readonly name: string;
  readonly table: RawBuilder<unknown>;
  readonly column: RawBuilder<unknown>;
  readonly idOf: (membership: Membership) => number | null;
  /** The condition for messages that were never moved to another channel. */
  readonly isHome: RawBuilder<unknown>;
}

const KINDS: readonly Kind[] = [
  {
    name: 'channels',
    table: sql.table('subscriptions'),
    column: sql.ref('channel_id'),
    idOf: ({ channelId }) => channelId,
    isHome: sql`home_channel_id IS NULL`,
  },
  {
    name: 'conversations',
    table: sql.table('direct_participants'),
    column: sql.ref('conversation_id'),
    idOf: ({ conversationId }) => conversationId,
    isHome: sql`true`,
  },
];

/**
 * Returns the new last read id of each membership after `justRead` becomes read: before the first message that stays
 * unread, or the newest message of the organization. Walks at most to that first message. Indexes: messages_by_channel,
 * messages_by_conversation.
 */
export async function lastReadIds(
  db: DbTransaction,
  organizationId: number,
  memberships: readonly (Membership & { readonly justRead: ReadonlySet<number> })[],
): Promise<readonly (number | undefined)[]> {
  const found: (number | undefined)[] = new Array(memberships.length).fill(undefined);
  for (const kind of KINDS) {
    const places = memberships.flatMap((membership, place) => (kind.idOf(membership) === null ? [] : place));
    if (places.length === 0) continue;
    const chosen = places.flatMap((place) => memberships[place] ?? []);
    // One id more than the messages that become read. So at least one of them stays unread, unless there are no more.
    const rows = await executePrepared(
      db,
      `read throughs: ${kind.name}`,
      sql<{ place: number; head: number; unread: string }>`
      SELECT asked.place::integer, logs.message_head AS head, array_to_string(ARRAY(
               SELECT m.id FROM messages m
                WHERE m.organization_id = ${organizationId} AND m.${kind.column} = asked.place_id
                  AND m.id > member.read_through AND ${kind.isHome}
                  AND ${bitsOf({ organizationId, userId: sql.ref('asked.user_id') })} & ${FlagBit.read} = 0
                ORDER BY m.id LIMIT asked.read_count + 1), ',') AS unread
        FROM logs,
             unnest(${chosen.map(({ userId }) => userId)}::integer[], ${chosen.map(kind.idOf)}::integer[],
                    ${chosen.map(({ justRead }) => justRead.size)}::integer[], ${places}::integer[])
               AS asked (user_id, place_id, read_count, place),
             LATERAL (
               SELECT read_through FROM ${kind.table}
                WHERE organization_id = ${organizationId} AND user_id = asked.user_id AND ${kind.column} = asked.place_id
               OFFSET 0
             ) AS member
       WHERE logs.organization_id = ${organizationId}`,
    );
    for (const { place, head, unread } of rows) {
      const justRead = memberships[place]?.justRead;
      const first = JSON.parse(`[${unread}]`).find((id: number) => !justRead?.has(id)) as number | undefined;
      found[place] = first === undefined ? head : first - 1;
    }
  }
  return found;
}

/**
 * Locks messages in their channel and topic until the transaction ends. So the event is still true when it is sent.
 * Messages that no longer exist are skipped. Ids ascending.
 */
export async function holdMessages(
  db: DbTransaction,
  organizationId: number,
  messageIds: readonly number[],
): Promise<void> {
  await executePrepared(
    db,
    'hold messages',
    sql`
    SELECT FROM unnest(${messageIds}::bigint[]) AS held (message_id), LATERAL (
             SELECT FROM messages WHERE organization_id = ${organizationId} AND id = held.message_id
             OFFSET 0 FOR SHARE
           ) AS message`,
  );
}

/** Writes flag rows, and deletes those without bits. Messages that were deleted meanwhile are skipped. */
export async function writeFlags(db: DbTransaction, organizationId: number, rows: readonly FlagRow[]): Promise<void> {
  const marked = rows.filter(({ flags }) => flags !== 0).sort((a, b) => a.messageId - b.messageId);
  if (marked.length > 0) {
    await executePrepared(
      db,
      'write flags',
      sql`
      INSERT INTO message_flags (organization_id, user_id, message_id, flags)
      SELECT ${organizationId}::integer, marked.user_id, message.id, marked.flags
        FROM unnest(${marked.map(({ userId }) => userId)}::integer[], ${marked.map(({ messageId }) => messageId)}::bigint[],
                    ${marked.map(({ flags }) => flags)}::smallint[]) AS marked (user_id, message_id, flags),
             LATERAL (
               SELECT id FROM messages
                WHERE organization_id = ${organizationId} AND id = marked.message_id
               OFFSET 0 FOR KEY SHARE
             ) AS message
          ON CONFLICT (organization_id, user_id, message_id) DO UPDATE SET flags = excluded.flags`,
    );
  }
  const empty = rows.filter(({ flags }) => flags === 0);
  if (empty.length === 0) return;
  await executePrepared(
    db,
    'drop empty flags',
    sql`
    DELETE FROM message_flags
     WHERE organization_id = ${organizationId} AND ctid = ANY (ARRAY(
             SELECT flag.ctid
               FROM unnest(${empty.map(({ userId }) => userId)}::integer[],
                           ${empty.map(({ messageId }) => messageId)}::bigint[]) AS empty (user_id, message_id),
                    LATERAL (
                      SELECT ctid FROM message_flags
                       WHERE organization_id = ${organizationId} AND user_id = empty.user_id
                         AND message_id = empty.message_id
                      OFFSET 0
                    ) AS flag))`,
  );
}

/** A last read id that moves up. */
export interface Raise extends Membership {
  readonly through: number;
  /**
   * Messages that this change marks as read. Another request may have moved one away since this change read it. Then it
   * has no row.
   */
  readonly justRead: ReadonlySet<number>;
}

/**
 * Moves last read ids up. Walks along the messages that they pass, and deletes rows that are superfluous now. Messages
 * that were moved elsewhere and are unread there get a row, so that they stay unread.
 */
export async function raiseWatermarks(
  db: DbTransaction,
  organizationId: number,
  raises: readonly Raise[],
): Promise<void> {
  for (const kind of KINDS) {
    const chosen = raises.filter((raise) => kind.idOf(raise) !== null);
    if (chosen.length === 0) continue;
    const passed = kind.column === KINDS[0]?.column ? [keepMovedUnread(organizationId, chosen)] : [];
    await executePrepared(
      db,
      `raise watermarks: ${kind.name}`,
      sql`
      WITH raising AS MATERIALIZED (
        SELECT asked.user_id, asked.place_id, member.read_through AS after, asked.through
          FROM unnest(${chosen.map(({ userId }) => userId)}::integer[], ${chosen.map(kind.idOf)}::integer[],
                      ${chosen.map(({ through }) => through)}::bigint[]) AS asked (user_id, place_id, through),
               LATERAL (
                 SELECT read_through FROM ${kind.table}
                  WHERE organization_id = ${organizationId} AND user_id = asked.user_id
                    AND ${kind.column} = asked.place_id
                 OFFSET 0
               ) AS member
         WHERE asked.through > member.read_through
      ), covered AS MATERIALIZED (
        SELECT flag.ctid, flag.flags
          FROM raising, LATERAL (
                 SELECT id FROM messages
                  WHERE organization_id = ${organizationId} AND ${kind.column} = raising.place_id
                    AND id > raising.after AND id <= raising.through AND ${kind.isHome}
                 OFFSET 0
               ) AS m, LATERAL (
                 SELECT ctid, flags FROM message_flags
                  WHERE organization_id = ${organizationId} AND user_id = raising.user_id AND message_id = m.id
                 OFFSET 0
               ) AS flag
         WHERE flag.flags & ${FlagBit.read} <> 0
      ), kept AS (
        UPDATE message_flags SET flags = flags & ~${FlagBit.read}::smallint
         WHERE organization_id = ${organizationId}
           AND ctid = ANY (ARRAY(SELECT ctid FROM covered WHERE flags <> ${FlagBit.read}))
      ), dropped AS (
        DELETE FROM message_flags
         WHERE organization_id = ${organizationId}
           AND ctid = ANY (ARRAY(SELECT ctid FROM covered WHERE flags = ${FlagBit.read}))
      )${sql.join([sql``, ...passed], sql`, `)}
      UPDATE ${kind.table} AS member SET read_through = raising.through
        FROM raising
       WHERE member.organization_id = ${organizationId} AND member.user_id = raising.user_id
         AND member.${kind.column} = raising.place_id`,
    );
  }
}

/** Skips messages that were deleted meanwhile. Index: messages_moved_by_home. */
function keepMovedUnread(organizationId: number, raises: readonly Raise[]): RawBuilder<unknown> {
  const read = raises.flatMap(({ userId, justRead }) => [...justRead].map((messageId) => ({ userId, messageId })));
  const raising = { organizationId, userId: sql.ref('raising.user_id') };
  return sql`passed AS (
    INSERT INTO message_flags (organization_id, user_id, message_id, flags)
    SELECT ${organizationId}, raising.user_id, m.id, ${FlagBit.unread}
      FROM raising, LATERAL (
             SELECT m.id FROM messages m
              WHERE m.organization_id = ${organizationId} AND m.home_channel_id = raising.place_id
                AND m.id > raising.after AND m.id <= raising.through
                AND ${isUnmarked(raising)}
                AND (raising.user_id, m.id) NOT IN (
                      SELECT * FROM unnest(${read.map(({ userId }) => userId)}::integer[],
                                           ${read.map(({ messageId }) => messageId)}::bigint[]))
                AND ${isMovedUnread(raising)}
             OFFSET 0 FOR KEY SHARE OF m
           ) AS m
        ON CONFLICT (organization_id, user_id, message_id) DO UPDATE SET flags = message_flags.flags | excluded.flags
  )`;
}
