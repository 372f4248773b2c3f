import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Who may do what with a user group, by the permission's name: only what was decided.
  await sql`ALTER TABLE user_groups ADD COLUMN permissions jsonb NOT NULL DEFAULT '{}'`.execute(db);

  // Who is mentioned where they are many, as bits from a first user id on (db/user-bits.ts); these have no flag row for it.
  await sql`
    CREATE TABLE mass_mentions (
      organization_id integer NOT NULL,
      message_id      bigint  NOT NULL,
      first_user_id   integer NOT NULL,
      user_bits       bytea   NOT NULL,
      PRIMARY KEY (organization_id, message_id),
      FOREIGN KEY (organization_id, message_id) REFERENCES messages ON DELETE CASCADE
    )`.execute(db);
}
