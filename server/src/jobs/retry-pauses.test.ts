import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RetryPauses } from './retry-pauses.ts';

const HOUR_MS = 3_600_000;

test('a pause doubles until it has an end, and the other side can want one of its own', () => {
  const pauses = new RetryPauses();
  assert.deepEqual([pauses.afterFailure('a'), pauses.afterFailure('a'), pauses.afterFailure('b')], [600, 1200, 600]);
  pauses.end('a');
  assert.equal(pauses.afterFailure('a'), 600);
  pauses.beginFor('c', HOUR_MS);
  assert.deepEqual(pauses.running().toSorted(), ['a', 'b', 'c']);
  pauses.end('c');
  assert(!pauses.running().includes('c'));
});

test('ten thousand pauses are remembered, and one more replaces the oldest', () => {
  const pauses = new RetryPauses();
  for (let number = 1; number <= 10_000; number += 1) pauses.beginFor(`host ${number}`, HOUR_MS);
  // It is not the oldest any more.
  pauses.beginFor('host 1', HOUR_MS);
  for (let number = 10_001; number <= 15_000; number += 1) pauses.beginFor(`host ${number}`, HOUR_MS);
  assert.equal(pauses.running().length, 10_000);
  assert(pauses.left('host 5001') < 0);
  for (const kept of ['host 5002', 'host 1', 'host 15000']) assert(pauses.left(kept) > 0, kept);
});
