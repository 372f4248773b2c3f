import assert from 'node:assert/strict';
import { test } from 'node:test';
import { topicPlace } from '@heddle/client/model/messages/places.ts';
import { sectionAt } from './list-top.ts';
import type { Row } from './rows.ts';

const HEIGHT = 20;
const BAR = 15;

const message = (id: number): Row => ({ kind: 'message', key: id, id, showsSender: true });
const place = (id: number): Row => ({
  kind: 'place',
  key: `place-${id}`,
  place: topicPlace(1, `topic ${id}`),
  timestamp: 0,
  firstId: id,
});
const date = (id: number): Row => ({ kind: 'date', key: `date-${id}`, timestamp: id });
const marker: Row = { kind: 'unread-marker', key: 'unread-marker' };

/** Each row is 20 pixels high. */
const measured = (rows: readonly Row[]) => rows.map((_, at) => ({ start: at * HEIGHT, end: (at + 1) * HEIGHT }));

/** The bar at the top: the row, and how far it is pushed away. */
function barAt(rows: readonly Row[], top: number): readonly unknown[] {
  const section = sectionAt(rows, measured(rows), top, BAR);
  return [section?.row.key, section?.isAway, section?.push];
}

test('the bar at the top is that of the first visible row, and the next place or day pushes it away', () => {
  const rows = [date(1), place(1), message(1), message(2), place(3), message(3), date(2), marker, place(4), message(4)];
  assert.deepEqual(barAt(rows, 0), ['place-1', false, 0]);
  assert.deepEqual(barAt(rows, 45), ['place-1', true, 0]);
  // The bar of the next place begins at 85.
  assert.deepEqual(barAt(rows, 76), ['place-1', true, -6]);
  assert.deepEqual(barAt(rows, 87), ['place-3', true, 0]);
  assert.deepEqual(barAt(rows, 110), ['place-3', true, -5]);
  assert.deepEqual(barAt(rows, 150), ['place-3', true, -45]);
  assert.deepEqual(barAt(rows, 167), ['place-4', true, 0]);
  assert.deepEqual(barAt([message(1), place(2), message(2)], 0), ['place-2', false, 0]);
  assert.equal(sectionAt([date(1), message(1)], measured([date(1), message(1)]), 0, BAR), undefined);
});

test('the work of a scroll does not grow with the list', () => {
  const readsOf = (sections: number): number => {
    const rows = Array.from({ length: sections }, (_, at) => [
      place(10 * at),
      ...range(9, 10 * at).map(message),
    ]).flat();
    let reads = 0;
    const counted = new Proxy(rows, {
      get(target, key, receiver) {
        reads += 1;
        return Reflect.get(target, key, receiver);
      },
    });
    const section = sectionAt(counted, measured(rows), (rows.length - 15) * HEIGHT, BAR);
    assert.equal(section?.row.kind, 'place');
    return reads;
  };
  assert.equal(readsOf(200), readsOf(20));
});

const range = (length: number, from: number) => Array.from({ length }, (_, at) => from + at + 1);
