import { contains } from './lists.ts';
import { type GroupRecord, type GroupSetting, Role, SystemGroup, type UserRecord } from './records.ts';

/** Of a user, what decides in which groups they are. */
export type Member = Pick<UserRecord, 'id' | 'role' | 'joinedAt'>;

/** Between the roles of members and guests: members who joined too lately to be full ones. */
const NEW_MEMBER = 450;

/**
 * The user's role, or a weaker one that nobody has: in which groups by role somebody is, follows from it.
 * @param fullMembersJoinedThrough who joined later is no full member; seconds since the epoch
 */
export function standingOf({ role, joinedAt }: Omit<Member, 'id'>, fullMembersJoinedThrough: number): number {
  return role === Role.member && joinedAt > fullMembersJoinedThrough ? NEW_MEMBER : role;
}

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

/** The standing that nobody has, where a group holds nobody by role. */
export const NO_STANDING = 0;

/** The standing that makes a user a direct or nested member of a system group: that one or a stronger. */
const WEAKEST_STANDING: Readonly<Record<string, number>> = {
  [SystemGroup.owners]: Role.owner,
  [SystemGroup.administrators]: Role.administrator,
  [SystemGroup.moderators]: Role.moderator,
  [SystemGroup.fullMembers]: Role.member,
  [SystemGroup.members]: NEW_MEMBER,
  [SystemGroup.everyone]: Role.guest,
  [SystemGroup.internet]: Role.guest,
};

/** The weakest standing that the group itself holds: members of system groups follow from roles. */
export function weakestStandingOf(group: GroupRecord): number {
  return group.isSystem ? (WEAKEST_STANDING[group.name] ?? NO_STANDING) : NO_STANDING;
}
