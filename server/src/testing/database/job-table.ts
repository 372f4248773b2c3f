/** The table of jobs for tests, which change due times instead of waiting. */
import { sql } from 'kysely';
import Type from 'typebox';
import type { Db } from '../../db/schema.ts';
import type { JobKind } from '../../jobs/kind.ts';
import { LONG_JOBS } from '../../jobs/store.ts';
import { until } from '../server/until.ts';

/** The payload of a job that writes its word into `words`, the table of {@link makeWords}. */
export const word = Type.Object({ word: Type.String() });

export function wordKind(name: string, more: Partial<JobKind> = {}): JobKind<typeof word> {
  return { maximumAttempts: 3, withinSeconds: 30, ...more, name, payload: word };
}

export async function makeWords(db: Db): Promise<void> {
  await sql`CREATE TABLE words (id bigint GENERATED ALWAYS AS IDENTITY, word text NOT NULL)`.execute(db);
}

export async function writeWord(db: Db, text: string): Promise<void> {
  await sql`INSERT INTO words (word) VALUES (${text})`.execute(db);
}

/** The written words, in order. */
export async function writtenWords(db: Db): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`SELECT word FROM words ORDER BY id`.execute(db);
  return rows.map((row) => row.word);
}

export interface StoredJob {
  readonly kind: string;
  readonly attempts: number;
  readonly failed: boolean;
  readonly last_error: string | null;
  /** In seconds from now. */
  readonly due_in: number;
}

export async function storedJobs(db: Db): Promise<StoredJob[]> {
  const { rows } = await sql<StoredJob>`
    SELECT kind, attempts, failed_at IS NOT NULL AS failed, last_error,
           extract(epoch FROM due_at - clock_timestamp())::float8 AS due_in
      FROM jobs ORDER BY id`.execute(db);
  return rows;
}

/** Makes every job due that has not failed permanently. */
export async function makeDue(db: Db): Promise<void> {
  await sql`UPDATE jobs SET due_at = now() - interval '1 second' WHERE failed_at IS NULL`.execute(db);
}

/**
 * Resolves when no job is left. Between attempts it makes jobs due, because a killed process can still hold them. An attempt in progress
 * would lose its job by that.
 */
export async function untilDone(db: Db, jobs: { settled(): Promise<void> }): Promise<void> {
  await until(async () => {
    await jobs.settled();
    const left = await storedJobs(db);
    const lost = left.find(({ failed }) => failed);
    if (lost !== undefined) throw new Error(`a job failed permanently: ${lost.last_error}`);
    if (left.length > 0) await makeDue(db);
    return left.length === 0;
  }, 'all jobs to be done');
}

export interface HeldLongJob {
  readonly pid: number;
  readonly state: string;
  readonly backend_xid: string | null;
  readonly backend_xmin: string | null;
}

/** The connections that hold a long job, with what they keep PostgreSQL from cleaning. */
export async function heldLongJobs(db: Db): Promise<readonly HeldLongJob[]> {
  const { rows } = await sql<HeldLongJob>`
    SELECT pid, state, backend_xid::text, backend_xmin::text FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND classid = ${LONG_JOBS} AND granted AND datname = current_database()`.execute(db);
  return rows;
}
