import type { Logger } from 'pino';
import { type ConnectionSettings, type DatabasePool, openPool } from '../db/pool.ts';
import type { Pulse } from '../db/pulse.ts';
import { JOBS } from '../db/waits.ts';
import { ensureRecurring } from './adding.ts';
import { Abandoned, attemptJob } from './attempt.ts';
import { HopelessError, type Job, type JobKind } from './kind.ts';
import { type ClaimedJob, claimJobs, giveBack, noteFailure, untilNextDue } from './store.ts';

export interface JobsOptions {
  readonly settings: ConnectionSettings;
  readonly log: Logger;
  readonly pulse?: Pulse;
  /** Jobs that this process does at once. */
  readonly concurrency?: number;
}

/** How often to look for jobs that other processes have added, in milliseconds; a little more or less each time. */
const LOOK_EVERY = 5000;
const LONGEST_REASON = 2000;

/**
 * Does jobs, together with all other processes of this database: each is done by one of them, when it is due, and exactly once as
 * far as it writes in its own transaction. It is found at once by the process that says `wake` after adding it, and by the others
 * within seconds. Jobs of kinds that this build does not know are left alone.
 */
export class Jobs {
  readonly #options: JobsOptions;
  readonly #concurrency: number;
  readonly #stopping = new AbortController();
  /** By the kind's name. */
  readonly #running = new Map<Promise<void>, string>();
  #known = new Map<string, Job>();
  #connections: DatabasePool | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #again = false;
  #isStopped = false;

  constructor(options: JobsOptions) {
    this.#options = options;
    this.#concurrency = options.concurrency ?? 4;
  }

  /** Begins to do jobs of these kinds. Before, and in processes that never begin, they can be added all the same. */
  async start(jobs: readonly Job[]): Promise<void> {
    const { settings, log, pulse } = this.#options;
    this.#known = new Map(jobs.map((job) => [job.kind.name, job]));
    if (this.#known.size < jobs.length) throw new Error('two kinds of jobs have one name');
    if (jobs.length === 0) return;
    // Of their own: jobs that wait for something must not keep requests from their connections. One is for looking.
    this.#connections = openPool(settings, log, {
      size: this.#concurrency + 1,
      waits: JOBS,
      name: 'heddle jobs',
      ...(pulse && { pulse }),
    });
    for (const { kind } of jobs) if (kind.everySeconds !== undefined) await ensureRecurring(this.#connections.db, kind);
    this.wake();
  }

  /** Looks for jobs that are due, at once. Call it when a transaction that added one has committed. */
  wake(): void {
    if (this.#connections === undefined || this.#isStopped) return;
    this.#again = true;
    this.#looking ??= this.#look(this.#connections);
  }

  /** Does all that is due, and resolves when none of that is left. */
  async settled(): Promise<void> {
    this.wake();
    while (this.#looking !== undefined || this.#running.size > 0) {
      await this.#looking;
      await Promise.all(this.#running.keys());
    }
  }

  /** Takes no more jobs, lets those that run finish for so long, and gives back what has not. */
  async stop(withinMilliseconds: number): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#looking;
    const giveUp = setTimeout(() => this.#stopping.abort(), withinMilliseconds);
    await Promise.all(this.#running.keys());
    clearTimeout(giveUp);
    await this.#connections?.close();
  }

  async #look(connections: DatabasePool): Promise<void> {
    let wait = LOOK_EVERY * (0.8 + Math.random() * 0.4);
    try {
      while (this.#again && !this.#isStopped) {
        this.#again = false;
        await this.#takeWhatIsDue(connections);
      }
      // A full house looks again whenever a job ends.
      const next = this.#isFull ? undefined : await untilNextDue(connections.db, this.#kinds);
      // Other processes wait for the same moment.
      if (next !== undefined) wait = Math.min(wait, Math.max(0, next) + Math.random() * 50);
    } catch (error) {
      this.#options.log.warn({ err: error }, 'jobs cannot be looked for');
    }
    this.#looking = undefined;
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    if (this.#again) this.wake();
    else this.#timer = setTimeout(() => this.wake(), wait).unref();
  }

  async #takeWhatIsDue(connections: DatabasePool): Promise<void> {
    const [bounded, unbounded] = [true, false].map((is) =>
      this.#kinds.filter((kind) => (kind.atOnce !== undefined) === is),
    );
    await this.#take(connections, unbounded ?? [], Number.POSITIVE_INFINITY);
    for (const kind of bounded ?? []) await this.#take(connections, [kind], kind.atOnce ?? 0);
  }

  /** Takes what is due of these kinds while there is room, and fewer than `atOnce` of them run. */
  async #take(connections: DatabasePool, kinds: readonly JobKind[], atOnce: number): Promise<void> {
    const names = new Set(kinds.map(({ name }) => name));
    while (kinds.length > 0 && !this.#isStopped) {
      const ofThese = this.#running.values().filter((name) => names.has(name));
      const room = Math.min(this.#concurrency - this.#running.size, atOnce - [...ofThese].length);
      if (room <= 0) return;
      const { claimed, givenUp } = await claimJobs(connections.db, kinds, room);
      for (const { id, kind } of givenUp) this.#options.log.error({ job: id, kind }, 'a job has failed for good');
      for (const job of claimed) this.#begin(connections, job);
      if (claimed.length + givenUp.length < room) return;
    }
  }

  #begin(connections: DatabasePool, claimed: ClaimedJob): void {
    const running = this.#do(connections, claimed).then(() => {
      this.#running.delete(running);
      this.wake();
    });
    this.#running.set(running, claimed.kind);
  }

  /** Never rejects. */
  async #do({ pool, db }: DatabasePool, claimed: ClaimedJob): Promise<void> {
    const job = this.#known.get(claimed.kind);
    if (job === undefined) return;
    const log = this.#options.log.child({ job: claimed.id, kind: claimed.kind });
    try {
      await attemptJob(job, claimed, { pool, log, stopping: this.#stopping.signal });
    } catch (error) {
      const { attempt } = claimed;
      try {
        if (error instanceof Abandoned && this.#stopping.signal.aborted) {
          await giveBack(db, claimed);
          log.info('a job was given back');
          return;
        }
        const { isFinal } = await noteFailure(db, claimed, job.kind, {
          reason: reasonOf(error),
          isHopeless: error instanceof HopelessError,
        });
        if (isFinal) log.error({ err: error, attempt }, 'a job has failed for good');
        else log.warn({ err: error, attempt }, 'a job failed, and will be tried again');
      } catch (problem) {
        // It comes back by itself: its next attempt was put off when it was taken.
        log.warn({ err: problem, attempt }, 'a job failed, and that could not be noted');
      }
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
  return text.replaceAll('\0', '').slice(0, LONGEST_REASON).toWellFormed();
}
