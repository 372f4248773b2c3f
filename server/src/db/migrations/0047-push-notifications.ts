import { type Kysely, sql } from 'kysely';

/**
 * Which messages phones show, are to show, and are to show no longer; and up to where an organization's log was looked through for them.
 * Without a foreign key to messages: what phones show of a deleted one must be taken from them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE push_cursors (
      organization_id integer PRIMARY KEY REFERENCES organizations,
      read_through    bigint  NOT NULL
    )`.execute(db);
  await sql`
    CREATE TABLE push_notifications (
      organization_id integer     NOT NULL,
      user_id         integer     NOT NULL,
      message_id      bigint      NOT NULL,
      cause           text        NOT NULL,
      group_id        integer,
      state           text        NOT NULL,
      attempts        integer     NOT NULL DEFAULT 0,
      due_at          timestamptz,
      added_at        timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (organization_id, user_id, message_id),
      FOREIGN KEY (organization_id, user_id) REFERENCES users
    )`.execute(db);
  await sql`CREATE INDEX push_notifications_due ON push_notifications (due_at) WHERE due_at IS NOT NULL`.execute(db);
  await sql`CREATE INDEX push_notifications_by_message ON push_notifications (organization_id, message_id)`.execute(db);
}
