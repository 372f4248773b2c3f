import Type from 'typebox';
import { list, MAX_USERS_PER_REQUEST, text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath, optional } from '../contract.ts';
import { user } from '../objects/user.ts';

const presentation = {
  client_gravatar: defaulted(Type.Boolean(), true, {
    description: 'Whether the client computes Gravatar URLs. `avatar_url` is then null for Gravatar users',
  }),
  include_custom_profile_fields: defaulted(Type.Boolean(), false, {
    description: 'Whether users have `profile_data`',
  }),
};

export const getUsers = defineEndpoint({
  operationId: 'get-users',
  method: 'GET',
  path: '/users',
  area: 'Users',
  summary: 'List all users of the organization, including deactivated ones',
  authentication: 'required',
  parameters: {
    ...presentation,
    user_ids: optional(list(Type.Integer(), MAX_USERS_PER_REQUEST), { description: 'Returns only these users' }),
  },
  response: Type.Object({ members: Type.Array(user) }),
  errors: [],
});

export const getOwnUser = defineEndpoint({
  operationId: 'get-own-user',
  method: 'GET',
  path: '/users/me',
  area: 'Users',
  summary: 'Get the caller',
  authentication: 'required',
  parameters: {},
  response: Type.Object({
    ...user.properties,
    max_message_id: Type.Integer({
      deprecated: true,
      description: 'The ID of the last message that the caller received, or -1',
    }),
  }),
  errors: [],
});

export const getUser = defineEndpoint({
  operationId: 'get-user',
  method: 'GET',
  path: '/users/{user_id}',
  area: 'Users',
  summary: 'Get a user by ID',
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
  summary: 'Get a user by address',
  description: 'Accepts the real address (if the caller can access it), the API address, and `user<id>@<host>`.',
  authentication: 'required',
  parameters: { email: inPath(text()), ...presentation },
  response: Type.Object({ user }),
  errors: [],
});
