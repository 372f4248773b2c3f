/** What was told last of a user. */
interface Entry {
  readonly updateId: number;
  readonly userId: number;
  /** A later one tells of the same user. */
  isOld: boolean;
}

/** Old entries that may lie there before they go, beside as many as there are users. */
const SLACK = 1000;

/** Who changed, in the order of the updates, each user once: what changed after an update is found without looking at all the others. */
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
    if (this.#entries.length > 2 * this.#newest.size + SLACK)
      this.#entries = this.#entries.filter(({ isOld }) => !isOld);
  }

  /** Who changed after the update. */
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
