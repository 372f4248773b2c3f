/** The statements on a job between adding it and its end. */
import { type RawBuilder, sql } from 'kysely';
import type { Db, DbTransaction } from '../db/schema.ts';
import type { AnyJobKind } from './kind.ts';
import { type Turns, turnInSql } from './taking-turns.ts';

/** A job that this process has claimed, with the number of the attempt. */
export interface ClaimedJob {
  readonly id: number;
  readonly organizationId: number | null;
  readonly kind: string;
  readonly payload: unknown;
  readonly attempt: number;
}

/** The advisory locks of long jobs. Each is held by the connection of its attempt, so it ends with the process. */
export const LONG_JOBS = sql.lit(1_751_475_309);
const lockOf = (id: RawBuilder<unknown>) => sql`${LONG_JOBS}, (${id} % 2147483647)::integer`;

/** Whether no attempt at a long job is running, in SQL. It keeps others from beginning one until the end of the transaction. */
function isNotRunning(id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`pg_try_advisory_xact_lock(${lockOf(id)})`;
}

/**
 * The pause after an attempt, in SQL: 10 s, 20 s, 40 s, … up to an hour. Up to a tenth is added at random, so that jobs
 * which failed together are not retried together.
 */
const pauseAfter = (attempt: ReturnType<typeof sql>) =>
  sql`make_interval(secs => least(10 * power(2, least(${attempt} - 1, 20)), 3600) * (1 + random() / 10))`;

/**
 * Claims due jobs of the kinds that this build knows, oldest first, at most `limit`. With `turns`, the kind is one, and the limit 1.
 *
 * Claiming counts as an attempt and postpones the next one. So a job whose process is killed comes back without a
 * lease, and a job that kills its process runs out of attempts. Jobs without attempts left are marked as failed instead
 * (`givenUp`). A running job is skipped: its row is locked, or a long job has its advisory lock. Index: `jobs_due`.
 */
export async function claimJobs(
  db: Db,
  kinds: readonly AnyJobKind[],
  limit: number,
  turns?: Turns,
): Promise<{ readonly claimed: readonly ClaimedJob[]; readonly givenUp: readonly ClaimedJob[] }> {
  const names = kinds.map((kind) => kind.name);
  const maxima = kinds.map(maxAttemptsOf);
  const { isFree, order } = turnInSql(turns);
  const { rows } = await sql<ClaimedJob & { failed: boolean }>`
    WITH known AS (
      SELECT * FROM unnest(${names}::text[], ${maxima}::int[], ${kinds.map((kind) => kind.isLong === true)}::boolean[])
               AS known (kind, maximum, is_long)
    ), due AS (
      SELECT oldest.id, known.maximum
        FROM known
       CROSS JOIN LATERAL (
         SELECT id, due_at FROM jobs
          WHERE jobs.kind = known.kind AND failed_at IS NULL AND due_at <= now()
            AND (NOT known.is_long OR ${isNotRunning(sql`jobs.id`)}) AND ${isFree}
          ORDER BY ${order} LIMIT ${limit} FOR UPDATE SKIP LOCKED
       ) AS oldest
       ORDER BY oldest.due_at, oldest.id LIMIT ${limit}
    ), taken AS (
      UPDATE jobs
         SET attempts   = least(attempts + 1, due.maximum),
             due_at     = now() + ${pauseAfter(sql`(attempts + 1)`)},
             failed_at  = CASE WHEN attempts >= due.maximum THEN now() END,
             last_error = CASE WHEN attempts >= due.maximum
                               THEN coalesce(last_error, 'the process ended during every attempt')
                               ELSE last_error END
        FROM due
       WHERE jobs.id = due.id
      RETURNING jobs.id, organization_id, kind, payload, attempts, failed_at
    )
    SELECT id, organization_id AS "organizationId", kind, payload, attempts AS attempt, failed_at IS NOT NULL AS failed
      FROM taken ORDER BY id`.execute(db);
  return { claimed: rows.filter(({ failed }) => !failed), givenUp: rows.filter(({ failed }) => failed) };
}

function maxAttemptsOf({ maximumAttempts, everySeconds }: AnyJobKind): number {
  return everySeconds === undefined ? maximumAttempts : 1_000_000;
}

/** Returns the milliseconds until the next job becomes due; undefined if there is none. Index: `jobs_due`. */
export async function untilNextDue(db: Db, kinds: readonly AnyJobKind[]): Promise<number | undefined> {
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
 * Locks the job for the attempt's transaction. Returns false if the job no longer belongs to this process. It waits for
 * the lock, because a process that came too late to claim the job holds it briefly.
 *
 * The process enforces the timeout itself. The timeouts of PostgreSQL are for a process that hangs or whose machine
 * disappeared.
 */
export async function holdJob(
  transaction: DbTransaction,
  { id, attempt }: ClaimedJob,
  { withinSeconds }: AnyJobKind,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT id, set_config('statement_timeout', ${`${Math.ceil(withinSeconds) + 1}s`}, true),
           set_config('idle_in_transaction_session_timeout', ${`${Math.ceil(withinSeconds) + 10}s`}, true)
      FROM jobs WHERE id = ${id} AND attempts = ${attempt} AND failed_at IS NULL
       FOR UPDATE`.execute(transaction);
  return rows.length > 0;
}

/**
 * Like `holdJob` for a long job, with a lock of the connection instead of a transaction. Call `releaseLongJob` afterwards, whatever it returns.
 * If the process hangs, PostgreSQL ends the connection after the timeout of the kind.
 */
export async function holdLongJob(
  connection: Db,
  { id, attempt }: ClaimedJob,
  { withinSeconds }: AnyJobKind,
): Promise<boolean> {
  await sql`
    SELECT set_config('idle_session_timeout', ${`${Math.ceil(withinSeconds) + 10}s`}, false),
           pg_advisory_lock(${lockOf(sql`${id}::bigint`)})`.execute(connection);
  const { rows } = await sql`
    SELECT id FROM jobs WHERE id = ${id} AND attempts = ${attempt} AND failed_at IS NULL`.execute(connection);
  return rows.length > 0;
}

export async function releaseLongJob(connection: Db, { id }: ClaimedJob): Promise<void> {
  await sql`SELECT pg_advisory_unlock(${lockOf(sql`${id}::bigint`)})`.execute(connection);
  await sql`RESET idle_session_timeout`.execute(connection);
}

/** Deletes the job, or postpones a recurring one until its next run. It changes nothing if the job belongs to another attempt. */
export async function completeJob(
  db: Db | DbTransaction,
  { id, attempt }: ClaimedJob,
  { everySeconds }: AnyJobKind,
): Promise<void> {
  const own = sql`id = ${id} AND attempts = ${attempt} AND failed_at IS NULL`;
  if (everySeconds === undefined) await sql`DELETE FROM jobs WHERE ${own}`.execute(db);
  else {
    await sql`
      UPDATE jobs SET attempts = 0, last_error = NULL, due_at = clock_timestamp() + make_interval(secs => ${everySeconds})
       WHERE ${own}`.execute(db);
  }
}

/**
 * Records why an attempt failed, and returns whether it was the last one. It changes nothing if the job is done or
 * belongs to another process.
 * @param isHopeless whether a retry would fail in the same way
 */
export async function noteFailure(
  db: Db,
  { id, attempt }: ClaimedJob,
  kind: AnyJobKind,
  { reason, isHopeless }: { readonly reason: string; readonly isHopeless: boolean },
): Promise<{ readonly isFinal: boolean }> {
  const longest = kind.everySeconds ?? 3600 * 2;
  const { rows } = await sql<{ isFinal: boolean }>`
    UPDATE jobs
       SET last_error = ${reason},
           due_at     = least(now() + ${pauseAfter(sql`attempts`)}, now() + make_interval(secs => ${longest})),
           failed_at  = CASE WHEN attempts >= ${isHopeless ? 0 : maxAttemptsOf(kind)} THEN now() END
     WHERE id = ${id} AND attempts = ${attempt} AND failed_at IS NULL
    RETURNING failed_at IS NOT NULL AS "isFinal"`.execute(db);
  return { isFinal: rows[0]?.isFinal ?? false };
}

/** Returns a job to the queue as if it had not been claimed. */
export async function giveBack(db: Db, { id, attempt }: ClaimedJob): Promise<void> {
  await sql`
    UPDATE jobs SET attempts = attempts - 1, due_at = now()
     WHERE id = ${id} AND attempts = ${attempt} AND failed_at IS NULL`.execute(db);
}
