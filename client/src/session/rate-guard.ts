/** Limits how often a repair may run. */
export class RateGuard {
  readonly #most: number;
  readonly #withinMs: number;
  #times: readonly number[] = [];

  /** Allows `most` calls within `withinMs` milliseconds. */
  constructor(most: number, withinMs: number) {
    this.#most = most;
    this.#withinMs = withinMs;
  }

  /** Whether one more call is allowed now. If so, it counts. */
  allows(): boolean {
    const now = Date.now();
    this.#times = this.#times.filter((time) => now - time < this.#withinMs && time <= now);
    if (this.#times.length >= this.#most) return false;
    this.#times = [...this.#times, now];
    return true;
  }
}
