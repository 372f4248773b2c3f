import Type from 'typebox';
import { list, MAX_GROUPS_PER_REQUEST, MAX_USERS_PER_REQUEST, text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath, optional, required } from '../contract.ts';
import { groupSettingParameter, groupSettingUpdate } from '../objects/group-setting.ts';
import { userGroup } from '../objects/user-group.ts';
import { GROUP_PERMISSIONS, mapPermissions } from '../permissions.ts';

const AREA = 'User groups';

const id = inPath(Type.Integer());
const users = list(Type.Integer(), MAX_USERS_PER_REQUEST);
const groups = list(Type.Integer(), MAX_GROUPS_PER_REQUEST);
const name = text({
  description: 'At most 100 characters; the server trims it. Unique regardless of case',
});
const description = text({ description: 'At most 1,024 characters' });
const directMembersOnly = defaulted(Type.Boolean(), false, {
  description: 'Whether to exclude members of subgroups',
});

export const getUserGroups = defineEndpoint({
  operationId: 'get-user-groups',
  method: 'GET',
  path: '/user_groups',
  area: AREA,
  summary: 'List the user groups of the organization',
  authentication: 'required',
  parameters: { include_deactivated_groups: defaulted(Type.Boolean(), false) },
  response: Type.Object({ user_groups: Type.Array(userGroup) }),
  errors: [],
});

export const createUserGroup = defineEndpoint({
  operationId: 'create-user-group',
  method: 'POST',
  path: '/user_groups/create',
  area: AREA,
  summary: 'Create a user group',
  authentication: 'required',
  parameters: {
    name: required(name),
    description: required(description),
    members: required(users, { description: 'User IDs' }),
    subgroups: optional(groups, { description: 'IDs of groups' }),
    ...mapPermissions(GROUP_PERMISSIONS, () => optional(groupSettingParameter)),
  },
  response: Type.Object({ group_id: Type.Integer() }),
  errors: ['SYSTEM_GROUP_REQUIRED'],
});

export const updateUserGroup = defineEndpoint({
  operationId: 'update-user-group',
  method: 'PATCH',
  path: '/user_groups/{user_group_id}',
  area: AREA,
  summary: 'Change the name, description or permissions of a user group, or reactivate it',
  authentication: 'required',
  parameters: {
    user_group_id: id,
    name: optional(name),
    description: optional(description),
    ...mapPermissions(GROUP_PERMISSIONS, () => optional(groupSettingUpdate)),
    deactivated: optional(Type.Boolean(), {
      description: 'False reactivates the group. True has no effect, because a separate endpoint deactivates groups',
    }),
  },
  response: Type.Object({}),
  errors: ['EXPECTATION_MISMATCH', 'SYSTEM_GROUP_REQUIRED'],
});

export const deactivateUserGroup = defineEndpoint({
  operationId: 'deactivate-user-group',
  method: 'POST',
  path: '/user_groups/{user_group_id}/deactivate',
  area: AREA,
  summary: 'Deactivate an unused user group',
  authentication: 'required',
  parameters: { user_group_id: id },
  response: Type.Object({}),
  errors: ['CANNOT_DEACTIVATE_GROUP_IN_USE'],
});

export const updateUserGroupMembers = defineEndpoint({
  operationId: 'update-user-group-members',
  method: 'POST',
  path: '/user_groups/{user_group_id}/members',
  area: AREA,
  summary: 'Add and remove members and subgroups of a user group',
  authentication: 'required',
  parameters: {
    user_group_id: id,
    add: optional(users, { description: 'User IDs' }),
    delete: optional(users, { description: 'User IDs' }),
    add_subgroups: optional(groups, { description: 'IDs of groups' }),
    delete_subgroups: optional(groups, { description: 'IDs of groups' }),
  },
  response: Type.Object({}),
  errors: [],
});

export const getUserGroupMembers = defineEndpoint({
  operationId: 'get-user-group-members',
  method: 'GET',
  path: '/user_groups/{user_group_id}/members',
  area: AREA,
  summary: 'List the IDs of the members of a user group',
  authentication: 'required',
  parameters: { user_group_id: id, direct_member_only: directMembersOnly },
  response: Type.Object({ members: Type.Array(Type.Integer()) }),
  errors: [],
});

export const getIsUserGroupMember = defineEndpoint({
  operationId: 'get-is-user-group-member',
  method: 'GET',
  path: '/user_groups/{user_group_id}/members/{user_id}',
  area: AREA,
  summary: 'Check whether a user is in a user group',
  authentication: 'required',
  parameters: { user_group_id: id, user_id: inPath(Type.Integer()), direct_member_only: directMembersOnly },
  response: Type.Object({ is_user_group_member: Type.Boolean() }),
  errors: [],
});

export const updateUserGroupSubgroups = defineEndpoint({
  operationId: 'update-user-group-subgroups',
  method: 'POST',
  path: '/user_groups/{user_group_id}/subgroups',
  area: AREA,
  summary: 'Add and remove subgroups of a user group',
  authentication: 'required',
  parameters: { user_group_id: id, add: optional(groups), delete: optional(groups) },
  response: Type.Object({}),
  errors: [],
});

export const getUserGroupSubgroups = defineEndpoint({
  operationId: 'get-user-group-subgroups',
  method: 'GET',
  path: '/user_groups/{user_group_id}/subgroups',
  area: AREA,
  summary: 'List the IDs of the subgroups of a user group',
  authentication: 'required',
  parameters: {
    user_group_id: id,
    direct_subgroup_only: defaulted(Type.Boolean(), false, {
      description: 'Whether to exclude subgroups of subgroups',
    }),
  },
  response: Type.Object({ subgroups: Type.Array(Type.Integer()) }),
  errors: [],
});
