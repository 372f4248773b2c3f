import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInThisContext } from 'node:vm';
import { expiredTimers } from './expired-timers.ts';

test('a counted timer passes its values on, as fetch expects', async (t) => {
  const expired = expiredTimers(t);
  // timing: the counted timer itself is tested
  const values = await new Promise((resolve) => setTimeout((...given: unknown[]) => resolve(given), 3, 'a', 'b'));
  assert.deepEqual(values, ['a', 'b']);
  assert.deepEqual(expired, [3]);
});

test('a timer of the server in the same process does not count', async (t) => {
  const expired = expiredTimers(t);
  // timing: the counted timer itself is tested
  const text = '(resolve) => setTimeout(resolve, 3)';
  await new Promise(runInThisContext(text, { filename: '/heddle/server/src/jobs/worker-loop.ts' }));
  assert.deepEqual(expired, []);
});
