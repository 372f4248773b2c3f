import Type from 'typebox';
import { list, MOST_GROUPS, MOST_USERS, text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath, optional, required } from '../contract.ts';
import { groupSettingParameter, groupSettingUpdate } from '../objects/group-setting.ts';
import { userGroup } from '../objects/user-group.ts';
import { GROUP_PERMISSIONS, mapPermissions } from '../permissions.ts';

const AREA = 'User groups';

const id = inPath(Type.Integer());
const users = list(Type.Integer(), MOST_USERS);
const groups = list(Type.Integer(), MOST_GROUPS);
const name = text({
  description: 'At most 100 characters, of which blanks around it are dropped; unique in whichever case',
});
const description = text({ description: 'At most 1,024 characters' });
const directMembersOnly = defaulted(Type.Boolean(), false, {
  description: "Whether to leave out those who are in it through the group's subgroups",
});

export const getUserGroups = defineEndpoint({
  operationId: 'get-user-groups',
  method: 'GET',
  path: '/user_groups',
  area: AREA,
  summary: "List the organization's user groups",
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
    members: required(users, { description: 'User ids' }),
    subgroups: optional(groups, { description: 'Ids of groups' }),
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
  summary: 'Change what a user group is called, who may do what with it, or open a deactivated one again',
  authentication: 'required',
  parameters: {
    user_group_id: id,
    name: optional(name),
    description: optional(description),
    ...mapPermissions(GROUP_PERMISSIONS, () => optional(groupSettingUpdate)),
    deactivated: optional(Type.Boolean(), {
      description: 'False opens a deactivated group again; true does nothing, there is an endpoint of its own for that',
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
  summary: 'Deactivate a user group that nothing else uses',
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
  summary: 'Put users and groups into a user group, and take others out of it',
  authentication: 'required',
  parameters: {
    user_group_id: id,
    add: optional(users, { description: 'User ids' }),
    delete: optional(users, { description: 'User ids' }),
    add_subgroups: optional(groups, { description: 'Ids of groups' }),
    delete_subgroups: optional(groups, { description: 'Ids of groups' }),
  },
  response: Type.Object({}),
  errors: [],
});

export const getUserGroupMembers = defineEndpoint({
  operationId: 'get-user-group-members',
  method: 'GET',
  path: '/user_groups/{user_group_id}/members',
  area: AREA,
  summary: 'List the ids of the users in a user group',
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
  summary: 'Whether a user is in a user group',
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
  summary: 'Put groups into a user group, and take others out of it',
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
  summary: 'List the ids of the groups in a user group',
  authentication: 'required',
  parameters: {
    user_group_id: id,
    direct_subgroup_only: defaulted(Type.Boolean(), false, {
      description: "Whether to leave out those that are in it through the group's subgroups",
    }),
  },
  response: Type.Object({ subgroups: Type.Array(Type.Integer()) }),
  errors: [],
});
