import { type Kysely, sql } from 'kysely';

/**
 * The serving processes that share the database, as each reports itself (`monitoring/process-reports.ts`). A process deletes its row when it
 * stops.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE server_processes (
      node        text        NOT NULL,
      worker      integer     NOT NULL,
      started_at  timestamptz NOT NULL,
      reported_at timestamptz NOT NULL,
      heard       text,
      report      jsonb       NOT NULL,
      PRIMARY KEY (node, worker)
    )`.execute(db);
}
