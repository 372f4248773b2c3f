import { type Kysely, sql } from 'kysely';

/** An upload that is under way goes with the note of its key (storage_leftovers): when it is whole, and when it was given up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE resumable_uploads (
      organization_id integer     NOT NULL,
      user_id         integer     NOT NULL,
      key             text        PRIMARY KEY REFERENCES storage_leftovers ON DELETE CASCADE,
      size            bigint      NOT NULL,
      metadata        jsonb       NOT NULL,
      created_at      timestamptz NOT NULL DEFAULT now(),
      FOREIGN KEY (organization_id, user_id) REFERENCES users
    )`.execute(db);
  await sql`CREATE INDEX resumable_uploads_by_user ON resumable_uploads (organization_id, user_id)`.execute(db);
}
