/** A time that the dialog offers. */
export interface ReminderPreset {
  readonly id: 'hour' | 'evening' | 'tomorrow' | 'monday';
  readonly date: Date;
}

/** The times that a reminder is often for, in the zone of the browser. Past ones are left out. */
export function reminderPresets(now: Date): readonly ReminderPreset[] {
  const evening = at(now, 0, 18);
  const daysToMonday = (8 - now.getDay()) % 7 || 7;
  const presets: ReminderPreset[] = [{ id: 'hour', date: new Date(now.getTime() + 3_600_000) }];
  // Shortly before the evening, "in one hour" says the same.
  if (evening.getTime() - now.getTime() > 5_400_000) presets.push({ id: 'evening', date: evening });
  presets.push({ id: 'tomorrow', date: at(now, 1, 9) });
  // On Sundays, tomorrow is Monday.
  if (daysToMonday > 1) presets.push({ id: 'monday', date: at(now, daysToMonday, 9) });
  return presets;
}

/** A full hour some days later. */
function at(now: Date, days: number, hour: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);
}

/** The value of a field for date and time: `2026-03-05T09:00`, in the zone of the browser. */
export function fieldValueOf(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}
