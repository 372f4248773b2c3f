/**
 * Whom each guest knows from direct conversations, each with the event since which; kept only while guests see no others
 * (`Directory.hidesPeople`).
 */
export class Acquaintances {
  readonly #byGuest = new Map<number, Map<number, number>>();

  add(guestId: number, others: readonly number[], since: number): void {
    let known = this.#byGuest.get(guestId);
    if (known === undefined) {
      known = new Map();
      this.#byGuest.set(guestId, known);
    }
    for (const other of others) known.set(other, since);
  }

  /** For loading: what the log says of when it began. */
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
