import { type Kysely, sql } from 'kysely';

/**
 * What the log says of messages is taken out of it when they are deleted. Message ids rise with the log, so that an index of where they
 * roughly are is a thousandth of one that names each, and costs sends next to nothing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX events_by_message ON events USING brin (message_id) WITH (pages_per_range = 16)`.execute(db);
}
