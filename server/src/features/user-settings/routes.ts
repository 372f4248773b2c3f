import type { Parameters } from '@heddle/api/contract.ts';
import * as endpoints from '@heddle/api/endpoints/user-settings.ts';
import { badRequest } from '@heddle/api/errors.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { type HeddleRoute, type Rooms, route } from '../rooms.ts';
import { changeDefaults, changeOwnSettings } from './actions.ts';
import { checkedOwnSettings } from './checking.ts';

export function userSettingsRoutes(rooms: Rooms): readonly HeddleRoute[] {
  const changeOwn = (request: Request) => changeSettingsOf(rooms, request);
  return [
    route(endpoints.updateSettings, {}, changeOwn),
    route(endpoints.updateDisplaySettings, {}, changeOwn),
    route(endpoints.updateNotificationSettings, {}, changeOwn),

    route(endpoints.updateSettingsDefaults, {}, async ({ parameters, organization, caller }) => {
      await organization.changeBy(caller, (change, user) => changeDefaults(change, user, parameters));
      return {};
    }),
  ];
}

interface Request {
  readonly parameters: Parameters<typeof endpoints.updateSettings>;
  readonly organization: Organization;
  readonly caller: UserRecord;
}

async function changeSettingsOf(rooms: Rooms, { parameters, organization, caller }: Request) {
  if (caller.isBot) throw badRequest('This endpoint does not accept bot requests.');
  const wishes = checkedOwnSettings(parameters);
  await changeOwnSettings(rooms, organization, caller, wishes);
  return {};
}
