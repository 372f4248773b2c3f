import { statePart } from '../../extension/initial-state.ts';
import { type Reminder, selectReminders } from './queries.ts';

export const remindersState = statePart<readonly Reminder[]>({
  types: ['reminders'],
  select: ({ organizationId, userId }) => selectReminders(organizationId, userId),
  build: (_, reminders) => ({ reminders }),
  spectators: { build: () => ({ reminders: [] }) },
});
