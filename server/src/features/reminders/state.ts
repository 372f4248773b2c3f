import { statePart } from '../initial-state.ts';
import { type Reminder, selectReminders } from './queries.ts';

export const remindersState = statePart<readonly Reminder[]>({
  types: ['reminders'],
  select: ({ directory, user }) => selectReminders(directory.organization.id, user.id),
  build: (_, reminders) => ({ reminders }),
  spectators: { build: () => ({ reminders: [] }) },
});
