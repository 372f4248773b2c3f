import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';

/**
 * Drops the events that no live queue can still ask for and that are older than `keepSeconds` (which must exceed the time between
 * a register's snapshot and its queue row). Returns how many were dropped. Index: events' primary key; `queues` is small beside it.
 */
export async function trimLogs(db: Db, keepSeconds: number): Promise<number> {
  const organizations = await sql<{ organization_id: number; floor: number }>`
    SELECT logs.organization_id,
           least(logs.head, (SELECT min(acknowledged_id) FROM queues
                              WHERE queues.organization_id = logs.organization_id)) AS floor
      FROM logs
     WHERE logs.head > logs.trimmed_through`.execute(db);
  let dropped = 0;
  for (const { organization_id, floor } of organizations.rows) {
    dropped += await trimOne(db, organization_id, floor, keepSeconds);
  }
  return dropped;
}

async function trimOne(db: Db, organizationId: number, floor: number, keepSeconds: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    WITH oldest AS (
      SELECT id, created_at FROM events
       WHERE organization_id = ${organizationId} AND id <= ${floor}
       ORDER BY id LIMIT 50000
    ), kept AS (
      -- A transaction that began early may have committed late: up to the first event that stays, so that no hole comes to be.
      SELECT min(id) AS first FROM oldest WHERE created_at >= now() - make_interval(secs => ${keepSeconds})
    ), dropped AS (
      DELETE FROM events
       WHERE organization_id = ${organizationId}
         AND id IN (SELECT oldest.id FROM oldest, kept WHERE kept.first IS NULL OR oldest.id < kept.first)
      RETURNING id
    )
    SELECT id FROM dropped ORDER BY id DESC`.execute(db);
  const last = rows[0]?.id;
  if (last === undefined) return 0;
  await sql`
    UPDATE logs SET trimmed_through = greatest(trimmed_through, ${last}::bigint)
     WHERE organization_id = ${organizationId}`.execute(db);
  return rows.length;
}
