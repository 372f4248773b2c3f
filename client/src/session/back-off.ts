/** Waiting times between attempts. */

/** The first waiting time is at most this long, in milliseconds. Each next one is at most twice as long. */
const FIRST_MS = 500;
/** No waiting time is longer, in milliseconds. */
export const MAX_BACK_OFF_MS = 30_000;

/**
 * Waiting times that double with each failure, with jitter: a random half of the time. So clients that lost the same server do not return
 * together. For example up to 0.5 s, 1 s, 2 s, and later 15 to 30 s.
 */
export class BackOff {
  #failures = 0;

  /** The next waiting time, in milliseconds. */
  next(): number {
    const longest = Math.min(MAX_BACK_OFF_MS, FIRST_MS * 2 ** this.#failures);
    this.#failures = Math.min(this.#failures + 1, 16);
    return longest * (0.5 + Math.random() / 2);
  }

  /** Call this after a success. */
  reset(): void {
    this.#failures = 0;
  }
}

/**
 * Resolves after `milliseconds`, or as soon as the signal aborts. It does not reject: the caller checks the signal.
 */
export function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
