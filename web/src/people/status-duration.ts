import { daysToMonday, onDay } from '../base/local-time.ts';

/** How long a status lasts. */
export const STATUS_DURATIONS = ['never', 'half hour', 'hour', 'four hours', 'today', 'week'] as const;
export type StatusDuration = (typeof STATUS_DURATIONS)[number];

const MINUTE_MS = 60_000;

/** The end of a status that begins now. Undefined if it has none. A week ends on Sunday. */
export function endOf(duration: StatusDuration, now: Date): Date | undefined {
  switch (duration) {
    case 'half hour':
      return new Date(now.getTime() + 30 * MINUTE_MS);
    case 'hour':
      return new Date(now.getTime() + 60 * MINUTE_MS);
    case 'four hours':
      return new Date(now.getTime() + 240 * MINUTE_MS);
    case 'today':
      return onDay(now, 1, 0);
    case 'week':
      return onDay(now, daysToMonday(now), 0);
    default:
      return undefined;
  }
}
