import { Subject } from '@heddle/client/model/changes.ts';
import { dayOf, formatDateTime, formatTime } from '../base/i18n-formats.ts';

/** Whether the own notifications are paused now, for those who show it. `quiet-clock.tsx` keeps it current. */
class QuietStore {
  readonly changes = new Subject();
  /** When they come again, in milliseconds since the epoch. Null if they are not paused. */
  until: number | null = null;

  set(until: number | null): void {
    if (this.until === until) return;
    this.until = until;
    this.changes.changed();
  }
}

/** The one of this page. */
export const quietStore = new QuietStore();

/** `14:05`, with the day if it is another one. */
export function endText(until: number): string {
  const date = new Date(until);
  return dayOf(date) === dayOf(new Date()) ? formatTime(date) : formatDateTime(date);
}
