import type { FileSource } from '../http/answers/answers.ts';

const YEAR_SECONDS = 365 * 86_400;

/** Headers for content whose address changes with it. */
export const FOR_EVER = { disposition: 'inline', cacheControl: `public, max-age=${YEAR_SECONDS}, immutable` } as const;

const DEFAULT_MAX_BYTES = 8 * 1024 * 1024;

/**
 * A cache of small pictures, because pages request many at a time and repeatedly. It drops the least recently used
 * ones.
 */
export class KeptPictures {
  readonly #maxBytes: number;
  /** The least recently used picture is first. */
  readonly #kept = new Map<string, FileSource>();
  #weight = 0;

  /** @param maxBytes of all pictures together */
  constructor(maxBytes = DEFAULT_MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** @param key a different one for each content */
  async get(key: string, read: () => Promise<FileSource>): Promise<FileSource> {
    const source = this.#kept.get(key) ?? (await read());
    if (this.#kept.delete(key)) this.#weight -= source.size;
    this.#kept.set(key, source);
    this.#weight += source.size;
    for (const [oldest, { size }] of this.#kept) {
      if (this.#weight <= this.#maxBytes) break;
      this.#kept.delete(oldest);
      this.#weight -= size;
    }
    return source;
  }
}
