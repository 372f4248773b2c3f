import { reportMessage as reportMessageEndpoint } from '@heddle/api/endpoints/reports.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import { reportMessage } from './actions.ts';

export function reportRoutes(app: AppContext): readonly HeddleRoute[] {
  return [
    route(reportMessageEndpoint, {}, async ({ parameters, organization, caller }) => {
      const { message_id: messageId, report_type: type, description } = parameters;
      await reportMessage(app, organization, caller, { messageId, type, description });
      return {};
    }),
  ];
}
