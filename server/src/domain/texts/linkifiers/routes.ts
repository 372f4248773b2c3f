import * as endpoints from '@heddle/api/endpoints/linkifiers.ts';
import { type HeddleRoute, route } from '../../../extension/app-context.ts';
import { addLinkifier, checkMayChangeLinkifiers, editLinkifier, orderLinkifiers, removeLinkifier } from './actions.ts';
import { presentLinkifier } from './present.ts';
import { linkifiersOf } from './queries.ts';

export function linkifierRoutes(): readonly HeddleRoute[] {
  return [
    route(endpoints.getLinkifiers, {}, ({ organization }) => ({
      linkifiers: linkifiersOf(organization.directory).map(presentLinkifier),
    })),

    // Callers without the permission are refused before a transaction acquires the organization lock.
    route(endpoints.addLinkifier, {}, async ({ parameters, organization, caller }) => {
      checkMayChangeLinkifiers(caller);
      return {
        id: await organization.transact(caller, 'exclusive', (change, user) => addLinkifier(change, user, parameters)),
      };
    }),

    route(endpoints.updateLinkifier, {}, async ({ parameters, organization, caller }) => {
      const { filter_id: id, ...texts } = parameters;
      checkMayChangeLinkifiers(caller);
      await organization.transact(caller, 'exclusive', (change, user) => editLinkifier(change, user, id, texts));
      return {};
    }),

    route(endpoints.removeLinkifier, {}, async ({ parameters, organization, caller }) => {
      checkMayChangeLinkifiers(caller);
      await organization.transact(caller, 'exclusive', (change, user) =>
        removeLinkifier(change, user, parameters.filter_id),
      );
      return {};
    }),

    route(endpoints.reorderLinkifiers, {}, async ({ parameters, organization, caller }) => {
      checkMayChangeLinkifiers(caller);
      const { ordered_linkifier_ids: ids } = parameters;
      await organization.transact(caller, 'exclusive', (change, user) => orderLinkifiers(change, user, ids));
      return {};
    }),
  ];
}
