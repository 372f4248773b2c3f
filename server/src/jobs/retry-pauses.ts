/** The shortest and longest pause before a retry, in milliseconds. */
const MIN_PAUSE_MS = 300;
const MAX_PAUSE_MS = 30_000;

/** Pauses in memory. Strangers choose the names of push services. One more replaces the oldest. */
const MAX_PAUSES = 10_000;

interface Pause {
  /** Milliseconds since 1970. */
  readonly until: number;
  readonly milliseconds: number;
}

/** Pauses before retries, by key, so that work that fails for one organization delays no other one. */
export class RetryPauses {
  readonly #pauses = new Map<string, Pause>();

  /** The milliseconds until the key may be retried. Zero or less: now. */
  left(key: string): number {
    return (this.#pauses.get(key)?.until ?? 0) - Date.now();
  }

  /** Begins a pause of the shortest length. */
  begin(key: string): void {
    this.#pause(key, MIN_PAUSE_MS);
  }

  /** Begins a pause of this length, because the other side wants it. */
  beginFor(key: string, milliseconds: number): void {
    this.#remember(key, { until: Date.now() + milliseconds, milliseconds: MIN_PAUSE_MS });
  }

  /** The keys that may not be retried yet. */
  running(): readonly string[] {
    return [...this.#pauses.keys()].filter((key) => this.left(key) > 0);
  }

  /** Begins a pause of twice the length of the last one. Returns its milliseconds. */
  afterFailure(key: string): number {
    const last = this.#pauses.get(key)?.milliseconds ?? MIN_PAUSE_MS;
    return this.#pause(key, Math.min(2 * last, MAX_PAUSE_MS));
  }

  end(key: string): void {
    this.#pauses.delete(key);
  }

  endAll(): void {
    this.#pauses.clear();
  }

  #pause(key: string, milliseconds: number): number {
    this.#remember(key, { until: Date.now() + milliseconds, milliseconds });
    return milliseconds;
  }

  #remember(key: string, pause: Pause): void {
    // The last one comes last.
    this.#pauses.delete(key);
    const [oldest] = this.#pauses.keys();
    if (this.#pauses.size >= MAX_PAUSES && oldest !== undefined) this.#pauses.delete(oldest);
    this.#pauses.set(key, pause);
  }
}
