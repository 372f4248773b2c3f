import { type Kysely, sql } from 'kysely';

/** Who may do what with a user group, by the permission's name: only what was decided. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE user_groups ADD COLUMN permissions jsonb NOT NULL DEFAULT '{}'`.execute(db);
}
