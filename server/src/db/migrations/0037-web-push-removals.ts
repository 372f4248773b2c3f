import { type Kysely, sql } from 'kysely';

/** Whether the user has removed the browser of a session from those that are notified. It has not subscribed since. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE sessions ADD COLUMN web_push_removed boolean NOT NULL DEFAULT false`.execute(db);
}
