import { getOwnUser, getUser, getUserByEmail, getUsers } from '@heddle/api/endpoints/users.ts';
import { knownTo } from '../../access/people.ts';
import type { UserRecord } from '../../directory/records.ts';
import { serializedList } from '../../http/serialized-list.ts';
import { type HistoryRequest, messageQueries } from '../history/queries.ts';
import { type HeddleRoute, type Rooms, route } from '../rooms.ts';
import { managingRoutes } from './managing-routes.ts';
import { presentUser, type UserPresentation } from './present.ts';
import { userByAddress, userById } from './queries.ts';

export function userRoutes(rooms: Rooms): readonly HeddleRoute[] {
  const messages = messageQueries(rooms);
  return [
    route(getUsers, {}, async ({ parameters, organization: { directory }, caller }) => {
      const { user_ids: ids } = parameters;
      const all =
        ids === undefined ? [...directory.users.values()] : [...new Set(ids)].flatMap((id) => directory.user(id) ?? []);
      const known = knownTo(directory, caller);
      const users = known === undefined ? all : all.filter(({ id }) => known.has(id));
      const presented = presentation(parameters, caller);
      // The records are as they were when it was asked, however long this takes.
      return { members: await serializedList(users, (user) => presentUser(directory, user, presented)) };
    }),

    route(getOwnUser, {}, async ({ organization, caller }) => {
      const { ids } = await messages.idsAround(organization, caller, NEWEST);
      return {
        ...presentUser(organization.directory, caller, {
          clientGravatar: false,
          withProfileData: true,
          reader: caller,
        }),
        max_message_id: ids.at(-1) ?? -1,
      };
    }),

    route(getUser, {}, ({ parameters, organization: { directory }, caller }) => {
      const user = userById(directory, caller, parameters.user_id);
      return { user: presentUser(directory, user, presentation(parameters, caller)) };
    }),

    route(getUserByEmail, {}, ({ parameters, organization: { directory }, caller }) => {
      const user = userByAddress(directory, caller, parameters.email);
      return { user: presentUser(directory, user, presentation(parameters, caller)) };
    }),

    ...managingRoutes(rooms),
  ];
}

const NEWEST: HistoryRequest = { anchor: 'newest', before: 1, after: 0, includeAnchor: false, narrow: [] };

function presentation(
  parameters: { readonly client_gravatar: boolean; readonly include_custom_profile_fields: boolean },
  reader: UserRecord,
): UserPresentation {
  const { client_gravatar: clientGravatar, include_custom_profile_fields: withProfileData } = parameters;
  return { clientGravatar, withProfileData, reader };
}
