import type { TestContext } from 'node:test';

/**
 * From now on, the delays of the timers of the client that have run out, in milliseconds. A timer that was cleared does not count, nor does one
 * of the server, which runs in the same process.
 */
export function expiredTimers(t: TestContext): number[] {
  const expired: number[] = [];
  const start = globalThis.setTimeout; // timing: it counts timers, and waits for none
  // timing: see above
  t.mock.method(
    globalThis,
    'setTimeout',
    (act: (...values: unknown[]) => void, milliseconds = 0, ...values: unknown[]) => {
      const isOfClient = callerIn(new Error('for its stack').stack ?? '').includes('/client/');
      return start(() => {
        if (isOfClient) expired.push(milliseconds);
        act(...values);
      }, milliseconds);
    },
  );
  return expired;
}

/** The line of the stack that set the timer: the first one outside of this file and of the mock. */
function callerIn(stack: string): string {
  const lines = stack.split('\n').slice(1);
  return lines.find((line) => !line.includes('node:internal') && !line.includes('/testing/expired-timers.ts')) ?? '';
}
