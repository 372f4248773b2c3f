import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../testing/random/property.ts';
import { batchesOf } from './batches.ts';

const CHANNEL = 3;
const costOf = () => CHANNEL;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

test('batches contain every channel with every user once and in order, within the cost limit', () => {
  fc.assert(
    fc.property(fc.nat({ max: 12 }), fc.nat({ max: 40 }), fc.integer({ min: 1, max: 60 }), (channels, users, most) => {
      const batches = batchesOf(numbers(channels), numbers(users), costOf, most);
      const pairs = batches.flatMap((batch) =>
        batch.channels.flatMap((one) => batch.userIds.map((user) => [one, user])),
      );
      assert.deepEqual(
        pairs,
        numbers(channels).flatMap((one) => numbers(users).map((user) => [one, user])),
      );
      for (const batch of batches) {
        const cost = batch.channels.length * (CHANNEL + batch.userIds.length);
        assert(cost <= most || (batch.channels.length === 1 && batch.userIds.length <= 1), `${cost} of ${most}`);
      }
    }),
  );
});

test('what fits is one batch, and a channel that fits is not split', () => {
  assert.equal(batchesOf(numbers(4), numbers(7), costOf, 40).length, 1);
  const batches = batchesOf(numbers(5), numbers(7), costOf, 39);
  assert.deepEqual(
    batches.map(({ channels, userIds }) => [channels.length, userIds.length]),
    [
      [3, 7],
      [2, 7],
    ],
  );
});

test('a channel without users is a batch, because it may have to be created', () => {
  assert.deepEqual(batchesOf(['new'], [], costOf), [{ channels: ['new'], userIds: [] }]);
  assert.deepEqual(batchesOf([], numbers(3), costOf), []);
});
