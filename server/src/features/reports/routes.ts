import { reportMessage as reportMessageEndpoint } from '@heddle/api/endpoints/reports.ts';
import { rateLimited } from '@heddle/api/errors.ts';
import { accountOf } from '../../access/bots.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import { RateLimiter } from '../../http/limits/limits.ts';
import { reportMessage } from './actions.ts';

/** Of one account, with its bots. Else one user could bury the reports of all others. */
const REPORTS = { requests: 60, windowSeconds: 3600 } as const;

export function reportRoutes(app: AppContext): readonly HeddleRoute[] {
  const reports = new RateLimiter(REPORTS);
  return [
    route(reportMessageEndpoint, {}, async ({ parameters, organization, caller }) => {
      const { message_id: messageId, report_type: type, description } = parameters;
      if (app.config.rateLimits) {
        const { isAllowed, secondsLeft } = reports.take(`${organization.id} ${accountOf(caller)}`);
        const { requests, windowSeconds } = REPORTS;
        if (!isAllowed) throw rateLimited(secondsLeft, `${requests} reports in ${windowSeconds} s`);
      }
      await reportMessage(app, organization, caller, { messageId, type, description });
      return {};
    }),
  ];
}
