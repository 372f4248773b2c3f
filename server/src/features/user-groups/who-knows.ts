import { accessChanges, channelsRevealedTo } from '../../directory/access-changes.ts';
import { AmendedGroups, type GroupDifferences } from '../../directory/amended-groups.ts';
import type { GroupIndex } from '../../directory/groups.ts';
import type { Change } from '../../directory/organization.ts';
import { Role, type UserRecord } from '../../directory/records.ts';
import { announceAccess } from '../channels/actions.ts';

/**
 * Tells who gains and who loses knowledge of channels by a change of a group.
 * @param isConcerned whether it can concern a user; asked before what costs more
 */
export function announceWhoKnows(
  change: Change,
  groupId: number,
  isConcerned: (user: UserRecord) => boolean,
  differences: Partial<GroupDifferences>,
): void {
  const { directory } = change;
  const channels = channelsRevealedTo(directory, groupId);
  if (channels.length === 0) return;
  const groupsAfter = amended(directory.groups, differences);
  // No group lets guests know a channel.
  const users = [...directory.users.values()].filter((user) => user.role !== Role.guest && isConcerned(user));
  announceAccess(change, accessChanges(directory, { users, channels, groupsAfter }));
}

/** The groups with these differences only. */
export function amended(groups: GroupIndex, differences: Partial<GroupDifferences>): AmendedGroups {
  return new AmendedGroups(groups, {
    isDeactivated: () => undefined,
    isMember: () => undefined,
    withOtherMembers: () => [],
    subgroups: () => [],
    ...differences,
  });
}
