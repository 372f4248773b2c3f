import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE users
      ADD COLUMN avatar_file  text,
      ADD COLUMN bot_settings jsonb`.execute(db);
  await sql`ALTER TABLE organizations ADD COLUMN pictures jsonb`.execute(db);
  // Small, and one of each: what was there before goes with it.
  await sql`
    CREATE TABLE avatar_pictures (
      organization_id integer NOT NULL,
      user_id         integer NOT NULL,
      picture         bytea   NOT NULL,
      medium          bytea   NOT NULL,
      PRIMARY KEY (organization_id, user_id),
      FOREIGN KEY (organization_id, user_id) REFERENCES users
    )`.execute(db);
  await sql`
    CREATE TABLE organization_pictures (
      organization_id integer NOT NULL REFERENCES organizations,
      kind            text    NOT NULL,
      picture         bytea   NOT NULL,
      PRIMARY KEY (organization_id, kind)
    )`.execute(db);
}
