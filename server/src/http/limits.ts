/**
 * Rate limits. A window begins with a key's first request and lets so many through until it ends; those refused are not
 * counted. State is this process's own: with several processes each gives its own allowance. Addresses are counted by their networks
 * (networks.ts).
 */

export interface LimitRule {
  /** Requests in a window. */
  readonly requests: number;
  readonly windowSeconds: number;
}

export interface LimitRules {
  /** Every authenticated request, per account. */
  readonly account: LimitRule;
  /** The same of all bots of somebody's together, beside what each may. */
  readonly bots: LimitRule;
  /** Asking for events, per account: counts for nothing else. */
  readonly polls: LimitRule;
  /** Files and pictures, per account, and of all bots of somebody's together: counts for nothing else. A page of messages shows many. */
  readonly files: LimitRule;
  /** The same without credentials, per address. */
  readonly filesOfAddress: LimitRule;
  /** Requests without credentials and those with wrong ones, per address. */
  readonly address: LimitRule;
  /** Requests without credentials to what accounts read, per address: half of what an account has, apart from the others of the address. */
  readonly spectators: LimitRule;
  /** Failed logins to one account, from wherever. */
  readonly loginAccount: LimitRule;
  /** Failed logins from one address, to whichever account. */
  readonly loginAddress: LimitRule;
}

export const defaultLimitRules: LimitRules = {
  account: { requests: 200, windowSeconds: 60 },
  bots: { requests: 2000, windowSeconds: 60 },
  // A poll is answered with whatever has come: five programs of somebody's, twenty times a second each.
  polls: { requests: 6000, windowSeconds: 60 },
  // Who reads on and on sees some hundred pictures a second fly by for a moment, and then reads.
  files: { requests: 3000, windowSeconds: 60 },
  filesOfAddress: { requests: 3000, windowSeconds: 60 },
  address: { requests: 600, windowSeconds: 60 },
  spectators: { requests: 100, windowSeconds: 60 },
  loginAccount: { requests: 10, windowSeconds: 15 * 60 },
  loginAddress: { requests: 50, windowSeconds: 15 * 60 },
};

export interface Verdict {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly windowSeconds: number;
  /** Requests left in the window. */
  readonly remaining: number;
  /** When the window ends: milliseconds, on the clock that was given. */
  readonly endsAt: number;
}

interface Window {
  count: number;
  readonly endsAt: number;
}

/** At 100 bytes or so each, what one limiter can hold is small. */
const maximumKeys = 100_000;

/** One rule applied to many keys. */
export class RateLimiter {
  readonly #rule: LimitRule;
  readonly #now: () => number;
  /** In the order in which the windows began, which is that in which they end. */
  readonly #windows = new Map<string, Window>();

  /** @param now milliseconds, never going back */
  constructor(rule: LimitRule, now: () => number = monotonicMilliseconds) {
    this.#rule = rule;
    this.#now = now;
  }

  /** Counts a request if the key may have another. */
  take(key: string): Verdict {
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
    return { isAllowed, limit: requests, windowSeconds, remaining: requests - window.count, endsAt: window.endsAt };
  }

  /** Takes one request of the key back. */
  giveBack(key: string): void {
    const window = this.#windows.get(key);
    if (window && window.count > 0) window.count -= 1;
  }

  /** Forgets all that was counted for the key. */
  forget(key: string): void {
    this.#windows.delete(key);
  }

  /** Keys in memory, those whose window has ended and was not yet swept included. */
  get size(): number {
    return this.#windows.size;
  }

  /** Sweeps two ended windows for one that begins, so memory follows the load; when full, the oldest goes. */
  #makeRoom(now: number): void {
    let swept = 0;
    for (const [key, window] of this.#windows) {
      if (swept === 2 || (window.endsAt > now && this.#windows.size < maximumKeys)) return;
      this.#windows.delete(key);
      swept += 1;
    }
  }
}

/** The limiters of one server. */
export class Limits {
  readonly account: RateLimiter;
  readonly bots: RateLimiter;
  readonly polls: RateLimiter;
  readonly files: RateLimiter;
  readonly filesOfAddress: RateLimiter;
  readonly address: RateLimiter;
  readonly spectators: RateLimiter;
  readonly loginAccount: RateLimiter;
  readonly loginAddress: RateLimiter;
  readonly #now: () => number;

  constructor(rules: LimitRules = defaultLimitRules, now: () => number = monotonicMilliseconds) {
    this.account = new RateLimiter(rules.account, now);
    this.bots = new RateLimiter(rules.bots, now);
    this.polls = new RateLimiter(rules.polls, now);
    this.files = new RateLimiter(rules.files, now);
    this.filesOfAddress = new RateLimiter(rules.filesOfAddress, now);
    this.address = new RateLimiter(rules.address, now);
    this.spectators = new RateLimiter(rules.spectators, now);
    this.loginAccount = new RateLimiter(rules.loginAccount, now);
    this.loginAddress = new RateLimiter(rules.loginAddress, now);
    this.#now = now;
  }

  /** Seconds until the verdict's window ends, to the millisecond. */
  secondsLeft(verdict: Verdict): number {
    return Math.max(0, Math.round(verdict.endsAt - this.#now())) / 1000;
  }
}

function monotonicMilliseconds(): number {
  return performance.now();
}
