import Type from 'typebox';
import { userGroup } from '../objects/user-group.ts';

const common = { id: Type.Integer(), type: Type.Literal('user_group') };
const addedOrRemoved = { ...common, group_id: Type.Integer() };

export const userGroupEvent = Type.Union([
  Type.Object({ ...common, op: Type.Literal('add'), group: userGroup }),
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
