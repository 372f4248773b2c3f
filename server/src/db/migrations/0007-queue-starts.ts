import { type Kysely, sql } from 'kysely';

/** Where a queue begins: what it was registered after is not for it. Queues of the time before have no such bound. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE queues ADD COLUMN starts_after bigint NOT NULL DEFAULT 0`.execute(db);
}
