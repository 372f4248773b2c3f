/**
 * The users whom each guest can access through direct conversations, with the event that granted the access. Filled
 * only while guests cannot access everybody (`Directory.hidesPeople`).
 */
export class Contacts {
  readonly #byGuest = new Map<number, Map<number, number>>();

  add(guestId: number, others: readonly number[], since: number): void {
    let known = this.#byGuest.get(guestId);
    if (known === undefined) {
      known = new Map();
      this.#byGuest.set(guestId, known);
    }
    for (const other of others) known.set(other, since);
  }

  /** For loading: sets the event that granted the access, as the log records it. */
  date(guestId: number, others: readonly number[], since: number): void {
    const known = this.#byGuest.get(guestId);
    for (const other of others) if (known?.has(other)) known.set(other, since);
  }

  of(guestId: number): ReadonlyMap<number, number> {
    return this.#byGuest.get(guestId) ?? NOBODY;
  }

  forget(guestId: number): void {
    this.#byGuest.delete(guestId);
  }

  clear(): void {
    this.#byGuest.clear();
  }
}

const NOBODY: ReadonlyMap<number, number> = new Map();
