import { type Kysely, sql } from 'kysely';

/**
 * Thousands of subscriptions begin in one statement, with the log held, and foreign keys are checked row by row: as much work again as the
 * rows themselves. What they check is checked for all rows of a statement together. Users and channels are never deleted, nor numbered
 * anew, so that the other half of a foreign key has nothing to do.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Each row is looked up by itself, whatever the plan was made for: hence `OFFSET 0`.
  await sql`
    CREATE FUNCTION heddle_check_subscriptions() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT FROM begun
                  WHERE NOT EXISTS (SELECT FROM users
                                     WHERE organization_id = begun.organization_id AND id = begun.user_id OFFSET 0))
         OR EXISTS (SELECT FROM (SELECT DISTINCT organization_id, channel_id FROM begun) AS into_channel
                     WHERE NOT EXISTS (SELECT FROM channels
                                        WHERE organization_id = into_channel.organization_id
                                          AND id = into_channel.channel_id OFFSET 0)) THEN
        RAISE foreign_key_violation USING MESSAGE = 'a subscription names a user or a channel that there is not';
      END IF;
      RETURN NULL;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER check_subscriptions AFTER INSERT ON subscriptions
      REFERENCING NEW TABLE AS begun FOR EACH STATEMENT EXECUTE FUNCTION heddle_check_subscriptions()`.execute(db);
  await sql`
    ALTER TABLE subscriptions
      DROP CONSTRAINT subscriptions_organization_id_user_id_fkey,
      DROP CONSTRAINT subscriptions_organization_id_channel_id_fkey`.execute(db);
}
