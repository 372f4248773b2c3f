/** Numbers, dates and lists in the form of the user's language and clock, and in the zone of the browser. */

export interface TimePreferences {
  /** Whether times have 12 hours; undefined leaves it to the language. */
  readonly hour12?: boolean | undefined;
}

let locale = 'en';
let preferences: TimePreferences = {};
/** Making a formatter costs about 50 µs, and a list needs thousands of results. */
const formatters = new Map<string, unknown>();

/** The BCP 47 tag that decides the form of numbers and dates. */
export function formatLocale(): string {
  return locale;
}

export function setFormatLocale(tag: string): void {
  locale = tag;
  formatters.clear();
}

/** Sets the clock of all later results. */
export function setTimePreferences(wanted: TimePreferences): void {
  preferences = wanted;
  formatters.clear();
}

function formatter<F>(key: string, make: () => F): F {
  const known = formatters.get(key) as F | undefined;
  if (known !== undefined) return known;
  const made = make();
  formatters.set(key, made);
  return made;
}

function dates(key: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const { hour12 } = preferences;
  const clock = hour12 === undefined || options.hour === undefined ? {} : { hour12 };
  return formatter(key, () => new Intl.DateTimeFormat(locale, { ...options, ...clock }));
}

/** 12345 as `12,345`. */
export function formatNumber(value: number): string {
  return formatter('number', () => new Intl.NumberFormat(locale)).format(value);
}

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** A size in bytes as `3.4 MB`, with factors of 1,000. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const unit = BYTE_UNITS[power] ?? 'byte';
  const options = {
    style: 'unit',
    unit,
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  } as const;
  return formatter(`bytes ${unit}`, () => new Intl.NumberFormat(locale, options)).format(bytes / 1000 ** power);
}

/** `Ada, Bo, and Cy`, or with `or`. */
export function formatList(items: readonly string[], kind: 'conjunction' | 'disjunction' = 'conjunction'): string {
  return formatter(`list ${kind}`, () => new Intl.ListFormat(locale, { type: kind })).format(items);
}

/** `14:05` or `2:05 PM`. */
export function formatTime(date: Date): string {
  return dates('time', { hour: 'numeric', minute: '2-digit' }).format(date);
}

/** `5 March 2026 at 14:05:30 CET`: everything, for tooltips. */
export function formatFull(date: Date): string {
  return dates('full', {
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  }).format(date);
}

/** `5 Mar 2026, 14:05`. */
export function formatDateTime(date: Date): string {
  return dates('date and time', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  }).format(date);
}

/** A number that is the same for all times of one day: 20260305. */
export function dayOf(date: Date): number {
  const parts = formatter('day', () => new Intl.DateTimeFormat('en-CA'));
  return Number(parts.format(date).replaceAll('-', ''));
}

const DAY_MS = 86_400_000;

/** `Today`, `Yesterday`, `Thursday, 5 March`, or `Thursday, 5 March 2025` in another year. */
export function formatDay(date: Date, now: Date): string {
  const day = dayOf(date);
  if (day === dayOf(now)) return capitalized(relative().format(0, 'day'));
  if (day === dayOf(new Date(now.getTime() - DAY_MS))) return capitalized(relative().format(-1, 'day'));
  const isThisYear = Math.floor(day / 10_000) === Math.floor(dayOf(now) / 10_000);
  return isThisYear ? dates('day line', DAY_LINE).format(date) : formatDayOfYear(date);
}

const DAY_LINE = { weekday: 'long', day: 'numeric', month: 'long' } as const;

/** `Thursday, 5 March 2025`: for paper. */
export function formatDayOfYear(date: Date): string {
  return dates('day line with year', { ...DAY_LINE, year: 'numeric' }).format(date);
}

/** The time if it is today, else the day without its weekday: for lists. */
export function formatShort(date: Date, now: Date): string {
  const day = dayOf(date);
  if (day === dayOf(now)) return formatTime(date);
  if (day === dayOf(new Date(now.getTime() - DAY_MS))) return capitalized(relative().format(-1, 'day'));
  const isThisYear = Math.floor(day / 10_000) === Math.floor(dayOf(now) / 10_000);
  if (isThisYear) return dates('short day', { day: 'numeric', month: 'short' }).format(date);
  return dates('short day with year', { day: 'numeric', month: 'short', year: 'numeric' }).format(date);
}

/** The same with `Today` instead of the time. */
export function formatShortDay(date: Date, now: Date): string {
  return dayOf(date) === dayOf(now) ? capitalized(relative().format(0, 'day')) : formatShort(date, now);
}

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['week', 7 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
];

/** `5 minutes ago`, `in 2 hours`, or `now` below one minute. */
export function formatRelative(date: Date, now: Date): string {
  const seconds = (date.getTime() - now.getTime()) / 1000;
  for (const [unit, size] of STEPS) {
    if (Math.abs(seconds) >= size) return relative().format(Math.trunc(seconds / size), unit);
  }
  return relative().format(0, 'second');
}

function relative(): Intl.RelativeTimeFormat {
  return formatter('relative', () => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
}

function capitalized(text: string): string {
  return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);
}
