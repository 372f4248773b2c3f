import assert from 'node:assert/strict';
import { test } from 'node:test';
import { presetsAt } from './presets.ts';

test('presets are in the future, and Monday is not offered twice', () => {
  const keys = (...now: [day: number, hour: number, minute: number]) =>
    presetsAt(new Date(2026, 10, ...now)).map(({ key }) => key);
  // Wednesday.
  assert.deepEqual(keys(25, 6, 0), ['later today', 'afternoon', 'tomorrow', 'tomorrow afternoon', 'monday']);
  assert.deepEqual(keys(25, 15, 50), ['tomorrow', 'tomorrow afternoon', 'monday']);
  // Sunday.
  assert.deepEqual(keys(29, 20, 0), ['tomorrow', 'tomorrow afternoon']);
  // Monday: the next one is meant.
  const [last] = presetsAt(new Date(2026, 10, 30, 20)).slice(-1);
  assert.deepEqual(last?.at, new Date(2026, 11, 7, 9));
});
