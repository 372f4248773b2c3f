import { sendMessage } from '@heddle/api/endpoints/messages.ts';
import { type HeddleRoute, type Rooms, route } from '../rooms.ts';
import { echoOf, MessageActions } from './actions.ts';
import { readsWhatItSends } from './clients.ts';
import { addressOf } from './recipients.ts';

export function sendingRoutes(rooms: Rooms): readonly HeddleRoute[] {
  const actions = new MessageActions(rooms);
  return [
    route(sendMessage, {}, async ({ parameters, organization, caller, client }) => {
      const { messageId, newPolicy } = await actions.send(organization, caller, {
        address: addressOf(parameters.type, parameters.to, parameters.topic),
        content: parameters.content,
        client,
        readBySender: parameters.read_by_sender ?? readsWhatItSends(client),
        widget: parameters.widget_content,
        echo: echoOf(parameters.queue_id, parameters.local_id),
      });
      return { id: messageId, ...(newPolicy !== undefined && { automatic_new_visibility_policy: newPolicy }) };
    }),
  ];
}
