import { type Kysely, sql } from 'kysely';

/** Of either a user has a bounded number: what else one is found by is looked at row by row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE drafts (
      organization_id integer     NOT NULL,
      user_id         integer     NOT NULL,
      id              bigint      GENERATED ALWAYS AS IDENTITY,
      channel_id      integer,
      recipients      integer[]   NOT NULL,
      topic           text        NOT NULL,
      content         text        NOT NULL,
      edited_at       timestamptz NOT NULL,
      PRIMARY KEY (organization_id, user_id, id),
      FOREIGN KEY (organization_id, user_id) REFERENCES users,
      CHECK (channel_id IS NULL OR recipients = '{}')
    )`.execute(db);
  await sql`
    CREATE TABLE navigation_views (
      organization_id integer NOT NULL,
      user_id         integer NOT NULL,
      id              bigint  GENERATED ALWAYS AS IDENTITY,
      fragment        text    NOT NULL,
      is_pinned       boolean NOT NULL,
      name            text,
      PRIMARY KEY (organization_id, user_id, id),
      FOREIGN KEY (organization_id, user_id) REFERENCES users
    )`.execute(db);
}
