import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { activateLocale, msg, supportedLocale, t } from './i18n.ts';
import {
  dayOf,
  formatBytes,
  formatDay,
  formatList,
  formatRelative,
  formatShort,
  formatTime,
  setTimePreferences,
  type TimePreferences,
} from './i18n-formats.ts';

const NOW = new Date('2026-03-05T14:05:00Z');
const HOUR_MS = 3_600_000;
const before = (hours: number) => new Date(NOW.getTime() - hours * HOUR_MS);

/** The zone of the computer. */
const { TZ } = process.env;

function setZone(zone: string | undefined, preferences: TimePreferences = {}): void {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
  setTimePreferences(preferences);
}

afterEach(() => {
  setZone(TZ);
  activateLocale('en', {});
});

test('a text without a translation is shown in English, without its context', () => {
  assert.equal(t('Close the window'), 'Close the window');
  assert.equal(t('[key] Space'), 'Space');
  assert.equal(t('{count, plural, one {# message} other {# messages}}', { count: 1200 }), '1,200 messages');
});

test('a translation replaces its text, with plural forms and numbers of the language', () => {
  const plural = ['count', 'plural', { offset: undefined, one: ['#', ' Nachricht'], other: ['#', ' Nachrichten'] }];
  activateLocale('de', {
    'Close the window': 'Fenster schließen',
    '{count, plural, one {# message} other {# messages}}': [plural] as never,
  });
  assert.equal(t(msg('Close the window')), 'Fenster schließen');
  assert.equal(t('{count, plural, one {# message} other {# messages}}', { count: 1 }), '1 Nachricht');
  assert.equal(t('{count, plural, one {# message} other {# messages}}', { count: 1200 }), '1.200 Nachrichten');
});

test('values are never read as escapes', () => {
  for (const name of ['C:\\x64 \\u0041', '{name}', '\ue000\ue001']) {
    assert.equal(t('{name} in {place}', { name, place: name }), `${name} in ${name}`);
  }
  assert.equal(t('{name} in {place}', { name: undefined, place: 'x' }), ' in x');
});

test('the first supported language of the user is chosen', () => {
  assert.equal(supportedLocale(['fr', 'de-AT', 'en']), 'de');
  assert.equal(supportedLocale(['fr']), 'en');
  assert.equal(supportedLocale([]), 'en');
});

test('days and times are those of the chosen zone and clock', () => {
  setZone('Pacific/Auckland', { hour12: false });
  assert.equal(dayOf(NOW), 20260306);
  assert.equal(formatTime(NOW), '03:05');
  setZone('UTC', { hour12: true });
  assert.equal(dayOf(NOW), 20260305);
  assert.match(formatTime(NOW), /^2:05\sPM$/);
});

test('days are named by their distance', () => {
  setZone('UTC');
  assert.equal(formatDay(before(1), NOW), 'Today');
  assert.equal(formatDay(before(20), NOW), 'Yesterday');
  assert.equal(formatDay(before(72), NOW), 'Monday, March 2');
  assert.equal(formatDay(before(24 * 365), NOW), 'Wednesday, March 5, 2025');
  assert.equal(formatShort(before(72), NOW), 'Mar 2');
  activateLocale('de', {}, ['de-DE']);
  assert.equal(formatDay(before(20), NOW), 'Gestern');
  assert.equal(formatDay(before(72), NOW), 'Montag, 2. März');
});

test('distances, lists and sizes have the form of the language', () => {
  assert.equal(formatRelative(before(3), NOW), '3 hours ago');
  assert.equal(formatRelative(NOW, NOW), 'now');
  assert.equal(formatList(['Ada', 'Bo', 'Cy']), 'Ada, Bo, and Cy');
  assert.equal(formatBytes(3_400_000), '3.4 MB');
  activateLocale('de', {}, ['de-DE']);
  assert.equal(formatRelative(before(3), NOW), 'vor 3 Stunden');
  assert.equal(formatList(['Ada', 'Bo', 'Cy'], 'disjunction'), 'Ada, Bo oder Cy');
  assert.equal(formatBytes(3_400_000), '3,4 MB');
});
