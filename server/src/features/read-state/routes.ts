import { updateMessageFlags } from '@heddle/api/endpoints/messages.ts';
import { type HeddleRoute, route } from '../rooms.ts';
import { changeFlags } from './actions.ts';

export function readStateRoutes(): readonly HeddleRoute[] {
  return [
    route(updateMessageFlags, {}, async ({ parameters, organization, caller }) => {
      const changed = await changeFlags(organization, caller, {
        flag: parameters.flag,
        op: parameters.op,
        messageIds: parameters.messages,
      });
      return {
        messages: [...changed.messageIds],
        ignored_because_not_subscribed_channels: [...changed.ignoredChannels],
      };
    }),
  ];
}
