import type pg from 'pg';
import type { Logger } from 'pino';
import type { ConnectionSettings } from '../db/connection-settings.ts';
import { backgroundLevel } from '../db/failures.ts';
import type { HealthCheck } from '../db/health-check.ts';
import { type DatabasePool, openPool } from '../db/pool.ts';
import { JOB_TIMEOUTS } from '../db/timeouts.ts';
import { jobAttempts, jobSeconds } from '../measures.ts';
import { ensureRecurring } from './adding.ts';
import { Abandoned, attemptJob } from './attempt.ts';
import { type AnyJobKind, HopelessError, type Job } from './kind.ts';
import { type ClaimedJob, claimJobs, giveBack, noteFailure, untilNextDue } from './store.ts';
import { TurnTaking } from './taking-turns.ts';
import { WorkerLoop } from './worker-loop.ts';

export interface JobsOptions {
  readonly settings: ConnectionSettings;
  readonly log: Logger;
  readonly healthCheck?: HealthCheck;
  /** How many jobs this process runs at once. */
  readonly concurrency?: number;
}

/** How often to look for jobs that other processes have added, in milliseconds. */
const POLL_INTERVAL_MS = 5000;
const MAX_REASON_LENGTH = 2000;

/**
 * Runs jobs, together with all other processes of this database. Each due job runs in one of them. What it writes in
 * its own transaction happens exactly once.
 *
 * The process that calls `wake` after adding a job starts it at once, the others within seconds. Jobs of kinds that
 * this build does not know are left alone.
 */
export class Jobs {
  readonly #options: JobsOptions;
  readonly #concurrency: number;
  readonly #stopping = new AbortController();
  readonly #running = new Set<ClaimedJob>();
  readonly #turns = new TurnTaking();
  #known = new Map<string, Job>();
  #connections: DatabasePool | undefined;
  #loop: WorkerLoop | undefined;

  constructor(options: JobsOptions) {
    this.#options = options;
    this.#concurrency = options.concurrency ?? 4;
  }

  /** Starts to run jobs of these kinds. Jobs may be added before this, and in processes that never start it. */
  async start(jobs: readonly Job[]): Promise<void> {
    const { settings, log, healthCheck } = this.#options;
    this.#known = new Map(jobs.map((job) => [job.kind.name, job]));
    if (this.#known.size < jobs.length) throw new Error('two kinds of jobs have the same name');
    if (jobs.length === 0) return;
    // Jobs use a pool of their own, so that slow ones do not take connections from requests. One connection is for
    // polling.
    const connections = openPool(settings, log, {
      size: this.#concurrency + 1,
      timeouts: JOB_TIMEOUTS,
      name: 'heddle jobs',
      ...(healthCheck && { healthCheck }),
    });
    this.#connections = connections;
    await ensureRecurring(
      connections.db,
      jobs.map(({ kind }) => kind),
    );
    const look = () => this.#look(connections);
    this.#loop = new WorkerLoop({ name: 'jobs', log, pollIntervalMs: POLL_INTERVAL_MS, look });
    this.#loop.start();
  }

  /** Looks for due jobs at once. Call it after the commit of a transaction that added one. */
  wake(): void {
    this.#loop?.wake();
  }

  /** The connections of running jobs; undefined in a process that runs none. */
  get pool(): pg.Pool | undefined {
    return this.#connections?.pool;
  }

  /** Runs everything that is due, and resolves when none of it is left. */
  async settled(): Promise<void> {
    await this.#loop?.settled();
  }

  /** Claims no more jobs, and waits for running ones, at most for this time. Unfinished jobs return to the queue. */
  async stop(withinMilliseconds: number): Promise<void> {
    const giveUp = setTimeout(() => this.#stopping.abort(), withinMilliseconds);
    await this.#loop?.stop();
    clearTimeout(giveUp);
    await this.#connections?.close();
  }

  async #look(connections: DatabasePool): Promise<number | false> {
    await this.#takeWhatIsDue(connections);
    // With all workers busy, the next poll follows the end of a job.
    const next = this.#isFull ? undefined : await untilNextDue(connections.db, this.#kinds);
    // Other processes wait for the same time.
    return next === undefined ? false : Math.max(0, next) + Math.random() * 50;
  }

  async #takeWhatIsDue(connections: DatabasePool): Promise<void> {
    const [bounded, unbounded] = [true, false].map((is) =>
      this.#kinds.filter((kind) => (kind.atOnce !== undefined) === is),
    );
    await this.#take(connections, unbounded ?? [], Number.POSITIVE_INFINITY);
    for (const kind of bounded ?? []) await this.#take(connections, [kind], kind.atOnce ?? 0);
  }

  /** Claims due jobs of these kinds while workers are free and fewer than `atOnce` of these jobs run. */
  async #take(connections: DatabasePool, kinds: readonly AnyJobKind[], atOnce: number): Promise<void> {
    const names = new Set(kinds.map(({ name }) => name));
    while (kinds.length > 0 && this.#loop?.isStopped === false) {
      const ofThese = this.#running.values().filter(({ kind }) => names.has(kind));
      const [single] = kinds;
      const turns = single === undefined ? undefined : this.#turns.turnsOf(single, this.#running);
      const free = Math.min(this.#concurrency - this.#running.size, atOnce - [...ofThese].length);
      // The next claim must know whose turn this one was.
      const room = turns === undefined ? free : Math.min(free, 1);
      if (room <= 0) return;
      const { claimed, givenUp } = await claimJobs(connections.db, kinds, room, turns);
      for (const { id, kind } of givenUp) this.#options.log.error({ job: id, kind }, 'a job failed permanently');
      for (const job of claimed) this.#begin(connections, job);
      if (claimed.length + givenUp.length < room) return;
    }
  }

  #begin(connections: DatabasePool, claimed: ClaimedJob): void {
    this.#running.add(claimed);
    const kind = this.#known.get(claimed.kind)?.kind;
    if (kind !== undefined) this.#turns.begins(kind, claimed);
    this.#loop?.begin(this.#do(connections, claimed).then(() => void this.#running.delete(claimed)));
  }

  /** Never rejects. */
  async #do({ pool, db }: DatabasePool, claimed: ClaimedJob): Promise<void> {
    const job = this.#known.get(claimed.kind);
    if (job === undefined) return;
    const log = this.#options.log.child({ job: claimed.id, kind: claimed.kind });
    const { kind } = claimed;
    const end = jobSeconds.startTimer({ kind });
    try {
      await attemptJob(job, claimed, { pool, log, stopping: this.#stopping.signal });
      jobAttempts.inc({ kind, result: 'done' });
    } catch (error) {
      const { attempt } = claimed;
      try {
        if (error instanceof Abandoned && this.#stopping.signal.aborted) {
          await giveBack(db, claimed);
          log.info('a job returned to the queue because the process is stopping');
          return;
        }
        const { isFinal } = await noteFailure(db, claimed, job.kind, {
          reason: reasonOf(error),
          isHopeless: error instanceof HopelessError,
        });
        jobAttempts.inc({ kind, result: isFinal ? 'failed' : 'retried' });
        if (isFinal) log.error({ err: error, attempt }, 'a job failed permanently');
        else log.warn({ err: error, attempt }, 'a job failed; it will be retried');
      } catch (problem) {
        // The job is retried anyway: claiming it has already set the time of the next attempt.
        log[backgroundLevel(problem)]({ err: problem, attempt }, 'a job failed, and its failure could not be recorded');
      }
    } finally {
      end();
    }
  }

  get #isFull(): boolean {
    return this.#running.size >= this.#concurrency;
  }

  get #kinds() {
    return [...this.#known.values()].map(({ kind }) => kind);
  }
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll('\0', '').slice(0, MAX_REASON_LENGTH).toWellFormed();
}
