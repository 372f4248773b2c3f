import Type from 'typebox';
import { userStatus } from '../objects/user-status.ts';

/** The changed fields of a status. Removed texts are empty. */
export const userStatusEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('user_status'),
  user_id: Type.Integer(),
  ...userStatus.properties,
});
