/**
 * The speed of this machine, for the limits of test runs. A limit must be longer on a slow or busy machine, because there the same work takes
 * longer.
 */
import { createHash } from 'node:crypto';

/** What {@link work} takes on the machine on which the limits were chosen: two quiet cores of 2026. */
const REFERENCE_MS = 100;

/** Test runs multiply the timeouts of the database and of requests by this, on a machine as fast as the reference. */
const TIMEOUT_FACTOR = 10;

/** The largest that the server accepts (`config/settings.ts`). */
const MAX_TIMEOUT_FACTOR = 100;

/**
 * A process in which no test ends for this time hangs, on a machine as fast as the reference. The longest tests take a minute. A wait
 * that fails must end before (30 s, multiplied by the factor above), because it says what it waited for.
 */
const NO_PROGRESS_LIMIT_MS = 400_000;

export interface Limits {
  /** For `HEDDLE_TIMEOUT_FACTOR`. */
  readonly timeoutFactor: number;
  readonly noProgressLimitMs: number;
}

/** @param slowness how many times longer than on the reference the same work takes; less than 1 on a faster machine */
export function limitsFor(slowness: number): Limits {
  const factor = Math.max(1, slowness);
  return {
    timeoutFactor: Math.min(Math.ceil(TIMEOUT_FACTOR * factor), MAX_TIMEOUT_FACTOR),
    noProgressLimitMs: NO_PROGRESS_LIMIT_MS * factor,
  };
}

/** Measures how many times longer than on the reference this machine takes now, other programs included. */
export function measureSlowness(): number {
  const before = performance.now();
  work();
  return (performance.now() - before) / REFERENCE_MS;
}

/** Some of everything that tests do: objects, text, JSON and hashes. */
function work(): void {
  for (let round = 0; round < ROUND_COUNT; round += 1) {
    const rows = Array.from({ length: 1_000 }, (_, id) => ({ id, name: `row ${id}`, flags: [id % 3, id % 5] }));
    const text = JSON.stringify(rows);
    createHash('sha256').update(text).digest('hex');
    JSON.parse(text);
  }
}

const ROUND_COUNT = 100;
