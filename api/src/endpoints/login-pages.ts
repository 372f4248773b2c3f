/** Pages on which people log in with a browser, and what their forms send. */
import Type from 'typebox';
import { text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath, optional, required } from '../contract.ts';

const area = 'Authentication';

/** Where the login leads: to a path here, or to the app that wants a key. */
export const loginDestination = {
  next: optional(text({ maxLength: 1000 }), { description: 'The path of this server to go to afterwards' }),
  mobile_flow_otp: optional(text({ maxLength: 100 }), {
    description: 'A one-time pad of a phone app, which is opened with an API key afterwards: 64 hexadecimal digits',
  }),
  desktop_flow_otp: optional(text({ maxLength: 100 }), {
    description:
      'A key of a desktop app, for which a token is shown afterwards, encrypted with it: 64 hexadecimal digits. Not with `mobile_flow_otp`.',
  }),
  multiuse_object_key: optional(text({ maxLength: 200 }), {
    description: 'What is in a reusable invitation link, for who comes with it and has no account yet',
  }),
};

const page = { area, outsideApi: true, authentication: 'none', response: { gives: 'page' }, errors: [] } as const;

export const getLoginPage = defineEndpoint({
  ...page,
  operationId: 'get-login-page',
  method: 'GET',
  path: '/login/',
  summary: 'The page on which people log in',
  parameters: loginDestination,
});

export const getAccountsLoginPage = defineEndpoint({
  ...getLoginPage,
  operationId: 'get-accounts-login-page',
  path: '/accounts/login/',
});

export const logIn = defineEndpoint({
  ...page,
  operationId: 'log-in',
  method: 'POST',
  path: '/login/',
  summary: 'Log in on the page',
  parameters: {
    username: required(text({ maxLength: 500 })),
    password: required(text({ maxLength: 1000 })),
    ...loginDestination,
  },
});

export const accountsLogIn = defineEndpoint({ ...logIn, operationId: 'accounts-log-in', path: '/accounts/login/' });

export const getSessionsPage = defineEndpoint({
  ...page,
  operationId: 'get-sessions-page',
  method: 'GET',
  path: '/accounts/sessions/',
  summary: 'The page on which people see where they are logged in, and log out',
  parameters: {},
});

export const logOut = defineEndpoint({
  ...page,
  operationId: 'log-out',
  method: 'POST',
  path: '/accounts/logout/',
  summary: 'End the session',
  parameters: {},
});

export const logOutEverywhere = defineEndpoint({
  ...page,
  operationId: 'log-out-everywhere',
  method: 'POST',
  path: '/accounts/logout/everywhere/',
  summary: 'End all sessions of the account',
  parameters: {},
});

const withProvider = {
  ...page,
  method: 'GET',
  description: 'Leads to the provider of single sign-on, from which people come back to `/complete/oidc/`.',
  parameters: loginDestination,
  errors: ['NOT_FOUND'],
} as const;

export const logInWithProvider = defineEndpoint({
  ...withProvider,
  operationId: 'log-in-with-provider',
  path: '/accounts/login/social/oidc',
  summary: 'Log in with single sign-on',
});

export const signUpWithProvider = defineEndpoint({
  ...withProvider,
  operationId: 'sign-up-with-provider',
  path: '/accounts/register/social/oidc',
  summary: 'Get an account with single sign-on',
});

const fromProvider = optional(text({ maxLength: 4000 }));

export const completeProviderLogin = defineEndpoint({
  ...page,
  operationId: 'complete-provider-login',
  method: 'GET',
  path: '/complete/oidc/',
  summary: 'Where single sign-on leads people back to',
  parameters: {
    state: fromProvider,
    code: fromProvider,
    iss: fromProvider,
    error: fromProvider,
    error_description: fromProvider,
  },
  errors: ['NOT_FOUND'],
});

export const finishDesktopLogin = defineEndpoint({
  ...page,
  operationId: 'finish-desktop-login',
  method: 'GET',
  path: '/accounts/login/subdomain/{token}',
  summary: 'Begin the session of a desktop app that a browser has logged in for',
  parameters: { token: inPath(text({ maxLength: 200 })) },
});

export const pasteDesktopToken = defineEndpoint({
  ...page,
  operationId: 'paste-desktop-token',
  method: 'POST',
  path: '/accounts/login/desktop/',
  summary: 'Begin a session with the token that a browser has shown for the app',
  parameters: {
    token: defaulted(text({ maxLength: 1000 }), ''),
    beginning: defaulted(Type.Union([Type.Literal('log-in'), Type.Literal('sign-up')]), 'log-in'),
    multiuse_object_key: loginDestination.multiuse_object_key,
  },
});

export const getPageStyle = defineEndpoint({
  operationId: 'get-page-style',
  method: 'GET',
  path: '/static/pages/{file}',
  outsideApi: true,
  area,
  summary: 'How pages look',
  authentication: 'none',
  parameters: { file: inPath(text({ maxLength: 100 })) },
  response: { gives: 'file', contentTypes: ['text/css'] },
  errors: [],
});
