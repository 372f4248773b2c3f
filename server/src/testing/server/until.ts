// Tests replace the timers of `globalThis`, and not these.
import { clearTimeout, setTimeout } from 'node:timers';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { inspect, isDeepStrictEqual } from 'node:util';

/** How long a test waits for one thing. It only bounds tests that would never end, so it is long. */
const WAIT_LIMIT_MS = waitLimitMs(timeoutFactor());

/** A slow machine makes few checks within the limit. A wait ends only after so many, as long as they need at most `MAX_LIMITS` limits. */
const MIN_CHECKS = 500;
const MAX_LIMITS = 4;

/** The first checks follow each other in turns of the event loop, later ones after pauses. Without pauses they would take CPU time from the awaited work. */
const CHECKS_WITHOUT_PAUSE = 5;
const MIN_PAUSE_MS = 2;
const MAX_PAUSE_MS = 20;
/** A pause takes this part of the time so far, so that the wait ends at most so much too late. */
const PAUSED_PART = 0.05;

interface Limits {
  readonly limitMs: number;
  readonly minChecks: number;
}

const USUAL_LIMITS: Limits = { limitMs: WAIT_LIMIT_MS, minChecks: MIN_CHECKS };

type Falsy = false | 0 | 0n | '' | null | undefined;

/** The limit of a wait in milliseconds, with this factor of all timeouts. */
export function waitLimitMs(factor: number): number {
  return 30_000 * factor;
}

/** The factor of all timeouts in test runs. The test runner sets it. A file that runs alone has the factor 1. */
function timeoutFactor(): number {
  const factor = Number(process.env.HEDDLE_TIMEOUT_FACTOR ?? 1);
  return factor >= 1 ? factor : 1;
}

/**
 * Checks the condition again and again, and returns its first truthy value. An error of the condition ends the wait at once.
 *
 * The limit is 30 s, multiplied by `HEDDLE_TIMEOUT_FACTOR`. The wait lasts longer if the machine is too slow for many checks within the limit.
 * Then it fails: `waited 30 s for the first reply; the last value was false`.
 *
 * @param awaited what the test waits for, as the error names it
 */
export function until<Value>(
  condition: () => Value | Promise<Value>,
  awaited: string,
): Promise<Exclude<Awaited<Value>, Falsy>> {
  return untilWithin(USUAL_LIMITS, condition, awaited);
}

/**
 * Reads again and again until it gets this value, and fails like `until`. What a page shows at one instant may only be late. So a test of a page does
 * not compare what it reads once.
 *
 * @param awaited what the test waits for, as the error names it
 * @param limits only tests of waiting need others
 */
export async function untilEqual<Value>(
  read: () => Promise<Value>,
  expected: Value,
  awaited = 'the page',
  limits = USUAL_LIMITS,
): Promise<void> {
  const isExpected = (value: Value) => isDeepStrictEqual(value, expected);
  await checkAgain(limits, read, isExpected, `${awaited} to be ${inspect(expected, { depth: 4 })}`);
}

/** Like `until`, with other limits. Only tests of waiting and runs with long faults need it. */
export async function untilWithin<Value>(
  limits: Limits,
  condition: () => Value | Promise<Value>,
  awaited: string,
): Promise<Exclude<Awaited<Value>, Falsy>> {
  return (await checkAgain(limits, condition, Boolean, awaited)) as Exclude<Awaited<Value>, Falsy>;
}

async function checkAgain<Value>(
  { limitMs, minChecks }: Limits,
  read: () => Value | Promise<Value>,
  isEnough: (value: Value) => boolean,
  awaited: string,
): Promise<Value> {
  const begunAt = performance.now();
  let last: { readonly value: unknown } | undefined;
  const failure = () => {
    const seconds = Math.round((performance.now() - begunAt) / 100) / 10;
    const found = last === undefined ? 'no check has ended' : `the last value was ${inspect(last.value, { depth: 4 })}`;
    return new Error(`waited ${seconds} s for ${awaited}; ${found}`);
  };
  const stuck = Promise.withResolvers<never>();
  const timer = setTimeout(() => stuck.reject(failure()), MAX_LIMITS * limitMs);
  try {
    for (let checks = 1; ; checks++) {
      const value = await Promise.race([read(), stuck.promise]);
      if (isEnough(value)) return value;
      last = { value };
      if (checks >= minChecks && performance.now() - begunAt >= limitMs) throw failure();
      if (checks <= CHECKS_WITHOUT_PAUSE) await nextTurn();
      else await delay(Math.min(Math.max((performance.now() - begunAt) * PAUSED_PART, MIN_PAUSE_MS), MAX_PAUSE_MS));
    }
  } finally {
    clearTimeout(timer);
  }
}
