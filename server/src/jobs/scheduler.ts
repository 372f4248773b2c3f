import type { Logger } from 'pino';
import { backgroundLevel } from '../db/failures.ts';
import type { Db } from '../db/schema.ts';
import { RetryPauses } from './retry-pauses.ts';
import { stopAll, WorkerLoop } from './worker-loop.ts';

/** Rows of a feature's own table that contain the time when work on them is due. */
export interface ScheduledKind {
  /** Unique among all kinds. */
  readonly name: string;
  /** Finds due rows of all organizations, with one statement and an index of the unfinished rows. */
  look(db: Db): Promise<DueNow>;
  /**
   * Does the due work of one organization, in commits of bounded size. Each commit deletes or changes the rows that it
   * has handled, so each row is handled only once. It skips rows that another process has locked.
   *
   * @param signal is aborted when the process stops. Then no further commit starts.
   * @returns whether anything was done
   * @throws errors after which a retry may succeed
   */
  run(organizationId: number, signal: AbortSignal): Promise<boolean>;
}

export interface DueNow {
  /** Organizations with due rows, the longest overdue first. The list may be incomplete if it is very long. */
  readonly organizationIds: readonly number[];
  /** Milliseconds until the next row is due; null if there is none. */
  readonly next: number | null;
}

/** How often to look for rows that other processes have written, in milliseconds. */
const POLL_INTERVAL_MS = 2000;
/**
 * Limits the organizations that are handled at once. One that cannot be served blocks its slot for two seconds at most
 * (db/timeouts.ts).
 */
const MAX_ORGANIZATIONS_AT_ONCE = 4;
/**
 * The scheduler for due rows. All processes of the database share the work, and start it within a fraction of a second
 * of its due time.
 *
 * Finding due rows writes nothing: each process polls regularly, and at the next due time that it knows. If the work of
 * an organization fails, that organization is retried after its own pause, so it delays no other one.
 */
export class Scheduler {
  readonly #db: Db;
  readonly #log: Logger;
  readonly #stopping = new AbortController();
  readonly #loop: WorkerLoop;
  readonly #running = new Set<string>();
  readonly #pauses = new RetryPauses();
  #kinds: readonly ScheduledKind[] = [];
  /** Whether the last poll found due rows. */
  #isDue = false;

  constructor({ db, log }: { readonly db: Db; readonly log: Logger }) {
    this.#db = db;
    this.#log = log;
    this.#loop = new WorkerLoop({ name: 'due rows', log, pollIntervalMs: POLL_INTERVAL_MS, look: () => this.#look() });
  }

  /** Starts the scheduler. Features may write rows before this, and in processes that never start it. */
  start(kinds: readonly ScheduledKind[]): void {
    this.#kinds = kinds;
    if (kinds.length > 0) this.#loop.start();
  }

  /** Announces a row that is due at this time. Call it after the commit of the row. */
  expect(time: Date): void {
    this.#loop.wakeAt(time.getTime());
  }

  /** Polls at once. */
  wake(): void {
    this.#loop.wake();
  }

  /** Does everything that is due, and resolves when none of it is left. Pauses after failures end at once. */
  async settled(): Promise<void> {
    do {
      this.#pauses.endAll();
      await this.#loop.settled();
    } while (this.#isDue);
  }

  /** Starts no more work, and waits for running work, at most for this time. */
  async stop(withinMilliseconds: number): Promise<void> {
    this.#stopping.abort();
    await stopAll([this.#loop], withinMilliseconds);
  }

  /** Returns after how many milliseconds to look again at the latest. */
  async #look(): Promise<number> {
    let wait = Number.POSITIVE_INFINITY;
    this.#isDue = false;
    for (const kind of this.#kinds) {
      const { organizationIds, next } = await kind.look(this.#db);
      this.#isDue ||= organizationIds.length > 0;
      wait = Math.min(wait, next ?? wait, this.#beginAll(kind, organizationIds));
    }
    return wait;
  }

  /**
   * Starts the work of organizations as far as there are slots; the rest starts when a slot becomes free. Returns after
   * how many milliseconds to poll again for organizations that pause.
   */
  #beginAll(kind: ScheduledKind, organizationIds: readonly number[]): number {
    let soonest = Number.POSITIVE_INFINITY;
    for (const organizationId of organizationIds) {
      const key = `${kind.name} ${organizationId}`;
      const pause = this.#pauses.left(key);
      if (pause > 0) soonest = Math.min(soonest, pause);
      else if (!this.#running.has(key) && this.#running.size < MAX_ORGANIZATIONS_AT_ONCE) {
        this.#running.add(key);
        this.#loop.begin(this.#run(kind, organizationId, key));
      }
    }
    return soonest;
  }

  /** Never rejects. */
  async #run(kind: ScheduledKind, organizationId: number, key: string): Promise<void> {
    try {
      const isDone = await kind.run(organizationId, this.#stopping.signal);
      if (isDone) this.#pauses.end(key);
      // Another process was first.
      else this.#pauses.begin(key);
    } catch (error) {
      const milliseconds = this.#pauses.afterFailure(key);
      const facts = { err: error, organization: organizationId, kind: kind.name, milliseconds };
      // The log reports an outage of the database once, for everyone (ARCHITECTURE.md, "Bounds").
      this.#log[backgroundLevel(error)](facts, 'due work failed; it will be retried');
    }
    this.#running.delete(key);
  }
}
