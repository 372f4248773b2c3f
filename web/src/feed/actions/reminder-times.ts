import { daysToMonday, onDay } from '../../base/local-time.ts';

/** A time that the dialog offers. */
export interface ReminderPreset {
  readonly id: 'hour' | 'evening' | 'tomorrow' | 'monday';
  readonly date: Date;
}

/** The times that a reminder is often for. Past ones are left out. */
export function reminderPresets(now: Date): readonly ReminderPreset[] {
  const evening = onDay(now, 0, 18);
  const monday = daysToMonday(now);
  const presets: ReminderPreset[] = [{ id: 'hour', date: new Date(now.getTime() + 3_600_000) }];
  // Shortly before the evening, "in one hour" says the same.
  if (evening.getTime() - now.getTime() > 5_400_000) presets.push({ id: 'evening', date: evening });
  presets.push({ id: 'tomorrow', date: onDay(now, 1, 9) });
  // On Sundays, tomorrow is Monday.
  if (monday > 1) presets.push({ id: 'monday', date: onDay(now, monday, 9) });
  return presets;
}
