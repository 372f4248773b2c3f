import { daysToMonday, onDay } from '../../base/local-time.ts';

/** A time that the menu offers. */
export interface Preset {
  readonly key: 'later today' | 'afternoon' | 'tomorrow' | 'tomorrow afternoon' | 'monday';
  readonly at: Date;
}

/** Presets that are sooner than this are no presets, in milliseconds. */
const MIN_PAUSE_MS = 15 * 60_000;

/** The times that the menu offers. Each is on a whole hour. */
export function presetsAt(now: Date): readonly Preset[] {
  const days = daysToMonday(now);
  const presets: readonly Preset[] = [
    { key: 'later today', at: onDay(now, 0, 9) },
    { key: 'afternoon', at: onDay(now, 0, 16) },
    { key: 'tomorrow', at: onDay(now, 1, 9) },
    { key: 'tomorrow afternoon', at: onDay(now, 1, 16) },
    // On Sunday, tomorrow is Monday.
    ...(days === 1 ? [] : [{ key: 'monday' as const, at: onDay(now, days, 9) }]),
  ];
  return presets.filter(({ at }) => at.getTime() - now.getTime() >= MIN_PAUSE_MS);
}
