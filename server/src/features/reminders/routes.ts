import * as endpoints from '@heddle/api/endpoints/reminders.ts';
import { readValue } from '../../db/prepared.ts';
import { type HeddleRoute, type Rooms, route } from '../../extension/rooms.ts';
import { deleteReminder, remind } from './actions.ts';
import { selectReminders } from './queries.ts';

export function reminderRoutes(rooms: Rooms): readonly HeddleRoute[] {
  return [
    route(endpoints.getReminders, {}, async ({ organization, caller }) => ({
      reminders: await readValue(rooms.db, selectReminders(organization.id, caller.id)),
    })),

    route(endpoints.createReminder, {}, async ({ parameters, organization, caller }) => {
      const { message_id: messageId, scheduled_delivery_timestamp: deliverAt, note = '' } = parameters;
      return { reminder_id: await remind(rooms, organization, caller, { messageId, deliverAt, note }) };
    }),

    route(endpoints.deleteReminder, {}, async ({ parameters, organization, caller }) => {
      await organization.ordinary(caller, (change, user) => deleteReminder(change, user, parameters.reminder_id));
      return {};
    }),
  ];
}
