import assert from 'node:assert/strict';
import { beforeEach, type TestContext, test } from 'node:test';
import { EventPace } from './event-pace.ts';

/** What the pace needs of a page. */
const page = { visibilityState: 'visible' };
Object.assign(globalThis, { document: page, requestAnimationFrame: queueMicrotask });

beforeEach(() => {
  page.visibilityState = 'visible';
});

/** Keeps the app busy with events for so long. Returns how long it waits afterwards. Both are milliseconds of a false clock. */
async function waitAfter(t: TestContext, busyMs: number): Promise<number> {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const pace = new EventPace();
  pace.arrived();
  now += busyMs;
  let isReady = false;
  void pace.untilReady().then(() => {
    isReady = true;
  });
  for (let waitedMs = 0; waitedMs < 1_000; waitedMs += 1) {
    await new Promise(setImmediate);
    if (isReady) return waitedMs;
    t.mock.timers.tick(1);
  }
  return assert.fail('the app does not poll again');
}

test('a busy app waits twice as long as it was busy', async (t) => {
  const waitedMs = await waitAfter(t, 50);
  assert(waitedMs >= 100 && waitedMs <= 103, `it waited for ${waitedMs} ms`);
});

test('the wait is at most 250 ms, so that a slow app still gets events', async (t) => {
  const waitedMs = await waitAfter(t, 600);
  assert(waitedMs >= 250 && waitedMs <= 253, `it waited for ${waitedMs} ms`);
});

test('a hidden page does not wait', async (t) => {
  page.visibilityState = 'hidden';
  assert.equal(await waitAfter(t, 200), 0);
});
