import Type from 'typebox';
import { userGroup } from '../objects/user-group.ts';

export const userGroupsState = {
  realm_user_groups: Type.Optional(Type.Array(userGroup)),
};
