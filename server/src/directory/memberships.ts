import { contains } from './lists.ts';
import { type GroupRecord, type GroupSetting, Role, SystemGroup, type UserRecord } from './records.ts';

/** The parts of a user that decide group membership. */
export type Member = Pick<UserRecord, 'id' | 'role' | 'joinedAt'>;

/** Lies between the roles of members and guests: members who joined too recently to be full members. */
const NEW_MEMBER_RANK = 450;

/**
 * Returns the user's role, or `NEW_MEMBER_RANK` for a member who is not a full member yet. Membership in system groups
 * follows from it.
 * @param fullMembersJoinedThrough members who joined later are not full members; seconds since the epoch
 */
export function rankOf({ role, joinedAt }: Omit<Member, 'id'>, fullMembersJoinedThrough: number): number {
  return role === Role.member && joinedAt > fullMembersJoinedThrough ? NEW_MEMBER_RANK : role;
}

/** Who belongs to which group: now (`GroupIndex`), or at an event or after a change (`AmendedGroups`). */
export interface Memberships {
  /** Whether the user belongs to the group, directly or through subgroups. A deactivated group has no members. */
  includes(groupId: number, user: Member): boolean;
}

/** Whether this value of a permission, of either form, grants it to the user. */
export function grants(setting: GroupSetting, user: Member, memberships: Memberships): boolean {
  if (typeof setting === 'number') return memberships.includes(setting, user);
  if (contains(setting.directMembers, user.id)) return true;
  return setting.directSubgroups.some((groupId) => memberships.includes(groupId, user));
}

/** The rank of a group without members by role. No user has it. */
export const NO_MEMBERS_RANK = 0;

/** The weakest rank that a system group includes. */
const WEAKEST_STANDING: Readonly<Record<string, number>> = {
  [SystemGroup.owners]: Role.owner,
  [SystemGroup.administrators]: Role.administrator,
  [SystemGroup.moderators]: Role.moderator,
  [SystemGroup.fullMembers]: Role.member,
  [SystemGroup.members]: NEW_MEMBER_RANK,
  [SystemGroup.everyone]: Role.guest,
  [SystemGroup.internet]: Role.guest,
};

/** The weakest rank that the group itself includes. Only system groups have members by role. */
export function weakestRankOf(group: GroupRecord): number {
  return group.isSystem ? (WEAKEST_STANDING[group.name] ?? NO_MEMBERS_RANK) : NO_MEMBERS_RANK;
}
