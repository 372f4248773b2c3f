import { type Kysely, sql } from 'kysely';

/**
 * Attempts to log in, and requests for passwords and accounts, which all processes count together
 * (`domain/credentials/attempt-limits.ts`). The key is a hash: the table names no account and no network.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE attempt_windows (
      key     bytea       PRIMARY KEY,
      count   integer     NOT NULL,
      ends_at timestamptz NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX attempt_windows_by_end ON attempt_windows (ends_at)`.execute(db);
}
