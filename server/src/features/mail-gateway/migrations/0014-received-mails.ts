import { type Kysely, sql } from 'kysely';

/** Mails that became messages, so that a mail that arrives twice is sent once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE received_mails (
      organization_id integer     NOT NULL,
      user_id         integer     NOT NULL,
      digest          bytea       NOT NULL,
      received_at     timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (organization_id, user_id, digest),
      FOREIGN KEY (organization_id, user_id) REFERENCES users
    )`.execute(db);
  await sql`CREATE INDEX received_mails_by_age ON received_mails (received_at)`.execute(db);
}
