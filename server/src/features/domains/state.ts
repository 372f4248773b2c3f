import { statePart } from '../initial-state.ts';
import { type Domain, selectDomains } from './queries.ts';

export const domainsState = statePart<readonly Domain[]>({
  types: ['realm_domains'],
  select: ({ organizationId }) => selectDomains(organizationId),
  build: (_, domains) => ({ realm_domains: domains }),
  spectators: { build: () => ({ realm_domains: [] }) },
});
