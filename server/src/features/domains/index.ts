import type { Feature } from '../feature.ts';
import { domainAttempts } from './attempts.ts';
import { domainsPresenter } from './events.ts';
import { domainRoutes } from './routes.ts';
import { domainsState } from './state.ts';

export const domains: Feature = {
  name: 'domains',
  routes: domainRoutes,
  state: () => [domainsState],
  presenters: { realm_domains: domainsPresenter },
  attempts: domainAttempts,
};
