import { text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath } from '../contract.ts';

const common = {
  area: 'Pages',
  authentication: 'none',
  response: { gives: 'page' },
  errors: [],
  outsideApi: true,
} as const;

const key = { key: inPath(text({ maxLength: 200 })) };
const filledIn = {
  ...key,
  full_name: defaulted(text(), ''),
  email: defaulted(text(), ''),
  password: defaulted(text(), ''),
};

export const showReusableInvitation = defineEndpoint({
  ...common,
  operationId: 'page-join',
  method: 'GET',
  path: '/join/{key}/',
  summary: 'The page that a reusable invitation link opens',
  parameters: key,
});

export const acceptReusableInvitation = defineEndpoint({
  ...common,
  operationId: 'page-join-submit',
  method: 'POST',
  path: '/join/{key}/',
  summary: 'Register with a reusable invitation link',
  description: 'Where addresses are to be confirmed first, only `email` counts: a link is sent there.',
  parameters: filledIn,
});

export const showInvitation = defineEndpoint({
  ...common,
  operationId: 'page-accept-invitation',
  method: 'GET',
  path: '/accounts/do_confirm/{key}',
  summary: 'The page that a link by mail opens: an invitation, or the confirmation of an address',
  parameters: key,
});

export const acceptInvitation = defineEndpoint({
  ...common,
  operationId: 'page-accept-invitation-submit',
  method: 'POST',
  path: '/accounts/do_confirm/{key}',
  summary: 'Register with an address that is known to be one’s own',
  parameters: filledIn,
});

export const showRegistration = defineEndpoint({
  ...common,
  operationId: 'page-register',
  method: 'GET',
  path: '/register/',
  summary: 'The page on which people join an organization that needs no invitation',
  parameters: {},
});

export const requestRegistration = defineEndpoint({
  ...common,
  operationId: 'page-register-submit',
  method: 'POST',
  path: '/register/',
  summary: 'Have a link to register with sent to one’s address',
  description: 'The answer is the same whether there is an account or not.',
  parameters: { email: defaulted(text({ maxLength: 500 }), '') },
});
