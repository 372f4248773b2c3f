import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // How a user wants to see a topic: 1 muted, 2 unmuted, 3 followed; no row: as its channel. Spellings of a topic are one.
  await sql`
    CREATE TABLE user_topics (
      organization_id integer     NOT NULL,
      channel_id      integer     NOT NULL,
      topic           text        NOT NULL,
      topic_key       text        NOT NULL GENERATED ALWAYS AS (lower(topic)) STORED,
      user_id         integer     NOT NULL,
      policy          smallint    NOT NULL CHECK (policy IN (1, 2, 3)),
      updated_at      timestamptz NOT NULL,
      PRIMARY KEY (organization_id, channel_id, topic_key, user_id),
      FOREIGN KEY (organization_id, channel_id) REFERENCES channels,
      FOREIGN KEY (organization_id, user_id) REFERENCES users
    )`.execute(db);
  await sql`
    CREATE INDEX user_topics_by_user ON user_topics (organization_id, user_id, policy, channel_id)`.execute(db);
}
