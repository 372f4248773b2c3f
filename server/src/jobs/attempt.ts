/** One attempt at a job. The job's function writes in a transaction that also deletes the job, unless the job is long. */
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import type { Logger } from 'pino';
import { backgroundLevel } from '../db/failures.ts';
import type { Database } from '../db/schema.ts';
import { isLongJob, type Job, type LongJob, type LongJobRun, type ShortJob } from './kind.ts';
import { type ClaimedJob, completeJob, holdJob, holdLongJob, releaseLongJob } from './store.ts';

/** The attempt exceeded the timeout of its kind, the process is stopping, or the connection that holds a long job ended. */
export class Abandoned extends Error {
  override readonly name = 'Abandoned';
}

export interface AttemptOptions {
  readonly pool: pg.Pool;
  readonly log: Logger;
  /** Aborted when the process cannot wait any longer. */
  readonly stopping: AbortSignal;
}

/**
 * Runs the attempt. Resolves when it is committed, or if the job no longer belongs to this process.
 * @throws Abandoned, or what the job's function threw; its transaction is then rolled back
 */
export async function attemptJob(
  job: Job,
  claimed: ClaimedJob,
  { pool, log, stopping }: AttemptOptions,
): Promise<void> {
  const { withinSeconds } = job.kind;
  const client = await pool.connect();
  const guard = new Guard(client);
  const over = new AbortController();
  const abandoned = Promise.withResolvers<never>();
  abandoned.promise.catch(() => undefined);
  const abandon = (reason: string): void => {
    abandoned.reject(new Abandoned(reason));
    over.abort();
  };
  const onStop = (): void => abandon('the process is stopping');
  const onLoss = (): void => abandon('the connection that held the job ended');
  const timer = setTimeout(() => abandon(`timeout: it took longer than ${withinSeconds} s`), withinSeconds * 1000);
  stopping.addEventListener('abort', onStop);
  if (stopping.aborted) onStop();
  // A short job learns it from its next statement.
  if (isLongJob(job)) client.once('end', onLoss);

  const { id, organizationId, payload, attempt } = claimed;
  const run = { id, organizationId, payload, attempt, signal: over.signal, log };
  const afterCommit: (() => void)[] = [];
  const whole = isLongJob(job)
    ? runLong(guard.db, job, claimed, run)
    : runInTransaction(guard.db, job, claimed, { ...run, afterCommit: (act) => afterCommit.push(act) });
  let isClean = true;
  try {
    await Promise.race([whole, abandoned.promise]);
  } catch (error) {
    isClean = !(error instanceof Abandoned);
    throw error;
  } finally {
    clearTimeout(timer);
    stopping.removeEventListener('abort', onStop);
    client.off('end', onLoss);
    guard.close();
    // An abandoned function may still use this connection, so it must not return to the pool.
    if (!isClean && guard.backend !== undefined) await cancel(pool, guard.backend, log);
    client.release(!isClean);
  }
  for (const act of afterCommit) act();
}

type RunOfShort = Omit<Parameters<ShortJob['run']>[0], 'db'>;

async function runInTransaction(
  db: Kysely<Database>,
  job: ShortJob,
  claimed: ClaimedJob,
  run: RunOfShort,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (!(await holdJob(transaction, claimed, job.kind))) return;
    await job.run({ ...run, db: transaction });
    await completeJob(transaction, claimed, job.kind);
  });
}

/** Nothing on this connection is a transaction that lasts: each statement commits. */
async function runLong(
  db: Kysely<Database>,
  job: LongJob,
  claimed: ClaimedJob,
  run: LongJobRun<unknown>,
): Promise<void> {
  const isHeld = await holdLongJob(db, claimed, job.kind);
  try {
    if (!isHeld) return;
    await job.run(run);
    await completeJob(db, claimed, job.kind);
  } finally {
    await releaseLongJob(db, claimed).catch((error: unknown) => {
      // The connection is destroyed, and the lock ends with it.
      throw new Abandoned('the lock of the job could not be released', { cause: error });
    });
  }
}

/**
 * Cancels the running statement of the backend. The backend then notices that its client has disconnected, and rolls
 * back.
 */
async function cancel(pool: pg.Pool, backend: number, log: Logger): Promise<void> {
  try {
    await pool.query('SELECT pg_cancel_backend($1)', [backend]);
  } catch (error) {
    const level = backgroundLevel(error);
    log[level]({ err: error }, 'cannot cancel the statement of an abandoned job; it may hold locks until it ends');
  }
}

/**
 * Lends one connection to Kysely until `close`. After that, it rejects every statement of a function that still runs.
 */
class Guard {
  readonly db: Kysely<Database>;
  readonly backend: number | undefined;
  #isClosed = false;

  constructor(client: pg.PoolClient) {
    this.backend = 'processID' in client && typeof client.processID === 'number' ? client.processID : undefined;
    const query = (...args: readonly unknown[]): unknown => {
      if (this.#isClosed) throw new Error('the attempt at this job is over');
      return Reflect.apply(client.query, client, args);
    };
    const lent = { query, release: () => undefined } as unknown as PostgresPoolClient;
    this.db = new Kysely<Database>({
      dialect: new PostgresDialect({ pool: { options: {}, connect: async () => lent, end: async () => undefined } }),
    });
  }

  close(): void {
    this.#isClosed = true;
  }
}
