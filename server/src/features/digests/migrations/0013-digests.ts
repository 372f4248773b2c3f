import { type Kysely, sql } from 'kysely';

/** When the last weekly digest of each account was queued. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE digests (
      organization_id integer     NOT NULL,
      user_id         integer     NOT NULL,
      queued_at       timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (organization_id, user_id),
      FOREIGN KEY (organization_id, user_id) REFERENCES users
    )`.execute(db);
}
