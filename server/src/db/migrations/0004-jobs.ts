import { type Kysely, sql } from 'kysely';

/**
 * What happens later or in the background. A job is the server's or an organization's; workers look for what is due among all of
 * them, and nothing refers to a job but by its key, which leads with the organization.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE jobs (
      id              bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      organization_id integer     REFERENCES organizations,
      kind            text        NOT NULL,
      key             text,
      payload         jsonb       NOT NULL CHECK (octet_length(payload::text) <= 131072),
      attempts        integer     NOT NULL DEFAULT 0,
      due_at          timestamptz NOT NULL DEFAULT now(),
      added_at        timestamptz NOT NULL DEFAULT now(),
      failed_at       timestamptz,
      last_error      text
    ) WITH (fillfactor = 70)`.execute(db);
  await sql`CREATE INDEX jobs_due ON jobs (kind, due_at, id) WHERE failed_at IS NULL`.execute(db);
  await sql`CREATE INDEX jobs_failed ON jobs (failed_at, id) WHERE failed_at IS NOT NULL`.execute(db);
  await sql`
    CREATE UNIQUE INDEX jobs_by_key ON jobs (organization_id, kind, key) NULLS NOT DISTINCT
     WHERE key IS NOT NULL`.execute(db);
}
