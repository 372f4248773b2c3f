import { type Kysely, sql } from 'kysely';

/**
 * When users were there. One row a user, written for many at once; nothing but what is told of them is in an index that changes, and rows
 * that change every minute leave room for their next version.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE presence_heads (
      organization_id integer NOT NULL PRIMARY KEY REFERENCES organizations,
      last_update_id  bigint  NOT NULL
    )`.execute(db);
  await sql`
    CREATE TABLE presences (
      organization_id integer     NOT NULL,
      user_id         integer     NOT NULL,
      update_id       bigint      NOT NULL,
      connected_at    timestamptz,
      active_at       timestamptz,
      seen_at         timestamptz,
      PRIMARY KEY (organization_id, user_id),
      FOREIGN KEY (organization_id, user_id) REFERENCES users
    ) WITH (fillfactor = 50)`.execute(db);
  // What users say of themselves: a row only of who says something.
  await sql`
    CREATE TABLE user_statuses (
      organization_id integer NOT NULL,
      user_id         integer NOT NULL,
      status_text     text    NOT NULL,
      emoji_kind      text,
      emoji_code      text    NOT NULL,
      emoji_name      text    NOT NULL,
      PRIMARY KEY (organization_id, user_id),
      FOREIGN KEY (organization_id, user_id) REFERENCES users
    )`.execute(db);
}
