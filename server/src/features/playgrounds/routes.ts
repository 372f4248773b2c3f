import * as endpoints from '@heddle/api/endpoints/playgrounds.ts';
import { type HeddleRoute, route } from '../../extension/app-context.ts';
import { addPlayground, checkMayChangePlaygrounds, removePlayground } from './actions.ts';

export function playgroundRoutes(): readonly HeddleRoute[] {
  return [
    // Refuses callers without permission before it acquires the organization lock.
    route(endpoints.addPlayground, {}, async ({ parameters, organization, caller }) => {
      checkMayChangePlaygrounds(caller);
      return {
        id: await organization.transact(caller, 'exclusive', (change, user) => addPlayground(change, user, parameters)),
      };
    }),

    route(endpoints.removePlayground, {}, async ({ parameters, organization, caller }) => {
      checkMayChangePlaygrounds(caller);
      const { playground_id: id } = parameters;
      await organization.transact(caller, 'exclusive', (change, user) => removePlayground(change, user, id));
      return {};
    }),
  ];
}
