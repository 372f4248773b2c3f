import { type Kysely, sql } from 'kysely';

/** What only the operator of the server lets an account do. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE users
      ADD can_create_users       boolean NOT NULL DEFAULT false,
      ADD can_change_user_emails boolean NOT NULL DEFAULT false`.execute(db);
}
