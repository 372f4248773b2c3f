import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withKnownRows } from './known-rows.ts';

const rows = () => [
  { key: 'a', place: { userIds: [1, 2] } },
  { key: 'b', place: { userIds: [3] } },
];

test('equal rows keep their list', () => {
  const before = rows();
  assert.equal(withKnownRows(before, rows()), before);
});

test('a changed row is new, and the others keep their objects', () => {
  const before = rows();
  const after = withKnownRows(before, [{ key: 'a', place: { userIds: [1] } }, ...rows().slice(1)]);
  assert.deepEqual(after[0], { key: 'a', place: { userIds: [1] } });
  assert.equal(after[1], before[1]);
});

test('rows in another order are another list of the same objects', () => {
  const before = rows();
  const after = withKnownRows(before, rows().reverse());
  assert.notEqual(after, before);
  assert.deepEqual(
    after.map((row) => before.indexOf(row)),
    [1, 0],
  );
});

test('a shorter list is another list', () => {
  const before = rows();
  assert.deepEqual(withKnownRows(before, rows().slice(0, 1)), [before[0]]);
});
