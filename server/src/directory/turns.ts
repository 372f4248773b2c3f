/** Runs one task at a time: those that wait their turn in the order in which they came, urgent ones before the others. */
export class Turns {
  readonly #urgent: (() => Promise<void>)[] = [];
  readonly #others: (() => Promise<void>)[] = [];
  #running: Promise<void> | undefined;

  run<Result>(urgency: 'urgent' | 'in turn', task: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const queue = urgency === 'urgent' ? this.#urgent : this.#others;
      queue.push(() => task().then(resolve, reject));
      this.#running ??= this.#runAll();
    });
  }

  /** Resolves when nothing runs and nothing waits. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #runAll(): Promise<void> {
    for (;;) {
      const next = this.#urgent.shift() ?? this.#others.shift();
      if (next === undefined) break;
      await next();
    }
    this.#running = undefined;
  }
}
