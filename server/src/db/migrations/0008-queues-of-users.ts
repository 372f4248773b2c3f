import { type Kysely, sql } from 'kysely';

/** How many queues a user has is asked whenever one is registered. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX queues_by_user ON queues (organization_id, user_id)`.execute(db);
}
