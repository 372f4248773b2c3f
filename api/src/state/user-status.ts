import Type from 'typebox';
import { userStatus } from '../objects/user-status.ts';

export const userStatusState = {
  user_status: Type.Optional(
    Type.Record(Type.String(), userStatus, { description: 'Keys are user IDs. Only users with a status' }),
  ),
};
