import * as endpoints from '@heddle/api/endpoints/scheduled-messages.ts';
import { readValue } from '../../db/prepared.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import { deleteScheduled, ScheduledMessageActions } from './actions.ts';
import { presentScheduled } from './present.ts';
import { selectScheduled } from './queries.ts';

export function scheduledMessageRoutes(app: AppContext): readonly HeddleRoute[] {
  const actions = new ScheduledMessageActions(app);
  return [
    route(endpoints.getScheduledMessages, {}, async ({ organization, caller }) => {
      const scheduled = await readValue(app.db, selectScheduled(organization.id, caller.id));
      return { scheduled_messages: scheduled.map((one) => presentScheduled(one, caller.id, true)) };
    }),

    route(endpoints.createScheduledMessage, {}, async ({ parameters, organization, caller, client }) => {
      const { type, to, topic, content, scheduled_delivery_timestamp: deliverAt } = parameters;
      const scheduling = { type, to, topic, content, deliverAt, client, readBySender: parameters.read_by_sender };
      return { scheduled_message_id: await actions.schedule(organization, caller, scheduling) };
    }),

    route(endpoints.updateScheduledMessage, {}, async ({ parameters, organization, caller, client }) => {
      const { type, to, topic, content, scheduled_delivery_timestamp: deliverAt } = parameters;
      const changes = { type, to, topic, content, deliverAt, client };
      await actions.edit(organization, caller, parameters.scheduled_message_id, changes);
      return {};
    }),

    route(endpoints.deleteScheduledMessage, {}, async ({ parameters, organization, caller }) => {
      const { scheduled_message_id: id } = parameters;
      await organization.transact(caller, 'optimistic', (change, user) => deleteScheduled(change, user, id));
      return {};
    }),
  ];
}
