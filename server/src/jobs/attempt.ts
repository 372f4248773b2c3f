/** One attempt at a job. The job's function writes in a transaction that also deletes the job. */
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Database } from '../db/schema.ts';
import type { Job } from './kind.ts';
import { type ClaimedJob, completeJob, holdJob } from './store.ts';

/** The attempt exceeded the timeout of its kind, or the process is stopping. */
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
  const timer = setTimeout(() => abandon(`timeout: it took longer than ${withinSeconds} s`), withinSeconds * 1000);
  stopping.addEventListener('abort', onStop);
  if (stopping.aborted) onStop();

  const afterCommit: (() => void)[] = [];
  const whole = guard.db.transaction().execute(async (transaction) => {
    if (!(await holdJob(transaction, claimed, job.kind))) return;
    await job.run({
      id: claimed.id,
      organizationId: claimed.organizationId,
      payload: claimed.payload,
      attempt: claimed.attempt,
      db: transaction,
      signal: over.signal,
      log,
      afterCommit: (act) => afterCommit.push(act),
    });
    await completeJob(transaction, claimed, job.kind);
  });
  let isClean = true;
  try {
    await Promise.race([whole, abandoned.promise]);
  } catch (error) {
    isClean = !(error instanceof Abandoned);
    throw error;
  } finally {
    clearTimeout(timer);
    stopping.removeEventListener('abort', onStop);
    guard.close();
    // An abandoned function may still use this connection, so it must not return to the pool.
    if (!isClean && guard.backend !== undefined) await cancel(pool, guard.backend, log);
    client.release(!isClean);
  }
  for (const act of afterCommit) act();
}

/**
 * Cancels the running statement of the backend. The backend then notices that its client has disconnected, and rolls
 * back.
 */
async function cancel(pool: pg.Pool, backend: number, log: Logger): Promise<void> {
  try {
    await pool.query('SELECT pg_cancel_backend($1)', [backend]);
  } catch (error) {
    log.warn({ err: error }, 'cannot cancel the statement of an abandoned job; it may hold locks until it ends');
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
