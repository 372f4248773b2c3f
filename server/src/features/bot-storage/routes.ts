import * as endpoints from '@heddle/api/endpoints/bot-storage.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import { removeStored, store } from './actions.ts';
import { stored } from './queries.ts';

export function botStorageRoutes({ db }: AppContext): readonly HeddleRoute[] {
  return [
    route(endpoints.getBotStorage, {}, async ({ parameters, organization, caller }) => ({
      storage: await stored(db, { organizationId: organization.id, userId: caller.id }, parameters.keys),
    })),

    route(endpoints.updateBotStorage, {}, async ({ parameters, organization, caller }) => {
      await organization.transact(caller, 'optimistic', (change, user) => store(change, user, parameters.storage));
      return {};
    }),

    route(endpoints.removeBotStorage, {}, async ({ parameters, organization, caller }) => {
      await organization.transact(caller, 'optimistic', (change, user) => removeStored(change, user, parameters.keys));
      return {};
    }),
  ];
}
