/** Pages to log in with a browser, and the requests of their forms. */
import Type from 'typebox';
import { text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath, optional, required } from '../contract.ts';

const area = 'Authentication';

/** Characters of the path in `next`. */
export const MAX_NEXT_LENGTH = 2000;

/** The destination of a login: a path of this server, or an app that needs an API key. */
export const loginDestination = {
  next: optional(text({ maxLength: MAX_NEXT_LENGTH }), {
    description: 'A path of this server for the redirect after the login',
  }),
  mobile_flow_otp: optional(text({ maxLength: 100 }), {
    description:
      'The one-time pad of a phone app (64 hexadecimal digits). The redirect to the app contains an API key encrypted with it',
  }),
  desktop_flow_otp: optional(text({ maxLength: 100 }), {
    description:
      'The key of a desktop app (64 hexadecimal digits). The page shows a token encrypted with it. Not together with `mobile_flow_otp`.',
  }),
  multiuse_object_key: optional(text({ maxLength: 200 }), {
    description: 'The token of a reusable invitation link, for a user without an account',
  }),
};

const page = { area, outsideApi: true, authentication: 'none', response: { kind: 'page' }, errors: [] } as const;

export const getLoginPage = defineEndpoint({
  ...page,
  operationId: 'get-login-page',
  method: 'GET',
  path: '/login/',
  summary: 'Show the login page',
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
  summary: 'Log in with the login page',
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
  summary: 'Show the sessions of the user',
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
  description: 'Redirects to the single sign-on provider, which redirects back to `/complete/oidc/`.',
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
  summary: 'Sign up with single sign-on',
});

const fromProvider = optional(text({ maxLength: 4000 }));

export const completeProviderLogin = defineEndpoint({
  ...page,
  operationId: 'complete-provider-login',
  method: 'GET',
  path: '/complete/oidc/',
  summary: 'Complete a login with single sign-on',
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
  summary: 'Show the page to log in a desktop app with a token',
  parameters: { token: inPath(text({ maxLength: 200 })) },
});

export const pasteDesktopToken = defineEndpoint({
  ...page,
  operationId: 'paste-desktop-token',
  method: 'POST',
  path: '/accounts/login/desktop/',
  summary: 'Exchange the token of the browser for a session',
  parameters: {
    token: defaulted(text({ maxLength: 1000 }), ''),
    beginning: defaulted(Type.Union([Type.Literal('log-in'), Type.Literal('sign-up')]), 'log-in'),
    multiuse_object_key: loginDestination.multiuse_object_key,
  },
});

export const chooseLanguage = defineEndpoint({
  operationId: 'choose-language',
  method: 'GET',
  path: '/accounts/language/',
  outsideApi: true,
  area,
  summary: 'Choose the language of pages',
  description: 'The browser remembers it. It does not change the settings of an account.',
  authentication: 'none',
  parameters: {
    language: required(text({ maxLength: 50 }), { description: 'A language tag, for example `de`' }),
    next: optional(text({ maxLength: MAX_NEXT_LENGTH }), { description: 'A path of this server for the redirect' }),
  },
  response: { kind: 'page' },
  errors: ['BAD_REQUEST'],
});

export const getPageStyle = defineEndpoint({
  operationId: 'get-page-style',
  method: 'GET',
  path: '/static/pages/{file}',
  outsideApi: true,
  area,
  summary: 'Get the style sheet of the pages',
  authentication: 'none',
  parameters: { file: inPath(text({ maxLength: 100 })) },
  response: { kind: 'file', contentTypes: ['text/css'] },
  errors: [],
});
