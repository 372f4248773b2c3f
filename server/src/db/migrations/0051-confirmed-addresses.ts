import { type Kysely, sql } from 'kysely';

/** Whether anything has shown that an account's address is its user's. Who signs up by a reusable link only says so. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE users ADD COLUMN address_is_confirmed boolean NOT NULL DEFAULT true`.execute(db);
}
