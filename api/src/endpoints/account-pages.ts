/** Pages behind which people set a forgotten password and confirm a new address. */
import { text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath } from '../contract.ts';

const page = {
  area: 'Pages',
  outsideApi: true,
  authentication: 'none',
  response: { gives: 'page' },
  errors: [],
} as const;

const key = { key: inPath(text({ maxLength: 200 })) };

export const getResetPage = defineEndpoint({
  ...page,
  operationId: 'page-password-reset',
  method: 'GET',
  path: '/accounts/password/reset/',
  summary: 'The page on which people ask for a new password',
  parameters: {},
});

export const requestReset = defineEndpoint({
  ...page,
  operationId: 'page-password-reset-submit',
  method: 'POST',
  path: '/accounts/password/reset/',
  summary: 'Ask for a link that sets a new password',
  description: 'The answer is the same whether there is an account or not.',
  parameters: { email: defaulted(text({ maxLength: 500 }), '') },
});

export const getNewPasswordPage = defineEndpoint({
  ...page,
  operationId: 'page-new-password',
  method: 'GET',
  path: '/accounts/password/reset/{key}/',
  summary: 'The page that the link opens',
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
  summary: 'The page that the link to a new address opens',
  parameters: key,
});

export const confirmAddress = defineEndpoint({
  ...page,
  operationId: 'page-confirm-new-email-submit',
  method: 'POST',
  path: '/accounts/confirm_new_email/{key}',
  summary: 'Give the account the address that the link was sent to',
  parameters: key,
});
