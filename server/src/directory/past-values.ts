interface Past<Value> {
  readonly until: number;
  readonly value: Value;
}

/** What values were before events changed them, by the number of what has them; whatever is not here is as it is now. */
export class PastValues<Value> {
  readonly #byKey = new Map<number, Past<Value>[]>();

  get size(): number {
    return this.#byKey.size;
  }

  /** The value before the event `until` changed it. Events come in order. */
  note(key: number, until: number, value: Value): void {
    const list = this.#byKey.get(key);
    if (list === undefined) this.#byKey.set(key, [{ until, value }]);
    else list.push({ until, value });
  }

  /** The value as the event left it; undefined where nothing has changed it since. */
  after(key: number, eventId: number): Value | undefined {
    return this.#byKey.get(key)?.find(({ until }) => until > eventId)?.value;
  }

  keys(): Iterable<number> {
    return this.#byKey.keys();
  }

  /** Forgets what was changed up to an event that nobody can ask for any more. */
  forgetThrough(eventId: number): void {
    for (const [key, list] of this.#byKey) {
      const kept = list.filter(({ until }) => until > eventId);
      if (kept.length === 0) this.#byKey.delete(key);
      else if (kept.length < list.length) this.#byKey.set(key, kept);
    }
  }
}

/** The same for what is true or not of pairs: of a group and who is in it. */
export class PastPairs {
  readonly #byFirst = new Map<number, PastValues<boolean>>();

  note(first: number, seconds: readonly number[], until: number, was: boolean): void {
    let values = this.#byFirst.get(first);
    if (values === undefined) {
      values = new PastValues();
      this.#byFirst.set(first, values);
    }
    for (const second of seconds) values.note(second, until, was);
  }

  after(first: number, second: number, eventId: number): boolean | undefined {
    return this.#byFirst.get(first)?.after(second, eventId);
  }

  /** With which numbers pairs begin that were changed. */
  firsts(): Iterable<number> {
    return this.#byFirst.keys();
  }

  /** What differed, as the event left it, of all pairs that begin with `first`. */
  *allAfter(first: number, eventId: number): Iterable<readonly [second: number, was: boolean]> {
    const values = this.#byFirst.get(first);
    for (const second of values?.keys() ?? []) {
      const was = values?.after(second, eventId);
      if (was !== undefined) yield [second, was];
    }
  }

  forgetThrough(eventId: number): void {
    for (const [first, values] of this.#byFirst) {
      values.forgetThrough(eventId);
      if (values.size === 0) this.#byFirst.delete(first);
    }
  }
}
