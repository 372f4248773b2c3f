/** The jobs that have had all their attempts: kept until somebody tries them again or drops them. */
import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';

export interface FailedJob {
  readonly id: number;
  /** null for the server's own. */
  readonly organizationId: number | null;
  readonly kind: string;
  readonly attempts: number;
  readonly addedAt: Date;
  readonly failedAt: Date;
  readonly reason: string;
}

/** The failed jobs, the latest first. Index: jobs_failed. */
export async function failedJobs(db: Db, limit: number): Promise<readonly FailedJob[]> {
  const { rows } = await sql<FailedJob>`
    SELECT id, organization_id AS "organizationId", kind, attempts, added_at AS "addedAt", failed_at AS "failedAt",
           coalesce(last_error, '') AS reason
      FROM jobs WHERE failed_at IS NOT NULL
     ORDER BY failed_at DESC, id DESC LIMIT ${limit}`.execute(db);
  return rows;
}

/** Lets a failed job have all its attempts again, from now on; false where none of that id has failed. */
export async function retryJob(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql`
    UPDATE jobs SET failed_at = NULL, attempts = 0, due_at = now()
     WHERE id = ${id} AND failed_at IS NOT NULL RETURNING id`.execute(db);
  return rows.length > 0;
}

/** Drops a failed job; false where none of that id has failed. */
export async function dropJob(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql`DELETE FROM jobs WHERE id = ${id} AND failed_at IS NOT NULL RETURNING id`.execute(db);
  return rows.length > 0;
}
