import type { Directory } from '../../directory/directory.ts';
import { Role, SystemGroup, type UserRecord } from '../../directory/records.ts';

/** The system groups that each role is a direct member of; the nesting of the groups does the rest. */
const GROUPS_OF_ROLE: Readonly<Record<Role, readonly SystemGroup[]>> = {
  [Role.owner]: [SystemGroup.owners],
  [Role.administrator]: [SystemGroup.administrators],
  [Role.moderator]: [SystemGroup.moderators],
  // Every member is a full one from the first day on.
  [Role.member]: [SystemGroup.fullMembers, SystemGroup.members],
  [Role.guest]: [SystemGroup.everyone],
};

/** The groups that a user with this role is a direct member of. */
export function groupsOfRole(directory: Directory, role: number): readonly number[] {
  return GROUPS_OF_ROLE[role as Role].map((name) => directory.groups.idOf(name));
}

/** The direct members of each group that has any, ascending: active accounts only. */
export function directMembers(directory: Directory): ReadonlyMap<number, readonly number[]> {
  const members = new Map<number, number[]>();
  for (const user of directory.users.values()) {
    if (!user.isActive) continue;
    for (const groupId of directory.groups.directGroupsOf(user.id)) join(members, groupId, user);
    for (const groupId of groupsOfRole(directory, user.role)) join(members, groupId, user);
  }
  for (const ids of members.values()) ids.sort((a, b) => a - b);
  return members;
}

function join(members: Map<number, number[]>, groupId: number, user: UserRecord): void {
  const ids = members.get(groupId);
  if (ids === undefined) members.set(groupId, [user.id]);
  else ids.push(user.id);
}
