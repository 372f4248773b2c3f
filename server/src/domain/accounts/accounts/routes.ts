import { getOwnUser, getUser, getUserByEmail, getUsers } from '@heddle/api/endpoints/users.ts';
import { accessibleTo } from '../../../access/people.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { type AppContext, type HeddleRoute, route } from '../../../extension/app-context.ts';
import { serializedList } from '../../../http/answers/serialized-list.ts';
import { type HistoryRequest, messageQueries } from '../../reading/history/queries.ts';
import { presentUser, type UserPresentation } from '../../users/users/present.ts';
import { userByAddress, userById } from '../../users/users/queries.ts';
import { managingRoutes } from './managing-routes.ts';

export function userRoutes(app: AppContext): readonly HeddleRoute[] {
  const messages = messageQueries(app);
  return [
    route(getUsers, {}, async ({ parameters, organization: { directory }, caller }) => {
      const { user_ids: ids } = parameters;
      const all =
        ids === undefined ? [...directory.users.values()] : [...new Set(ids)].flatMap((id) => directory.user(id) ?? []);
      const known = accessibleTo(directory, caller);
      const users = known === undefined ? all : all.filter(({ id }) => known.has(id));
      const presented = presentation(parameters, caller);
      // Records are immutable, so the list stays consistent however long this takes.
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

    ...managingRoutes(app),
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
