import Type from 'typebox';
import { groupSettingFields } from '../objects/group-setting.ts';
import { userGroup } from '../objects/user-group.ts';
import { GROUP_PERMISSIONS } from '../permissions.ts';

const common = { id: Type.Integer(), type: Type.Literal('user_group') };
const addedOrRemoved = { ...common, group_id: Type.Integer() };

export const userGroupEvent = Type.Union([
  /** It is new; or deactivated until now, where the client does not know deactivated groups. */
  Type.Object({ ...common, op: Type.Literal('add'), group: userGroup }),
  /** Only the fields that have changed. */
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
  /** It was deactivated, where the client does not know deactivated groups. */
  Type.Object({ ...common, op: Type.Literal('remove'), group_id: Type.Integer() }),
  /** Users joined or left a group directly. Deactivated ones leave all their groups without an event of this type. */
  Type.Object({
    ...addedOrRemoved,
    op: Type.Union([Type.Literal('add_members'), Type.Literal('remove_members')]),
    user_ids: Type.Array(Type.Integer()),
  }),
  /** Groups became, or are no longer, direct subgroups of a group. */
  Type.Object({
    ...addedOrRemoved,
    op: Type.Union([Type.Literal('add_subgroups'), Type.Literal('remove_subgroups')]),
    direct_subgroup_ids: Type.Array(Type.Integer()),
  }),
]);
