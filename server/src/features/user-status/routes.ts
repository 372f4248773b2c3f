import * as endpoints from '@heddle/api/endpoints/user-status.ts';
import { badRequest } from '@heddle/api/errors.ts';
import { accessPerson } from '../../access/people.ts';
import { readValue } from '../../db/prepared.ts';
import type { Directory } from '../../directory/directory.ts';
import { Role, type UserRecord } from '../../directory/records.ts';
import { changeOwnSettings } from '../../domain/accounts/own-settings/actions.ts';
import { readsOlderNames } from '../../domain/messages/reactions/present.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import { changeStatus, type GivenStatus, requestedStatus } from './actions.ts';
import { presentStatus } from './present.ts';
import { isAway, NO_STATUS, selectStatus, statusOf } from './queries.ts';

export function userStatusRoutes(app: AppContext): readonly HeddleRoute[] {
  return [
    route(endpoints.updateOwnStatus, {}, async ({ parameters, organization, caller }) => {
      if (caller.isBot) throw badRequest('This endpoint does not accept bot requests.');
      const { away } = parameters;
      if (away === undefined) checkSaysSomething(parameters);
      const requested = requestedStatus(organization.directory, parameters);
      if (requested.text !== undefined || requested.emoji !== undefined) {
        await organization.transact(caller, 'optimistic', (change, user) => changeStatus(change, user.id, requested));
      }
      if (away !== undefined) {
        const requested = { settings: { presence_enabled: !away }, timezone: undefined };
        await changeOwnSettings(app, organization, caller, requested);
      }
      return {};
    }),

    route(endpoints.updateStatusOfUser, {}, async ({ parameters, organization, caller }) => {
      const { id } = personNamed(organization.directory, caller, parameters.user_id);
      if (caller.role > Role.administrator) throw badRequest('Insufficient permission');
      checkSaysSomething(parameters);
      const requested = requestedStatus(organization.directory, parameters);
      await organization.transact(caller, 'optimistic', async (change, user) => {
        if (user.role > Role.administrator) throw badRequest('Insufficient permission');
        await changeStatus(change, personNamed(change.directory, user, id).id, requested);
      });
      return {};
    }),

    route(endpoints.getUserStatus, {}, async ({ parameters, organization, caller, client }) => {
      const { directory } = organization;
      const user = personNamed(directory, caller, parameters.user_id);
      const row = await readValue(app.db, selectStatus(organization.id, user.id));
      const presentation = { isAway: isAway(user), olderNames: readsOlderNames(client) };
      return { status: presentStatus(row === null ? NO_STATUS : statusOf(row), presentation) };
    }),
  ];
}

function checkSaysSomething({ status_text, emoji_name, emoji_code, reaction_type }: GivenStatus): void {
  const all = [status_text, emoji_name, emoji_code, reaction_type];
  if (all.every((one) => one === undefined)) throw badRequest('Client did not pass any new values.');
}

/** @throws ApiError `BAD_REQUEST`: there is no such active person */
function personNamed(directory: Directory, caller: UserRecord, id: number): UserRecord {
  const user = directory.user(id);
  if (user === undefined || user.isBot) throw badRequest('No such user');
  // The caller must not learn that an inaccessible user was deactivated.
  accessPerson(directory, caller, user);
  if (!user.isActive) throw badRequest('User is deactivated');
  return user;
}
