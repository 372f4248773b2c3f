import * as endpoints from '@heddle/api/endpoints/muted-users.ts';
import { messageQueries } from '../../domain/history/queries.ts';
import { type HeddleRoute, type Rooms, route } from '../../extension/rooms.ts';
import { muteUser, unmuteUser } from './actions.ts';

export function mutedUserRoutes(rooms: Rooms): readonly HeddleRoute[] {
  const queries = messageQueries(rooms);
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
