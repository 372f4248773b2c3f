import { type Kysely, sql } from 'kysely';

/**
 * Messages are deleted by their age. When the policy was changed is kept, because a new one deletes nothing at first; and up to where no
 * direct message is left that was ever past its time, so that finding the next ones needs no index of their own.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE organizations ADD COLUMN retention_changed_at timestamptz NOT NULL DEFAULT now(),
                              ADD COLUMN direct_expired_through bigint NOT NULL DEFAULT 0`.execute(db);
  await sql`ALTER TABLE channels ADD COLUMN retention_changed_at timestamptz NOT NULL DEFAULT now()`.execute(db);
}
