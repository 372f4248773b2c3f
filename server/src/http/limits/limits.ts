/**
 * Rate limits. A window begins with the first request of a key, and allows a number of requests until it ends. Refused requests do not
 * count. The state is in memory: each process has its own limits. Only failed logins count for all processes together (`AttemptLimiter`).
 * Addresses count by their networks (networks.ts).
 */

export interface LimitRule {
  /** Requests per window. */
  readonly requests: number;
  readonly windowSeconds: number;
}

export const defaultLimitRules = {
  /** Every authenticated request, per account. */
  account: { requests: 200, windowSeconds: 60 },
  /** Requests of all bots of one owner together, besides the limit of each bot. */
  bots: { requests: 2000, windowSeconds: 60 },
  /**
   * Polls for events, per account. They count for no other limit. A poll returns whatever has arrived. This allows five programs of one
   * account with twenty polls per second each.
   */
  polls: { requests: 6000, windowSeconds: 60 },
  /**
   * Files and pictures, per account, and for all bots of one owner. They count for no other limit: a page of messages shows many. A user
   * who scrolls fast requests about a hundred pictures per second for a short time.
   */
  files: { requests: 3000, windowSeconds: 60 },
  /** Files and pictures without credentials, per address. */
  filesOfAddress: { requests: 3000, windowSeconds: 60 },
  /** Requests without credentials and with wrong ones, per address. */
  address: { requests: 600, windowSeconds: 60 },
  /** Requests without credentials for what accounts read, per address: half the limit of an account, and separate from other requests. */
  spectators: { requests: 100, windowSeconds: 60 },
  /** Failed logins to one account, from all addresses. */
  loginAccount: { requests: 10, windowSeconds: 15 * 60 },
  /** Failed logins from one address, to all accounts. */
  loginAddress: { requests: 50, windowSeconds: 15 * 60 },
} satisfies Record<string, LimitRule>;

export type LimitName = keyof typeof defaultLimitRules;
export type LimitRules = Readonly<Record<LimitName, LimitRule>>;

export interface LimitResult {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly windowSeconds: number;
  /** Requests left in the window. */
  readonly remaining: number;
  /** Until the window ends, with milliseconds. */
  readonly secondsLeft: number;
}

/** A limiter of attempts, of which a success takes one back. Its windows may be those of all processes (`domain/credentials/attempt-limits.ts`). */
export interface AttemptLimiter {
  /** Counts a request if the key may make another. */
  take(key: string): LimitResult | Promise<LimitResult>;
  /** Takes back one request of the key. */
  giveBack(key: string): void | Promise<void>;
  /** Removes everything that was counted for the key. */
  forget(key: string): void | Promise<void>;
}

interface Window {
  count: number;
  readonly endsAt: number;
}

/** Each takes about 100 bytes, so this bounds the memory of a limiter. */
const MAX_KEYS = 100_000;

/** One rule applied to many keys. */
export class RateLimiter implements AttemptLimiter {
  readonly #rule: LimitRule;
  readonly #now: () => number;
  /** In the order of their beginnings, which is also that of their ends. */
  readonly #windows = new Map<string, Window>();

  /** @param now milliseconds of a monotonic clock */
  constructor(rule: LimitRule, now: () => number = monotonicMilliseconds) {
    this.#rule = rule;
    this.#now = now;
  }

  /** Counts a request if the key may make another. */
  take(key: string): LimitResult {
    const now = this.#now();
    const { requests, windowSeconds } = this.#rule;
    let window = this.#windows.get(key);
    if (!window || window.endsAt <= now) {
      window = { count: 0, endsAt: now + windowSeconds * 1000 };
      this.#windows.delete(key);
      this.#makeRoom(now);
      this.#windows.set(key, window);
    }
    const isAllowed = window.count < requests;
    if (isAllowed) window.count += 1;
    const secondsLeft = Math.max(0, Math.round(window.endsAt - now)) / 1000;
    return { isAllowed, limit: requests, windowSeconds, remaining: requests - window.count, secondsLeft };
  }

  /** Takes back one request of the key. */
  giveBack(key: string): void {
    const window = this.#windows.get(key);
    if (window && window.count > 0) window.count -= 1;
  }

  /** Removes everything that was counted for the key. */
  forget(key: string): void {
    this.#windows.delete(key);
  }

  /** Keys in memory, including those whose window has ended and was not removed yet. */
  get size(): number {
    return this.#windows.size;
  }

  /** Removes two ended windows for each new one, so the memory follows the load. If the limiter is full, it removes the oldest. */
  #makeRoom(now: number): void {
    let swept = 0;
    for (const [key, window] of this.#windows) {
      if (swept === 2 || (window.endsAt > now && this.#windows.size < MAX_KEYS)) return;
      this.#windows.delete(key);
      swept += 1;
    }
  }
}

type LoginLimitName = 'loginAccount' | 'loginAddress';
/** The limits whose windows are in the memory of each process. */
export type RequestLimitName = Exclude<LimitName, LoginLimitName>;

/** The limiters of one server. */
export type Limits = Readonly<Record<RequestLimitName, RateLimiter> & Record<LoginLimitName, AttemptLimiter>>;

export function limitsBy(
  rules: LimitRules = defaultLimitRules,
  now?: () => number,
): Readonly<Record<LimitName, RateLimiter>> {
  const limiters = Object.entries(rules).map(([name, rule]) => [name, new RateLimiter(rule, now)]);
  return Object.fromEntries(limiters) as Record<LimitName, RateLimiter>;
}

function monotonicMilliseconds(): number {
  return performance.now();
}
