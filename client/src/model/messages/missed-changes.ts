/** The messages that arrived or changed while requests were open. A response may lack them, because it was made before. */
export class MissedChanges {
  #openRequests = 0;
  /** In the order of the events since the oldest open request began. */
  #ids: number[] = [];

  /** A message arrived or changed. Costs nothing without open requests. */
  add(ids: readonly number[]): void {
    if (this.#openRequests > 0) this.#ids.push(...ids);
  }

  /**
   * A request begins. Returns two functions: one returns the ids of all messages that changed since then, each once. The other
   * must be called when the request has ended.
   */
  begin(): { readonly missed: () => readonly number[]; readonly end: () => void } {
    const before = this.#ids.length;
    this.#openRequests += 1;
    return {
      missed: () => [...new Set(this.#ids.slice(before))],
      end: () => {
        this.#openRequests -= 1;
        if (this.#openRequests === 0) this.#ids = [];
      },
    };
  }
}
