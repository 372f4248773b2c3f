import { type Kysely, sql } from 'kysely';

/** The jobs about silent channels and digests find what is due, without a look at all channels and organizations. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // `now()` is the same for all rows that exist, so PostgreSQL does not write them again.
  await sql`ALTER TABLE channels ADD COLUMN activity_due_at timestamptz NOT NULL DEFAULT now()`.execute(db);
  await sql`
    COMMENT ON COLUMN channels.activity_due_at
         IS 'When the server looks next whether a recently active channel has fallen silent.'`.execute(db);
  await sql`
    CREATE INDEX channels_by_activity_due ON channels (activity_due_at, organization_id, id)
     WHERE is_recently_active`.execute(db);
  await sql`ALTER TABLE organizations ADD COLUMN digest_due_at timestamptz NOT NULL DEFAULT '-infinity'`.execute(db);
  await sql`
    COMMENT ON COLUMN organizations.digest_due_at
         IS 'No user gets a digest before this time. On the last day of digests, there was nothing new.'`.execute(db);
  await sql`
    CREATE INDEX organizations_with_digest
        ON organizations (coalesce((settings->>'digest_weekday')::integer, 1), digest_due_at)
     WHERE (settings->>'digest_emails_enabled')::boolean`.execute(db);
}
