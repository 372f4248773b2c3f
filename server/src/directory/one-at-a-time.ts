import { serviceUnavailable } from '@heddle/api/errors.ts';
import { ConcurrencyLimiter } from '../concurrency-limiter.ts';
import { MAX_WAITING_TRANSACTIONS } from '../db/timeouts.ts';
import { lockSeconds } from '../measures.ts';
import { forNobody, forThisRequest, timeOfRequest } from '../time-spent.ts';

interface Waiting {
  readonly begin: () => Promise<void>;
  readonly refuse: (error: unknown) => void;
}

/**
 * The turn timeout expired, or an earlier task failed in a way that affects all waiting tasks. The task did not run.
 */
export class TurnTimeoutError extends Error {
  override readonly name: string = 'TurnTimeoutError';
}

/** Runs one task at a time, in order of arrival. Urgent tasks run before the others. */
export class OneAtATime {
  readonly #concernsAll: (error: unknown) => boolean;
  readonly #rest: () => Promise<void> | undefined;
  readonly #urgent: Waiting[] = [];
  readonly #others: Waiting[] = [];
  #running: Promise<void> | undefined;
  #urgentCame: () => void = () => undefined;

  /**
   * @param concernsAll whether a failed task failed for a reason that affects every waiting task. They are rejected
   *   with the same error, so that none waits for more than one failure.
   * @param rest returns a pause before the next task, or undefined. Urgent tasks do not wait for the pause.
   */
  constructor(
    concernsAll: (error: unknown) => boolean = () => false,
    rest: () => Promise<void> | undefined = () => undefined,
  ) {
    this.#concernsAll = concernsAll;
    this.#rest = rest;
  }

  /**
   * @param patience the turn timeout in milliseconds, for callers with a fallback. Without it, there is no turn
   *   timeout.
   * @throws ApiError 503: the queue is full
   * @throws TurnTimeoutError the turn timeout expired, or an earlier task failed in a way that affects all waiting tasks
   */
  run<Result>(urgency: 'urgent' | 'in turn', task: () => Promise<Result>, patience?: number): Promise<Result> {
    return new Promise((resolve, reject) => {
      const queue = urgency === 'urgent' ? this.#urgent : this.#others;
      if (queue.length >= MAX_WAITING_TRANSACTIONS) throw tooManyChanges();
      let late: NodeJS.Timeout | undefined;
      const askedAt = performance.now();
      const time = timeOfRequest();
      const forCaller = forThisRequest();
      const begin = () => {
        clearTimeout(late);
        const waited = performance.now() - askedAt;
        lockSeconds.observe({ lock: 'turn' }, waited / 1000);
        time?.add('lock', waited);
        return forCaller(task).then(resolve, (error: unknown) => {
          reject(error);
          if (!this.#concernsAll(error)) return;
          for (const { refuse } of [...this.#urgent.splice(0), ...this.#others.splice(0)]) refuse(error);
        });
      };
      const refuse = (error: unknown) => {
        clearTimeout(late);
        reject(patience === undefined ? error : new TurnTimeoutError('the task got no turn', { cause: error }));
      };
      const waiting = { begin, refuse };
      queue.push(waiting);
      if (patience !== undefined) {
        late = setTimeout(() => {
          queue.splice(queue.indexOf(waiting), 1);
          refuse('too late');
        }, patience);
      }
      if (urgency === 'urgent') this.#urgentCame();
      this.#running ??= forNobody(() => this.#runAll());
    });
  }

  /** Resolves when no task runs or waits. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #runAll(): Promise<void> {
    for (;;) {
      const rest = this.#urgent.length === 0 ? this.#rest() : undefined;
      if (rest !== undefined) {
        await Promise.race([rest, new Promise<void>((resolve) => (this.#urgentCame = resolve))]);
      }
      const next = this.#urgent.shift() ?? this.#others.shift();
      if (next === undefined) break;
      await next.begin();
    }
    this.#running = undefined;
  }
}

/** Runs one task per key at a time, with separate keys per scope object. The limiter of a scope is garbage-collected with it. */
export class OneOfEachWithin<Scope extends object, Key> {
  readonly #limiters = new WeakMap<Scope, ConcurrencyLimiter<Key>>();

  /** @throws ApiError 503: the queue is full */
  run<Result>(scope: Scope, key: Key, task: () => Promise<Result>): Promise<Result> {
    let limiter = this.#limiters.get(scope);
    if (limiter === undefined) {
      limiter = new ConcurrencyLimiter({ atOnce: 1, maxWaiting: MAX_WAITING_TRANSACTIONS, refusal: tooManyChanges });
      this.#limiters.set(scope, limiter);
    }
    return limiter.run(key, task);
  }
}

function tooManyChanges() {
  return serviceUnavailable('Too many changes at once; please try again');
}
