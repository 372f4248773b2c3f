import Type from 'typebox';
import { user, role as userRole } from '../objects/user.ts';

const head = { id: Type.Integer(), type: Type.Literal('realm_user') };

/** A new account. */
export const realmUserAdd = Type.Object({ ...head, op: Type.Literal('add'), person: user });

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

export const realmUserEvent = Type.Union([realmUserAdd, realmUserActivity, realmUserRole, realmUserTimezone]);
