/** Jobs that failed permanently. They are kept until an operator retries or deletes them. */
import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';

export interface FailedJob {
  readonly id: number;
  /** null for jobs of the server. */
  readonly organizationId: number | null;
  readonly kind: string;
  readonly attempts: number;
  readonly addedAt: Date;
  readonly failedAt: Date;
  readonly reason: string;
}

/** Returns the failed jobs, latest first. Index: `jobs_failed`. */
export async function failedJobs(db: Db, limit: number): Promise<readonly FailedJob[]> {
  const { rows } = await sql<FailedJob>`
    SELECT id, organization_id AS "organizationId", kind, attempts, added_at AS "addedAt", failed_at AS "failedAt",
           coalesce(last_error, '') AS reason
      FROM jobs WHERE failed_at IS NOT NULL
     ORDER BY failed_at DESC, id DESC LIMIT ${limit}`.execute(db);
  return rows;
}

export interface RetriedJob {
  readonly kind: string;
  readonly attempts: number;
  readonly reason: string;
}

/** Returns the jobs that failed at least `attempts` times in a row and are still retried, most attempts first. It reads all jobs. */
export async function retriedJobs(db: Db, attempts: number, limit: number): Promise<readonly RetriedJob[]> {
  const { rows } = await sql<RetriedJob>`
    SELECT kind, attempts, last_error AS reason
      FROM jobs WHERE failed_at IS NULL AND attempts >= ${attempts} AND last_error IS NOT NULL
     ORDER BY attempts DESC, id LIMIT ${limit}`.execute(db);
  return rows;
}

/** Gives a failed job all its attempts again, from now on. Returns false if no failed job has this id. */
export async function retryJob(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql`
    UPDATE jobs SET failed_at = NULL, attempts = 0, due_at = now()
     WHERE id = ${id} AND failed_at IS NOT NULL RETURNING id`.execute(db);
  return rows.length > 0;
}

/** Deletes a failed job. Returns false if no failed job has this id. */
export async function dropJob(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql`DELETE FROM jobs WHERE id = ${id} AND failed_at IS NOT NULL RETURNING id`.execute(db);
  return rows.length > 0;
}
