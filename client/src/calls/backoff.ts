/** When to try again after temporary failures. */
import { ApiError, UnexpectedAnswerError } from './errors.ts';
import { pauseUntilOnline } from './waiting.ts';

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

/** Waits longer after each failure, up to half a minute, and gives up after a time without progress. */
export class Backoff {
  readonly #patience: number;
  #failures = 0;
  #failingSince: number | undefined;

  /** @param patience milliseconds without progress after which it gives up */
  constructor(patience: number) {
    this.#patience = patience;
  }

  /** Call this after a success. */
  progressed(): void {
    this.#failures = 0;
    this.#failingSince = undefined;
  }

  /**
   * Waits before the next attempt, at least as long as the server demands. It ends early when the browser has a network
   * again.
   *
   * @throws `error` if there was no progress for too long, or the reason of an aborted signal
   */
  async wait(error: unknown, signal: AbortSignal | undefined): Promise<void> {
    const now = performance.now();
    this.#failingSince ??= now;
    const stated = error instanceof ApiError || error instanceof UnexpectedAnswerError ? error.retryAfter : undefined;
    const pause = Math.max((stated ?? 0) * 1000, pauseAfter(this.#failures));
    this.#failures += 1;
    if (now + pause - this.#failingSince > this.#patience) throw error;
    await pauseUntilOnline(pause, signal);
  }
}

/** Half of the time is random, so that many clients do not try again at the same moment. */
function pauseAfter(failures: number): number {
  const longest = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
  return longest * (0.5 + Math.random() / 2);
}
