import Type from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, inPath, required } from '../contract.ts';
import { domain } from '../objects/domain.ts';

const common = { area: 'Organization', authentication: 'required' } as const;
const forOwners = { ...common, description: 'Only for owners.', errors: ['UNAUTHORIZED_PRINCIPAL'] } as const;
const named = { domain: inPath(text({ maxLength: 300 })) };
const allow_subdomains = required(Type.Boolean(), { description: 'Whether the rule includes subdomains' });

export const getDomains = defineEndpoint({
  ...common,
  operationId: 'get-realm-domains',
  method: 'GET',
  path: '/realm/domains',
  summary: 'List the domains that the organization allows for email addresses',
  parameters: {},
  response: Type.Object({ domains: Type.Array(domain) }),
  errors: [],
});

export const addDomain = defineEndpoint({
  ...forOwners,
  operationId: 'create-realm-domain',
  method: 'POST',
  path: '/realm/domains',
  summary: 'Add a domain',
  parameters: { domain: required(text({ maxLength: 300 })), allow_subdomains },
  response: Type.Object({
    new_domain: Type.Tuple([Type.Integer(), Type.String()], { description: 'The ID and the domain' }),
  }),
});

export const changeDomain = defineEndpoint({
  ...forOwners,
  operationId: 'patch-realm-domain',
  method: 'PATCH',
  path: '/realm/domains/{domain}',
  summary: 'Change whether a domain includes its subdomains',
  parameters: { ...named, allow_subdomains },
  response: Type.Object({}),
});

export const removeDomain = defineEndpoint({
  ...forOwners,
  operationId: 'delete-realm-domain',
  method: 'DELETE',
  path: '/realm/domains/{domain}',
  summary: 'Remove a domain. Removing the last domain ends the restriction',
  parameters: named,
  response: Type.Object({}),
});
