import { type Kysely, sql } from 'kysely';

/** Who works on an upload that comes in pieces, until when, and whether others wait for it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE resumable_uploads
      ADD COLUMN holder     text,
      ADD COLUMN held_until timestamptz,
      ADD COLUMN is_awaited boolean NOT NULL DEFAULT false`.execute(db);
}
