import { type Kysely, sql } from 'kysely';

/** The service of GIFs of an organization. Its key is encrypted with the secret of the server. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE gif_pickers (
      organization_id integer PRIMARY KEY REFERENCES organizations,
      service         text    NOT NULL CHECK (service IN ('tenor', 'giphy')),
      rating          text    NOT NULL CHECK (rating IN ('g', 'pg', 'pg-13', 'r')),
      sealed_key      bytea   NOT NULL
    )`.execute(db);
}
