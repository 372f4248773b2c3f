/**
 * Permissions for user groups (public reference: "Manage user groups", "Configure group permissions"), and the single
 * entry point for a group that a request names. Users who manage the group, or all groups, can also do everything that
 * its other permissions allow. What membership allows elsewhere is not decided here.
 */
import { type ApiError, badRequest } from '@heddle/api/errors.ts';
import { GROUP_PERMISSIONS, type GroupPermission } from '@heddle/api/permissions.ts';
import type { Directory } from '../directory/directory.ts';
import { type GroupRecord, type GroupSetting, SystemGroup, type UserRecord } from '../directory/records.ts';
import { defaultGroupSetting, isGranted } from './group-settings.ts';
import { hasPermission } from './organization-settings.ts';
import { peopleOnlyRefusal } from './people.ts';

/**
 * What a request wants to do with a group:
 * - `read`: read its members;
 * - `edit`: change its name, description and permissions, or reactivate it;
 * - `deactivate`: deactivate it;
 * - `join`, `leave`: become a member, or stop being one;
 * - `add-members`, `remove-members`: change the membership of others;
 * - `add-subgroups`, `remove-subgroups`: change its subgroups.
 */
export type GroupNeed = keyof typeof NEEDS;

interface NeedDefinition {
  /** Each of these is sufficient, and so is managing the group. Undefined if no permission is necessary. */
  readonly permissions?: readonly GroupPermission[];
  /** Whether it works with deactivated groups. Since feature level 391, their members can change too. */
  readonly ofDeactivated: boolean;
}

const NEEDS = {
  read: { ofDeactivated: false },
  edit: { permissions: [], ofDeactivated: true },
  deactivate: { permissions: [], ofDeactivated: false },
  join: { permissions: ['can_join_group', 'can_add_members_group'], ofDeactivated: true },
  leave: { permissions: ['can_leave_group', 'can_remove_members_group'], ofDeactivated: true },
  'add-members': { permissions: ['can_add_members_group'], ofDeactivated: true },
  'remove-members': { permissions: ['can_remove_members_group'], ofDeactivated: true },
  'add-subgroups': { permissions: ['can_add_members_group'], ofDeactivated: true },
  'remove-subgroups': { permissions: [], ofDeactivated: true },
} as const satisfies Readonly<Record<string, NeedDefinition>>;

/**
 * Returns the named group, if the user may do that with it.
 * @throws ApiError `BAD_REQUEST`
 */
export function accessGroup(directory: Directory, user: UserRecord, groupId: number, need: GroupNeed): GroupRecord {
  const group = directory.groups.all.get(groupId);
  if (group === undefined) throw badRequest('Invalid user group');
  const refusal = groupRefusal(directory, user, group, need);
  if (refusal !== undefined) throw refusal;
  return group;
}

/** Returns why the user may not do that with the group; undefined if they may. */
export function groupRefusal(
  directory: Directory,
  user: UserRecord,
  group: GroupRecord,
  need: GroupNeed,
): ApiError | undefined {
  const { permissions, ofDeactivated }: NeedDefinition = NEEDS[need];
  if (group.isDeactivated && !ofDeactivated) return badRequest('User group is deactivated.');
  if (permissions === undefined || mayChange(directory, user, group, permissions)) return undefined;
  return badRequest('Insufficient permission');
}

/** System groups follow from roles, so no user can change them. */
function mayChange(
  directory: Directory,
  user: UserRecord,
  group: GroupRecord,
  permissions: readonly GroupPermission[],
): boolean {
  if (group.isSystem) return false;
  if (hasPermission(directory, user, 'can_manage_all_groups')) return true;
  return ['can_manage_group' as const, ...permissions].some((name) => hasGroupPermission(directory, user, group, name));
}

/** Whether the group's own setting grants the user this permission. */
export function hasGroupPermission(
  directory: Directory,
  user: UserRecord,
  group: GroupRecord,
  name: GroupPermission,
): boolean {
  return isGranted(directory, GROUP_PERMISSIONS[name], groupPermission(directory, group, name), user);
}

/** Returns the value of the group's permission: the stored one, or else the default. */
export function groupPermission(directory: Directory, group: GroupRecord, name: GroupPermission): GroupSetting {
  const permission = GROUP_PERMISSIONS[name];
  if (group.isSystem) return directory.groups.idOf(permission.defaultOfSystemGroups ?? SystemGroup.nobody);
  return group.permissions?.[name] ?? defaultGroupSetting(directory, permission, group.creatorId);
}

/** Returns why the user may not create groups; undefined if they may. */
export function groupCreationRefusal(directory: Directory, user: UserRecord): ApiError | undefined {
  return hasPermission(directory, user, 'can_create_groups') ? undefined : badRequest('Insufficient permission');
}

/**
 * Returns why the user may not use the endpoints for groups at all. Up to feature level 421, guests and bots may not.
 */
export function groupEndpointsRefusal(user: UserRecord): ApiError | undefined {
  return peopleOnlyRefusal(user);
}
