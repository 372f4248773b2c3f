import { onDay, weekdayIn } from './zoned-time.ts';

/** A time that the menu offers. */
export interface Preset {
  readonly key: 'later today' | 'afternoon' | 'tomorrow' | 'tomorrow afternoon' | 'monday';
  readonly at: Date;
}

/** Presets that are sooner than this are no presets, in milliseconds. */
const MIN_PAUSE_MS = 15 * 60_000;
const MONDAY = 1;

/** The times that the menu offers, in the zone of the user. Each is on a whole hour. */
export function presetsAt(now: Date, zone: string): readonly Preset[] {
  const days = (MONDAY - weekdayIn(now, zone) + 7) % 7 || 7;
  const presets: readonly Preset[] = [
    { key: 'later today', at: onDay(now, 0, '09:00', zone) },
    { key: 'afternoon', at: onDay(now, 0, '16:00', zone) },
    { key: 'tomorrow', at: onDay(now, 1, '09:00', zone) },
    { key: 'tomorrow afternoon', at: onDay(now, 1, '16:00', zone) },
    // On Sunday, tomorrow is Monday.
    ...(days === 1 ? [] : [{ key: 'monday' as const, at: onDay(now, days, '09:00', zone) }]),
  ];
  return presets.filter(({ at }) => at.getTime() - now.getTime() >= MIN_PAUSE_MS);
}
