// Tests replace the timers of `globalThis`, and not these.
import { clearTimeout, setTimeout } from 'node:timers';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { inspect } from 'node:util';

/** How long a test waits for one thing. It only bounds tests that would never end, so it is long. */
const WAIT_LIMIT_MS = 30_000 * timeoutFactor();

/** A slow machine makes few checks within the limit. A wait ends only after so many, as long as they need at most `MAX_LIMITS` limits. */
const MIN_CHECKS = 500;
const MAX_LIMITS = 4;

/** The first checks follow each other in turns of the event loop, later ones after pauses. Without pauses they would take CPU time from the awaited work. */
const CHECKS_WITHOUT_PAUSE = 5;
const MAX_PAUSE_MS = 20;

interface Limits {
  readonly limitMs: number;
  readonly minChecks: number;
}

type Falsy = false | 0 | 0n | '' | null | undefined;

/** The factor of all timeouts in test runs. The test runner sets it. A file that runs alone has the factor 1. */
function timeoutFactor(): number {
  const factor = Number(process.env.HEDDLE_TIMEOUT_FACTOR ?? 1);
  return factor >= 1 ? factor : 1;
}

/**
 * Checks the condition again and again, and returns its first truthy value. An error of the condition ends the wait at once.
 *
 * The limit is 30 s, multiplied by `HEDDLE_TIMEOUT_FACTOR`. The wait lasts longer if the machine is too slow for many checks within the limit.
 *
 * @param awaited what the test waits for, as the error names it after the limit: `waited 30 s for <awaited>; the last value was false`
 */
export function until<Value>(
  condition: () => Value | Promise<Value>,
  awaited: string,
): Promise<Exclude<Awaited<Value>, Falsy>> {
  return untilWithin({ limitMs: WAIT_LIMIT_MS, minChecks: MIN_CHECKS }, condition, awaited);
}

/** Like `until`, with other limits. Only tests of waiting need it. */
export async function untilWithin<Value>(
  { limitMs, minChecks }: Limits,
  condition: () => Value | Promise<Value>,
  awaited: string,
): Promise<Exclude<Awaited<Value>, Falsy>> {
  const begunAt = performance.now();
  let last: unknown = 'not known, because the first check did not end';
  const failure = () => {
    const seconds = Math.round((performance.now() - begunAt) / 100) / 10;
    return new Error(`waited ${seconds} s for ${awaited}; the last value was ${inspect(last, { depth: 4 })}`);
  };
  const stuck = Promise.withResolvers<never>();
  const timer = setTimeout(() => stuck.reject(failure()), MAX_LIMITS * limitMs);
  try {
    for (let checks = 1; ; checks++) {
      const value = await Promise.race([condition(), stuck.promise]);
      if (value) return value as Exclude<Awaited<Value>, Falsy>;
      last = value;
      if (checks >= minChecks && performance.now() - begunAt >= limitMs) throw failure();
      if (checks <= CHECKS_WITHOUT_PAUSE) await nextTurn();
      else await delay(Math.min(checks - CHECKS_WITHOUT_PAUSE, MAX_PAUSE_MS));
    }
  } finally {
    clearTimeout(timer);
  }
}
