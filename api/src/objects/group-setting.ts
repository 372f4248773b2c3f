import Type from 'typebox';
import { list, MOST_GROUPS, MOST_USERS } from '../bounds.ts';
import { mapPermissions, type Permission } from '../permissions.ts';

/** A group's id, or users and groups named directly (interface document, Conventions 8). */
export const groupSettingValue = Type.Union([
  Type.Integer(),
  Type.Object({ direct_members: Type.Array(Type.Integer()), direct_subgroups: Type.Array(Type.Integer()) }),
]);

/** The same as a request says it. */
export const groupSettingParameter = Type.Union([
  Type.Integer(),
  Type.Object({
    direct_members: list(Type.Integer(), MOST_USERS),
    direct_subgroups: list(Type.Integer(), MOST_GROUPS),
  }),
]);

/** How a request changes a permission that exists: only if it still is as the client believes, where it says what that is. */
export const groupSettingUpdate = Type.Object({
  new: groupSettingParameter,
  old: Type.Optional(groupSettingParameter),
});

/** The fields that show the permissions of one level. */
export function groupSettingFields<Name extends string>(table: Readonly<Record<Name, Permission>>) {
  return mapPermissions(table, () => groupSettingValue);
}
