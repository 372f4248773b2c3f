/** Dates and times that a user enters. They are in the zone of the browser, as all times that the app shows. */

/** The value of a field of the type `datetime-local`: `2026-03-05T09:00`. */
export function fieldValueOf(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [String(date.getFullYear()).padStart(4, '0'), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/**
 * The moment of such a value. If a clock change skips it, the moment is after the change. If it occurs twice, it is the
 * first time. Undefined if the value is not complete.
 */
export function dateOfField(value: string): Date | undefined {
  const date = new Date(value);
  return value.length < 'YYYY-MM-DDThh:mm'.length || Number.isNaN(date.getTime()) ? undefined : date;
}

export function nextFullHour(now: Date): Date {
  return onDay(now, 0, now.getHours() + 1);
}

/** A full hour of the day after `days` days. */
export function onDay(now: Date, days: number, hour: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);
}

/** How many days it is until the next Monday: from 1 to 7. */
export function daysToMonday(now: Date): number {
  return (8 - now.getDay()) % 7 || 7;
}
