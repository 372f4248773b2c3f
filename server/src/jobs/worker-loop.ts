import type { Logger } from 'pino';
import { backgroundLevel } from '../db/failures.ts';

/** How often to look for work that other processes have left, in milliseconds. */
const POLL_INTERVAL_MS = 1000;

export interface WorkerLoopOptions {
  /** For the server's log. */
  readonly name: string;
  readonly log: Logger;
  /** How often to look at least, in milliseconds. A random part spreads the processes. Default: every second. */
  readonly pollIntervalMs?: number;
  /**
   * Does a bounded amount of work, or begins work beside the loop. Returns whether there may be more now, or after how
   * many milliseconds at most to look again.
   */
  look(): Promise<boolean | number>;
}

/** A worker loop: it looks for work as long as the process runs, and never runs two looks at once. */
export class WorkerLoop {
  readonly #options: WorkerLoopOptions;
  readonly #begun = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  /** When the timer fires, in milliseconds since 1970. */
  #nextLook = 0;
  #looking: Promise<void> | undefined;
  #again = false;
  #isStarted = false;
  #isStopped = false;

  constructor(options: WorkerLoopOptions) {
    this.#options = options;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  start(): void {
    this.#isStarted = true;
    this.wake();
  }

  /** Announces that there may be work. */
  wake(): void {
    if (!this.#isStarted || this.#isStopped) return;
    this.#again = true;
    this.#looking ??= this.#run();
  }

  /** Announces work that is due at this time, in milliseconds since 1970. */
  wakeAt(time: number): void {
    if (!this.#isStarted || time >= this.#nextLook) return;
    if (this.#looking === undefined) this.#lookIn(Math.max(0, time - Date.now()));
    else this.#again = true;
  }

  /** Lets work run beside the loop. It must not reject. The loop looks again when it has ended. */
  begin(work: Promise<void>): void {
    const begun = work.then(() => {
      this.#begun.delete(begun);
      this.wake();
    });
    this.#begun.add(begun);
  }

  /** Resolves when all work that existed at the call is done or has failed. */
  async settled(): Promise<void> {
    await this.#looking;
    this.wake();
    await this.#looking;
    while (this.#begun.size > 0) {
      await Promise.all(this.#begun);
      await this.#looking;
    }
  }

  /** Looks for no more work, and resolves when the running work has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#looking;
    await Promise.all(this.#begun);
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    // Until the timer is set again, each announced time causes another look.
    this.#nextLook = Number.POSITIVE_INFINITY;
    const { name, log, look, pollIntervalMs = POLL_INTERVAL_MS } = this.#options;
    let wait = pollIntervalMs * (0.8 + Math.random() * 0.4);
    // Wait until the caller has recorded this promise.
    await Promise.resolve();
    try {
      while (this.#again && !this.#isStopped) {
        this.#again = false;
        const more = await look();
        if (typeof more === 'number') wait = Math.min(wait, more);
        // `wake` may have been called meanwhile.
        else this.#again ||= more;
      }
    } catch (error) {
      this.#again = false;
      // The log reports an outage of the database once, for everyone (ARCHITECTURE.md, "Bounds").
      log[backgroundLevel(error)]({ err: error, what: name }, 'background work failed; it will be retried');
    }
    this.#looking = undefined;
    this.#lookIn(wait);
  }

  #lookIn(milliseconds: number): void {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#nextLook = Date.now() + milliseconds;
    this.#timer = setTimeout(() => this.wake(), milliseconds).unref();
  }
}

/** Stops the loops, and waits at most this long for their work. */
export async function stopAll(loops: readonly WorkerLoop[], withinMilliseconds: number): Promise<void> {
  const giveUp = Promise.withResolvers<void>();
  const timer = setTimeout(giveUp.resolve, withinMilliseconds);
  await Promise.race([Promise.all(loops.map((loop) => loop.stop())), giveUp.promise]);
  clearTimeout(timer);
}
