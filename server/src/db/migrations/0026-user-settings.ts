import { type Kysely, sql } from 'kysely';

/** Of users what they or their organization decided, by the wire's names; what new accounts of an organization begin with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE users ADD COLUMN settings jsonb NOT NULL DEFAULT '{}'`.execute(db);
  await sql`ALTER TABLE organizations ADD COLUMN user_settings_defaults jsonb NOT NULL DEFAULT '{}'`.execute(db);
}
