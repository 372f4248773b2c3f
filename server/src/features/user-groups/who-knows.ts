import { accessChanges, channelsRevealedTo } from '../../directory/access-changes.ts';
import { AmendedGroups, type GroupDifferences } from '../../directory/amended-groups.ts';
import type { Change } from '../../directory/organization.ts';
import { Role } from '../../directory/records.ts';
import { announceAccess } from '../channels/actions.ts';

/**
 * Tells who gains and who loses knowledge of channels by a change of a group.
 * @param userIds all whom it can concern
 */
export async function announceWhoKnows(
  change: Change,
  groupId: number,
  userIds: Iterable<number>,
  differences: Partial<GroupDifferences>,
): Promise<void> {
  const { directory } = change;
  const channels = channelsRevealedTo(directory, groupId);
  if (channels.length === 0) return;
  const groupsAfter = new AmendedGroups(directory.groups, {
    isDeactivated: () => undefined,
    isMember: () => undefined,
    subgroups: () => [],
    ...differences,
  });
  const users = [...userIds].flatMap((id) => directory.user(id) ?? []);
  // No group lets guests know a channel.
  const concerned = users.filter((user) => user.role !== Role.guest);
  await announceAccess(change, accessChanges(directory, { users: concerned, channels, groupsAfter }));
}
