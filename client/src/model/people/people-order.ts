import { folded } from './text-folding.ts';
import type { UserRecord } from './user-record.ts';

interface Entry {
  readonly key: string;
  readonly id: number;
}

/** A list of user ids in the order of their names, without case and diacritics. Equal names are in the order of ids. */
export class PeopleOrder {
  readonly #entries: Entry[];
  #ids: readonly number[] | undefined;

  constructor(users: Iterable<UserRecord>) {
    this.#entries = Array.from(users, entryOf).sort(compare);
  }

  /** The same array until a change. */
  get ids(): readonly number[] {
    this.#ids ??= this.#entries.map(({ id }) => id);
    return this.#ids;
  }

  add(user: UserRecord): void {
    const entry = entryOf(user);
    this.#entries.splice(this.#indexOf(entry), 0, entry);
    this.#ids = undefined;
  }

  /** @param user the record with which the user was added */
  remove(user: UserRecord): void {
    const at = this.#indexOf(entryOf(user));
    if (this.#entries[at]?.id !== user.id) return;
    this.#entries.splice(at, 1);
    this.#ids = undefined;
  }

  #indexOf(entry: Entry): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#entries[middle];
      if (other !== undefined && compare(other, entry) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function entryOf({ id, name }: UserRecord): Entry {
  return { key: folded(name), id };
}

function compare(a: Entry, b: Entry): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : a.id - b.id;
}
