import * as endpoints from '@heddle/api/endpoints/domains.ts';
import { domainsOf } from '../../domain/address-rules/rules.ts';
import { type HeddleRoute, type Rooms, route } from '../../extension/rooms.ts';
import { addDomain, changeDomain, removeDomain } from './actions.ts';

export function domainRoutes(rooms: Pick<Rooms, 'config' | 'db'>): readonly HeddleRoute[] {
  return [
    route(endpoints.getDomains, {}, async ({ organization }) => ({
      domains: [...(await domainsOf(rooms.db, organization.id))],
    })),

    route(endpoints.addDomain, {}, async ({ parameters, organization, caller }) => {
      const [id, domain] = await organization.changeBy(caller, (change, user) => addDomain(change, user, parameters));
      return { new_domain: [id, domain] as [number, string] };
    }),

    route(endpoints.changeDomain, {}, async ({ parameters, organization, caller }) => {
      await organization.changeBy(caller, (change, user) => changeDomain(change, user, parameters));
      return {};
    }),

    route(endpoints.removeDomain, {}, async ({ parameters, organization, caller }) => {
      await organization.changeBy(caller, (change, user) => removeDomain(rooms, change, user, parameters.domain));
      return {};
    }),
  ];
}
