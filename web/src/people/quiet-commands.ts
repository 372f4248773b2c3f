import { getQuietHoursOfUser, updateQuietHours } from '@heddle/client/calls/operations.ts';
import type { App } from '../base/app.tsx';
import { onDay } from '../base/local-time.ts';

/** When a pause until tomorrow ends. */
const MORNING_HOURS = 9;

/** The end of a pause until tomorrow. */
export function tomorrow(now: Date): Date {
  return onDay(now, 1, MORNING_HOURS);
}

/** Pauses the own notifications. */
export async function pauseUntil({ connection }: App, end: Date): Promise<void> {
  await updateQuietHours(connection, { paused_until: Math.ceil(end.getTime() / 1000) });
}

/** Ends the pause, or the window of the schedule that is now. */
export async function resume({ connection }: App): Promise<void> {
  await updateQuietHours(connection, { paused_until: null });
}

/** Whether the own notifications are paused now. The server says it, because the event about an own change can be on its way. */
export async function isQuiet({ connection, model }: App): Promise<boolean> {
  return (await getQuietHoursOfUser(connection, { user_id: model.ownId })).paused;
}
