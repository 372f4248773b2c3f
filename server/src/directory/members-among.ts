import type { Directory } from './directory.ts';
import { NO_MEMBERS_RANK, rankOf } from './memberships.ts';

/**
 * Those of the users who belong to the group. It looks at the fewer: at the listed members of the group, or at the users.
 */
export function membersAmong(directory: Directory, groupId: number, users: ReadonlySet<number>): readonly number[] {
  const { groups } = directory;
  const members = groups.allMembersOf(groupId);
  if (members === undefined) return [];
  const { users: listed, weakestRank } = members;
  if (weakestRank === NO_MEMBERS_RANK && listed.size < users.size) {
    return [...listed].filter((userId) => users.has(userId));
  }
  return [...users].filter((userId) => {
    const user = directory.user(userId);
    if (user === undefined) return false;
    return listed.has(userId) || rankOf(user, groups.fullMembersJoinedThrough) <= weakestRank;
  });
}

/** Those of the users who belong to one of the groups. There can be a thousand groups, so it does not look again for users whom it has found. */
export function membersOfAny(
  directory: Directory,
  groupIds: readonly number[],
  users: Iterable<number>,
): ReadonlySet<number> {
  const [left, found] = [new Set(users), new Set<number>()];
  for (const groupId of groupIds) {
    for (const userId of membersAmong(directory, groupId, left)) {
      found.add(userId);
      left.delete(userId);
    }
  }
  return found;
}
