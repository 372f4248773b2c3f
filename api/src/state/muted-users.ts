import Type from 'typebox';
import { mutedUser } from '../objects/muted-user.ts';

export const mutedUsersState = { muted_users: Type.Optional(Type.Array(mutedUser)) };
