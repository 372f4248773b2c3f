import type { Directory } from './directory.ts';
import { NO_MEMBERS_RANK } from './memberships.ts';

/**
 * Those of the users who belong to the group. It looks at the fewer: at the listed members of the group, or at the users. So many groups
 * that are asked one after the other for the users who are left take little time.
 */
export function membersAmong(directory: Directory, groupId: number, users: ReadonlySet<number>): readonly number[] {
  const members = directory.groups.allMembersOf(groupId);
  if (members === undefined) return [];
  if (members.weakestRank === NO_MEMBERS_RANK && members.users.size < users.size) {
    return [...members.users].filter((userId) => users.has(userId));
  }
  return [...users].filter((userId) => {
    const user = directory.user(userId);
    return user !== undefined && directory.groups.includes(groupId, user);
  });
}
