import { type Kysely, sql } from 'kysely';

/** Recurring jobs find the organizations that concern them without a look at all others. The tables have a row per organization or channel. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE INDEX organizations_with_waiting_period ON organizations (id)
     WHERE full_members_joined_through IS NOT NULL`.execute(db);
  await sql`
    CREATE INDEX organizations_with_retention ON organizations (id)
     WHERE (settings->>'message_retention_days')::integer > 0`.execute(db);
  await sql`
    CREATE INDEX channels_with_retention ON channels (organization_id) WHERE message_retention_days > 0`.execute(db);
  await sql`
    CREATE INDEX indexed_messages_to_renew ON indexed_messages (organization_id)
     WHERE old_words_through <> 0`.execute(db);
  await sql`
    COMMENT ON COLUMN indexed_messages.old_words_through
         IS 'Messages up to this one still have the words of an earlier version. Negative: no event announces the messages that are not indexed.'`.execute(
    db,
  );
}
