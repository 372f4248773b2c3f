import { type Kysely, sql } from 'kysely';

/** Whom guests know from direct conversations, for organizations whose guests see only people they have to do with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE acquaintances (
      organization_id integer NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      guest_id        integer NOT NULL,
      user_id         integer NOT NULL,
      PRIMARY KEY (organization_id, guest_id, user_id)
    )`.execute(db);
}
