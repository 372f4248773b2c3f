import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ArchiveRow, fitting } from './archive.ts';

const MEGABYTE = 1024 * 1024;

function row(key: string, size: number): ArchiveRow {
  return { key, channelId: 1, first: 1, last: 2, at: 0, size };
}

test('the oldest conversations leave a full archive, and only as many as necessary', () => {
  const rows = [row('a', 5), row('b', 1), row('c', 4), row('d', 3)];
  const keys = (maxBytes: number) => fitting(rows, maxBytes).map(({ key }) => key);
  assert.deepEqual(keys(13), ['a', 'b', 'c', 'd']);
  assert.deepEqual(keys(12), ['b', 'c', 'd']);
  assert.deepEqual(keys(7), ['c', 'd']);
  assert.deepEqual(keys(2), []);
});

test('after a month of use the archive has the newest conversations, and at most 40 MB', () => {
  let rows: readonly ArchiveRow[] = [];
  // Each day 200 conversations, most of them again and again, each with up to 100 messages.
  for (let day = 0; day < 30; day += 1) {
    for (let count = 0; count < 200; count += 1) {
      const key = count < 150 ? `often ${count}` : `once ${day}/${count}`;
      const size = 20_000 + ((day * 7 + count * 13) % 100) * 1_000;
      rows = fitting([...rows.filter((one) => one.key !== key), row(key, size)]);
    }
  }
  const bytes = rows.reduce((sum, { size }) => sum + size, 0);
  assert(bytes <= 40 * MEGABYTE && bytes > 39 * MEGABYTE, `${bytes} bytes`);
  const keys = rows.map(({ key }) => key);
  assert.equal(keys.at(-1), 'once 29/199');
  assert(keys.includes('often 0') && !keys.includes('once 0/150'));
});
