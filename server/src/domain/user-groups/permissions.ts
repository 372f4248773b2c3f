import { GROUP_PERMISSIONS, type GroupPermission, mapPermissions } from '@heddle/api/permissions.ts';
import {
  activeOnly,
  presentGroupSetting,
  readGroupSetting,
  type WireGroupSetting,
} from '../../access/group-settings.ts';
import { groupPermission } from '../../access/groups.ts';
import type { Directory } from '../../directory/directory.ts';
import type { GroupPermissions, GroupRecord, GroupSetting } from '../../directory/records.ts';

export const permissionNames = Object.keys(GROUP_PERMISSIONS) as readonly GroupPermission[];

/** All permissions of a group, as clients see them. */
export type ShownPermissions = Readonly<Record<GroupPermission, GroupSetting>>;

/** Reads permissions from the parameters of a request. */
export function chosenPermissions(
  parameters: Readonly<Record<GroupPermission, WireGroupSetting | undefined>>,
): GroupPermissions {
  const entries = permissionNames.flatMap((name) => {
    const value = parameters[name];
    return value === undefined ? [] : [[name, readGroupSetting(value)] as const];
  });
  return Object.fromEntries(entries);
}

/** All permissions of a group, with defaults for those that were never set. */
export function shownPermissions(directory: Directory, group: GroupRecord): ShownPermissions {
  return mapPermissions(GROUP_PERMISSIONS, (name) => activeOnly(directory, groupPermission(directory, group, name)));
}

/** Permissions as fields of the API's group object. */
export function presentPermissions(permissions: ShownPermissions): Readonly<Record<GroupPermission, WireGroupSetting>>;
export function presentPermissions(
  permissions: GroupPermissions,
): Readonly<Partial<Record<GroupPermission, WireGroupSetting>>>;
export function presentPermissions(permissions: GroupPermissions) {
  return Object.fromEntries(
    permissionNames.flatMap((name) => {
      const value = permissions[name];
      return value === undefined ? [] : [[name, presentGroupSetting(value)] as const];
    }),
  );
}
