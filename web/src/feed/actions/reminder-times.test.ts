import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldValueOf } from '../../base/local-time.ts';
import { reminderPresets } from './reminder-times.ts';

function presetsOf(now: Date): Readonly<Record<string, string>> {
  return Object.fromEntries(reminderPresets(now).map(({ id, date }) => [id, fieldValueOf(date)]));
}

test('on a Thursday morning, four times are offered', () => {
  assert.deepEqual(presetsOf(new Date(2026, 2, 5, 9, 30)), {
    hour: '2026-03-05T10:30',
    evening: '2026-03-05T18:00',
    tomorrow: '2026-03-06T09:00',
    monday: '2026-03-09T09:00',
  });
});

test('the evening is not offered late, and Monday not on a Sunday', () => {
  assert.deepEqual(Object.keys(presetsOf(new Date(2026, 2, 5, 17))), ['hour', 'tomorrow', 'monday']);
  assert.deepEqual(Object.keys(presetsOf(new Date(2026, 2, 8, 9))), ['hour', 'evening', 'tomorrow']);
});

test('every time is in the future on all days', () => {
  for (let day = 1; day <= 31; day += 1) {
    for (const hour of [0, 8, 9, 17, 23]) {
      const now = new Date(2026, 11, day, hour, 59);
      for (const { date } of reminderPresets(now)) assert(date > now);
    }
  }
});
