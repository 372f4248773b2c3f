import { text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath } from '../contract.ts';

const common = {
  area: 'Pages',
  authentication: 'none',
  response: { kind: 'page' },
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
  summary: 'Show the page of a reusable invitation link',
  parameters: key,
});

export const acceptReusableInvitation = defineEndpoint({
  ...common,
  operationId: 'page-join-submit',
  method: 'POST',
  path: '/join/{key}/',
  summary: 'Sign up with a reusable invitation link',
  description: 'If addresses require a confirmation, only `email` counts, and the server sends a link to that address.',
  parameters: filledIn,
});

export const showInvitation = defineEndpoint({
  ...common,
  operationId: 'page-accept-invitation',
  method: 'GET',
  path: '/accounts/do_confirm/{key}',
  summary: 'Show the page of a link from a mail: an invitation or a confirmation',
  parameters: key,
});

export const acceptInvitation = defineEndpoint({
  ...common,
  operationId: 'page-accept-invitation-submit',
  method: 'POST',
  path: '/accounts/do_confirm/{key}',
  summary: 'Sign up with a confirmed address',
  parameters: filledIn,
});

export const showRegistration = defineEndpoint({
  ...common,
  operationId: 'page-register',
  method: 'GET',
  path: '/register/',
  summary: 'Show the page to join an open organization',
  parameters: {},
});

export const requestRegistration = defineEndpoint({
  ...common,
  operationId: 'page-register-submit',
  method: 'POST',
  path: '/register/',
  summary: 'Request a link to sign up',
  description: 'The response does not depend on whether an account exists.',
  parameters: { email: defaulted(text({ maxLength: 500 }), '') },
});
