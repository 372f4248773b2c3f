import Type from 'typebox';
import { list, MAX_GROUPS_PER_REQUEST, MAX_USERS_PER_REQUEST } from '../bounds.ts';
import { mapPermissions, type Permission } from '../permissions.ts';

/** The ID of a group, or lists of users and groups (interface document, Conventions 8). */
export const groupSettingValue = Type.Union([
  Type.Integer(),
  Type.Object({ direct_members: Type.Array(Type.Integer()), direct_subgroups: Type.Array(Type.Integer()) }),
]);

/** A group-setting value in a request. */
export const groupSettingParameter = Type.Union([
  Type.Integer(),
  Type.Object({
    direct_members: list(Type.Integer(), MAX_USERS_PER_REQUEST),
    direct_subgroups: list(Type.Integer(), MAX_GROUPS_PER_REQUEST),
  }),
]);

/** A change of a permission. With `old`, the server applies it only if `old` is the current value. */
export const groupSettingUpdate = Type.Object({
  new: groupSettingParameter,
  old: Type.Optional(groupSettingParameter),
});

/** The fields with the permissions of a table. */
export function groupSettingFields<Name extends string>(table: Readonly<Record<Name, Permission>>) {
  return mapPermissions(table, () => groupSettingValue);
}
