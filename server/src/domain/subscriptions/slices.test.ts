import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { slicesOf } from './slices.ts';

const CHANNEL = 3;
const costOf = () => CHANNEL;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

test('slices are every channel with every user, once and in order, and none costs more than it may', () => {
  fc.assert(
    fc.property(fc.nat({ max: 12 }), fc.nat({ max: 40 }), fc.integer({ min: 1, max: 60 }), (channels, users, most) => {
      const slices = slicesOf(numbers(channels), numbers(users), costOf, most);
      const pairs = slices.flatMap((slice) =>
        slice.channels.flatMap((one) => slice.userIds.map((user) => [one, user])),
      );
      assert.deepEqual(
        pairs,
        numbers(channels).flatMap((one) => numbers(users).map((user) => [one, user])),
      );
      for (const slice of slices) {
        const cost = slice.channels.length * (CHANNEL + slice.userIds.length);
        assert(cost <= most || (slice.channels.length === 1 && slice.userIds.length <= 1), `${cost} of ${most}`);
      }
    }),
  );
});

test('what fits in one slice is one, and a channel that fits is not cut', () => {
  assert.equal(slicesOf(numbers(4), numbers(7), costOf, 40).length, 1);
  const slices = slicesOf(numbers(5), numbers(7), costOf, 39);
  assert.deepEqual(
    slices.map(({ channels, userIds }) => [channels.length, userIds.length]),
    [
      [3, 7],
      [2, 7],
    ],
  );
});

test('a channel for nobody is a slice too: it may be one to create', () => {
  assert.deepEqual(slicesOf(['new'], [], costOf), [{ channels: ['new'], userIds: [] }]);
  assert.deepEqual(slicesOf([], numbers(3), costOf), []);
});
