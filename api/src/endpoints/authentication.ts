import Type from 'typebox';
import { text } from '../bounds.ts';
import { defaulted, defineEndpoint, required } from '../contract.ts';
import { user } from '../objects/user.ts';

const credentials = Type.Object({
  api_key: Type.String(),
  email: Type.String({ description: 'The user name for this key' }),
  user_id: Type.Integer(),
});

export const fetchApiKey = defineEndpoint({
  operationId: 'fetch-api-key',
  method: 'POST',
  path: '/fetch_api_key',
  area: 'Authentication',
  summary: 'Exchange a password for an API key',
  authentication: 'none',
  parameters: {
    username: required(text(), { description: 'The email address of the account' }),
    password: required(text()),
  },
  secrets: 'always',
  response: credentials,
  errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED'],
});

export const developmentFetchApiKey = defineEndpoint({
  operationId: 'dev-fetch-api-key',
  method: 'POST',
  path: '/dev_fetch_api_key',
  area: 'Authentication',
  summary: 'Get an API key without a password, on development servers only',
  authentication: 'none',
  parameters: { username: required(text(), { description: 'The email address of the account' }) },
  secrets: 'always',
  response: credentials,
  errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED'],
});

export const regenerateApiKey = defineEndpoint({
  operationId: 'regenerate-own-api-key',
  method: 'POST',
  path: '/users/me/api_key/regenerate',
  area: 'Authentication',
  summary: "Replace the caller's API key",
  description: 'The server then refuses the old key. It deletes its event queues, and the registrations of phones.',
  authentication: 'required',
  parameters: {},
  secrets: 'always',
  response: Type.Object({ api_key: Type.String() }),
  errors: [],
});

export const jwtFetchApiKey = defineEndpoint({
  operationId: 'jwt-fetch-api-key',
  method: 'POST',
  path: '/jwt/fetch_api_key',
  area: 'Authentication',
  summary: 'Exchange a signed token (JWT) for an API key',
  authentication: 'none',
  parameters: {
    token: defaulted(text(), '', { description: 'The claim `email` contains the address of the account' }),
    include_profile: defaulted(Type.Boolean(), false),
  },
  secrets: 'always',
  response: Type.Object({
    api_key: Type.String(),
    email: Type.String(),
    user: Type.Optional(user),
  }),
  errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED'],
});
