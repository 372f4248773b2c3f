import type { Logger } from 'pino';
import { isUnavailable } from '../db/failures.ts';

/** How often to look for what other processes have left, in milliseconds; a little more or less each time. */
const LOOK_EVERY = 1000;

/** One thing that is done again and again for as long as the process runs, and never twice at once. */
export class Strand {
  readonly #name: string;
  readonly #act: () => Promise<boolean>;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #isStarted = false;
  #isStopped = false;

  /** @param act does a bounded piece; whether there may be more */
  constructor(name: string, act: () => Promise<boolean>, log: Logger) {
    this.#name = name;
    this.#act = act;
    this.#log = log;
  }

  start(): void {
    this.#isStarted = true;
    this.wake();
  }

  /** There may be something to do. */
  wake(): void {
    if (!this.#isStarted || this.#isStopped) return;
    this.#again = true;
    this.#running ??= this.#run();
  }

  /** Resolves when all that there was to do when this was called is done, or has failed. */
  async settled(): Promise<void> {
    await this.#running;
    this.wake();
    await this.#running;
  }

  /** Begins nothing more, and resolves when what was begun has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    // Not before the caller has noted it.
    await Promise.resolve();
    try {
      while (this.#again && !this.#isStopped) {
        this.#again = false;
        const hasMore = await this.#act();
        // It may have been woken meanwhile.
        this.#again ||= hasMore;
      }
    } catch (error) {
      this.#again = false;
      // An outage of the database is told once, for all who meet it (ARCHITECTURE.md, "Every wait has a bound").
      this.#log[isUnavailable(error) ? 'debug' : 'warn'](
        { err: error, what: this.#name },
        'work in the background waits',
      );
    }
    this.#running = undefined;
    if (!this.#isStopped) {
      this.#timer = setTimeout(() => this.wake(), LOOK_EVERY * (0.8 + Math.random() * 0.4)).unref();
    }
  }
}
