import assert from 'node:assert/strict';
import { test } from 'node:test';
import pino from 'pino';
import { WorkerLoop } from './worker-loop.ts';

const SILENT = pino({ level: 'silent' });

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
