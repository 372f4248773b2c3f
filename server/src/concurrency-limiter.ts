export interface ConcurrencyRule {
  /** Tasks of one key that run at the same time. */
  readonly atOnce: number;
  /** Tasks of one key that wait. Further ones are refused at once. */
  readonly maxWaiting: number;
  /** The total weight of the tasks of one key that wait. */
  readonly maxWaitingWeight?: number;
  /** Makes the error for a task that may not wait, or that waited for too long. */
  readonly refusal: (waiting: number) => Error;
}

interface Waiter {
  readonly weight: number;
  readonly begin: () => void;
}

interface Tasks {
  running: number;
  waitingWeight: number;
  readonly waiting: Waiter[];
}

/** Limits the tasks of each key that run at the same time. Others wait in order of arrival, in a queue with a bound. */
export class ConcurrencyLimiter<Key = string> {
  readonly #rule: ConcurrencyRule;
  readonly #tasks = new Map<Key, Tasks>();

  constructor(rule: ConcurrencyRule) {
    this.#rule = rule;
  }

  /** The number of keys with tasks. */
  get size(): number {
    return this.#tasks.size;
  }

  isFull(key: Key): boolean {
    return (this.#tasks.get(key)?.running ?? 0) >= this.#rule.atOnce;
  }

  /**
   * Runs the task when a slot of the key is free.
   * @param task gets whether it had to wait.
   * @param weight of the task while it waits.
   * @param signal ends the wait.
   * @throws the refusal of the rule
   */
  async run<Result>(
    key: Key,
    task: (hasWaited: boolean) => Promise<Result>,
    weight = 0,
    signal?: AbortSignal,
  ): Promise<Result> {
    const turn = this.#enter(key, weight, signal);
    if (turn !== undefined) await turn;
    try {
      return await task(turn !== undefined);
    } finally {
      this.#leave(key);
    }
  }

  /** Resolves when the task has a slot; undefined if it has one at once. */
  #enter(key: Key, weight: number, signal: AbortSignal | undefined): Promise<void> | undefined {
    const { atOnce, maxWaiting, maxWaitingWeight = Infinity, refusal } = this.#rule;
    let tasks = this.#tasks.get(key);
    if (tasks === undefined) {
      tasks = { running: 0, waitingWeight: 0, waiting: [] };
      this.#tasks.set(key, tasks);
    }
    if (tasks.running < atOnce) {
      tasks.running += 1;
      return undefined;
    }
    const { waiting } = tasks;
    if (waiting.length >= maxWaiting || tasks.waitingWeight + weight > maxWaitingWeight) throw refusal(waiting.length);
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        waiting.splice(waiting.indexOf(waiter), 1);
        tasks.waitingWeight -= weight;
        reject(refusal(waiting.length));
      };
      const begin = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const waiter = { weight, begin };
      if (signal?.aborted) return reject(refusal(waiting.length));
      signal?.addEventListener('abort', giveUp);
      waiting.push(waiter);
      tasks.waitingWeight += weight;
    });
  }

  #leave(key: Key): void {
    const tasks = this.#tasks.get(key);
    if (tasks === undefined) return;
    const next = tasks.waiting.shift();
    if (next !== undefined) {
      tasks.waitingWeight -= next.weight;
      next.begin();
    } else if (tasks.running > 1) tasks.running -= 1;
    else this.#tasks.delete(key);
  }
}
