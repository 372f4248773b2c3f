import type { TestContext } from 'node:test';

/** From now on, the delays of the global timers that have run out, in milliseconds. A timer that was cleared does not count. */
export function expiredTimers(t: TestContext): number[] {
  const expired: number[] = [];
  const start = globalThis.setTimeout; // timing: it counts timers, and waits for none
  // timing: see above
  t.mock.method(
    globalThis,
    'setTimeout',
    (act: (...values: unknown[]) => void, milliseconds = 0, ...values: unknown[]) =>
      start(() => {
        expired.push(milliseconds);
        act(...values);
      }, milliseconds),
  );
  return expired;
}
