/** Dates and times that a user enters in their own zone. */

/** The values of fields of the types `date` and `time`. */
export interface DateTime {
  /** `2026-11-24` */
  readonly date: string;
  /** `09:30` */
  readonly time: string;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** @param zone an IANA zone; empty for that of the browser */
export function fieldsOfDate(date: Date, zone: string): DateTime {
  const parts = new Intl.DateTimeFormat('en-CA', {
    ...(zone !== '' && { timeZone: zone }),
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(date);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  return {
    date: `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}`,
  };
}

/**
 * The moment at which clocks in the zone show this. If a clock change skips it, the moment is after the change. If they
 * show it twice, it is the first time. Undefined if the fields are not complete.
 */
export function inZone({ date, time }: DateTime, zone: string): Date | undefined {
  const wanted = Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(wanted)) return undefined;
  const shownAt = (moment: number): number => {
    const shown = fieldsOfDate(new Date(moment), zone);
    return Date.parse(`${shown.date}T${shown.time}Z`);
  };
  // Offsets of one day before and after include both sides of a clock change.
  const offsets = [shownAt(wanted - DAY_MS) - (wanted - DAY_MS), shownAt(wanted + DAY_MS) - (wanted + DAY_MS)];
  const moments = offsets.map((offset) => wanted - offset).sort((a, b) => a - b);
  return new Date(moments.find((moment) => shownAt(moment) === wanted) ?? moments[1] ?? wanted);
}

export function nextFullHour(now: Date): Date {
  return new Date(Math.ceil((now.getTime() + 1) / HOUR_MS) * HOUR_MS);
}

/** The day after `days` days on the calendar of the zone, at this time. */
export function onDay(now: Date, days: number, time: string, zone: string): Date {
  const today = fieldsOfDate(now, zone).date;
  const date = new Date(Date.parse(`${today}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
  return inZone({ date, time }, zone) ?? now;
}

/** 0 for Sunday. */
export function weekdayIn(now: Date, zone: string): number {
  return new Date(`${fieldsOfDate(now, zone).date}T00:00Z`).getUTCDay();
}
