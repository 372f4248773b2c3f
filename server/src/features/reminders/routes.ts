import * as endpoints from '@heddle/api/endpoints/reminders.ts';
import { readValue } from '../../db/prepared.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import { deleteReminder, remind } from './actions.ts';
import { selectReminders } from './queries.ts';

export function reminderRoutes(app: AppContext): readonly HeddleRoute[] {
  return [
    route(endpoints.getReminders, {}, async ({ organization, caller }) => ({
      reminders: await readValue(app.db, selectReminders(organization.id, caller.id)),
    })),

    route(endpoints.createReminder, {}, async ({ parameters, organization, caller }) => {
      const { message_id: messageId, scheduled_delivery_timestamp: deliverAt, note = '' } = parameters;
      return { reminder_id: await remind(app, organization, caller, { messageId, deliverAt, note }) };
    }),

    route(endpoints.deleteReminder, {}, async ({ parameters, organization, caller }) => {
      await organization.transact(caller, 'optimistic', (change, user) =>
        deleteReminder(change, user, parameters.reminder_id),
      );
      return {};
    }),
  ];
}
