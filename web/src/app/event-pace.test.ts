import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventPace, pauseAfter } from './event-pace.ts';

test('a busy app waits twice as long as it was busy', () => {
  assert.equal(pauseAfter(50), 100);
});

test('the wait is at most 250 ms, so that a slow app still gets events', () => {
  assert.equal(pauseAfter(600), 250);
});

test('a visible page waits for a frame, a hidden one does not', async () => {
  const page = { visibilityState: 'visible' };
  let frames = 0;
  const requestAnimationFrame = (shown: () => void) => {
    frames++;
    shown();
  };
  Object.assign(globalThis, { document: page, requestAnimationFrame });
  const pace = new EventPace();
  pace.arrived();
  await pace.untilReady();
  assert.equal(frames, 1);
  page.visibilityState = 'hidden';
  await pace.untilReady();
  assert.equal(frames, 1);
});
