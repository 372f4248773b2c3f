/** Sets of some users, as one bit for each. To join two sets of thousands of users takes microseconds. */
export type Bits = Uint32Array;

/** The users of such sets. Others are left out. */
export class UserBits {
  readonly #ids: readonly number[];
  readonly #places: ReadonlyMap<number, number>;
  readonly #lists = new Map<string, readonly number[]>();

  constructor(ids: readonly number[]) {
    this.#ids = ids;
    this.#places = new Map(ids.map((id, place) => [id, place]));
  }

  of(userIds: Iterable<number>): Bits {
    const bits = this.none();
    this.add(bits, userIds);
    return bits;
  }

  none(): Bits {
    return new Uint32Array(Math.ceil(this.#ids.length / 32));
  }

  add(bits: Bits, userIds: Iterable<number>): void {
    for (const id of userIds) {
      const place = this.#places.get(id);
      if (place !== undefined) bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31));
    }
  }

  /** The users in the given order. The same list for equal sets. */
  listOf(bits: Bits): readonly number[] {
    const key = bits.join();
    let list = this.#lists.get(key);
    if (list === undefined) {
      list = this.#ids.filter((_, place) => ((bits[place >>> 5] ?? 0) & (1 << (place & 31))) !== 0);
      this.#lists.set(key, list);
    }
    return list;
  }
}

/** Adds the others to the set. */
export function join(bits: Bits, others: Bits): void {
  for (let word = 0; word < bits.length; word += 1) bits[word] = (bits[word] ?? 0) | (others[word] ?? 0);
}

/** Those of the set that are not in the other one. */
export function without(bits: Bits, others: Bits): Bits {
  return bits.map((word, index) => word & ~(others[index] ?? 0));
}

export function isEmpty(bits: Bits): boolean {
  return bits.every((word) => word === 0);
}
