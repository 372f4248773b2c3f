import { untilWithin } from '@heddle/server/testing/server/until.ts';

/** The longest duration of a fault, of which a long run has some. */
export const MAX_FAULT_MS = 60_000;

/** What one fault waits for can need the end of another one. Some faults last twice: before and after a promotion. */
const LIMITS = { limitMs: 3 * MAX_FAULT_MS, minChecks: 500 };

/** Like `until` of tests, but patient with other faults. */
export function waitFor(condition: () => Promise<boolean> | boolean, awaited: string): Promise<true> {
  return untilWithin(LIMITS, condition, awaited);
}
