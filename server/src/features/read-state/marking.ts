import { sql } from 'kysely';
import { mayRead, type Reader } from '../../access/readable-messages.ts';
import { FlagBit } from '../../db/flag-bits.ts';
import type { DbTransaction } from '../../db/schema.ts';

/**
 * A user's read state is sparse (design, "Read state"): each membership is read up to `read_through`, and `message_flags` holds the
 * exceptions. These statements change it and keep it small: reading moves the watermark up as far as it can and drops the rows that
 * this makes redundant.
 */

/** Where messages stand: a channel or a direct conversation, the other one null. */
export interface Place {
  readonly channel_id: number | null;
  readonly conversation_id: number | null;
}

export interface MarkedMessage extends Place {
  readonly id: number;
}

/** Those of the messages that are in the reader's subscribed channels and conversations, with their watermarks and flags. */
function chosen(reader: Reader, ids: readonly number[]) {
  return sql`
    SELECT m.id, m.channel_id, m.conversation_id, coalesce(s.read_through, p.read_through) AS read_through,
           coalesce(f.flags, 0) AS flags
      FROM messages m
      LEFT JOIN subscriptions s
        ON s.organization_id = m.organization_id AND s.user_id = ${reader.userId} AND s.channel_id = m.channel_id
       AND s.is_active
      LEFT JOIN direct_participants p
        ON p.organization_id = m.organization_id AND p.user_id = ${reader.userId}
       AND p.conversation_id = m.conversation_id
      LEFT JOIN message_flags f
        ON f.organization_id = m.organization_id AND f.user_id = ${reader.userId} AND f.message_id = m.id
     WHERE m.organization_id = ${reader.organizationId} AND m.id = ANY (${ids}::bigint[])
       AND (s.user_id IS NOT NULL OR p.user_id IS NOT NULL) AND ${mayRead(reader)}`;
}

/** Marks messages read; returns those that were unread. */
export async function markRead(
  db: DbTransaction,
  reader: Reader,
  ids: readonly number[],
  messageHead: number,
): Promise<readonly MarkedMessage[]> {
  const { rows } = await sql<MarkedMessage>`
    WITH unread AS (
      SELECT * FROM (${chosen(reader, ids)}) AS chosen
       WHERE CASE WHEN id > read_through THEN flags & ${FlagBit.read} = 0 ELSE flags & ${FlagBit.unread} <> 0 END
    ), marked AS (
      INSERT INTO message_flags (organization_id, user_id, message_id, flags)
      SELECT ${reader.organizationId}, ${reader.userId}, id,
             CASE WHEN id > read_through THEN flags | ${FlagBit.read} ELSE flags & ~${FlagBit.unread}::int END
        FROM unread
      ON CONFLICT (organization_id, user_id, message_id) DO UPDATE SET flags = excluded.flags
    )
    SELECT id, channel_id, conversation_id FROM unread ORDER BY id`.execute(db);
  await dropEmpty(
    db,
    reader,
    rows.map((row) => row.id),
  );
  for (const place of placesOf(rows)) await raiseWatermark(db, reader, place, messageHead);
  return rows;
}

/** Marks messages unread, in channels to which the reader is subscribed and in conversations; returns those that were read. */
export async function markUnread(
  db: DbTransaction,
  reader: Reader,
  ids: readonly number[],
): Promise<readonly MarkedMessage[]> {
  const { rows } = await sql<MarkedMessage>`
    WITH read AS (
      SELECT * FROM (${chosen(reader, ids)}) AS chosen
       WHERE CASE WHEN id > read_through THEN flags & ${FlagBit.read} <> 0 ELSE flags & ${FlagBit.unread} = 0 END
    ), marked AS (
      INSERT INTO message_flags (organization_id, user_id, message_id, flags)
      SELECT ${reader.organizationId}, ${reader.userId}, id,
             CASE WHEN id > read_through THEN flags & ~${FlagBit.read}::int
                  ELSE (flags & ~${FlagBit.read}::int) | ${FlagBit.unread} END
        FROM read
      ON CONFLICT (organization_id, user_id, message_id) DO UPDATE SET flags = excluded.flags
    )
    SELECT id, channel_id, conversation_id FROM read ORDER BY id`.execute(db);
  await dropEmpty(
    db,
    reader,
    rows.map((row) => row.id),
  );
  return rows;
}

/** Sets or clears a bit that has nothing to do with reading, where it is not so already; returns the messages that changed. */
export async function markBit(
  db: DbTransaction,
  reader: Reader,
  ids: readonly number[],
  bit: number,
  op: 'add' | 'remove',
): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    WITH changing AS (
      SELECT m.id, coalesce(f.flags, 0) AS flags
        FROM messages m
        LEFT JOIN message_flags f
          ON f.organization_id = m.organization_id AND f.user_id = ${reader.userId} AND f.message_id = m.id
       WHERE m.organization_id = ${reader.organizationId} AND m.id = ANY (${ids}::bigint[]) AND ${mayRead(reader)}
         AND (coalesce(f.flags, 0) & ${bit}::int <> 0) = ${op === 'remove'}
    ), marked AS (
      INSERT INTO message_flags (organization_id, user_id, message_id, flags)
      SELECT ${reader.organizationId}, ${reader.userId}, id, flags # ${bit}::int FROM changing
      ON CONFLICT (organization_id, user_id, message_id) DO UPDATE SET flags = excluded.flags
    )
    SELECT id FROM changing ORDER BY id`.execute(db);
  const changed = rows.map((row) => row.id);
  if (op === 'remove') await dropEmpty(db, reader, changed);
  return changed;
}

function placesOf(messages: readonly Place[]): readonly Place[] {
  const places = new Map<string, Place>();
  for (const { channel_id, conversation_id } of messages) {
    places.set(`${channel_id}/${conversation_id}`, { channel_id, conversation_id });
  }
  return [...places.values()];
}

/**
 * Moves the watermark of one membership up to just before the first message that is unread, and drops what it covers. Indexes:
 * messages_by_channel, messages_by_conversation; the walk ends at the first unread message.
 */
async function raiseWatermark(db: DbTransaction, reader: Reader, place: Place, messageHead: number): Promise<void> {
  const [table, column, id] =
    place.channel_id === null
      ? ([sql.table('direct_participants'), sql.ref('conversation_id'), place.conversation_id] as const)
      : ([sql.table('subscriptions'), sql.ref('channel_id'), place.channel_id] as const);
  const { rows } = await sql<{ from: number; through: number }>`
    WITH member AS (
      SELECT read_through FROM ${table}
       WHERE organization_id = ${reader.organizationId} AND user_id = ${reader.userId} AND ${column} = ${id}
    ), unread AS (
      SELECT m.id FROM messages m
       WHERE m.organization_id = ${reader.organizationId} AND m.${column} = ${id}
         AND m.id > (SELECT read_through FROM member)
         AND NOT EXISTS (
           SELECT FROM message_flags f
            WHERE f.organization_id = m.organization_id AND f.user_id = ${reader.userId} AND f.message_id = m.id
              AND f.message_id > (SELECT read_through FROM member) AND f.flags & ${FlagBit.read} <> 0)
       ORDER BY m.id LIMIT 1
    )
    SELECT member.read_through AS from, coalesce((SELECT id - 1 FROM unread), ${messageHead}::bigint) AS through
      FROM member`.execute(db);
  const move = rows[0];
  if (move === undefined || move.through <= move.from) return;
  await sql`
    UPDATE ${table} SET read_through = ${move.through}::bigint
     WHERE organization_id = ${reader.organizationId} AND user_id = ${reader.userId} AND ${column} = ${id}`.execute(db);
  await sql`
    WITH covered AS (
      SELECT f.message_id, f.flags FROM message_flags f
        JOIN messages m ON m.organization_id = f.organization_id AND m.id = f.message_id
       WHERE f.organization_id = ${reader.organizationId} AND f.user_id = ${reader.userId}
         AND f.message_id > ${move.from}::bigint AND f.message_id <= ${move.through}::bigint
         AND f.flags & ${FlagBit.read} <> 0 AND m.${column} = ${id}
    ), kept AS (
      UPDATE message_flags SET flags = message_flags.flags & ~${FlagBit.read}::int
        FROM covered
       WHERE message_flags.organization_id = ${reader.organizationId} AND message_flags.user_id = ${reader.userId}
         AND message_flags.message_id = covered.message_id AND covered.flags <> ${FlagBit.read}
    )
    DELETE FROM message_flags
     WHERE organization_id = ${reader.organizationId} AND user_id = ${reader.userId}
       AND message_id IN (SELECT message_id FROM covered WHERE flags = ${FlagBit.read})`.execute(db);
}

async function dropEmpty(db: DbTransaction, reader: Reader, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    DELETE FROM message_flags
     WHERE organization_id = ${reader.organizationId} AND user_id = ${reader.userId}
       AND message_id = ANY (${ids}::bigint[]) AND flags = 0`.execute(db);
}
