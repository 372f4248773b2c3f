import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endOf } from './status-duration.ts';

test('a status ends after its duration, or at midnight', () => {
  const now = new Date(2026, 10, 26, 23, 30);
  assert.equal(endOf('never', now), undefined);
  assert.deepEqual(endOf('half hour', now), new Date(now.getTime() + 30 * 60_000));
  assert.deepEqual(endOf('four hours', now), new Date(now.getTime() + 4 * 3_600_000));
  assert.deepEqual(endOf('today', now), new Date(2026, 10, 27));
});

test('a status of this week ends after Sunday, also on a Sunday', () => {
  const monday = new Date(2026, 10, 30);
  assert.deepEqual(endOf('week', new Date(2026, 10, 26, 11)), monday);
  assert.deepEqual(endOf('week', new Date(2026, 10, 29, 11)), monday);
});
