/**
 * Background readers of the log. The position of a consumer is a row of `log_cursors` per organization. It moves in the
 * transaction that writes what follows from the events. So a killed process loses nothing, and two processes never
 * handle the same event. Retention keeps what a consumer has not read (retention.ts).
 */
import { sql } from 'kysely';
import type { Db, DbTransaction } from '../db/schema.ts';
import type { LoggedEvent } from './event.ts';
import { readEventsOfTypes } from './read.ts';

/** Lets the consumer read this organization's log from its present end. Index: the primary key. */
export async function addCursor(db: DbTransaction, organizationId: number, consumer: string): Promise<void> {
  await sql`
    INSERT INTO log_cursors (organization_id, consumer, position)
    SELECT organization_id, ${consumer}, head FROM logs WHERE organization_id = ${organizationId}
    ON CONFLICT DO NOTHING`.execute(db);
}

/**
 * Lets the consumer read the logs of all organizations that lack a cursor. A new organization is read from its first
 * event. Writes nothing if none is missing. Index: the primary keys.
 */
export async function addMissingCursors(db: Db, consumer: string): Promise<void> {
  await sql`
    INSERT INTO log_cursors (organization_id, consumer, position)
    SELECT organization_id, ${consumer}, trimmed_through FROM logs
     WHERE NOT EXISTS (SELECT FROM log_cursors cursor
                        WHERE cursor.organization_id = logs.organization_id AND cursor.consumer = ${consumer})
    ON CONFLICT DO NOTHING`.execute(db);
}

/** Returns some organizations whose logs have events that the consumer has not read. */
export async function organizationsBehind(db: Db, consumer: string, limit: number): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT cursor.organization_id AS id
      FROM log_cursors cursor JOIN logs ON logs.organization_id = cursor.organization_id
     WHERE cursor.consumer = ${consumer} AND logs.head > cursor.position
     ORDER BY random() LIMIT ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

export interface Reading {
  readonly organizationId: number;
  readonly consumer: string;
  /** The types of events to read; none: all events are skipped. */
  readonly types: readonly string[];
  /** The last event to read. */
  readonly through: number;
  readonly limit: number;
  /** Handles the events, oldest first, and returns how many of them: the others follow in the next transaction. */
  handle(events: readonly LoggedEvent[]): Promise<number>;
}

/**
 * Reads on and moves the cursor. Does nothing if another process is reading. Index: the primary keys.
 * @returns whether there is more to read, and whether events were deleted before the consumer had read them
 */
export async function readOn(db: DbTransaction, reading: Reading) {
  const { organizationId, consumer, types, through, limit } = reading;
  const { rows } = await sql<{ position: number }>`
    SELECT position FROM log_cursors
     WHERE organization_id = ${organizationId} AND consumer = ${consumer} AND position < ${through}
       FOR UPDATE SKIP LOCKED`.execute(db);
  const [cursor] = rows;
  if (cursor === undefined) return { hasMore: false, hasMissed: false };
  const range = { after: cursor.position, through, limit };
  const events = types.length === 0 ? [] : await readEventsOfTypes(db, organizationId, types, range);
  const handled = events.length === 0 ? 0 : await reading.handle(events);
  const hasMore = handled < events.length || events.length === limit;
  const position = hasMore ? (events[handled - 1]?.id ?? cursor.position) : through;
  // Retention may have deleted events since the cursor was read.
  const { rows: moved } = await sql<{ missed: boolean }>`
    UPDATE log_cursors cursor SET position = ${position}
      FROM logs
     WHERE cursor.organization_id = ${organizationId} AND cursor.consumer = ${consumer}
       AND logs.organization_id = cursor.organization_id
    RETURNING logs.trimmed_through > ${cursor.position}::bigint AS missed`.execute(db);
  return { hasMore, hasMissed: moved[0]?.missed === true };
}
