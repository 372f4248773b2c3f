import { getOwnUser, getUser, getUserByEmail, getUsers } from '@heddle/api/endpoints/users.ts';
import { serializedList } from '../../http/serialized-list.ts';
import { type HistoryRequest, messageQueries } from '../history/queries.ts';
import { type HeddleRoute, type Rooms, route } from '../rooms.ts';
import { presentUser, type UserPresentation } from './present.ts';
import { userByAddress, userById } from './queries.ts';

export function userRoutes(rooms: Rooms): readonly HeddleRoute[] {
  const messages = messageQueries(rooms);
  return [
    route(getUsers, {}, async ({ parameters, organization: { directory } }) => {
      const { user_ids: ids } = parameters;
      const users =
        ids === undefined ? [...directory.users.values()] : [...new Set(ids)].flatMap((id) => directory.user(id) ?? []);
      // The records are as they were when it was asked, however long this takes.
      return { members: await serializedList(users, (user) => presentUser(directory, user, presentation(parameters))) };
    }),

    route(getOwnUser, {}, async ({ organization, caller }) => {
      const newest = await messages.around(organization, caller, NEWEST);
      return {
        ...presentUser(organization.directory, caller, { clientGravatar: false, withProfileData: true }),
        max_message_id: newest.messages.at(-1)?.id ?? -1,
      };
    }),

    route(getUser, {}, ({ parameters, organization }) => {
      const user = userById(organization.directory, parameters.user_id);
      return { user: presentUser(organization.directory, user, presentation(parameters)) };
    }),

    route(getUserByEmail, {}, ({ parameters, organization }) => {
      const user = userByAddress(rooms, organization.directory, parameters.email);
      return { user: presentUser(organization.directory, user, presentation(parameters)) };
    }),
  ];
}

const NEWEST: HistoryRequest = { anchor: 'newest', before: 1, after: 0, includeAnchor: false, narrow: [] };

function presentation(parameters: {
  readonly client_gravatar: boolean;
  readonly include_custom_profile_fields: boolean;
}): UserPresentation {
  return { clientGravatar: parameters.client_gravatar, withProfileData: parameters.include_custom_profile_fields };
}
