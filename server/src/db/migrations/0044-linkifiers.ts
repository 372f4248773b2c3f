import { type Kysely, sql } from 'kysely';

/** An organization's linkifiers and code playgrounds in their order, and the last ids that any of them got. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE organizations
      ADD COLUMN linkifiers        jsonb   NOT NULL DEFAULT '[]',
      ADD COLUMN last_linkifier_id integer NOT NULL DEFAULT 0,
      ADD COLUMN playgrounds       jsonb   NOT NULL DEFAULT '[]',
      ADD COLUMN last_playground_id integer NOT NULL DEFAULT 0`.execute(db);
}
