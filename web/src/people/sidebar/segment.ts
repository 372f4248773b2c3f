/** People who are there, before the others of the same list. */
export interface Split {
  /** The ids of those who are active, then of those who are idle, each in the order of the list. */
  readonly online: readonly number[];
  readonly offlineCount: number;
  /** The id of the person at this index of those who are offline. */
  readonly offlineAt: (index: number) => number | undefined;
}

const NOBODY: ReadonlySet<number> = new Set();

/**
 * A list of people in a fixed order, for example by name. A change of presences visits only those who are online: the
 * offline people are the whole list without their positions.
 */
export class Segment {
  readonly #ids: readonly number[];
  readonly #positions = new Map<number, number>();

  /** @param ids without duplicates */
  constructor(ids: readonly number[]) {
    this.#ids = ids;
    for (const [position, id] of ids.entries()) this.#positions.set(id, position);
  }

  get size(): number {
    return this.#ids.length;
  }

  /** Those of the ids that are in the list, in its order. */
  only(ids: Iterable<number>): readonly number[] {
    return this.#positionsOf(ids).map((position) => this.#ids[position] as number);
  }

  /**
   * Ids can have any order. Those who are not in the list are ignored.
   * @param without people who are left out of the result
   */
  split(active: readonly number[], idle: readonly number[], without: ReadonlySet<number> = NOBODY): Split {
    const isIn = (id: number) => !without.has(id);
    const activeAt = this.#positionsOf(active.filter(isIn));
    const idleAt = this.#positionsOf(idle.filter(isIn));
    const taken = [...activeAt, ...idleAt, ...this.#positionsOf(without)].sort(ascending);
    return {
      online: [...activeAt, ...idleAt].map((position) => this.#ids[position] as number),
      offlineCount: this.#ids.length - taken.length,
      offlineAt: (index) => this.#ids[index + countBefore(taken, index)],
    };
  }

  #positionsOf(ids: Iterable<number>): number[] {
    const positions: number[] = [];
    for (const id of ids) {
      const position = this.#positions.get(id);
      if (position !== undefined) positions.push(position);
    }
    return positions.sort(ascending);
  }
}

/**
 * How many positions of `taken` are before the free position with this index.
 * @param taken in ascending order
 */
function countBefore(taken: readonly number[], index: number): number {
  let low = 0;
  let high = taken.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    // Before position p = taken[middle] there are p - middle free ones.
    if ((taken[middle] as number) - middle <= index) low = middle + 1;
    else high = middle;
  }
  return low;
}

function ascending(one: number, other: number): number {
  return one - other;
}
