/** Registrations of large organizations are spread: after a restart, all clients register at once, and others want to send meanwhile. */
import { setTimeout as delay } from 'node:timers/promises';
import { tooManyRegistrations } from '@heddle/api/errors.ts';
import { ConcurrencyLimiter } from '../../concurrency-limiter.ts';
import { timeoutOf } from '../../config/timeout-factor.ts';

/** The initial state of a smaller organization takes a few milliseconds, so its registrations are not spread. */
export const MIN_LARGE_ORGANIZATION_USERS = 20_000;

export interface SpreadingRules {
  /** The registrations that run at the same time. Each holds its initial state until it is serialized. */
  readonly atOnce: number;
  /** The longest pause after a registration, in milliseconds. A shorter registration has a pause of its length, so others get half of the time. */
  readonly maxRestMs: number;
  /** A client waits for at most so long after it asked, in milliseconds. This is less than clients wait for a response. */
  readonly maxWaitMs: number;
  /** The most seconds after which a client returns. */
  readonly maxRetryAfterSeconds: number;
}

const defaultRules: SpreadingRules = {
  atOnce: 2,
  maxRestMs: 60,
  maxWaitMs: timeoutOf(8_000),
  maxRetryAfterSeconds: 300,
};

/** Before the first registration has ended, each is expected to take so long, in milliseconds. */
const FIRST_ESTIMATE_MS = 120;
/** The weight of the last registration in the estimate. */
const ESTIMATE_WEIGHT_RATIO = 0.1;

/**
 * Lets registrations wait in the order of their arrival. A client that would wait for too long gets 503 and a time to return. It is after all that
 * wait, and after all that were refused before it. So refused clients return one after the other, not together.
 */
export class Spreading {
  readonly #rules: SpreadingRules;
  readonly #limiter: ConcurrencyLimiter<'all'>;
  #waiting = 0;
  /** How long a registration occupies its slot. */
  #estimateMs = FIRST_ESTIMATE_MS;
  /** When the last refused client returns, by the clock of `performance`. */
  #returnsUntil = 0;

  constructor(rules: SpreadingRules = defaultRules) {
    this.#rules = rules;
    this.#limiter = new ConcurrencyLimiter({
      atOnce: rules.atOnce,
      // The check in `run` is stricter: a registration takes a millisecond at least.
      maxWaiting: rules.maxWaitMs * rules.atOnce,
      refusal: () => this.#refusal(),
    });
  }

  /**
   * @param waitedMs how long the client has waited before, for example for the other devices of its account
   * @throws ApiError 503 with `Retry-After`
   */
  async run<Result>(register: () => Promise<Result>, waitedMs: number): Promise<Result> {
    // With a free slot, even a late one need not wait any longer.
    const leftMs = Math.max(0, this.#rules.maxWaitMs - waitedMs);
    if (this.#waiting * this.#spacingMs > leftMs) throw this.#refusal();
    this.#waiting += 1;
    // Those before it may take longer than expected, for example if the database does not respond.
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), leftMs);
    let hasBegun = false;
    const begin = (): void => {
      clearTimeout(timer);
      if (!hasBegun) this.#waiting -= 1;
      hasBegun = true;
    };
    return new Promise((resolve, reject) => {
      const occupy = async (): Promise<void> => {
        begin();
        const begunAt = performance.now();
        const registering = register();
        registering.then(resolve, reject);
        const [{ status }] = await Promise.allSettled([registering]);
        // The client has its response. The slot stays occupied.
        await delay(Math.min(this.#rules.maxRestMs, performance.now() - begunAt));
        // A failure says nothing about how long the others will take.
        if (status === 'rejected') return;
        this.#estimateMs += (performance.now() - begunAt - this.#estimateMs) * ESTIMATE_WEIGHT_RATIO;
      };
      this.#limiter.run('all', occupy, 0, late.signal).catch((error: unknown) => {
        begin();
        reject(error);
      });
    });
  }

  /** The time between two registrations. */
  get #spacingMs(): number {
    return this.#estimateMs / this.#rules.atOnce;
  }

  #refusal(): Error {
    const now = performance.now();
    const { maxRetryAfterSeconds } = this.#rules;
    const afterWaiting = now + this.#waiting * this.#spacingMs;
    this.#returnsUntil = Math.max(this.#returnsUntil, afterWaiting) + this.#spacingMs;
    // If more are refused than fit into the longest time, the next ones begin again behind those that wait.
    if (this.#returnsUntil > now + maxRetryAfterSeconds * 1000) this.#returnsUntil = afterWaiting;
    return tooManyRegistrations(Math.max(1, Math.ceil((this.#returnsUntil - now) / 1000)));
  }
}
