/** Where the time of a request goes. The layers add what they wait for, and the log of a slow request names it. */
import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * - `auth`: find the organization, authenticate, count for the limits
 * - `body`: until the form has arrived
 * - `queue`: until a concurrency slot of the account was free
 * - `render`: Markdown to HTML
 * - `batch`: until the batch that contains this change was committed
 * - `lock`: until the turn among exclusive transactions, and for the organization lock
 * - `connection`: until a connection of the pool was free
 * - `database`: while the request had a connection. Statements at the same time count together, and `lock` can be a part of it.
 */
export type Stage = 'auth' | 'body' | 'queue' | 'render' | 'batch' | 'lock' | 'connection' | 'database';

/** The times of one request, in milliseconds. */
export class TimeSpent {
  readonly begunAt = performance.now();
  /** Whether the request has changed something. A failure after that is no refusal. */
  hasCommitted = false;
  #byStage: Partial<Record<Stage, number>> | undefined;

  add(stage: Stage, milliseconds: number): void {
    this.#byStage ??= {};
    this.#byStage[stage] = (this.#byStage[stage] ?? 0) + milliseconds;
  }

  in(stage: Stage): number {
    return this.#byStage?.[stage] ?? 0;
  }

  /** The stages that took time, rounded. */
  get stages(): Readonly<Record<string, number>> {
    const rounded = Object.entries(this.#byStage ?? {}).map(([stage, milliseconds]) => [
      stage,
      Math.round(milliseconds),
    ]);
    return Object.fromEntries(rounded.filter(([, milliseconds]) => milliseconds !== 0));
  }
}

const current = new AsyncLocalStorage<TimeSpent>();

/** Lets the work and everything that it awaits count for these times. */
export function within<Result>(time: TimeSpent, work: () => Result): Result {
  return current.run(time, work);
}

/** Runs work that serves many requests, so it must not count for the one that happens to begin it. */
export function forNobody<Result>(work: () => Result): Result {
  return current.exit(work);
}

/** The times of the request that this code runs for, if any. */
export function timeOfRequest(): TimeSpent | undefined {
  return current.getStore();
}

/** Returns a function that runs its argument in the context of the current request. */
export function forThisRequest(): <Result>(work: () => Result) => Result {
  return AsyncLocalStorage.snapshot();
}
