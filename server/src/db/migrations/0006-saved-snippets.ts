import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE saved_snippets (
      organization_id integer     NOT NULL,
      user_id         integer     NOT NULL,
      id              bigint      GENERATED ALWAYS AS IDENTITY,
      title           text        NOT NULL,
      content         text        NOT NULL,
      created_at      timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (organization_id, user_id, id),
      FOREIGN KEY (organization_id, user_id) REFERENCES users
    )`.execute(db);
}
