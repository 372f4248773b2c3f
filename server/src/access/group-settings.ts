/**
 * The values of permissions: a group, or users and groups that are named directly (public reference: "Group-setting
 * values"). This file reads and presents both forms of the wire, checks which values a permission takes, and decides to
 * whom a value grants it.
 */
import { badRequest, expectationMismatch, systemGroupRequired } from '@heddle/api/errors.ts';
import type { groupSettingUpdate, groupSettingValue } from '@heddle/api/objects/group-setting.ts';
import type { Permission } from '@heddle/api/permissions.ts';
import type { Static } from 'typebox';
import type { Directory } from '../directory/directory.ts';
import { type GroupSetting, isSameSetting, Role, SystemGroup, type UserRecord } from '../directory/records.ts';

export type WireGroupSetting = Static<typeof groupSettingValue>;
export type WireGroupSettingUpdate = Static<typeof groupSettingUpdate>;

export function presentGroupSetting(setting: GroupSetting): WireGroupSetting {
  if (typeof setting === 'number') return setting;
  return { direct_members: [...setting.directMembers], direct_subgroups: [...setting.directSubgroups] };
}

/**
 * Returns the value without deactivated accounts, because clients never see those in a value.
 * @param changed an account that is being activated or deactivated, in its new state
 */
export function activeOnly(
  directory: Directory,
  setting: GroupSetting,
  changed?: Pick<UserRecord, 'id' | 'isActive'>,
): GroupSetting {
  if (typeof setting === 'number') return setting;
  const directMembers = setting.directMembers.filter((id) => {
    return id === changed?.id ? changed.isActive : directory.user(id)?.isActive;
  });
  return directMembers.length === setting.directMembers.length ? setting : { ...setting, directMembers };
}

/** Whether the value names the user directly. */
export function namesDirectly(setting: GroupSetting, userId: number): boolean {
  return typeof setting !== 'number' && setting.directMembers.includes(userId);
}

export function readGroupSetting(value: WireGroupSetting): GroupSetting {
  if (typeof value === 'number') return value;
  return { directMembers: value.direct_members, directSubgroups: value.direct_subgroups };
}

/** The permission that a value is for: its name on the wire, for error messages, and its rules. */
export interface NamedPermission {
  readonly name: string;
  readonly permission: Permission;
}

/**
 * Groups that a value names directly. Each request of a user looks at the permissions of all channels, so long lists of one member would
 * slow down everybody.
 */
const MAX_GROUPS_PER_VALUE = 50;
/** Users that a value names directly. */
const MAX_USERS_PER_VALUE = 1000;

/** @throws ApiError `BAD_REQUEST` */
function checkNumber({ name }: NamedPermission, what: 'groups' | 'users', count: number, most: number): void {
  if (count > most) throw badRequest(`Too many ${what} in '${name}' (limit: ${most})`);
}

/**
 * Returns the value in its stored form: a single group as its id, an empty value as the group of nobody, lists sorted
 * without duplicates.
 * @throws ApiError `BAD_REQUEST`: a user or group does not exist or is deactivated, or the permission does not take the
 * value; `SYSTEM_GROUP_REQUIRED`
 */
export function checkedGroupSetting(directory: Directory, named: NamedPermission, value: GroupSetting): GroupSetting {
  const stored = canonicalSetting(directory, value);
  const { directMembers, directSubgroups } =
    typeof stored === 'number' ? { directMembers: [], directSubgroups: [stored] } : stored;
  checkNumber(named, 'groups', directSubgroups.length, MAX_GROUPS_PER_VALUE);
  checkNumber(named, 'users', directMembers.length, MAX_USERS_PER_VALUE);
  for (const userId of directMembers) {
    if (!directory.user(userId)?.isActive) throw badRequest(`Invalid user ID: ${userId}`);
  }
  const isAlone = typeof stored === 'number';
  for (const groupId of directSubgroups) checkGroup(directory, named, groupId, isAlone);
  if (typeof stored !== 'number' && named.permission.onlySystemGroups !== null) throw systemGroupRequired(named.name);
  return stored;
}

/**
 * Returns the checked value to which a request changes the permission, or the current value if it is the same.
 * @param current as it is stored
 * @throws ApiError `EXPECTATION_MISMATCH` if the client expects another current value; `BAD_REQUEST` as above
 */
export function changedGroupSetting(
  directory: Directory,
  named: NamedPermission,
  current: GroupSetting,
  update: WireGroupSettingUpdate,
): GroupSetting {
  const known = (value: GroupSetting) => canonicalSetting(directory, activeOnly(directory, value));
  if (
    update.old !== undefined &&
    !isSameSetting(canonicalSetting(directory, readGroupSetting(update.old)), known(current))
  ) {
    throw expectationMismatch('old');
  }
  const changed = readGroupSetting(update.new);
  if (isSameSetting(canonicalSetting(directory, changed), known(current))) return current;
  return checkedGroupSetting(directory, named, changed);
}

/** Returns the default value of the permission, for an object that this user creates. */
export function defaultGroupSetting(
  directory: Directory,
  { default: group }: Permission,
  creatorId: number | null,
): GroupSetting {
  if (group !== 'creator') return directory.groups.idOf(group);
  if (creatorId === null) return directory.groups.idOf(SystemGroup.nobody);
  return { directMembers: [creatorId], directSubgroups: [] };
}

/**
 * Whether the value grants the permission to the user. Guests get it only if the permission may be granted to everyone.
 */
export function isGranted(
  directory: Directory,
  permission: Permission,
  setting: GroupSetting,
  user: UserRecord,
): boolean {
  if (user.role >= Role.guest && !permission.allowsEveryone) return false;
  return directory.groups.grants(setting, user);
}

/** Returns the value in its stored form, without checking it. */
export function canonicalSetting(directory: Directory, value: GroupSetting): GroupSetting {
  if (typeof value === 'number') return value;
  const directMembers = ascending(value.directMembers);
  const directSubgroups = ascending(value.directSubgroups);
  if (directMembers.length > 0) return { directMembers, directSubgroups };
  const [only, ...others] = directSubgroups;
  if (only === undefined) return directory.groups.idOf(SystemGroup.nobody);
  return others.length === 0 ? only : { directMembers, directSubgroups };
}

function ascending(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
}

function checkGroup(directory: Directory, named: NamedPermission, groupId: number, isAlone: boolean): void {
  const { name, permission } = named;
  const group = directory.groups.all.get(groupId);
  if (group === undefined) throw badRequest(isAlone ? 'Invalid user group' : `Invalid user group ID: ${groupId}`);
  if (group.isDeactivated) throw badRequest('User group is deactivated.');
  if (!group.isSystem) {
    if (permission.onlySystemGroups !== null) throw systemGroupRequired(name);
    return;
  }
  if (!takes(permission, group.name)) throw badRequest(`'${name}' setting cannot be set to '${group.name}' group.`);
}

function takes({ allowsNobody, allowsEveryone, onlySystemGroups }: Permission, group: string): boolean {
  if (group === SystemGroup.internet) return false;
  if (group === SystemGroup.nobody && !allowsNobody) return false;
  if (group === SystemGroup.everyone && !allowsEveryone) return false;
  return onlySystemGroups === null || onlySystemGroups.some((name) => name === group);
}
