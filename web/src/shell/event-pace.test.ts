import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { EventPace } from './event-pace.ts';

/** What the pace needs of a page. */
const page = { visibilityState: 'visible' };
Object.assign(globalThis, {
  document: page,
  requestAnimationFrame: (callback: () => void) => setTimeout(callback),
});

beforeEach(() => {
  page.visibilityState = 'visible';
});

/** Keeps the app busy with events for so long. Returns how long it waits afterwards. Both in milliseconds. */
async function waitAfter(busyMs: number): Promise<number> {
  const pace = new EventPace();
  pace.arrived();
  for (const end = performance.now() + busyMs; performance.now() < end; );
  const begunAt = performance.now();
  await pace.untilReady();
  return performance.now() - begunAt;
}

test('a busy app waits twice as long as it was busy', async () => {
  // A timer may end up to a millisecond early.
  assert((await waitAfter(50)) >= 99);
});

test('the wait is at most 250 ms, so that a slow app still gets events', async () => {
  const waited = await waitAfter(600);
  assert(waited >= 249 && waited < 1200, `it waited for ${waited} ms`);
});

test('a hidden page does not wait', async () => {
  page.visibilityState = 'hidden';
  assert((await waitAfter(200)) < 240);
});
