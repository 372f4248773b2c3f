/** One attempt at a job: a transaction that ends with the job, in which the job's own function writes. */
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Database } from '../db/schema.ts';
import type { Job } from './kind.ts';
import { type ClaimedJob, completeJob, holdJob } from './store.ts';

/** The attempt took longer than its kind allows, or the process stops. */
export class Abandoned extends Error {
  override readonly name = 'Abandoned';
}

export interface AttemptOptions {
  readonly pool: pg.Pool;
  readonly log: Logger;
  /** Aborted when the process can wait no longer. */
  readonly stopping: AbortSignal;
}

/**
 * Makes the attempt. Resolves when it is committed, or when the job turns out to be no longer ours.
 * @throws Abandoned, or what the job's function threw; nothing that it wrote in its transaction is there then
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
  const cutOff = Promise.withResolvers<never>();
  cutOff.promise.catch(() => undefined);
  const abandon = (reason: string): void => {
    cutOff.reject(new Abandoned(reason));
    over.abort();
  };
  const onStop = (): void => abandon('the process stops');
  const timer = setTimeout(() => abandon(`it took longer than ${withinSeconds} s`), withinSeconds * 1000);
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
    await Promise.race([whole, cutOff.promise]);
  } catch (error) {
    isClean = !(error instanceof Abandoned);
    throw error;
  } finally {
    clearTimeout(timer);
    stopping.removeEventListener('abort', onStop);
    guard.close();
    // A connection that an abandoned function may still wait for goes to nobody else.
    if (!isClean && guard.backend !== undefined) await cancel(pool, guard.backend, log);
    client.release(!isClean);
  }
  for (const act of afterCommit) act();
}

/** Ends the statement that the backend is in; it then notices that its client has gone, and rolls back. */
async function cancel(pool: pg.Pool, backend: number, log: Logger): Promise<void> {
  try {
    await pool.query('SELECT pg_cancel_backend($1)', [backend]);
  } catch (error) {
    log.warn({ err: error }, 'an abandoned job may hold its locks until its statement ends');
  }
}

/** Lends one connection to Kysely until it is closed: then whoever still writes is refused. */
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
