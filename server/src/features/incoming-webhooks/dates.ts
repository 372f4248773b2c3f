/** Dates and durations of payloads, in words. */
import { type Markdown, withFormatting } from './markdown.ts';

const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)? ?(Z|UTC|[+-]\d\d:?\d\d)?$/i;
const DAY = /^\d{4}-\d\d-\d\d$/;
const LAST_TIME_MS = Date.UTC(9999, 11, 31);

/** Milliseconds since the epoch, of a time without a zone in UTC; undefined for a text that is no time. */
function timeIn(text: string): number | undefined {
  const [, day, time, zone = 'Z'] = TIME.exec(text.slice(0, 50)) ?? [];
  if (day === undefined) return undefined;
  const at = Date.parse(`${day}T${time}${/^(?:z|utc)$/i.test(zone) ? 'Z' : zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`);
  return Number.isNaN(at) ? undefined : at;
}

/** A point in time, which each reader sees in words and in their own time zone; undefined for a text that is none. */
export function moment(time: string | number | undefined): Markdown | undefined {
  const at = typeof time === 'string' ? timeIn(time) : time;
  if (at === undefined || !(at >= 0 && at <= LAST_TIME_MS)) return undefined;
  return withFormatting(`<time:${new Date(at).toISOString().slice(0, 19)}Z>`);
}

/** The day of a date like `2026-10-02`, or of a time in UTC: `2 October 2026`. Other texts stay. */
export function dayInWords(text: string): string {
  const at = DAY.test(text) ? Date.parse(text) : timeIn(text);
  if (at === undefined || Number.isNaN(at)) return text;
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(at);
}

const SECONDS_PER_DAY = 86_400;
const SECONDS_PER_HOUR = 3600;
const SECONDS_PER_MINUTE = 60;
const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [SECONDS_PER_DAY, 'day'],
  [SECONDS_PER_HOUR, 'hour'],
  [SECONDS_PER_MINUTE, 'minute'],
  [1, 'second'],
];

/** Its two largest units, like `2 minutes 5 seconds`; '' for no duration. */
export function durationInWords(seconds: number | undefined): string {
  if (seconds === undefined || !(seconds >= 0 && seconds < Number.MAX_SAFE_INTEGER)) return '';
  let rest = Math.round(seconds);
  const parts = UNITS.flatMap(([size, name]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? [] : [`${count} ${name}${count === 1 ? '' : 's'}`];
  });
  return parts.length === 0 ? '0 seconds' : parts.slice(0, 2).join(' ');
}

/** The duration between two times; '' if one is missing. */
export function durationBetween(begin: string, end: string): string {
  const [from, to] = [timeIn(begin), timeIn(end)];
  return from === undefined || to === undefined ? '' : durationInWords((to - from) / 1000);
}
