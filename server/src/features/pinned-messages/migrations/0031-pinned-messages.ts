import { type Kysely, sql } from 'kysely';

/**
 * Pinned messages. `channel_id` is the channel of the message. A transaction deletes a message first and
 * its pin afterwards. So PostgreSQL checks the foreign key of messages at the commit.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE pinned_messages (
      organization_id integer     NOT NULL,
      message_id      bigint      NOT NULL,
      channel_id      integer     NOT NULL,
      place           text        NOT NULL CHECK (place IN ('channel', 'topic')),
      user_id         integer     NOT NULL,
      pinned_at       timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (organization_id, message_id),
      FOREIGN KEY (organization_id, message_id) REFERENCES messages DEFERRABLE INITIALLY DEFERRED,
      FOREIGN KEY (organization_id, channel_id) REFERENCES channels,
      FOREIGN KEY (organization_id, user_id) REFERENCES users
    )`.execute(db);
  await sql`CREATE INDEX pinned_messages_by_channel ON pinned_messages (organization_id, channel_id)`.execute(db);
}
