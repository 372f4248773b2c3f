import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // How long each organization's log was when PostgreSQL last counted the rows of all tables (db/statistics.ts).
  await sql`
    CREATE TABLE counted_logs (
      organization_id integer PRIMARY KEY REFERENCES organizations,
      head            bigint  NOT NULL
    )`.execute(db);
  // One event can be thousands of rows of these.
  for (const table of ['subscriptions', 'message_flags']) {
    await sql`
      ALTER TABLE ${sql.table(table)}
        SET (autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 5000)`.execute(db);
  }
}
