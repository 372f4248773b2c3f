import type { FileSource } from '../http/answers.ts';

const A_YEAR = 365 * 86_400;

/** What is served under an address that changes with it. */
export const FOR_EVER = { disposition: 'inline', cacheControl: `public, max-age=${A_YEAR}, immutable` } as const;

/** What pictures that were asked for lately may weigh together, in bytes. */
const MOST_KEPT = 8 * 1024 * 1024;

/** Small pictures from the database, which pages ask for many at a time: those that were asked for are kept for a while. */
export class KeptPictures {
  /** The one that nobody has asked for for longest first. */
  readonly #kept = new Map<string, FileSource>();
  #weight = 0;

  /** @param key another one for each content */
  async get(key: string, read: () => Promise<FileSource>): Promise<FileSource> {
    const source = this.#kept.get(key) ?? (await read());
    if (this.#kept.delete(key)) this.#weight -= source.size;
    this.#kept.set(key, source);
    this.#weight += source.size;
    for (const [oldest, { size }] of this.#kept) {
      if (this.#weight <= MOST_KEPT) break;
      this.#kept.delete(oldest);
      this.#weight -= size;
    }
    return source;
  }
}
