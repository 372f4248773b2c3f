import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE bot_storage (
      organization_id integer NOT NULL,
      user_id         integer NOT NULL,
      key             text    NOT NULL,
      value           text    NOT NULL,
      PRIMARY KEY (organization_id, user_id, key),
      FOREIGN KEY (organization_id, user_id) REFERENCES users
    )`.execute(db);
}
