import { type Kysely, sql } from 'kysely';

/** Imports that have not ended. Their organizations cannot be reached yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The import that fills an organization. The organization has no log, and no host can name its subdomain, until the row goes.
    -- subdomain is where the organization will be. source recognizes the archive. progress has the number of rows by table.
    CREATE TABLE imports (
      organization_id integer     PRIMARY KEY REFERENCES organizations,
      subdomain       text        NOT NULL UNIQUE,
      source          text        NOT NULL,
      progress        jsonb       NOT NULL DEFAULT '{}',
      started_at      timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
}
