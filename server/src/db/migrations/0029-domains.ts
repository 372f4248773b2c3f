import { type Kysely, sql } from 'kysely';

/** Where addresses of new accounts must be, where an organization says so. Of an organization a bounded number. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE organization_domains (
      organization_id   integer NOT NULL REFERENCES organizations,
      id                bigint  GENERATED ALWAYS AS IDENTITY,
      domain            text    NOT NULL,
      allows_subdomains boolean NOT NULL,
      PRIMARY KEY (organization_id, domain)
    )`.execute(db);
}
