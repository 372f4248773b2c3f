import type { Logger } from 'pino';
import { isUnavailable } from '../db/failures.ts';

/** How often to look for work that other processes have left, in milliseconds. A random part spreads the processes. */
const POLL_INTERVAL_MS = 1000;

/** A worker loop: it repeats one activity as long as the process runs, and never runs it twice at once. */
export class Strand {
  readonly #name: string;
  readonly #act: () => Promise<boolean>;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #isStarted = false;
  #isStopped = false;

  /** @param act does a bounded amount of work, and returns whether there may be more */
  constructor(name: string, act: () => Promise<boolean>, log: Logger) {
    this.#name = name;
    this.#act = act;
    this.#log = log;
  }

  start(): void {
    this.#isStarted = true;
    this.wake();
  }

  /** Announces that there may be work. */
  wake(): void {
    if (!this.#isStarted || this.#isStopped) return;
    this.#again = true;
    this.#running ??= this.#run();
  }

  /** Resolves when all work that existed at the call is done or has failed. */
  async settled(): Promise<void> {
    await this.#running;
    this.wake();
    await this.#running;
  }

  /** Starts no more work, and resolves when the running work has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    // Wait until the caller has recorded this promise.
    await Promise.resolve();
    try {
      while (this.#again && !this.#isStopped) {
        this.#again = false;
        const hasMore = await this.#act();
        // `wake` may have been called meanwhile.
        this.#again ||= hasMore;
      }
    } catch (error) {
      this.#again = false;
      // The log reports an outage of the database once, for everyone (ARCHITECTURE.md, "Bounds").
      this.#log[isUnavailable(error) ? 'debug' : 'warn'](
        { err: error, what: this.#name },
        'background work failed; it will be retried',
      );
    }
    this.#running = undefined;
    if (!this.#isStopped) {
      this.#timer = setTimeout(() => this.wake(), POLL_INTERVAL_MS * (0.8 + Math.random() * 0.4)).unref();
    }
  }
}
