import { type Kysely, sql } from 'kysely';

/** Members who joined later than this are no full members yet; null, as in every organization until now: all are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE organizations ADD COLUMN full_members_joined_through timestamptz`.execute(db);
}
