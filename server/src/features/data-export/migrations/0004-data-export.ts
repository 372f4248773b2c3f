import { type Kysely, sql } from 'kysely';

/** The data exports that administrators requested. An archive is in the storage while `completed_at` has a time and `deleted_at` has none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE data_exports (
      organization_id integer     NOT NULL REFERENCES organizations,
      id              bigint      GENERATED ALWAYS AS IDENTITY,
      acting_user_id  integer     NOT NULL,
      type            smallint    NOT NULL CHECK (type IN (1, 2)),
      requested_at    timestamptz NOT NULL DEFAULT now(),
      storage_key     text,
      size            bigint,
      completed_at    timestamptz,
      failed_at       timestamptz,
      deleted_at      timestamptz,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, acting_user_id) REFERENCES users,
      CHECK (completed_at IS NULL OR failed_at IS NULL)
    )`.execute(db);
}
