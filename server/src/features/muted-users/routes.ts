import * as endpoints from '@heddle/api/endpoints/muted-users.ts';
import { messageQueries } from '../../domain/reading/history/queries.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import { muteUser, unmuteUser } from './actions.ts';

export function mutedUserRoutes(app: AppContext): readonly HeddleRoute[] {
  const queries = messageQueries(app);
  return [
    route(endpoints.muteUser, {}, async ({ parameters, organization, caller }) => {
      await muteUser(organization, queries, caller, parameters.muted_user_id);
      return {};
    }),

    route(endpoints.unmuteUser, {}, async ({ parameters, organization, caller }) => {
      await unmuteUser(organization, caller, parameters.muted_user_id);
      return {};
    }),
  ];
}
