import { reportMessage as reportMessageEndpoint } from '@heddle/api/endpoints/reports.ts';
import { type HeddleRoute, type Rooms, route } from '../../extension/rooms.ts';
import { reportMessage } from './actions.ts';

export function reportRoutes(rooms: Rooms): readonly HeddleRoute[] {
  return [
    route(reportMessageEndpoint, {}, async ({ parameters, organization, caller }) => {
      const { message_id: messageId, report_type: type, description } = parameters;
      await reportMessage(rooms, organization, caller, { messageId, type, description });
      return {};
    }),
  ];
}
