import { contains } from './lists.ts';
import { type GroupRecord, type GroupSetting, Role, SystemGroup, type UserRecord } from './records.ts';

/** Of a user, what decides in which groups they are. */
export type Member = Pick<UserRecord, 'id' | 'role'>;

/** Who belongs to which group: of now (`GroupIndex`), or as it was or will be (`AmendedGroups`). */
export interface Memberships {
  /** Whether the user belongs to the group, directly or through subgroups. A deactivated group holds nobody. */
  includes(groupId: number, user: Member): boolean;
}

/** Whether a permission that is set to this value, of either form, is granted to the user. */
export function grants(setting: GroupSetting, user: Member, memberships: Memberships): boolean {
  if (typeof setting === 'number') return memberships.includes(setting, user);
  if (contains(setting.directMembers, user.id)) return true;
  return setting.directSubgroups.some((groupId) => memberships.includes(groupId, user));
}

/** Weaker than which no role is in a group, where the group holds nobody by role. */
export const NO_ROLE = 0;

/** The roles that make a user a direct or nested member of a system group: that role or a stronger one. */
const WEAKEST_ROLE: Readonly<Record<string, number>> = {
  [SystemGroup.owners]: Role.owner,
  [SystemGroup.administrators]: Role.administrator,
  [SystemGroup.moderators]: Role.moderator,
  [SystemGroup.fullMembers]: Role.member,
  [SystemGroup.members]: Role.member,
  [SystemGroup.everyone]: Role.guest,
  [SystemGroup.internet]: Role.guest,
};

/** The weakest role that the group itself holds: members of system groups follow from roles. */
export function weakestRoleOf(group: GroupRecord): number {
  return group.isSystem ? (WEAKEST_ROLE[group.name] ?? NO_ROLE) : NO_ROLE;
}
