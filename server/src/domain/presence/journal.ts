/** The last change of a user. */
interface Entry {
  readonly updateId: number;
  readonly userId: number;
  /** A later entry has the same user. */
  isOld: boolean;
}

/** The number of outdated entries, beyond the number of users, that starts a cleanup. */
const MAX_OUTDATED_ENTRIES = 1000;

/**
 * The users who changed, in the order of updates, each user once. A binary search finds the changes after an update.
 */
export class Journal {
  #entries: Entry[] = [];
  readonly #newest = new Map<number, Entry>();

  /** Updates come in ascending order. */
  add(updateId: number, userId: number): void {
    const before = this.#newest.get(userId);
    if (before !== undefined) before.isOld = true;
    const entry = { updateId, userId, isOld: false };
    this.#newest.set(userId, entry);
    this.#entries.push(entry);
    if (this.#entries.length > 2 * this.#newest.size + MAX_OUTDATED_ENTRIES)
      this.#entries = this.#entries.filter(({ isOld }) => !isOld);
  }

  /** The users who changed after the update. */
  after(updateId: number): readonly number[] {
    const entries = this.#entries;
    let low = 0;
    let high = entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((entries[middle]?.updateId ?? 0) > updateId) high = middle;
      else low = middle + 1;
    }
    const users: number[] = [];
    for (let index = low; index < entries.length; index++) {
      const entry = entries[index];
      if (entry !== undefined && !entry.isOld) users.push(entry.userId);
    }
    return users;
  }
}
