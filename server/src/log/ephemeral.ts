import type pg from 'pg';
import { eventColumns } from './append.ts';
import type { LoggedEvent, NewEvent } from './event.ts';

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
 * Commits events that may be lost if the machine fails (typing, presence), without waiting for the disk (I6). They must
 * not reach a reader before a flush. If the machine then lost them, the log would assign their ids again, to other
 * events.
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
