import { type Kysely, sql } from 'kysely';

/**
 * Read state of messages that move, and deletion. A process of the version before neither moves nor deletes messages, so what it writes
 * beside this is right: new columns are null, and an interval's watermark says that everything in it was read.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Only of messages that were moved between channels: where they were sent, and where they have been since which event.
  await sql`
    ALTER TABLE messages
      ADD COLUMN home_channel_id integer,
      ADD COLUMN stay_channels   integer[],
      ADD COLUMN stay_since      bigint[]`.execute(db);
  await sql`
    CREATE INDEX messages_moved_by_home ON messages (organization_id, home_channel_id, id)
      WHERE home_channel_id IS NOT NULL`.execute(db);
  await sql`
    CREATE INDEX messages_moved_by_channel ON messages (organization_id, channel_id, id)
      WHERE home_channel_id IS NOT NULL`.execute(db);

  // What is unread is counted by topic from the index alone, so it holds what that takes; and recent pages are visible to such scans soon.
  await sql`
    CREATE INDEX messages_by_channel_and_topic ON messages (organization_id, channel_id, id)
      INCLUDE (topic, mentions_channel, home_channel_id) WHERE channel_id IS NOT NULL`.execute(db);
  await sql`DROP INDEX messages_by_channel`.execute(db);
  await sql`ALTER INDEX messages_by_channel_and_topic RENAME TO messages_by_channel`.execute(db);
  await sql`
    ALTER TABLE messages
      SET (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 10000)`.execute(db);

  // How far the user had read when the subscription ended.
  await sql`
    ALTER TABLE subscription_intervals
      ADD COLUMN read_through bigint NOT NULL DEFAULT 9223372036854775807`.execute(db);

  // Both end with the user, so that it does not matter by which index the planner looks up a user's row.
  await sql`
    CREATE INDEX message_flags_by_message ON message_flags (organization_id, message_id, user_id)`.execute(db);
  await sql`
    CREATE INDEX subscriptions_by_channel_and_user ON subscriptions (organization_id, channel_id, user_id)
      WHERE is_active`.execute(db);
  await sql`DROP INDEX subscriptions_by_channel`.execute(db);
  await sql`ALTER INDEX subscriptions_by_channel_and_user RENAME TO subscriptions_by_channel`.execute(db);
}
