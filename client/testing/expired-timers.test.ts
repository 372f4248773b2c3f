import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expiredTimers } from './expired-timers.ts';

test('a counted timer passes its values on, as fetch expects', async (t) => {
  const expired = expiredTimers(t);
  // timing: the counted timer itself is tested
  const values = await new Promise((resolve) => setTimeout((...given: unknown[]) => resolve(given), 3, 'a', 'b'));
  assert.deepEqual(values, ['a', 'b']);
  assert.deepEqual(expired, [3]);
});
