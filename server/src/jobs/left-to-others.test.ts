import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LeftToOthers } from './left-to-others.ts';

const MINUTE_MS = 60_000;

test('work is left to other processes as long as they make progress, and for some seconds after that', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 0 });
  const others = new LeftToOthers();
  const progress = [1, 2, 3];
  for (const position of progress) {
    assert(others.leaves('log', position));
    t.mock.timers.tick(3_000);
    assert(others.leaves('log', position), `after ${position}`);
    t.mock.timers.tick(MINUTE_MS);
  }
  assert(!others.leaves('log', 3));
  assert(others.leaves('another log', 3));
});
