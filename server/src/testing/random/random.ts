import type { TestContext } from 'node:test';

const MAX_SEED = 2 ** 31;

/** `HEDDLE_TEST_SEED`, which repeats the random choices of a run; undefined if it is not set. */
export const GIVEN_SEED: number | undefined = seedIn(process.env.HEDDLE_TEST_SEED);

/** The seed of the random choices of this process. */
const SEED = GIVEN_SEED ?? Math.floor(Math.random() * MAX_SEED); // the only unseeded choice

/** A generator of random choices. The same seed gives the same choices. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A number from 0 up to `limit`, without `limit`. */
  below(limit: number): number {
    return this.#next() * limit;
  }

  /** A whole number from 0 up to `limit`, without `limit`. */
  integerBelow(limit: number): number {
    return Math.floor(this.below(limit));
  }

  boolean(): boolean {
    return this.#next() < 0.5;
  }

  /** One of the items; undefined if there is none. */
  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.integerBelow(items.length)];
  }

  /** The items in another order. */
  shuffled<Item>(items: readonly Item[]): readonly Item[] {
    return items
      .map((item) => ({ item, key: this.#next() }))
      .sort((a, b) => a.key - b.key)
      .map(({ item }) => item);
  }

  /** The generator "mulberry32": 32 bits of state are enough for tests. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

/** The random choices of a test. The test prints how to repeat them. */
export function randomOf(t: Pick<TestContext, 'diagnostic'>, seed = SEED): Random {
  t.diagnostic(`HEDDLE_TEST_SEED=${seed} repeats the random choices of this test`);
  return new Random(seed);
}

function seedIn(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const seed = Number(text);
  if (!Number.isInteger(seed)) throw new Error(`HEDDLE_TEST_SEED must be a whole number, but it is ${text}`);
  return seed;
}
