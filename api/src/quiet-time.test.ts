import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '@heddle/server/testing/random/property.ts';
import { type QuietHours, type QuietWindow, quietUntil } from './quiet-time.ts';

const MINUTE = 60_000;
/** The model walks in steps. All clocks of the world have changed on whole steps since 2012. */
const STEP = 5 * MINUTE;
const DAY = 24 * 60 * MINUTE;
const WEEK = 7 * DAY;
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

const hours = (schedule: readonly QuietWindow[], more: Partial<QuietHours> = {}): QuietHours => ({
  paused_until: null,
  resumed_until: null,
  except_direct_messages: false,
  schedule,
  ...more,
});
const endIn = (zone: string, schedule: readonly QuietWindow[], at: string) => {
  const end = quietUntil(hours(schedule), zone, Date.parse(at));
  return end === null ? null : new Date(end).toISOString().replace(':00.000', '');
};
const NIGHT = [{ days: EVERY_DAY, from: 22 * 60, to: 7 * 60 }];

// rules: quiet-4
test('a window over midnight belongs to the day on which it begins', () => {
  const friday = [{ days: [5], from: 22 * 60, to: 7 * 60 }];
  assert.equal(endIn('UTC', friday, '2026-11-27T21:59Z'), null);
  assert.equal(endIn('UTC', friday, '2026-11-27T22:00Z'), '2026-11-28T07:00Z');
  assert.equal(endIn('UTC', friday, '2026-11-28T06:59Z'), '2026-11-28T07:00Z');
  assert.equal(endIn('UTC', friday, '2026-11-28T07:00Z'), null);
  assert.equal(endIn('UTC', friday, '2026-11-28T23:00Z'), null);
});

// rules: quiet-4
test('the clock of the user decides, before and after each change of the clock', () => {
  assert.equal(endIn('Europe/Berlin', NIGHT, '2026-03-28T21:00Z'), '2026-03-29T05:00Z');
  assert.equal(endIn('Europe/Berlin', NIGHT, '2026-10-24T20:00Z'), '2026-10-25T06:00Z');
  assert.equal(endIn('America/New_York', NIGHT, '2026-07-02T02:00Z'), '2026-07-02T11:00Z');
  assert.equal(endIn('Asia/Kathmandu', NIGHT, '2026-07-01T16:15Z'), '2026-07-02T01:15Z');
});

// rules: quiet-4
test('a time that the clock skips is the moment of the change, and of two equal times the first counts', () => {
  const early = (from: number, to: number) => [{ days: EVERY_DAY, from, to }];
  // In Berlin, 2:00 becomes 3:00 on 29 March, and 3:00 becomes 2:00 on 25 October.
  assert.equal(endIn('Europe/Berlin', early(60, 150), '2026-03-29T00:30Z'), '2026-03-29T01:00Z');
  assert.equal(endIn('Europe/Berlin', early(130, 170), '2026-03-29T01:00Z'), null);
  assert.equal(endIn('Europe/Berlin', early(60, 150), '2026-10-25T00:10Z'), '2026-10-25T00:30Z');
  assert.equal(endIn('Europe/Berlin', early(60, 150), '2026-10-25T01:10Z'), null);
  // Samoa had no 30 December 2011.
  assert.equal(endIn('Pacific/Apia', NIGHT, '2011-12-30T09:00Z'), '2011-12-30T17:00Z');
});

// rules: quiet-3, quiet-4
test('what touches is one pause, and a week without a gap has an end', () => {
  const touching = [
    { days: [1], from: 600, to: 660 },
    { days: [1], from: 660, to: 720 },
  ];
  assert.equal(endIn('UTC', touching, '2026-11-30T10:00Z'), '2026-11-30T12:00Z');
  const now = Date.parse('2026-11-30T10:00Z');
  const paused = hours(NIGHT, { paused_until: Date.parse('2026-11-30T23:00Z') / 1000 });
  assert.equal(quietUntil(paused, '', now), Date.parse('2026-12-01T07:00Z'));
  const always = quietUntil(hours([{ days: EVERY_DAY, from: 0, to: 0 }]), 'UTC', now);
  assert(always !== null && always >= now + WEEK && always <= now + WEEK + DAY);
});

const minuteOfDay = fc.integer({ min: 0, max: 287 }).map((step) => step * 5);
const window = fc.record({
  days: fc.subarray(EVERY_DAY, { minLength: 1 }),
  from: minuteOfDay,
  to: minuteOfDay,
});
const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
const [FIRST, LAST] = [Date.parse('2012-01-10T00:00Z'), Date.parse('2036-01-01T00:00Z')];
const aligned = (time: number) => Math.floor(time / STEP) * STEP;
const anyTime = fc.integer({ min: FIRST, max: LAST }).map(aligned);
/** Near a change of the clock, if the zone has one. */
const moment = fc.tuple(anyTime, fc.integer({ min: -30 * 60, max: 30 * 60 }), fc.boolean());

function momentIn(timeZone: string, [time, minutes, isNear]: [number, number, boolean]): number {
  const zoned = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timeZone);
  const change = isNear ? zoned.getTimeZoneTransition('next') : null;
  return change === null ? time : aligned(change.epochMilliseconds + minutes * MINUTE);
}

/** The time that the clock shows, as if it were UTC. */
function clockAt(timeZone: string, time: number): number {
  const shown = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timeZone).toPlainDateTime();
  return shown.toZonedDateTime('UTC').epochMilliseconds;
}

/** Walks step by step from days before until nothing is quiet, and looks at the clock as a person does. */
function naiveUntil(all: QuietHours, timeZone: string, now: number): number | null {
  const firstDay = Math.floor(clockAt(timeZone, now) / DAY) - 1;
  const waiting: { begin: number; end: number }[] = [];
  for (let day = firstDay; day <= firstDay + 12; day += 1) {
    const weekday = Temporal.Instant.fromEpochMilliseconds(day * DAY).toZonedDateTimeISO('UTC').dayOfWeek;
    for (const { days, from, to } of all.schedule) {
      if (!days.includes(weekday)) continue;
      const begin = day * DAY + from * MINUTE;
      waiting.push({ begin, end: day * DAY + to * MINUTE + (to > from ? 0 : DAY) });
    }
  }
  const running = new Set<(typeof waiting)[number]>();
  for (let at = now - 50 * 60 * MINUTE; at < now + WEEK; at += STEP) {
    const clock = clockAt(timeZone, at);
    for (const one of waiting) if (clock >= one.begin) running.add(one);
    for (const one of running) {
      waiting.splice(waiting.indexOf(one), waiting.includes(one) ? 1 : 0);
      if (clock >= one.end) running.delete(one);
    }
    if (at < now) continue;
    const isPaused = at < (all.paused_until ?? 0) * 1000;
    const isScheduled = running.size > 0 && at >= (all.resumed_until ?? 0) * 1000;
    if (!isPaused && !isScheduled) return at === now ? null : at;
  }
  return now + WEEK;
}

// rules: quiet-4
test('in all zones, random weeks mean what a walk along the clock finds', () => {
  const minutes = fc.option(
    fc.integer({ min: -300, max: 600 }).map((step) => step * 5),
    { freq: 1 },
  );
  fc.assert(
    fc.property(
      zone,
      moment,
      fc.array(window, { minLength: 1, maxLength: 3 }),
      minutes,
      minutes,
      (timeZone, near, schedule, paused, resumed) => {
        const now = momentIn(timeZone, near);
        const second = (after: number | null) => (after === null ? null : (now + after * MINUTE) / 1000);
        const all = hours(schedule, { paused_until: second(paused), resumed_until: second(resumed) });
        const [found, expected] = [quietUntil(all, timeZone, now), naiveUntil(all, timeZone, now)];
        const facts = `${timeZone} ${new Date(now).toISOString()} ${JSON.stringify(all)}`;
        if (expected !== null && expected >= now + WEEK) assert(found !== null && found >= now + WEEK, facts);
        else assert.equal(found, expected, facts);
      },
    ),
    { numRuns: 300 },
  );
});
