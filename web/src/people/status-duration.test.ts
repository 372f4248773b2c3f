import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endOf } from './status-duration.ts';

const endsAt = (duration: Parameters<typeof endOf>[0], now: string) =>
  endOf(duration, new Date(now), 'Europe/Berlin')?.toISOString();

test('a status ends after its duration, or at midnight in the zone of the user', () => {
  const now = '2026-11-26T22:30:00Z';
  assert.equal(endsAt('never', now), undefined);
  assert.equal(endsAt('half hour', now), '2026-11-26T23:00:00.000Z');
  assert.equal(endsAt('four hours', now), '2026-11-27T02:30:00.000Z');
  // In Berlin it is 23:30.
  assert.equal(endsAt('today', now), '2026-11-26T23:00:00.000Z');
});

test('a status of this week ends after Sunday, also on a Sunday', () => {
  assert.equal(endsAt('week', '2026-11-26T10:00:00Z'), '2026-11-29T23:00:00.000Z');
  assert.equal(endsAt('week', '2026-11-29T10:00:00Z'), '2026-11-29T23:00:00.000Z');
});
