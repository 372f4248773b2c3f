import Type from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, required } from '../contract.ts';

const credentials = Type.Object({
  api_key: Type.String(),
  email: Type.String({ description: 'The user name that goes with the key' }),
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
    username: required(text(), { description: "The account's email address" }),
    password: required(text()),
  },
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
  parameters: { username: required(text(), { description: "The account's email address" }) },
  response: credentials,
  errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED'],
});
