import assert from 'node:assert/strict';
import { test } from 'node:test';
import { presetsAt } from './presets.ts';
import { fieldsOfDate, inZone, onDay } from './zoned-time.ts';

test('a time is that of clocks in the zone of the user', () => {
  assert.equal(
    inZone({ date: '2026-07-01', time: '09:00' }, 'Europe/Berlin')?.toISOString(),
    '2026-07-01T07:00:00.000Z',
  );
  assert.equal(
    inZone({ date: '2026-12-01', time: '09:00' }, 'Europe/Berlin')?.toISOString(),
    '2026-12-01T08:00:00.000Z',
  );
  assert.equal(
    inZone({ date: '2026-12-01', time: '09:00' }, 'Asia/Kolkata')?.toISOString(),
    '2026-12-01T03:30:00.000Z',
  );
  assert.equal(inZone({ date: '', time: '09:00' }, 'UTC'), undefined);
});

test('a time that a clock change skips is after the change; one that occurs twice is the first', () => {
  const skipped = inZone({ date: '2026-03-29', time: '02:30' }, 'Europe/Berlin');
  assert.equal(skipped?.toISOString(), '2026-03-29T01:30:00.000Z');
  const twice = inZone({ date: '2026-10-25', time: '02:30' }, 'Europe/Berlin');
  assert.equal(twice?.toISOString(), '2026-10-25T00:30:00.000Z');
});

test('the fields show the time in the zone', () => {
  assert.deepEqual(fieldsOfDate(new Date('2026-01-01T03:00:00Z'), 'America/New_York'), {
    date: '2025-12-31',
    time: '22:00',
  });
});

test('the next day has its own offset', () => {
  // The clocks change in the night to Sunday, 25 October 2026.
  const saturday = new Date('2026-10-24T20:00:00Z');
  assert.equal(onDay(saturday, 1, '09:00', 'Europe/Berlin').toISOString(), '2026-10-25T08:00:00.000Z');
});

test('presets are in the future, and Monday is not offered twice', () => {
  const keys = (now: string) => presetsAt(new Date(now), 'UTC').map(({ key }) => key);
  // Wednesday.
  assert.deepEqual(keys('2026-11-25T06:00:00Z'), [
    'later today',
    'afternoon',
    'tomorrow',
    'tomorrow afternoon',
    'monday',
  ]);
  assert.deepEqual(keys('2026-11-25T15:50:00Z'), ['tomorrow', 'tomorrow afternoon', 'monday']);
  // Sunday.
  assert.deepEqual(keys('2026-11-29T20:00:00Z'), ['tomorrow', 'tomorrow afternoon']);
  // Monday: the next one is meant.
  const [last] = presetsAt(new Date('2026-11-30T20:00:00Z'), 'UTC').slice(-1);
  assert.equal(last?.at.toISOString(), '2026-12-07T09:00:00.000Z');
});
