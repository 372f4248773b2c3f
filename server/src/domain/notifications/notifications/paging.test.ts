import assert from 'node:assert/strict';
import { test } from 'node:test';
import { upTo } from './missed.ts';

const found = (most: number, counts: readonly (number | undefined)[]) => {
  const { events, found } = upTo(most, counts, (count) =>
    count === undefined ? undefined : Array.from({ length: count }, () => 'one'),
  );
  return [events.length, found.length];
};

test('messages share a transaction until they concern too many users together, and one message is always examined', () => {
  assert.deepEqual(found(1000, [300, 0, 300]), [3, 600]);
  assert.deepEqual(found(1000, [500, 0, 500, 1]), [3, 1000]);
  assert.deepEqual(found(1000, [5000, 0, 1]), [1, 5000]);
});

test('messages that concern few users share a transaction, however many users have devices', () => {
  assert.deepEqual(found(1000, Array(900).fill(1)), [900, 900]);
  assert.deepEqual(found(1000, []), [0, 0]);
});

test('a message of a topic that was not looked up waits for the next transaction', () => {
  assert.deepEqual(found(1000, [1, 0, undefined, 1]), [2, 1]);
});
