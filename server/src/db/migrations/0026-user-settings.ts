import { type Kysely, sql } from 'kysely';

/**
 * Of users what they or their organization decided, by the wire's names; what new accounts of an organization begin with. Not `settings`:
 * versions before this one ask for the organization's by that name where they read users, too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE users ADD COLUMN own_settings jsonb NOT NULL DEFAULT '{}'`.execute(db);
  await sql`ALTER TABLE organizations ADD COLUMN user_settings_defaults jsonb NOT NULL DEFAULT '{}'`.execute(db);
}
