import { type Kysely, sql } from 'kysely';

/**
 * Whether a channel is recently active is kept, so that whoever changes it can tell clients. Channels that have long been silent are found by
 * the job that looks for them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE channels ADD COLUMN is_recently_active boolean NOT NULL DEFAULT true`.execute(db);
}
