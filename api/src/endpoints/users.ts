import Type from 'typebox';
import { list, MOST_USERS, text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath, optional } from '../contract.ts';
import { user } from '../objects/user.ts';

const presentation = {
  client_gravatar: defaulted(Type.Boolean(), true, {
    description: 'Whether the client computes gravatar pictures itself: avatar_url is then null for them',
  }),
  include_custom_profile_fields: defaulted(Type.Boolean(), false, {
    description: 'Whether people come with profile_data',
  }),
};

export const getUsers = defineEndpoint({
  operationId: 'get-users',
  method: 'GET',
  path: '/users',
  area: 'Users',
  summary: 'List the users of the organization, deactivated ones too',
  authentication: 'required',
  parameters: { ...presentation, user_ids: optional(list(Type.Integer(), MOST_USERS), { description: 'Only these' }) },
  response: Type.Object({ members: Type.Array(user) }),
  errors: [],
});

export const getOwnUser = defineEndpoint({
  operationId: 'get-own-user',
  method: 'GET',
  path: '/users/me',
  area: 'Users',
  summary: 'Fetch the caller',
  authentication: 'required',
  parameters: {},
  response: Type.Object({
    ...user.properties,
    max_message_id: Type.Integer({ deprecated: true, description: 'The last message that the caller got, or -1' }),
  }),
  errors: [],
});

export const getUser = defineEndpoint({
  operationId: 'get-user',
  method: 'GET',
  path: '/users/{user_id}',
  area: 'Users',
  summary: 'Fetch a user by id',
  authentication: 'required',
  parameters: { user_id: inPath(Type.Integer()), ...presentation },
  response: Type.Object({ user }),
  errors: [],
});

export const getUserByEmail = defineEndpoint({
  operationId: 'get-user-by-email',
  method: 'GET',
  path: '/users/{email}',
  area: 'Users',
  summary: 'Fetch a user by address',
  description: 'By the real address where the caller may see it, by the API address, or by user<id>@<host>.',
  authentication: 'required',
  parameters: { email: inPath(text()), ...presentation },
  response: Type.Object({ user }),
  errors: [],
});
