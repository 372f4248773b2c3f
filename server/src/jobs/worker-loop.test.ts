import assert from 'node:assert/strict';
import { test } from 'node:test';
import pino from 'pino';
import { WorkerLoop } from './worker-loop.ts';

const SILENT = pino({ level: 'silent' });

test('a time that is announced during a run causes another run, whose result says how long to wait', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  let looks = 0;
  const loop = new WorkerLoop({
    name: 'a test',
    log: SILENT,
    async look() {
      looks += 1;
      // The first poll has begun before the row existed; the second finds it.
      if (looks === 1) loop.wakeAt(Date.now() + 300);
      return looks === 1 ? false : 300;
    },
  });
  loop.start();
  await new Promise(setImmediate);
  assert.equal(looks, 2);
  t.mock.timers.tick(299);
  await new Promise(setImmediate);
  assert.equal(looks, 2);
  t.mock.timers.tick(1);
  await new Promise(setImmediate);
  assert.equal(looks, 3);
  await loop.stop();
});

test('an announced time moves the next run forward, and never back', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  let looks = 0;
  const loop = new WorkerLoop({
    name: 'a test',
    log: SILENT,
    pollIntervalMs: 1000,
    async look() {
      looks += 1;
      return false;
    },
  });
  loop.start();
  await new Promise(setImmediate);
  loop.wakeAt(Date.now() + 100);
  loop.wakeAt(Date.now() + 500);
  t.mock.timers.tick(100);
  await new Promise(setImmediate);
  assert.equal(looks, 2);
  await loop.stop();
});

test('a wake-up during a run causes another run at once', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let looks = 0;
  const loop = new WorkerLoop({
    name: 'a test',
    log: SILENT,
    async look() {
      looks += 1;
      if (looks === 1) loop.wake();
      return false;
    },
  });
  loop.start();
  await new Promise(setImmediate);
  assert.equal(looks, 2);
  await loop.stop();
});
