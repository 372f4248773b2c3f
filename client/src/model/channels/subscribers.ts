/** What is known about the subscribers of a channel. */
export interface KnownSubscribers {
  /** Without deactivated users. */
  readonly ids: ReadonlySet<number>;
  /** Whether these are all subscribers. Large channels list only some when the client registers. */
  readonly isComplete: boolean;
}

const NOBODY: ReadonlySet<number> = new Set();

/**
 * The known subscribers of channels.
 *
 * Invariant: everyone listed is a subscriber. So a list with as many users as the channel has subscribers is complete.
 */
export class Subscribers {
  /** The list of the server, until someone reads it or an event changes it. Most lists are never read. */
  readonly #unread = new Map<number, readonly number[]>();
  readonly #sets = new Map<number, Set<number>>();

  /** @param listed undefined if the server sent no list */
  set(channelId: number, listed: readonly number[] | undefined): void {
    this.#sets.delete(channelId);
    if (listed === undefined) this.#unread.delete(channelId);
    else this.#unread.set(channelId, listed);
  }

  /** @param count the number of subscribers of the channel */
  of(channelId: number, count: number): KnownSubscribers {
    const ids = this.#listOf(channelId) ?? NOBODY;
    return { ids, isComplete: ids.size === count };
  }

  add(channelId: number, userIds: readonly number[]): void {
    let ids = this.#listOf(channelId);
    if (ids === undefined) {
      ids = new Set();
      this.#sets.set(channelId, ids);
    }
    for (const id of userIds) ids.add(id);
  }

  remove(channelId: number, userIds: readonly number[]): void {
    const ids = this.#listOf(channelId);
    for (const id of userIds) ids?.delete(id);
  }

  #listOf(channelId: number): Set<number> | undefined {
    const unread = this.#unread.get(channelId);
    if (unread === undefined) return this.#sets.get(channelId);
    const ids = new Set(unread);
    this.#unread.delete(channelId);
    this.#sets.set(channelId, ids);
    return ids;
  }
}
