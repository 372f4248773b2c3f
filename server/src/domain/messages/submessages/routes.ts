import { addSubmessage } from '@heddle/api/endpoints/submessages.ts';
import { type HeddleRoute, route } from '../../../extension/app-context.ts';
import { submessageAdditions } from './actions.ts';

export function submessageRoutes(): readonly HeddleRoute[] {
  return [
    route(addSubmessage, {}, async ({ parameters, organization, caller }) => {
      const { message_id: messageId, msg_type: kind, content } = parameters;
      await organization.inGroup(submessageAdditions, { userId: caller.id, messageId, kind, content });
      return {};
    }),
  ];
}
