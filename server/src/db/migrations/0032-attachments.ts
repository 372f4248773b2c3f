import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // `unlinked_since`: null while a message, or a scheduled one, links to it. `picture`: what is known of one that can be drawn.
  await sql`
    CREATE TABLE attachments (
      organization_id integer     NOT NULL,
      id              bigint      GENERATED ALWAYS AS IDENTITY,
      owner_id        integer     NOT NULL,
      path_id         text        NOT NULL,
      storage_key     text        NOT NULL,
      name            text        NOT NULL,
      content_type    text        NOT NULL,
      size            bigint      NOT NULL,
      picture         jsonb,
      created_at      timestamptz NOT NULL DEFAULT now(),
      unlinked_since  timestamptz DEFAULT now(),
      PRIMARY KEY (organization_id, id),
      UNIQUE (organization_id, path_id),
      FOREIGN KEY (organization_id, owner_id) REFERENCES users
    )`.execute(db);
  await sql`CREATE INDEX attachments_by_owner ON attachments (organization_id, owner_id, id)`.execute(db);
  await sql`CREATE INDEX attachments_unlinked ON attachments (unlinked_since) WHERE unlinked_since IS NOT NULL`.execute(
    db,
  );
  await sql`
    CREATE TABLE attachment_messages (
      organization_id integer NOT NULL,
      attachment_id   bigint  NOT NULL,
      message_id      bigint  NOT NULL,
      PRIMARY KEY (organization_id, attachment_id, message_id),
      FOREIGN KEY (organization_id, attachment_id) REFERENCES attachments ON DELETE CASCADE,
      FOREIGN KEY (organization_id, message_id) REFERENCES messages ON DELETE CASCADE
    )`.execute(db);
  await sql`CREATE INDEX attachments_by_message ON attachment_messages (organization_id, message_id)`.execute(db);
  await sql`
    CREATE TABLE attachment_scheduled_messages (
      organization_id      integer NOT NULL,
      attachment_id        bigint  NOT NULL,
      user_id              integer NOT NULL,
      scheduled_message_id bigint  NOT NULL,
      PRIMARY KEY (organization_id, attachment_id, user_id, scheduled_message_id),
      FOREIGN KEY (organization_id, attachment_id) REFERENCES attachments ON DELETE CASCADE,
      FOREIGN KEY (organization_id, user_id, scheduled_message_id) REFERENCES scheduled_messages ON DELETE CASCADE
    )`.execute(db);
  await sql`
    CREATE INDEX attachments_by_scheduled_message
        ON attachment_scheduled_messages (organization_id, user_id, scheduled_message_id)`.execute(db);
  // Bytes of all files of an organization: to add them up would read all of them with each upload.
  await sql`
    CREATE TABLE upload_space (
      organization_id integer PRIMARY KEY REFERENCES organizations,
      bytes           bigint NOT NULL
    )`.execute(db);
  await sql`CREATE TABLE storage_leftovers (key text PRIMARY KEY, due_at timestamptz NOT NULL)`.execute(db);
  await sql`CREATE INDEX storage_leftovers_due ON storage_leftovers (due_at)`.execute(db);
}
