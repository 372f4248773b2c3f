import type { Directory } from '../../../directory/directory.ts';
import type { MentionsIn } from '../../../markup/index.ts';

/**
 * The group by which the message mentions the user, the smallest of several (public reference: "Mobile notifications"); null if it mentions
 * the user by name.
 */
export function mentioningGroup(
  directory: Directory,
  { userIds, groupIds }: MentionsIn,
  userId: number,
): number | null {
  const user = directory.user(userId);
  if (userIds.has(userId) || user === undefined) return null;
  const [first = null, ...others] = groupIds.filter((id) => directory.groups.includes(id, user));
  if (others.length === 0 || first === null) return first;
  return (
    [first, ...others].map((id) => ({ id, size: sizeOf(directory, id) })).toSorted((a, b) => a.size - b.size)[0]?.id ??
    first
  );
}

function sizeOf(directory: Directory, groupId: number): number {
  let size = 0;
  for (const user of directory.users.values()) if (user.isActive && directory.groups.includes(groupId, user)) size += 1;
  return size;
}
