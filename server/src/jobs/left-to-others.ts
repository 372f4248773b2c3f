/** How long work is left to other processes, in milliseconds. A random part keeps all processes from loading one organization at once. */
const MIN_LEFT_MS = 4_000;
const MAX_LEFT_MS = 12_000;

/** Work that other processes have not begun. The oldest makes room for one more. */
const MAX_LEFT_KEYS = 10_000;

interface Left {
  readonly progress: number;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/**
 * Leaves the work on an organization to the process that has it in memory, as long as that one makes progress. So background work does not bring an
 * organization into the memory of each process. If the other process has ended, this one does the work after some seconds.
 */
export class LeftToOthers {
  readonly #left = new Map<string, Left>();

  /**
   * Whether to leave the work for now.
   * @param progress changes if a process has done part of the work
   */
  leaves(key: string, progress: number): boolean {
    const known = this.#left.get(key);
    if (known?.progress === progress) return Date.now() < known.until;
    const [oldest] = this.#left.keys();
    if (this.#left.size >= MAX_LEFT_KEYS && oldest !== undefined) this.#left.delete(oldest);
    this.#left.delete(key);
    const milliseconds = MIN_LEFT_MS + Math.random() * (MAX_LEFT_MS - MIN_LEFT_MS);
    this.#left.set(key, { progress, until: Date.now() + milliseconds });
    return true;
  }

  end(key: string): void {
    this.#left.delete(key);
  }
}
