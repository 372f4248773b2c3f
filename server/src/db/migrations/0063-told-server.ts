import { type Kysely, sql } from 'kysely';

/** The server that an organization's clients were told of last; null where that was never noted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE organizations ADD COLUMN told_server jsonb`.execute(db);
}
