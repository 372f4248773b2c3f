import Type from 'typebox';
import { mutedUser } from '../objects/muted-user.ts';

export const mutedUsersEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('muted_users'),
  muted_users: Type.Array(mutedUser),
});
