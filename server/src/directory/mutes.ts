/** Which users have muted which others. */
export class Mutes {
  /** Keys are the muted users. */
  readonly #muters = new Map<number, Set<number>>();

  put(userId: number, mutedUserId: number, isMuted: boolean): void {
    const muters = this.#muters.get(mutedUserId) ?? new Set();
    if (isMuted) muters.add(userId);
    else muters.delete(userId);
    if (muters.size === 0) this.#muters.delete(mutedUserId);
    else this.#muters.set(mutedUserId, muters);
  }

  /** The users who have muted this one. */
  mutersOf(mutedUserId: number): ReadonlySet<number> {
    return this.#muters.get(mutedUserId) ?? NOBODY;
  }

  has(userId: number, mutedUserId: number): boolean {
    return this.mutersOf(mutedUserId).has(userId);
  }

  /** Keys are the muted users. */
  get all(): ReadonlyMap<number, ReadonlySet<number>> {
    return this.#muters;
  }
}

const NOBODY: ReadonlySet<number> = new Set();
