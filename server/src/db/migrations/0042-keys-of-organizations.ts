import { type Kysely, sql } from 'kysely';

/**
 * The organization in every key of an organization's table, so that a distributed PostgreSQL can divide the tables by it
 * (`db/distribution.test.ts`). The tables are small: links of the last days, invitations and unfinished uploads. The new keys also serve
 * the statements of the previous version, which name no organization.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['account_links', 'address_confirmations', 'invitations']) {
    const index = `${table}_by_key`;
    await sql`DROP INDEX ${sql.ref(index)}`.execute(db);
    await sql`CREATE UNIQUE INDEX ${sql.ref(index)} ON ${sql.table(table)} (key_hash, organization_id)`.execute(db);
  }
  await sql`
    ALTER TABLE resumable_uploads
      DROP CONSTRAINT resumable_uploads_pkey,
      ADD PRIMARY KEY (organization_id, key)`.execute(db);
  // The note in `storage_leftovers` takes the row with it.
  await sql`CREATE INDEX resumable_uploads_by_key ON resumable_uploads (key)`.execute(db);
}
