import { type Kysely, sql } from 'kysely';

/**
 * Rows of `subscriptions` are inserted with their positions. Before, a bulk subscribe inserted them without, and then
 * updated each one, for which more than half of every page stayed empty. A user who reads a channel still updates the
 * row, so some room stays. Existing pages keep their room. The trigger checks every row again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE subscriptions SET (fillfactor = 85)`.execute(db);
  await sql`
    CREATE OR REPLACE FUNCTION heddle_check_subscriptions() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT FROM begun
                    WHERE NOT EXISTS (SELECT FROM users
                                       WHERE organization_id = begun.organization_id AND id = begun.user_id OFFSET 0))
           OR EXISTS (SELECT FROM (SELECT DISTINCT organization_id, channel_id FROM begun) AS into_channel
                       WHERE NOT EXISTS (SELECT FROM channels
                                          WHERE organization_id = into_channel.organization_id
                                            AND id = into_channel.channel_id OFFSET 0)) THEN
          RAISE foreign_key_violation USING MESSAGE = 'a subscription names a user or a channel that does not exist';
        END IF;
        RETURN NULL;
      END $$`.execute(db);
}
