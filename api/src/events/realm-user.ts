import Type from 'typebox';
import { user, role as userRole } from '../objects/user.ts';

const head = { id: Type.Integer(), type: Type.Literal('realm_user') };

/** A new account, or one that the reader may know from now on; to older clients of guests also one that they may not. */
export const realmUserAdd = Type.Object({ ...head, op: Type.Literal('add'), person: user });

/** The reader may not know the account any more. */
export const realmUserRemove = Type.Object({
  ...head,
  op: Type.Literal('remove'),
  person: Type.Object({ user_id: Type.Integer(), full_name: Type.String() }),
});

/** An account was closed or opened again: since feature level 222 this is an update. */
export const realmUserActivity = Type.Object({
  ...head,
  op: Type.Literal('update'),
  person: Type.Object({ user_id: Type.Integer(), is_active: Type.Boolean() }),
});

/** An account got another role. */
export const realmUserRole = Type.Object({
  ...head,
  op: Type.Literal('update'),
  person: Type.Object({ user_id: Type.Integer(), role: userRole }),
});

/** An account has another time zone. */
export const realmUserTimezone = Type.Object({
  ...head,
  op: Type.Literal('update'),
  person: Type.Object({ user_id: Type.Integer(), email: Type.String(), timezone: Type.String() }),
});

/** An account has another name. */
export const realmUserFullName = Type.Object({
  ...head,
  op: Type.Literal('update'),
  person: Type.Object({ user_id: Type.Integer(), full_name: Type.String() }),
});

/** An account has another address for the API. */
export const realmUserEmail = Type.Object({
  ...head,
  op: Type.Literal('update'),
  person: Type.Object({ user_id: Type.Integer(), new_email: Type.String() }),
});

/** The reader may see another real address from now on, or none (null). */
export const realmUserDeliveryEmail = Type.Object({
  ...head,
  op: Type.Literal('update'),
  person: Type.Object({ user_id: Type.Integer(), delivery_email: Type.Union([Type.String(), Type.Null()]) }),
});

/** An account has another picture. */
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

/** A bot has another owner. */
export const realmUserBotOwner = Type.Object({
  ...head,
  op: Type.Literal('update'),
  person: Type.Object({ user_id: Type.Integer(), bot_owner_id: Type.Integer() }),
});

/** A profile says something else; null: nothing any more. */
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
