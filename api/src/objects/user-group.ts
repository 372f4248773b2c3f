import Type from 'typebox';
import { GROUP_PERMISSIONS } from '../permissions.ts';
import { groupSettingFields } from './group-setting.ts';

/** A user group with its direct members and subgroups. Members of subgroups are also members of the group. */
export const userGroup = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  description: Type.String(),
  members: Type.Array(Type.Integer(), { description: 'Direct members without deactivated users' }),
  direct_subgroup_ids: Type.Array(Type.Integer()),
  is_system_group: Type.Boolean(),
  creator_id: Type.Union([Type.Integer(), Type.Null()]),
  date_created: Type.Union([Type.Integer(), Type.Null()]),
  deactivated: Type.Boolean(),
  ...groupSettingFields(GROUP_PERMISSIONS),
});
