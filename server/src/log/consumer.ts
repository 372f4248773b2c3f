/**
 * Background readers of the log. The position of a consumer is a row of `log_cursors` per organization. It moves in the
 * transaction that writes what follows from the events. So a killed process loses nothing, and two processes never
 * handle the same event. Retention keeps what a consumer has not read (retention.ts).
 */
import { sql } from 'kysely';
import { NEWEST_EVENTS } from '../db/newest-events.ts';
import { parameterOf } from '../db/parameters.ts';
import type { Db, DbTransaction } from '../db/schema.ts';
import type { Ending } from '../db/transaction.ts';
import type { LoggedEvent } from './event.ts';
import { readEventsOfTypes } from './read.ts';

/** Lets the consumer read this organization's log from its present end. Index: the primary key. */
export async function addCursor(db: DbTransaction, organizationId: number, consumer: string): Promise<void> {
  await sql`
    INSERT INTO log_cursors (organization_id, consumer, position)
    SELECT organization_id, ${consumer}, head FROM logs WHERE organization_id = ${organizationId}
    ON CONFLICT DO NOTHING`.execute(db);
}

/** An organization whose log has events that a consumer has not read. */
export interface Behind {
  readonly id: number;
  /** The last event that the consumer has read. */
  readonly position: number;
}

/**
 * Returns some organizations whose logs have events that the consumer has not read. Index: the primary keys.
 * @param first the organizations that come first
 * @param addsMissing lets the consumer read the logs of all organizations that lack a cursor. A new organization is
 * read from its first event. Writes nothing if none is missing
 */
export async function organizationsBehind(
  db: Db,
  consumer: string,
  {
    limit,
    addsMissing,
    first = [],
  }: { readonly limit: number; readonly addsMissing: boolean; readonly first?: readonly number[] },
): Promise<readonly Behind[]> {
  const added = sql`
    INSERT INTO log_cursors (organization_id, consumer, position)
    SELECT organization_id, ${consumer}, (SELECT trimmed_through FROM logs WHERE organization_id = known.organization_id)
      FROM known
     WHERE position IS NULL
    ON CONFLICT DO NOTHING
    RETURNING organization_id, position`;
  // The cursors are looked up one by one: a join could read those of all organizations. A statement does not see the rows that it inserts.
  const { rows } = await sql<Behind>`
    WITH RECURSIVE newest AS (${NEWEST_EVENTS}),
    known AS (
      SELECT organization_id, id, (SELECT position FROM log_cursors cursor
                                    WHERE cursor.organization_id = newest.organization_id
                                      AND cursor.consumer = ${consumer}) AS position
        FROM newest),
    added AS (${addsMissing ? added : sql`SELECT 0 AS organization_id, 0 AS position WHERE false`}),
    behind AS (
      SELECT organization_id AS id, position FROM known WHERE id > position
      UNION ALL
      SELECT organization_id, added.position FROM added JOIN known USING (organization_id) WHERE known.id > added.position)
    SELECT id, position FROM behind
     ORDER BY id = ANY (${parameterOf(first)}::integer[]) DESC, random() LIMIT ${limit}`.execute(db);
  return rows;
}

export interface Reading {
  readonly organizationId: number;
  readonly consumer: string;
  /** The types of events to read; none: all events are skipped. */
  readonly types: readonly string[];
  /** The last event to read. */
  readonly through: number;
  /** Returns the events after this one from memory; undefined if memory does not reach back that far. */
  readonly recent: (after: number) => readonly LoggedEvent[] | undefined;
  /** Handles the events, oldest first, and returns how many of them: the others follow in the next transaction. */
  handle(events: readonly LoggedEvent[]): Promise<number>;
}

/** Limits a page from the table. */
const EVENTS_PER_PAGE = 200;
/** Limits a page from memory. It costs no query, so larger pages mean fewer transactions. */
const RECENT_EVENTS_PER_PAGE = 1000;

/** How far a consumer has read. */
export interface Progress {
  readonly hasMore: boolean;
  /** Whether events were deleted before the consumer had read them. */
  readonly hasMissed: boolean;
}

/**
 * Reads on and ends with a statement that moves the cursor. Does nothing if another process is reading. The commit does
 * not wait for the disk. After a crash of the database, both the cursor and what `handle` wrote can be missing. Then the
 * events are read again. Index: the primary keys.
 */
export async function readOn(db: DbTransaction, reading: Reading): Promise<Ending<Progress>> {
  const { organizationId, consumer, through } = reading;
  const { rows } = await sql<{ position: number; trimmed: number }>`
    SELECT cursor.position, logs.trimmed_through AS trimmed
      FROM log_cursors cursor JOIN logs ON logs.organization_id = cursor.organization_id
     WHERE cursor.organization_id = ${organizationId} AND cursor.consumer = ${consumer}
       AND cursor.position < ${through}
       FOR UPDATE OF cursor SKIP LOCKED`.execute(db);
  const [cursor] = rows;
  if (cursor === undefined) return { result: () => ({ hasMore: false, hasMissed: false }) };
  const page = await pageAfter(db, cursor, reading);
  const handled = page.events.length === 0 ? 0 : await reading.handle(page.events);
  const hasMore = handled < page.events.length || page.isFull;
  const position = hasMore ? (page.events[handled - 1]?.id ?? cursor.position) : through;
  return {
    statement: { text: MOVE, values: [organizationId, consumer, position, cursor.position] },
    result: ([moved]) => ({ hasMore, hasMissed: (moved as { readonly missed: boolean } | undefined)?.missed === true }),
  };
}

/** Retention may have deleted events since the cursor was read. */
const MOVE = `
  UPDATE log_cursors cursor SET position = $3
    FROM logs
   WHERE cursor.organization_id = $1 AND cursor.consumer = $2 AND logs.organization_id = cursor.organization_id
  RETURNING logs.trimmed_through > $4::bigint AS missed, set_config('synchronous_commit', 'off', true)`;

/** From memory, if it has all of them. The directory may have forgotten the audience of events that retention has deleted. */
async function pageAfter(
  db: DbTransaction,
  { position, trimmed }: { readonly position: number; readonly trimmed: number },
  { organizationId, types, through, recent }: Reading,
): Promise<{ readonly events: readonly LoggedEvent[]; readonly isFull: boolean }> {
  if (types.length === 0) return { events: [], isFull: false };
  const inMemory = position < trimmed ? undefined : recent(position);
  if (inMemory === undefined) {
    const range = { after: position, through, limit: EVENTS_PER_PAGE };
    const events = await readEventsOfTypes(db, organizationId, types, range);
    return { events, isFull: events.length === EVENTS_PER_PAGE };
  }
  const events: LoggedEvent[] = [];
  for (const event of inMemory) {
    if (event.id > through) break;
    if (!types.includes(event.type)) continue;
    if (events.length === RECENT_EVENTS_PER_PAGE) return { events, isFull: true };
    events.push(event);
  }
  return { events, isFull: false };
}
