/** Pages to set a forgotten password and to confirm a new address. */
import { text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath } from '../contract.ts';

const page = {
  area: 'Pages',
  outsideApi: true,
  authentication: 'none',
  response: { kind: 'page' },
  errors: [],
} as const;

const key = { key: inPath(text({ maxLength: 200 })) };

export const getResetPage = defineEndpoint({
  ...page,
  operationId: 'page-password-reset',
  method: 'GET',
  path: '/accounts/password/reset/',
  summary: 'Show the page to request a new password',
  parameters: {},
});

export const requestReset = defineEndpoint({
  ...page,
  operationId: 'page-password-reset-submit',
  method: 'POST',
  path: '/accounts/password/reset/',
  summary: 'Request a link to set a new password',
  description: 'The response does not depend on whether an account exists.',
  parameters: { email: defaulted(text({ maxLength: 500 }), '') },
});

export const getNewPasswordPage = defineEndpoint({
  ...page,
  operationId: 'page-new-password',
  method: 'GET',
  path: '/accounts/password/reset/{key}/',
  summary: 'Show the page to set a new password',
  parameters: key,
});

export const setNewPassword = defineEndpoint({
  ...page,
  operationId: 'page-new-password-submit',
  method: 'POST',
  path: '/accounts/password/reset/{key}/',
  summary: 'Set a new password',
  parameters: { ...key, password: defaulted(text({ maxLength: 1000 }), '') },
});

export const getConfirmAddressPage = defineEndpoint({
  ...page,
  operationId: 'page-confirm-new-email',
  method: 'GET',
  path: '/accounts/confirm_new_email/{key}',
  summary: 'Show the page to confirm a new address',
  parameters: key,
});

export const confirmAddress = defineEndpoint({
  ...page,
  operationId: 'page-confirm-new-email-submit',
  method: 'POST',
  path: '/accounts/confirm_new_email/{key}',
  summary: 'Confirm a new address',
  parameters: key,
});
