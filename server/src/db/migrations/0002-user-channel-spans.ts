import { type Kysely, sql } from 'kysely';

/**
 * The periods in which users were subscribed to channels, past and present. A present one has the greatest possible end.
 * Select a user or a channel by constants or by parameters of a subquery: a join would read all rows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE VIEW user_channel_spans AS
    SELECT organization_id, user_id, channel_id, since_event_id, 9223372036854775807 AS until_event_id,
           since_message_id, 9223372036854775807 AS until_message_id, read_through
      FROM subscriptions
     WHERE is_active
     UNION ALL
    SELECT organization_id, user_id, channel_id, since_event_id, until_event_id,
           since_message_id, until_message_id, read_through
      FROM subscription_intervals`.execute(db);
  await sql`
    CREATE INDEX subscription_intervals_by_channel ON subscription_intervals (organization_id, channel_id, user_id)`.execute(
    db,
  );
}
