import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Segment } from './segment.ts';

function offline(segment: Segment, active: number[], idle: number[]): (number | undefined)[] {
  const { offlineCount, offlineAt } = segment.split(active, idle);
  return Array.from({ length: offlineCount }, (_, index) => offlineAt(index));
}

test('people who are there come first, the active ones before the idle ones, each in the order of the list', () => {
  const segment = new Segment([5, 3, 9, 1, 7]);
  assert.deepEqual(segment.split([7, 3], [5, 100]).online, [3, 7, 5]);
  assert.deepEqual(offline(segment, [7, 3], [5, 100]), [9, 1]);
});

test('the offline people are those of the list who are not online, in its order', () => {
  const ids = Array.from({ length: 500 }, (_, index) => (index * 7919) % 1009);
  const segment = new Segment(ids);
  for (const step of [1, 2, 3, 10, 499]) {
    const active = ids.filter((_, index) => index % step === 0);
    assert.deepEqual(
      offline(segment, active, []),
      ids.filter((_, index) => index % step !== 0),
    );
  }
});

test('people who are left out are neither among the online nor among the offline people', () => {
  const segment = new Segment([5, 3, 9, 1, 7]);
  const { online, offlineCount, offlineAt } = segment.split([9, 3], [7], new Set([3, 5, 100]));
  assert.deepEqual(online, [9, 7]);
  assert.equal(offlineCount, 1);
  assert.deepEqual([offlineAt(0), offlineAt(1)], [1, undefined]);
});

test('some people of a list keep its order', () => {
  assert.deepEqual(new Segment([5, 3, 9, 1, 7]).only(new Set([7, 100, 3])), [3, 7]);
});
