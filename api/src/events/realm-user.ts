import Type from 'typebox';
import { user, role as userRole } from '../objects/user.ts';

const head = { id: Type.Integer(), type: Type.Literal('realm_user') };

/** A new user, or a user who became accessible. Older clients of guests also receive inaccessible users, as placeholders. */
export const realmUserAdd = Type.Object({ ...head, op: Type.Literal('add'), person: user });

/** The user is no longer accessible. */
export const realmUserRemove = Type.Object({
  ...head,
  op: Type.Literal('remove'),
  person: Type.Object({ user_id: Type.Integer(), full_name: Type.String() }),
});

/** A user was deactivated or reactivated. Since feature level 222 this is an update. */
export const realmUserActivity = Type.Object({
  ...head,
  op: Type.Literal('update'),
  person: Type.Object({ user_id: Type.Integer(), is_active: Type.Boolean() }),
});

/** A user has a new role. */
export const realmUserRole = Type.Object({
  ...head,
  op: Type.Literal('update'),
  person: Type.Object({ user_id: Type.Integer(), role: userRole }),
});

/** A user has a new time zone. */
export const realmUserTimezone = Type.Object({
  ...head,
  op: Type.Literal('update'),
  person: Type.Object({ user_id: Type.Integer(), email: Type.String(), timezone: Type.String() }),
});

/** A user has a new name. */
export const realmUserFullName = Type.Object({
  ...head,
  op: Type.Literal('update'),
  person: Type.Object({ user_id: Type.Integer(), full_name: Type.String() }),
});

/** A user has a new API address. */
export const realmUserEmail = Type.Object({
  ...head,
  op: Type.Literal('update'),
  person: Type.Object({ user_id: Type.Integer(), new_email: Type.String() }),
});

/** The real address that the client can see changed. Null means that it is hidden. */
export const realmUserDeliveryEmail = Type.Object({
  ...head,
  op: Type.Literal('update'),
  person: Type.Object({ user_id: Type.Integer(), delivery_email: Type.Union([Type.String(), Type.Null()]) }),
});

/** A user has a new avatar. */
export const realmUserAvatar = Type.Object({
  ...head,
  op: Type.Literal('update'),
  person: Type.Object({
    user_id: Type.Integer(),
    avatar_source: Type.Union([Type.Literal('G'), Type.Literal('U')]),
    avatar_url: Type.String(),
    avatar_url_medium: Type.String(),
    avatar_version: Type.Integer(),
  }),
});

/** A bot has a new owner. */
export const realmUserBotOwner = Type.Object({
  ...head,
  op: Type.Literal('update'),
  person: Type.Object({ user_id: Type.Integer(), bot_owner_id: Type.Integer() }),
});

/** The value of a custom profile field changed. Null means that it was removed. */
export const realmUserProfile = Type.Object({
  ...head,
  op: Type.Literal('update'),
  person: Type.Object({
    user_id: Type.Integer(),
    custom_profile_field: Type.Object({
      id: Type.Integer(),
      value: Type.Union([Type.String(), Type.Null()]),
      rendered_value: Type.Optional(Type.String()),
    }),
  }),
});

export const realmUserEvent = Type.Union([
  realmUserAdd,
  realmUserRemove,
  realmUserActivity,
  realmUserRole,
  realmUserTimezone,
  realmUserFullName,
  realmUserEmail,
  realmUserDeliveryEmail,
  realmUserAvatar,
  realmUserBotOwner,
  realmUserProfile,
]);
