import Type from 'typebox';
import { user } from '../objects/user.ts';

const head = { id: Type.Integer(), type: Type.Literal('realm_user') };

/** A new account. */
export const realmUserAdd = Type.Object({ ...head, op: Type.Literal('add'), person: user });

/** An account was closed or opened again: since feature level 222 this is an update. */
export const realmUserActivity = Type.Object({
  ...head,
  op: Type.Literal('update'),
  person: Type.Object({ user_id: Type.Integer(), is_active: Type.Boolean() }),
});

export const realmUserEvent = Type.Union([realmUserAdd, realmUserActivity]);
