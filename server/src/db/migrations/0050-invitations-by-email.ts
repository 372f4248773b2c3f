import { type Kysely, sql } from 'kysely';

/** Who comes by single sign-on is looked for among those who were invited by mail. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE INDEX invitations_by_email ON invitations (organization_id, lower(email))
     WHERE email IS NOT NULL AND ended_at IS NULL`.execute(db);
}
