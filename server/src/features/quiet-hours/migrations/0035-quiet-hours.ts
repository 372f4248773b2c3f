import { type Kysely, sql } from 'kysely';

/** When users are not notified: a pause that they began, and a weekly schedule. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE quiet_hours (
      organization_id        integer     NOT NULL,
      user_id                integer     NOT NULL,
      paused_until           timestamptz,
      resumed_until          timestamptz,
      schedule               jsonb       NOT NULL DEFAULT '[]',
      except_direct_messages boolean     NOT NULL DEFAULT false,
      PRIMARY KEY (organization_id, user_id),
      FOREIGN KEY (organization_id, user_id) REFERENCES users
    )`.execute(db);
}
