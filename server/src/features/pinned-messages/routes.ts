import * as endpoints from '@heddle/api/endpoints/pinned-messages.ts';
import { type HeddleRoute, route } from '../../extension/app-context.ts';
import { pin, unpin } from './actions.ts';
import { listPins } from './queries.ts';

export function pinnedMessageRoutes(): readonly HeddleRoute[] {
  return [
    route(endpoints.pinMessage, {}, async ({ parameters, organization, caller }) => {
      await organization.transact(caller, 'optimistic', (change, user) =>
        pin(change, user, parameters.message_id, parameters.place),
      );
      return {};
    }),

    route(endpoints.unpinMessage, {}, async ({ parameters, organization, caller }) => {
      await organization.transact(caller, 'optimistic', (change, user) => unpin(change, user, parameters.message_id));
      return {};
    }),

    route(endpoints.getPinnedMessages, {}, async ({ parameters, organization, caller }) => ({
      pinned_messages: await organization.read(caller, (reading) => listPins(reading, parameters.stream_id)),
    })),
  ];
}
