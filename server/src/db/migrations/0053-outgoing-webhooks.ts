import { type Kysely, sql } from 'kysely';

/**
 * Which messages the services of outgoing webhook bots are to be told of, and up to where an organization's log was looked through for
 * them. Without a foreign key to messages: of a deleted one nobody is told, and deleting need not know of it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE outgoing_cursors (
      organization_id integer PRIMARY KEY REFERENCES organizations,
      read_through    bigint  NOT NULL
    )`.execute(db);
  await sql`
    CREATE TABLE outgoing_requests (
      organization_id integer     NOT NULL,
      bot_id          integer     NOT NULL,
      message_id      bigint      NOT NULL,
      trigger         text        NOT NULL,
      attempts        integer     NOT NULL DEFAULT 0,
      due_at          timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (organization_id, bot_id, message_id),
      FOREIGN KEY (organization_id, bot_id) REFERENCES users
    )`.execute(db);
  await sql`CREATE INDEX outgoing_requests_due ON outgoing_requests (organization_id, bot_id, due_at)`.execute(db);
}
