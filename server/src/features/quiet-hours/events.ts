import type { Presenter } from '../../directory/presenters.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { QuietHours } from '../../domain/notifications/quiet-hours/queries.ts';
import type { NewEvent } from '../../log/event.ts';

/** Only the user's own clients get it. */
export function quietHoursChanged({ id }: UserRecord, body: QuietHours): NewEvent {
  return { type: 'quiet_hours', audience: { to: 'users', users: [id] }, body };
}

export const quietHoursPresenter: Presenter = {
  present: ({ body }) => ({ type: 'quiet_hours', quiet_hours: body as QuietHours }),

  // Other clients do not know the type.
  wants: (_, { settings }) => settings.capabilities.quietHours === true,
};
