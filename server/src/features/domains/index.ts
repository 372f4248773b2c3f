import type { Feature } from '../../extension/feature.ts';
import { domainsPresenter } from './events.ts';
import { domainRoutes } from './routes.ts';
import { domainsState } from './state.ts';

export const domains: Feature = {
  routes: domainRoutes,
  state: () => [domainsState],
  presenters: { realm_domains: domainsPresenter },
  exports: [
    {
      table: 'organization_domains',
      fields: ['id', 'domain', 'allows_subdomains'],
    },
  ],
};
