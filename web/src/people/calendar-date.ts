import { formatLocale } from '../base/i18n-formats.ts';

/** A day such as `2026-03-05` in the form of the user's language. It has no zone. Other texts stay as they are. */
export function formatCalendarDate(text: string): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (day === undefined) return text;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const form = { year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC' } as const;
  return Number.isNaN(date.getTime()) ? text : new Intl.DateTimeFormat(formatLocale(), form).format(date);
}
