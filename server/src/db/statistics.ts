/** Keeps PostgreSQL's table statistics up to date. The planner chooses its plans by them. */
import { sql } from 'kysely';
import { lostLock } from './failures.ts';
import { NEWEST_EVENTS } from './newest-events.ts';
import type { Db } from './schema.ts';

/** Below this number of events, the statistics of an organization do not matter. */
const MIN_ANALYZED_EVENTS = 1000;

/**
 * Runs ANALYZE on all tables if a log has more than doubled since the last time. PostgreSQL itself analyzes a table
 * after a tenth of it has changed. In a large table, it would expect no rows of a new organization for a long time. It
 * would then read all messages of that organization for each page.
 * @returns whether it analyzed all tables
 */
export async function countGrown(db: Db): Promise<boolean> {
  const { rows: grown } = await sql<{ id: number; head: number }>`
    WITH RECURSIVE newest AS (${NEWEST_EVENTS})
    SELECT organization_id AS id, id AS head
      FROM newest
     WHERE id > 2 * coalesce((SELECT head FROM counted_logs WHERE organization_id = newest.organization_id), 0)
              + ${MIN_ANALYZED_EVENTS}`.execute(db);
  if (grown.length === 0) return false;
  const { rows: tables } = await sql<{ name: string }>`
    SELECT pg_class.relname AS name
      FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'organization_id'
     WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`.execute(db);
  for (const { name } of tables) {
    try {
      await sql`ANALYZE ${sql.table(name)}`.execute(db);
    } catch (error) {
      // The table is being vacuumed. The next run analyzes all tables.
      if (lostLock(error)) return false;
      throw error;
    }
  }
  await sql`
    INSERT INTO counted_logs (organization_id, head)
    SELECT * FROM unnest(${grown.map(({ id }) => id)}::integer[], ${grown.map(({ head }) => head)}::bigint[])
        ON CONFLICT (organization_id) DO UPDATE SET head = excluded.head`.execute(db);
  return true;
}
