import { type Kysely, sql } from 'kysely';

/** Imports that owners of new organizations start in the browser. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- At most one per organization. storage_key is that of the uploaded archive; null after the import.
    -- failures counts the processes of the import that ended unexpectedly. mails are those that set passwords: null if none were sent.
    CREATE TABLE organization_imports (
      organization_id   integer     PRIMARY KEY REFERENCES organizations,
      user_id           integer     NOT NULL,
      state             text        NOT NULL CHECK (state IN ('uploaded', 'running', 'stopping', 'failed', 'done')),
      storage_key       text,
      filename          text        NOT NULL,
      size              bigint      NOT NULL,
      format            text,
      organization_name text,
      owner_email       text,
      progress          jsonb,
      failures          integer     NOT NULL DEFAULT 0,
      problem           text,
      report            jsonb,
      mails             jsonb,
      uploaded_at       timestamptz NOT NULL DEFAULT now(),
      FOREIGN KEY (organization_id, user_id) REFERENCES users
    )`.execute(db);
}
