/**
 * Who may do what with user groups (public reference: "Manage user groups", "Configure group permissions"), and the one door to a group
 * that a request names. What a group permits for itself, its managers may do as well, and so may those who manage all groups. What
 * members of groups may do elsewhere is not asked here.
 */
import { type ApiError, badRequest } from '@heddle/api/errors.ts';
import { GROUP_PERMISSIONS, type GroupPermission } from '@heddle/api/permissions.ts';
import type { Directory } from '../directory/directory.ts';
import { type GroupRecord, type GroupSetting, SystemGroup, type UserRecord } from '../directory/records.ts';
import { defaultGroupSetting, isGranted } from './group-settings.ts';
import { hasPermission } from './organization-settings.ts';
import { peopleOnlyRefusal } from './people.ts';

/**
 * What someone wants of a group:
 * - `read`: to know who is in it;
 * - `edit`: to change its name, its description and its permissions, and to open it again;
 * - `deactivate`;
 * - `join`, `leave`: to become, or no longer be, a member themselves;
 * - `add-members`, `remove-members`: the same with others;
 * - `add-subgroups`, `remove-subgroups`: the same with groups.
 */
export type GroupNeed = keyof typeof NEEDS;

interface NeedDefinition {
  /** Any of them will do, beside those that make a manager; undefined where none is needed. */
  readonly permissions?: readonly GroupPermission[];
  /** Since feature level 391 members come and go in deactivated groups too. */
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
 * The group that is named, if the user may do that with it.
 * @throws ApiError `BAD_REQUEST`
 */
export function accessGroup(directory: Directory, user: UserRecord, groupId: number, need: GroupNeed): GroupRecord {
  const group = directory.groups.all.get(groupId);
  if (group === undefined) throw badRequest('Invalid user group');
  const { permissions, ofDeactivated }: NeedDefinition = NEEDS[need];
  if (group.isDeactivated && !ofDeactivated) throw badRequest('User group is deactivated.');
  if (permissions === undefined || mayChange(directory, user, group, permissions)) return group;
  throw badRequest('Insufficient permission');
}

/** System groups follow from roles: nobody changes them. */
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

/** Whether the group itself grants the user this permission. */
export function hasGroupPermission(
  directory: Directory,
  user: UserRecord,
  group: GroupRecord,
  name: GroupPermission,
): boolean {
  return isGranted(directory, GROUP_PERMISSIONS[name], groupPermission(directory, group, name), user);
}

/** What the permission of the group is set to: what is stored, or else the default. */
export function groupPermission(directory: Directory, group: GroupRecord, name: GroupPermission): GroupSetting {
  const permission = GROUP_PERMISSIONS[name];
  if (group.isSystem) return directory.groups.idOf(permission.defaultOfSystemGroups ?? SystemGroup.nobody);
  return group.permissions?.[name] ?? defaultGroupSetting(directory, permission, group.creatorId);
}

/** Why the user may not create groups; undefined where they may. */
export function groupCreationRefusal(directory: Directory, user: UserRecord): ApiError | undefined {
  return hasPermission(directory, user, 'can_create_groups') ? undefined : badRequest('Insufficient permission');
}

/** Why the user may not use the endpoints of groups at all: up to feature level 421 they are for people who are no guests. */
export function groupEndpointsRefusal(user: UserRecord): ApiError | undefined {
  return peopleOnlyRefusal(user);
}
