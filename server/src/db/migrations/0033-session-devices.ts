import { type Kysely, sql } from 'kysely';

/** What a session was used with last, and where. Null: unknown. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE sessions
      ADD COLUMN browser text,
      ADD COLUMN system  text,
      ADD COLUMN network text`.execute(db);
}
