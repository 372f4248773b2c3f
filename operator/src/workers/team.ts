import { setTimeout as delay } from 'node:timers/promises';
import { timeoutOf } from '@heddle/server/config/timeout-factor.ts';
import type { Logger } from 'pino';
import { ALIVE_INTERVAL_MS } from './messages.ts';
import type { WorkerEnd, WorkerProcess } from './worker-process.ts';

/** After a run of this duration, a crash is a new one, and the worker starts again immediately. */
const HEALTHY_MS = 10_000;
const MIN_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 15_000;

/** A worker whose event loop does not turn for a minute is killed, as systemd does it with a single process. */
const MAX_MISSED_SIGNS_OF_LIFE = 6;

/** A new worker may migrate the database first. */
const START_TIMEOUT_MS = timeoutOf(600_000);

export interface TeamOptions {
  readonly count: number;
  readonly log: Logger;
  /** The timeout of a worker that retires. It bounds itself, so this is for one that hangs. */
  readonly retireWithinMilliseconds: number;
  readonly begin: (number: number, isFirst: boolean) => WorkerProcess;
  readonly onEnd: (worker: WorkerProcess) => void;
}

/** Keeps a number of workers running, each in a place with a number. */
export class Team {
  readonly #options: TeamOptions;
  /** The worker of each place. A place is empty while it waits to start again. */
  readonly #places = new Map<number, WorkerProcess>();
  /** All that run, also those that start or retire. */
  readonly #running = new Set<WorkerProcess>();
  readonly #missed = new WeakMap<WorkerProcess, number>();
  readonly #stopping = new AbortController();
  readonly #watch: NodeJS.Timeout;
  #isReplacing = false;

  constructor(options: TeamOptions) {
    this.#options = options;
    this.#watch = setInterval(() => this.#killTheHung(), timeoutOf(ALIVE_INTERVAL_MS)).unref();
  }

  /** The workers that serve. */
  get serving(): readonly WorkerProcess[] {
    return [...this.#running].filter(({ isServing }) => isServing);
  }

  /**
   * Starts the first worker, and the others when it serves. So a start that must fail fails once.
   * @returns false: the first worker ended before it served
   */
  async start(): Promise<boolean> {
    const first = this.#begin(1, true);
    if (!(await first.serving)) return false;
    this.#keep(first);
    for (let number = 2; number <= this.#options.count && !this.#isStopping; number += 1) this.#fill(number);
    return true;
  }

  /** Replaces one worker after the other. If a new one does not start, the others stay. */
  async replaceAll(): Promise<void> {
    const { log, count } = this.#options;
    if (this.#isReplacing) return log.warn('the workers are being replaced already');
    this.#isReplacing = true;
    log.info({ workers: count }, 'replacing the workers, one after the other');
    for (let number = 1; number <= count && !this.#isStopping; number += 1) {
      if (await this.#replace(number)) continue;
      if (!this.#isStopping) log.error({ worker: number }, 'a new worker did not start; the old ones go on');
      this.#isReplacing = false;
      return;
    }
    this.#isReplacing = false;
    if (!this.#isStopping) log.info({ workers: count }, 'the workers are replaced');
  }

  /** Asks all workers to stop, and starts no more. */
  beginStop(): void {
    if (this.#isStopping) return;
    this.#stopping.abort();
    clearInterval(this.#watch);
    for (const worker of this.#running) worker.stop();
  }

  /** Resolves when all workers have ended. Those that are not ready in time are killed. */
  async stop(withinMilliseconds: number): Promise<void> {
    this.beginStop();
    const over = new AbortController();
    const late = delay(withinMilliseconds, undefined, { signal: over.signal }).then(() => {
      for (const worker of this.#running) {
        this.#options.log.error({ worker: worker.number, pid: worker.pid }, 'a worker does not stop, and is killed');
        worker.kill();
      }
    });
    late.catch(() => undefined);
    await Promise.all([...this.#running].map(({ ended }) => ended));
    over.abort();
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  #begin(number: number, isFirst = false): WorkerProcess {
    const worker = this.#options.begin(number, isFirst);
    this.#running.add(worker);
    void worker.ended.then(() => {
      this.#running.delete(worker);
      this.#options.onEnd(worker);
    });
    return worker;
  }

  #keep(worker: WorkerProcess, failures = 0): void {
    const { number } = worker;
    const begunAt = performance.now();
    this.#places.set(number, worker);
    void worker.ended.then(async (end) => {
      // Another one has its place.
      if (this.#places.get(number) !== worker) return;
      this.#places.delete(number);
      if (this.#isStopping) return;
      const again = performance.now() - begunAt > HEALTHY_MS ? 0 : failures + 1;
      this.#report(worker, end);
      await this.#pause(again);
      // A replacement may have taken the place meanwhile.
      if (!this.#isStopping && !this.#places.has(number)) this.#fill(number, again);
    });
  }

  #fill(number: number, failures = 0): void {
    this.#keep(this.#begin(number), failures);
  }

  #report({ number, pid }: WorkerProcess, { code, signal }: WorkerEnd): void {
    const { log } = this.#options;
    log[code === 0 ? 'warn' : 'error']({ worker: number, pid, code, signal }, 'a worker ended; it is started again');
  }

  async #pause(failures: number): Promise<void> {
    const backoff = failures <= 1 ? 0 : Math.min(MIN_BACKOFF_MS * 2 ** (failures - 2), MAX_BACKOFF_MS);
    await delay(backoff, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  /** Returns whether the new worker serves. */
  async #replace(number: number): Promise<boolean> {
    const fresh = this.#begin(number);
    const giveUp = setTimeout(() => fresh.kill(), START_TIMEOUT_MS);
    const isServing = await fresh.serving;
    clearTimeout(giveUp);
    if (!isServing) return false;
    const old = this.#places.get(number);
    this.#keep(fresh);
    if (old === undefined) return true;
    old.retire();
    const kill = setTimeout(() => old.kill(), this.#options.retireWithinMilliseconds);
    await old.ended;
    clearTimeout(kill);
    return true;
  }

  #killTheHung(): void {
    for (const worker of this.#running) {
      const missed = worker.takeSignOfLife() ? 0 : (this.#missed.get(worker) ?? 0) + 1;
      this.#missed.set(worker, missed);
      if (missed < MAX_MISSED_SIGNS_OF_LIFE) continue;
      this.#options.log.error({ worker: worker.number, pid: worker.pid }, 'a worker hangs, and is killed');
      worker.kill();
    }
  }
}
