import type { Parameters } from '@heddle/api/contract.ts';
import * as endpoints from '@heddle/api/endpoints/user-settings.ts';
import { badRequest } from '@heddle/api/errors.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { showPresence } from '../presence/actions.ts';
import { type HeddleRoute, type Rooms, route } from '../rooms.ts';
import { changeDefaults, changeSettings, concernsDirectory } from './actions.ts';
import { checkedOwnSettings } from './checking.ts';
import { settingOf } from './queries.ts';

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
  if (concernsDirectory(wishes)) {
    await organization.changeBy(caller, (change, user) => changeSettings(change, user, wishes));
  } else if (Object.keys(wishes.settings).length > 0) {
    await organization.ordinary(caller, (change, user) => changeSettings(change, user, wishes));
  }
  const isShown = wishes.settings.presence_enabled ?? settingOf(caller, 'presence_enabled');
  if (isShown !== settingOf(caller, 'presence_enabled')) {
    await showPresence(rooms, organization, caller.id, isShown);
  }
  return {};
}
