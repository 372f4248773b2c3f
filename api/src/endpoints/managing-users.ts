import Type from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, inPath, optional, required } from '../contract.ts';
import { profileDataUpdatesOrNone } from '../objects/profile-field.ts';
import { role } from '../objects/user.ts';

const AREA = 'Users';
const FOR_ADMINISTRATORS = 'For administrators of the organization.';

const changes = {
  full_name: optional(text({ maxLength: 1000 })),
  role: optional(role, { description: 'Only owners can add or remove the owner role. The only owner cannot lose it' }),
  profile_data: optional(profileDataUpdatesOrNone, {
    description: 'Values of custom profile fields. Null or an empty value removes a value',
  }),
  new_email: optional(text({ maxLength: 1000 }), {
    description: 'For owners with `can_change_user_emails`, which the operator of the server grants',
  }),
};

const update = {
  method: 'PATCH',
  area: AREA,
  description: `${FOR_ADMINISTRATORS} The request succeeds or fails as a whole.`,
  authentication: 'required',
  response: Type.Object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
} as const;

export const updateUser = defineEndpoint({
  ...update,
  operationId: 'update-user',
  path: '/users/{user_id}',
  summary: 'Change a user',
  parameters: { user_id: inPath(Type.Integer()), ...changes },
});

export const updateUserByEmail = defineEndpoint({
  ...update,
  operationId: 'update-user-by-email',
  path: '/users/{email}',
  summary: 'Change a user by address',
  parameters: { email: inPath(text()), ...changes },
});

export const createUser = defineEndpoint({
  operationId: 'create-user',
  method: 'POST',
  path: '/users',
  area: AREA,
  summary: 'Create a user',
  description: 'For administrators with `can_create_users`, which the operator of the server grants.',
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
  summary: 'Deactivate a user',
  description: `${FOR_ADMINISTRATORS} Only owners can deactivate owners. The only owner cannot be deactivated.`,
  authentication: 'required',
  parameters: {
    user_id: inPath(Type.Integer()),
    deactivation_notification_comment: optional(text({ maxLength: 2000 }), {
      description:
        'The comment of a mail to the user. If it is empty, the mail has no comment. If it is absent, the server sends no mail',
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
  summary: 'Reactivate a user',
  description:
    'For administrators, and owners of bots. The account has its previous subscriptions, groups, role and API key.',
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
  summary: 'Deactivate the caller',
  description: 'Not for bots.',
  authentication: 'required',
  parameters: {},
  response: Type.Object({}),
  errors: ['CANNOT_DEACTIVATE_LAST_USER'],
});
