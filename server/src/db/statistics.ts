/** What PostgreSQL knows of the tables' rows: by it, it chooses how to find them. */
import { sql } from 'kysely';
import { lostLock } from './failures.ts';
import type { Db } from './schema.ts';

/** Events of an organization of which it does not matter whether PostgreSQL knows. */
const FEW = 1000;

/**
 * Has PostgreSQL count the rows of all tables where an organization's log has become more than twice as long as when it last did. By itself it
 * counts a table anew when a tenth of it has changed: in the large tables of others it would expect nothing of a new organization for
 * long, and go through all that this one has for each of a page's messages.
 * @returns whether it counted
 */
export async function countGrown(db: Db): Promise<boolean> {
  const { rows: grown } = await sql<{ id: number; head: number }>`
    SELECT logs.organization_id AS id, logs.head
      FROM logs LEFT JOIN counted_logs counted ON counted.organization_id = logs.organization_id
     WHERE logs.head > 2 * coalesce(counted.head, 0) + ${FEW}`.execute(db);
  if (grown.length === 0) return false;
  const { rows: tables } = await sql<{ name: string }>`
    SELECT pg_class.relname AS name
      FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'organization_id'
     WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`.execute(db);
  for (const { name } of tables) {
    try {
      await sql`ANALYZE ${sql.table(name)}`.execute(db);
    } catch (error) {
      // It is being cleaned. All is counted at the next turn.
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
