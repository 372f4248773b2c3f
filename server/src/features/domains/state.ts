import { type Domain, selectDomains } from '../../domain/texts/address-rules/rules.ts';
import { statePart } from '../../extension/initial-state.ts';

export const domainsState = statePart<readonly Domain[]>({
  types: ['realm_domains'],
  select: ({ organizationId }) => selectDomains(organizationId),
  build: (_, domains) => ({ realm_domains: domains }),
  spectators: { build: () => ({ realm_domains: [] }) },
});
