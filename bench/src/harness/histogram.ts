const BUCKETS_PER_OCTAVE = 128;
const OCTAVES = 40;

/**
 * Latencies in buckets of at most 0.6 % width. Memory use is constant, and quantiles need no sorting. Stores microseconds; the interface uses
 * milliseconds.
 */
export class Histogram {
  readonly #counts = new Uint32Array(BUCKETS_PER_OCTAVE * OCTAVES);
  #count = 0;
  #largest = 0;

  get count(): number {
    return this.#count;
  }

  record(milliseconds: number): void {
    const microseconds = Math.max(1, milliseconds * 1000);
    const bucket = Math.min(this.#counts.length - 1, Math.floor(Math.log2(microseconds) * BUCKETS_PER_OCTAVE));
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#count++;
    if (milliseconds > this.#largest) this.#largest = milliseconds;
  }

  /** The `q` quantile in milliseconds. NaN without records. */
  quantile(q: number): number {
    if (this.#count === 0) return Number.NaN;
    const rank = Math.max(1, Math.ceil(q * this.#count));
    let seen = 0;
    for (const [bucket, count] of this.#counts.entries()) {
      seen += count;
      if (seen >= rank) return Math.min(this.#largest, 2 ** ((bucket + 0.5) / BUCKETS_PER_OCTAVE) / 1000);
    }
    return this.#largest;
  }

  get largest(): number {
    return this.#largest;
  }
}
