import * as endpoints from '@heddle/api/endpoints/domains.ts';
import { domainsOf } from '../../domain/texts/address-rules/rules.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import { addDomain, changeDomain, removeDomain } from './actions.ts';

export function domainRoutes(app: Pick<AppContext, 'config' | 'db'>): readonly HeddleRoute[] {
  return [
    route(endpoints.getDomains, {}, async ({ organization }) => ({
      domains: [...(await domainsOf(app.db, organization.id))],
    })),

    route(endpoints.addDomain, {}, async ({ parameters, organization, caller }) => {
      const [id, domain] = await organization.transact(caller, 'exclusive', (change, user) =>
        addDomain(change, user, parameters),
      );
      return { new_domain: [id, domain] as [number, string] };
    }),

    route(endpoints.changeDomain, {}, async ({ parameters, organization, caller }) => {
      await organization.transact(caller, 'exclusive', (change, user) => changeDomain(change, user, parameters));
      return {};
    }),

    route(endpoints.removeDomain, {}, async ({ parameters, organization, caller }) => {
      await organization.transact(caller, 'exclusive', (change, user) =>
        removeDomain(app, change, user, parameters.domain),
      );
      return {};
    }),
  ];
}
