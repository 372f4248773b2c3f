import Type from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, inPath, optional, required } from '../contract.ts';
import { profileDataUpdatesOrNone } from '../objects/profile-field.ts';
import { role } from '../objects/user.ts';

const AREA = 'Users';
const FOR_ADMINISTRATORS = 'For administrators of the organization.';

const changes = {
  full_name: optional(text({ maxLength: 1000 })),
  role: optional(role, { description: 'Only owners give or take the role of owners, and one owner stays' }),
  profile_data: optional(profileDataUpdatesOrNone, {
    description: 'Values of custom profile fields; null, or nothing in it, takes one away',
  }),
  new_email: optional(text({ maxLength: 1000 }), {
    description: 'For owners whom the operator of the server has let change addresses',
  }),
};

const update = {
  method: 'PATCH',
  area: AREA,
  description: `${FOR_ADMINISTRATORS} All of it happens or nothing.`,
  authentication: 'required',
  response: Type.Object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
} as const;

export const updateUser = defineEndpoint({
  ...update,
  operationId: 'update-user',
  path: '/users/{user_id}',
  summary: "Change somebody's account",
  parameters: { user_id: inPath(Type.Integer()), ...changes },
});

export const updateUserByEmail = defineEndpoint({
  ...update,
  operationId: 'update-user-by-email',
  path: '/users/{email}',
  summary: "Change somebody's account, named by address",
  parameters: { email: inPath(text()), ...changes },
});

export const createUser = defineEndpoint({
  operationId: 'create-user',
  method: 'POST',
  path: '/users',
  area: AREA,
  summary: 'Create an account',
  description: 'For administrators whom the operator of the server has let create accounts.',
  authentication: 'required',
  parameters: {
    email: required(text({ maxLength: 1000 })),
    full_name: required(text({ maxLength: 1000 })),
    password: required(text()),
  },
  response: Type.Object({ user_id: Type.Integer() }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});

export const deactivateUser = defineEndpoint({
  operationId: 'deactivate-user',
  method: 'DELETE',
  path: '/users/{user_id}',
  area: AREA,
  summary: "Close somebody's account",
  description: `${FOR_ADMINISTRATORS} Accounts of owners are for owners, and one owner stays.`,
  authentication: 'required',
  parameters: {
    user_id: inPath(Type.Integer()),
    deactivation_notification_comment: optional(text({ maxLength: 2000 }), {
      description: 'Sent to whom the account belongs by mail, also where it is empty; without it no mail is sent',
    }),
  },
  response: Type.Object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});

export const reactivateUser = defineEndpoint({
  operationId: 'reactivate-user',
  method: 'POST',
  path: '/users/{user_id}/reactivate',
  area: AREA,
  summary: 'Open a closed account again',
  description: `${FOR_ADMINISTRATORS} Subscriptions, groups, the role and the API key are as they were.`,
  authentication: 'required',
  parameters: { user_id: inPath(Type.Integer()) },
  response: Type.Object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});

export const deactivateOwnUser = defineEndpoint({
  operationId: 'deactivate-own-user',
  method: 'DELETE',
  path: '/users/me',
  area: AREA,
  summary: "Close the caller's account",
  description: 'For people.',
  authentication: 'required',
  parameters: {},
  response: Type.Object({}),
  errors: ['CANNOT_DEACTIVATE_LAST_USER'],
});
