import { type Kysely, sql } from 'kysely';

/**
 * What messages were before they were edited or moved. A process of the version before changes no messages, so what it writes beside this
 * is right: a message that was never edited.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // How often it was changed in any way; when its text was, and when it was moved (other than by resolving its topic).
  await sql`
    ALTER TABLE messages
      ADD COLUMN edit_count integer NOT NULL DEFAULT 0,
      ADD COLUMN edited_at  timestamptz,
      ADD COLUMN moved_at   timestamptz`.execute(db);

  // One row for each change of each message, numbered from 1 to its edit_count. What did not change is null.
  await sql`
    CREATE TABLE message_edits (
      organization_id       integer     NOT NULL,
      message_id            bigint      NOT NULL,
      number                integer     NOT NULL,
      user_id               integer     NOT NULL,
      edited_at             timestamptz NOT NULL,
      prev_content          text,
      prev_rendered_content text,
      prev_topic            text,
      topic                 text,
      prev_channel_id       integer,
      channel_id            integer,
      PRIMARY KEY (organization_id, message_id, number),
      FOREIGN KEY (organization_id, message_id) REFERENCES messages ON DELETE CASCADE,
      FOREIGN KEY (organization_id, user_id) REFERENCES users,
      CHECK ((prev_content IS NULL) = (prev_rendered_content IS NULL)),
      CHECK ((prev_topic IS NULL) = (topic IS NULL)),
      CHECK ((prev_channel_id IS NULL) = (channel_id IS NULL))
    )`.execute(db);
}
