import { serviceUnavailable } from '@heddle/api/errors.ts';
import { MOST_CHANGES_WAITING } from '../db/waits.ts';

interface Waiting {
  readonly begin: () => Promise<void>;
  readonly refuse: (error: unknown) => void;
}

/** The turn has not come in the time that was given for it, or others' failure came instead. The task was not run. */
export class NoTurnError extends Error {
  override readonly name: string = 'NoTurnError';
}

/** Runs one task at a time: those that wait their turn in the order in which they came, urgent ones before the others. */
export class OneAtATime {
  readonly #concernsAll: (error: unknown) => boolean;
  readonly #rest: () => Promise<void> | undefined;
  readonly #urgent: Waiting[] = [];
  readonly #others: Waiting[] = [];
  #running: Promise<void> | undefined;
  #urgentCame: () => void = () => undefined;

  /**
   * @param concernsAll whether a task has failed for what all behind it would meet too: they are refused with it, so that none waits
   *   for more than one to fail
   * @param rest what is left to others before the next task begins; urgent ones do not wait for it
   */
  constructor(
    concernsAll: (error: unknown) => boolean = () => false,
    rest: () => Promise<void> | undefined = () => undefined,
  ) {
    this.#concernsAll = concernsAll;
    this.#rest = rest;
  }

  /**
   * @param patience for how many milliseconds its turn is waited for, by who has another way to go; left out: until it comes
   * @throws ApiError 503: too many wait
   * @throws NoTurnError the turn has not come by then, or what came before has failed for what concerns all
   */
  run<Result>(urgency: 'urgent' | 'in turn', task: () => Promise<Result>, patience?: number): Promise<Result> {
    return new Promise((resolve, reject) => {
      const queue = urgency === 'urgent' ? this.#urgent : this.#others;
      if (queue.length >= MOST_CHANGES_WAITING) throw serviceUnavailable('Too many changes at once; please try again');
      let late: NodeJS.Timeout | undefined;
      const begin = () => {
        clearTimeout(late);
        return task().then(resolve, (error: unknown) => {
          reject(error);
          if (!this.#concernsAll(error)) return;
          for (const { refuse } of [...this.#urgent.splice(0), ...this.#others.splice(0)]) refuse(error);
        });
      };
      const refuse = (error: unknown) => {
        clearTimeout(late);
        reject(patience === undefined ? error : new NoTurnError('the turn has not come', { cause: error }));
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
      this.#running ??= this.#runAll();
    });
  }

  /** Resolves when nothing runs and nothing waits. */
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

/** Runs one task of each key at a time, in the order in which they came. */
export class OneOfEach<Key> {
  readonly #turns = new Map<Key, { readonly turns: OneAtATime; tasks: number }>();

  /** Keys with tasks now. */
  get size(): number {
    return this.#turns.size;
  }

  /** @throws ApiError 503: too many wait */
  async run<Result>(key: Key, task: () => Promise<Result>): Promise<Result> {
    const entry = this.#turns.get(key) ?? { turns: new OneAtATime(), tasks: 0 };
    this.#turns.set(key, entry);
    entry.tasks++;
    try {
      return await entry.turns.run('in turn', task);
    } finally {
      entry.tasks--;
      if (entry.tasks === 0) this.#turns.delete(key);
    }
  }
}

/** The same for keys of several scopes, which are kept for no longer than anybody else keeps them. */
export class OneOfEachWithin<Scope extends object, Key> {
  readonly #scopes = new WeakMap<Scope, OneOfEach<Key>>();

  /** @throws ApiError 503: too many wait */
  run<Result>(scope: Scope, key: Key, task: () => Promise<Result>): Promise<Result> {
    const turns = this.#scopes.get(scope) ?? new OneOfEach();
    this.#scopes.set(scope, turns);
    return turns.run(key, task);
  }
}
