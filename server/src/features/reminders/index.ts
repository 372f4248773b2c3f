import type { Feature } from '../feature.ts';
import { reminderAttempts } from './attempts.ts';
import { ReminderDeliveries } from './delivering.ts';
import { reminderPresenter } from './events.ts';
import { reminderRoutes } from './routes.ts';
import { remindersState } from './state.ts';

export const reminders: Feature = {
  name: 'reminders',
  routes: reminderRoutes,
  state: () => [remindersState],
  presenters: { reminders: reminderPresenter },
  attempts: reminderAttempts,
  dueRows: (rooms) => [new ReminderDeliveries(rooms)],
};
