import Type from 'typebox';
import { groupSettingFields } from '../objects/group-setting.ts';
import { userGroup } from '../objects/user-group.ts';
import { GROUP_PERMISSIONS } from '../permissions.ts';

const common = { id: Type.Integer(), type: Type.Literal('user_group') };
const addedOrRemoved = { ...common, group_id: Type.Integer() };

export const userGroupEvent = Type.Union([
  /** The group is new. For clients without deactivated groups it can also be reactivated. */
  Type.Object({ ...common, op: Type.Literal('add'), group: userGroup }),
  /** Only changed fields. */
  Type.Object({
    ...common,
    op: Type.Literal('update'),
    group_id: Type.Integer(),
    data: Type.Partial(
      Type.Object({
        name: Type.String(),
        description: Type.String(),
        deactivated: Type.Boolean(),
        ...groupSettingFields(GROUP_PERMISSIONS),
      }),
    ),
  }),
  /** The group was deactivated, for clients without deactivated groups. */
  Type.Object({ ...common, op: Type.Literal('remove'), group_id: Type.Integer() }),
  /** Users became or stopped being direct members. Deactivated users leave all groups without this event. */
  Type.Object({
    ...addedOrRemoved,
    op: Type.Union([Type.Literal('add_members'), Type.Literal('remove_members')]),
    user_ids: Type.Array(Type.Integer()),
  }),
  /** Groups became or stopped being direct subgroups. */
  Type.Object({
    ...addedOrRemoved,
    op: Type.Union([Type.Literal('add_subgroups'), Type.Literal('remove_subgroups')]),
    direct_subgroup_ids: Type.Array(Type.Integer()),
  }),
]);
