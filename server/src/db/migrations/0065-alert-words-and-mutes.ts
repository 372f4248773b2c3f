import { type Kysely, sql } from 'kysely';

/** Both are read whole when an organization's directory is loaded, and no message waits for them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE alert_words (
      organization_id integer NOT NULL,
      user_id         integer NOT NULL,
      words           text[]  NOT NULL,
      PRIMARY KEY (organization_id, user_id),
      FOREIGN KEY (organization_id, user_id) REFERENCES users
    )`.execute(db);
  await sql`
    CREATE TABLE muted_users (
      organization_id integer     NOT NULL,
      user_id         integer     NOT NULL,
      muted_user_id   integer     NOT NULL,
      muted_at        timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (organization_id, user_id, muted_user_id),
      FOREIGN KEY (organization_id, user_id) REFERENCES users,
      FOREIGN KEY (organization_id, muted_user_id) REFERENCES users
    )`.execute(db);
  await sql`
    CREATE INDEX message_flags_alerted ON message_flags (organization_id, user_id, message_id)
      WHERE flags & 32 <> 0`.execute(db);
}
