interface Past<Value> {
  readonly until: number;
  readonly value: Value;
}

/** Earlier values by key, each with the event that replaced it. A key without an entry still has its current value. */
export class PastValues<Value> {
  readonly #byKey = new Map<number, Past<Value>[]>();

  get size(): number {
    return this.#byKey.size;
  }

  /** Records the value before the event `until` replaced it. Events arrive in order. */
  note(key: number, until: number, value: Value): void {
    const list = this.#byKey.get(key);
    if (list === undefined) this.#byKey.set(key, [{ until, value }]);
    else list.push({ until, value });
  }

  /** The value just after the event; undefined if it has not changed since. */
  after(key: number, eventId: number): Value | undefined {
    return this.#byKey.get(key)?.find(({ until }) => until > eventId)?.value;
  }

  keys(): Iterable<number> {
    return this.#byKey.keys();
  }

  /** Discards changes up to an event that no reader can ask about any more. */
  forgetThrough(eventId: number): void {
    for (const [key, list] of this.#byKey) {
      const kept = list.filter(({ until }) => until > eventId);
      if (kept.length === 0) this.#byKey.delete(key);
      else if (kept.length < list.length) this.#byKey.set(key, kept);
    }
  }
}

/** The same for relations between two ids, such as a group and a member. */
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

  /** The first ids of all pairs with recorded changes. */
  firsts(): Iterable<number> {
    return this.#byFirst.keys();
  }

  /** All pairs of `first` that have changed since the event, with their state just after it. */
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
