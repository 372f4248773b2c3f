/**
 * What quiet hours mean. The server and the app decide with the same code.
 *
 * A window begins and ends when the clock of the user first shows its time or a later one. So a clock change makes it longer or shorter,
 * and a window whose times are both skipped is empty.
 */

/** A part of the week. */
export interface QuietWindow {
  /** The days on which it begins: 1 is Monday, 7 is Sunday. */
  readonly days: readonly number[];
  /** Minutes after midnight. */
  readonly from: number;
  /** Minutes after midnight. If this is not after `from`, the window ends on the next day. */
  readonly to: number;
}

/** Times are in seconds since the epoch. */
export interface QuietHours {
  readonly paused_until: number | null;
  /** The schedule has no effect until then: the user has ended it early. */
  readonly resumed_until: number | null;
  readonly schedule: readonly QuietWindow[];
  readonly except_direct_messages: boolean;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const SECOND_MS = 1000;
const MINUTES_PER_DAY = 1440;
const DAYS_PER_WEEK = 7;
/** Offsets from UTC are smaller, also together with a clock change; in milliseconds. */
const FARTHEST_OFFSET_MS = 16 * HOUR_MS;
/** Quiet hours without a gap end here: nobody needs to know a later end. In milliseconds. */
const LONGEST_QUIET_MS = DAYS_PER_WEEK * DAY_MS;

/**
 * When the user is notified again, in milliseconds since the epoch. Null if the user is notified now.
 * @param timeZone an IANA name; empty is UTC
 */
export function quietUntil(hours: QuietHours, timeZone: string, now: number): number | null {
  const paused = (hours.paused_until ?? 0) * SECOND_MS;
  const resumed = (hours.resumed_until ?? 0) * SECOND_MS;
  let end = paused > now ? paused : undefined;
  if (hours.schedule.length === 0) return end ?? null;
  const clock = clockOf(timeZone);
  for (;;) {
    const at = end ?? now;
    const next = at < resumed || at >= now + LONGEST_QUIET_MS ? undefined : endOfWindows(hours.schedule, clock, at);
    if (next === undefined) return end ?? null;
    end = next;
  }
}

/** The last end of the windows that contain the moment. Undefined if there is none. */
function endOfWindows(schedule: readonly QuietWindow[], clock: Clock, at: number): number | undefined {
  const today = Math.floor((at + clock.offsetAt(at)) / DAY_MS);
  let last: number | undefined;
  // No window is longer than a day. After a clock change backwards, it can be the day before again.
  for (const day of [today - 1, today, today + 1]) {
    for (const { days, from, to } of schedule) {
      if (!days.includes(weekdayOf(day))) continue;
      const begin = clock.firstAt(day * DAY_MS + from * MINUTE_MS);
      const end = clock.firstAt(day * DAY_MS + (to > from ? to : to + MINUTES_PER_DAY) * MINUTE_MS);
      if (begin <= at && at < end) last = Math.max(last ?? end, end);
    }
  }
  return last;
}

/** @param day since the epoch, which was a Thursday */
function weekdayOf(day: number): number {
  return ((((day + 3) % DAYS_PER_WEEK) + DAYS_PER_WEEK) % DAYS_PER_WEEK) + 1;
}

/** Times of a clock are written as if they were UTC, in milliseconds since the epoch. */
class Clock {
  readonly #format: Intl.DateTimeFormat;
  /** Windows of many users begin and end at the same times. */
  readonly #known = new Map<number, number>();

  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  }

  /** How much the clock is ahead of UTC then, in milliseconds. */
  offsetAt(moment: number): number {
    const [, sign, hours = 0, minutes = 0, seconds = 0] =
      /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?/.exec(this.#format.format(moment)) ?? [];
    const offset = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * SECOND_MS;
    return sign === '-' ? -offset : offset;
  }

  /** The first moment at which the clock shows this time or a later one. */
  firstAt(time: number): number {
    const known = this.#known.get(time);
    if (known !== undefined) return known;
    if (this.#known.size >= MAX_KNOWN_TIMES) this.#known.clear();
    const found = this.#find(time);
    this.#known.set(time, found);
    return found;
  }

  #find(time: number): number {
    const before = this.offsetAt(time - FARTHEST_OFFSET_MS);
    const after = this.offsetAt(time + FARTHEST_OFFSET_MS);
    const early = time - before;
    if (before === after || this.offsetAt(early) === before) return early;
    const late = time - after;
    if (this.offsetAt(late) === after) return late;
    // The clock skips the time: it is the moment of the change.
    let [low, high] = [late, early];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.offsetAt(middle) === before) low = middle;
      else high = middle;
    }
    return high;
  }
}

const MAX_KNOWN_TIMES = 2000;
const MAX_CLOCKS = 500;
const clocks = new Map<string, Clock>();

function clockOf(timeZone: string): Clock {
  let clock = clocks.get(timeZone);
  if (clock === undefined) {
    if (clocks.size >= MAX_CLOCKS) clocks.clear();
    clock = clockNamed(timeZone);
    clocks.set(timeZone, clock);
  }
  return clock;
}

/** A browser can be older than the name of a zone. */
function clockNamed(timeZone: string): Clock {
  try {
    return new Clock(timeZone === '' ? 'UTC' : timeZone);
  } catch {
    return new Clock('UTC');
  }
}
