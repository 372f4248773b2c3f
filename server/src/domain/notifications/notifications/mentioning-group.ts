import type { Directory } from '../../../directory/directory.ts';
import { membersAmong } from '../../../directory/members-among.ts';
import { NO_MEMBERS_RANK, rankOf } from '../../../directory/memberships.ts';
import type { MentionsIn } from '../../../markup/index.ts';

/**
 * By which group the message mentions each of the users: the smallest of several (public reference: "Mobile notifications"). Users whom it
 * mentions by name, or not at all, are missing. All users together, because a text can mention a thousand groups.
 */
export function mentioningGroups(
  directory: Directory,
  { userIds, groupIds }: MentionsIn,
  users: Iterable<number>,
): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  if (groupIds.length === 0) return found;
  const left = new Set<number>();
  for (const userId of users) if (!userIds.has(userId)) left.add(userId);
  for (const groupId of bySize(directory, groupIds)) {
    if (left.size === 0) break;
    for (const userId of membersAmong(directory, groupId, left)) {
      found.set(userId, groupId);
      left.delete(userId);
    }
  }
  return found;
}

/** The smallest first. A user who is listed and also belongs to the group by role counts twice. */
function bySize(directory: Directory, groupIds: readonly number[]): readonly number[] {
  if (groupIds.length === 1) return groupIds;
  const counts = usersByRank(directory);
  const sizes = groupIds.map((id) => {
    const { users, weakestRank } = directory.groups.allMembersOf(id) ?? NOBODY;
    const byRole = counts.reduce((sum, [rank, count]) => (rank <= weakestRank ? sum + count : sum), 0);
    return { id, size: users.size + byRole };
  });
  return sizes.toSorted((one, other) => one.size - other.size).map(({ id }) => id);
}

const NOBODY = { users: new Set<number>(), weakestRank: NO_MEMBERS_RANK } as const;

/** The number of active users of each rank. */
function usersByRank({ users, groups }: Directory): readonly (readonly [rank: number, count: number])[] {
  const counts = new Map<number, number>();
  for (const user of users.values()) {
    if (!user.isActive) continue;
    const rank = rankOf(user, groups.fullMembersJoinedThrough);
    counts.set(rank, (counts.get(rank) ?? 0) + 1);
  }
  return [...counts];
}
