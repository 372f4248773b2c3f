import { type Kysely, sql } from 'kysely';

/** What is to be sent later. The index of what is due is what each process looks at every few seconds, so it holds nothing else. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE scheduled_messages (
      organization_id  integer     NOT NULL,
      user_id          integer     NOT NULL,
      id               bigint      GENERATED ALWAYS AS IDENTITY,
      channel_id       integer,
      participants     integer[],
      topic            text        NOT NULL,
      content          text        NOT NULL,
      rendered_content text        NOT NULL,
      client           text        NOT NULL,
      read_by_sender   boolean     NOT NULL,
      deliver_at       timestamptz NOT NULL,
      failed           boolean     NOT NULL DEFAULT false,
      revision         integer     NOT NULL DEFAULT 1,
      PRIMARY KEY (organization_id, user_id, id),
      FOREIGN KEY (organization_id, user_id) REFERENCES users,
      CHECK ((channel_id IS NULL) <> (participants IS NULL))
    )`.execute(db);
  await sql`CREATE INDEX scheduled_messages_due ON scheduled_messages (deliver_at, organization_id) WHERE NOT failed`.execute(
    db,
  );
  await sql`
    CREATE TABLE reminders (
      organization_id  integer     NOT NULL,
      user_id          integer     NOT NULL,
      id               bigint      GENERATED ALWAYS AS IDENTITY,
      message_id       bigint      NOT NULL,
      note             text        NOT NULL,
      content          text        NOT NULL,
      rendered_content text        NOT NULL,
      deliver_at       timestamptz NOT NULL,
      failed           boolean     NOT NULL DEFAULT false,
      PRIMARY KEY (organization_id, user_id, id),
      FOREIGN KEY (organization_id, user_id) REFERENCES users
    )`.execute(db);
  await sql`CREATE INDEX reminders_due ON reminders (deliver_at, organization_id) WHERE NOT failed`.execute(db);
  await sql`CREATE INDEX reminders_by_message ON reminders (organization_id, message_id)`.execute(db);
}
