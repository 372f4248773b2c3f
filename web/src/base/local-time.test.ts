import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { dateOfField, daysToMonday, fieldValueOf, nextFullHour } from './local-time.ts';

/** The results of expressions in a process in this zone, as ISO texts. */
function inZone(zone: string, ...expressions: readonly string[]): readonly string[] {
  const module = JSON.stringify(join(import.meta.dirname, 'local-time.ts'));
  const code = `const { dateOfField, fieldValueOf, onDay } = await import(${module}); console.log(JSON.stringify([${expressions}]));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    env: { ...process.env, TZ: zone },
    encoding: 'utf8',
  });
  assert.notEqual(stdout, '', stderr);
  return JSON.parse(stdout);
}

test('times are those of the clock of the browser, also around a clock change', () => {
  assert.deepEqual(
    inZone(
      'Europe/Berlin',
      `dateOfField('2026-07-01T09:00')`,
      `dateOfField('2026-12-01T09:00')`,
      // Skipped by a clock change, and shown twice.
      `dateOfField('2026-03-29T02:30')`,
      `dateOfField('2026-10-25T02:30')`,
      // The clocks change in the night to Sunday, 25 October 2026.
      `onDay(new Date('2026-10-24T20:00:00Z'), 1, 9)`,
      `fieldValueOf(new Date('2025-12-31T23:30:00Z'))`,
    ),
    [
      '2026-07-01T07:00:00.000Z',
      '2026-12-01T08:00:00.000Z',
      '2026-03-29T01:30:00.000Z',
      '2026-10-25T00:30:00.000Z',
      '2026-10-25T08:00:00.000Z',
      '2026-01-01T00:30',
    ],
  );
});

test('a value that is not complete is no time', () => {
  for (const value of ['', 'T', '2026-03-05T', 'T09:00', '2026-03-05', '2026-13-05T09:00']) {
    assert.equal(dateOfField(value), undefined, value);
  }
  const date = new Date(2026, 2, 5, 9, 7);
  assert.deepEqual(dateOfField(fieldValueOf(date)), date);
});

test('the next full hour and the next Monday are never now', () => {
  assert.deepEqual(nextFullHour(new Date(2026, 2, 5, 23)), new Date(2026, 2, 6));
  assert.deepEqual(nextFullHour(new Date(2026, 2, 5, 9, 59)), new Date(2026, 2, 5, 10));
  // 2 March 2026 is a Monday.
  assert.deepEqual(
    [2, 3, 7, 8].map((day) => daysToMonday(new Date(2026, 2, day))),
    [7, 6, 2, 1],
  );
});
