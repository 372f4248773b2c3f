/** The statements between a job's adding and its end. */
import { sql } from 'kysely';
import type { Db, DbTransaction } from '../db/schema.ts';
import type { JobKind } from './kind.ts';

/** A job that this process has taken, and which attempt at it this is. */
export interface ClaimedJob {
  readonly id: number;
  readonly organizationId: number | null;
  readonly kind: string;
  readonly payload: unknown;
  readonly attempt: number;
}

/** The pause after an attempt, in SQL: 10 s, 20 s, 40 s, … an hour, and up to a tenth more so that what failed together comes apart. */
const pauseAfter = (attempt: ReturnType<typeof sql>) =>
  sql`make_interval(secs => least(10 * power(2, least(${attempt} - 1, 20)), 3600) * (1 + random() / 10))`;

/**
 * Takes at most so many jobs that are due, oldest first, of the kinds that this build knows. Taking one counts as an attempt and puts
 * its next one off, so that a job whose process is killed comes back, and one that kills its process does not for ever. Those that
 * have had their attempts are put among the failed instead. Index: jobs_due.
 */
export async function claimJobs(
  db: Db,
  kinds: readonly JobKind[],
  limit: number,
): Promise<{ readonly claimed: readonly ClaimedJob[]; readonly givenUp: readonly ClaimedJob[] }> {
  const names = kinds.map((kind) => kind.name);
  const maxima = kinds.map(mostAttempts);
  const { rows } = await sql<ClaimedJob & { failed: boolean }>`
    WITH known AS (
      SELECT * FROM unnest(${names}::text[], ${maxima}::int[]) AS known (kind, maximum)
    ), due AS (
      SELECT oldest.id, known.maximum
        FROM known
       CROSS JOIN LATERAL (
         SELECT id, due_at FROM jobs
          WHERE jobs.kind = known.kind AND failed_at IS NULL AND due_at <= now()
          ORDER BY due_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED
       ) AS oldest
       ORDER BY oldest.due_at, oldest.id LIMIT ${limit}
    ), taken AS (
      UPDATE jobs
         SET attempts   = least(attempts + 1, due.maximum),
             due_at     = now() + ${pauseAfter(sql`(attempts + 1)`)},
             failed_at  = CASE WHEN attempts >= due.maximum THEN now() END,
             last_error = CASE WHEN attempts >= due.maximum
                               THEN coalesce(last_error, 'its process ended in the middle of every attempt')
                               ELSE last_error END
        FROM due
       WHERE jobs.id = due.id
      RETURNING jobs.id, organization_id, kind, payload, attempts, failed_at
    )
    SELECT id, organization_id AS "organizationId", kind, payload, attempts AS attempt, failed_at IS NOT NULL AS failed
      FROM taken ORDER BY id`.execute(db);
  return { claimed: rows.filter(({ failed }) => !failed), givenUp: rows.filter(({ failed }) => failed) };
}

function mostAttempts({ maximumAttempts, everySeconds }: JobKind): number {
  return everySeconds === undefined ? maximumAttempts : 1_000_000;
}

/** Milliseconds until the next job is due that is not yet; undefined where there is none. Index: jobs_due. */
export async function untilNextDue(db: Db, kinds: readonly JobKind[]): Promise<number | undefined> {
  const { rows } = await sql<{ milliseconds: number | null }>`
    SELECT (extract(epoch FROM min(next.due_at) - now()) * 1000)::float8 AS milliseconds
      FROM unnest(${kinds.map((kind) => kind.name)}::text[]) AS known (kind)
     CROSS JOIN LATERAL (
       SELECT due_at FROM jobs
        WHERE jobs.kind = known.kind AND failed_at IS NULL AND due_at > now()
        ORDER BY due_at, id LIMIT 1
     ) AS next`.execute(db);
  return rows[0]?.milliseconds ?? undefined;
}

/**
 * Locks the job for the attempt's transaction; false where it is no longer this process's. It waits for the lock: one who came too late
 * to take the job has it for a moment. The clock that counts is the process's own: the
 * server's are for a process that hangs, or whose machine is gone without a word.
 */
export async function holdJob(
  transaction: DbTransaction,
  { id, attempt }: ClaimedJob,
  { withinSeconds }: JobKind,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT id, set_config('statement_timeout', ${`${Math.ceil(withinSeconds) + 1}s`}, true),
           set_config('idle_in_transaction_session_timeout', ${`${Math.ceil(withinSeconds) + 10}s`}, true)
      FROM jobs WHERE id = ${id} AND attempts = ${attempt} AND failed_at IS NULL
       FOR UPDATE`.execute(transaction);
  return rows.length > 0;
}

/** Ends the job with its transaction, or puts a recurring one off until its next time. */
export async function completeJob(transaction: DbTransaction, { id }: ClaimedJob, kind: JobKind): Promise<void> {
  if (kind.everySeconds === undefined) await sql`DELETE FROM jobs WHERE id = ${id}`.execute(transaction);
  else {
    await sql`
      UPDATE jobs SET attempts = 0, last_error = NULL, due_at = clock_timestamp() + make_interval(secs => ${kind.everySeconds})
       WHERE id = ${id}`.execute(transaction);
  }
}

/**
 * Notes why an attempt failed; whether it was the last. Does nothing to a job that is done after all, or another's.
 * @param isHopeless whether another attempt would come to the same
 */
export async function noteFailure(
  db: Db,
  { id, attempt }: ClaimedJob,
  kind: JobKind,
  { reason, isHopeless }: { readonly reason: string; readonly isHopeless: boolean },
): Promise<{ readonly isFinal: boolean }> {
  const longest = kind.everySeconds ?? 3600 * 2;
  const { rows } = await sql<{ isFinal: boolean }>`
    UPDATE jobs
       SET last_error = ${reason},
           due_at     = least(now() + ${pauseAfter(sql`attempts`)}, now() + make_interval(secs => ${longest})),
           failed_at  = CASE WHEN attempts >= ${isHopeless ? 0 : mostAttempts(kind)} THEN now() END
     WHERE id = ${id} AND attempts = ${attempt} AND failed_at IS NULL
    RETURNING failed_at IS NOT NULL AS "isFinal"`.execute(db);
  return { isFinal: rows[0]?.isFinal ?? false };
}

/** Gives a job back as if it had not been taken. */
export async function giveBack(db: Db, { id, attempt }: ClaimedJob): Promise<void> {
  await sql`
    UPDATE jobs SET attempts = attempts - 1, due_at = now()
     WHERE id = ${id} AND attempts = ${attempt} AND failed_at IS NULL`.execute(db);
}
