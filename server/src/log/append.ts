import { sql } from 'kysely';
import type pg from 'pg';
import type { Db, DbTransaction } from '../db/schema.ts';
import type { LoggedEvent, NewEvent } from './event.ts';
import type { LogPosition } from './read.ts';

/** A change under way: the organization's log is locked, so `position` stays true until the commit. */
export interface OpenChange {
  readonly db: DbTransaction;
  readonly position: LogPosition;
  /** Adds an event to the commit and tells the id that it will have. */
  append(event: NewEvent): number;
}

export interface Committed<Result> {
  readonly result: Result;
  readonly events: readonly LoggedEvent[];
}

/**
 * One rarer change of state, committed alone with its events (I1). Takes the organization's log row first and holds it to the end, so
 * what `act` reads and checks cannot change under it; the ids are taken by the last statement before the commit (I2).
 */
export async function commitChange<Result>(
  db: Db,
  organizationId: number,
  act: (change: OpenChange) => Promise<Result>,
): Promise<Committed<Result>> {
  return db.transaction().execute((transaction) => changeWithin(transaction, organizationId, act));
}

/** The same in a transaction that the caller has begun, and commits right afterwards. */
export async function changeWithin<Result>(
  transaction: DbTransaction,
  organizationId: number,
  act: (change: OpenChange) => Promise<Result>,
): Promise<Committed<Result>> {
  const row = await transaction
    .selectFrom('logs')
    .select(['head', 'directory_head', 'message_head'])
    .where('organization_id', '=', organizationId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const position = { head: row.head, directoryHead: row.directory_head, messageHead: row.message_head };
  const events: LoggedEvent[] = [];
  const result = await act({
    db: transaction,
    position,
    append(event) {
      const id = position.head + events.length + 1;
      events.push({ ...event, organizationId, id, ephemeral: false });
      return id;
    },
  });
  if (events.length > 0) await insertEvents(transaction, organizationId, events);
  return { result, events };
}

async function insertEvents(
  transaction: DbTransaction,
  organizationId: number,
  events: readonly LoggedEvent[],
): Promise<void> {
  const columns = eventColumns(events);
  const directoryHead = events.findLast((event) => event.facts !== undefined)?.id ?? 0;
  const first = events[0]?.id ?? 0;
  await sql`
    WITH taken AS (
      UPDATE logs
         SET head = head + ${events.length},
             directory_head = greatest(directory_head, ${directoryHead}::bigint)
       WHERE organization_id = ${organizationId} AND head = ${first - 1}
       RETURNING head
    )
    INSERT INTO events (organization_id, id, type, audience, body, facts, message_id)
    SELECT ${organizationId}, taken.head - ${events.length} + new.ord,
           new.type, new.audience, new.body, new.facts, new.message_id
      FROM taken,
           unnest(${columns.types}::text[], ${columns.audiences}::text[], ${columns.bodies}::text[],
                  ${columns.facts}::text[], ${columns.messageIds}::bigint[])
             WITH ORDINALITY AS new (type, audience, body, facts, message_id, ord)`.execute(transaction);
}

/** Events as the arrays that `unnest` makes rows of. */
export function eventColumns(events: readonly NewEvent[]) {
  return {
    types: events.map((event) => event.type),
    audiences: events.map((event) => JSON.stringify(event.audience)),
    bodies: events.map((event) => JSON.stringify(event.body)),
    facts: events.map((event) => (event.facts === undefined ? null : JSON.stringify(event.facts))),
    messageIds: events.map((event) => event.messageId ?? null),
  };
}

const APPEND_EPHEMERAL = `
  WITH taken AS (
    UPDATE logs SET head = head + $2
     WHERE organization_id = $1
     RETURNING head - $2 AS base, set_config('synchronous_commit', 'off', true)
  ), added AS (
    INSERT INTO events (organization_id, id, type, audience, body, ephemeral)
    SELECT $1, taken.base + new.ord, new.type, new.audience, new.body, true
      FROM taken, unnest($3::text[], $4::text[], $5::text[]) WITH ORDINALITY AS new (type, audience, body, ord)
  )
  SELECT base FROM taken`;

/**
 * Commits events that may be lost with the machine (typing, presence) without waiting for the disk (I6). They must not reach a
 * reader before a flush: were they lost after that, their ids would be given out a second time.
 */
export async function commitEphemeral(
  pool: pg.Pool,
  organizationId: number,
  events: readonly NewEvent[],
): Promise<readonly LoggedEvent[]> {
  const columns = eventColumns(events);
  const { rows } = await pool.query<{ base: number }>({
    name: 'append-ephemeral',
    text: APPEND_EPHEMERAL,
    values: [organizationId, events.length, columns.types, columns.audiences, columns.bodies],
  });
  const base = rows[0]?.base;
  if (base === undefined) throw new Error(`organization ${organizationId} has no log`);
  return events.map((event, index) => ({ ...event, organizationId, id: base + index + 1, ephemeral: true }));
}
