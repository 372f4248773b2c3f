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
  parameters: filledIn,
});

export const showInvitation = defineEndpoint({
  ...common,
  operationId: 'page-accept-invitation',
  method: 'GET',
  path: '/accounts/do_confirm/{key}',
  summary: 'The page that the link of an invitation by mail opens',
  parameters: key,
});

export const acceptInvitation = defineEndpoint({
  ...common,
  operationId: 'page-accept-invitation-submit',
  method: 'POST',
  path: '/accounts/do_confirm/{key}',
  summary: 'Register with an invitation by mail',
  parameters: filledIn,
});
