import { accessChanges, channelsRevealedTo } from '../../directory/access-changes.ts';
import { AmendedGroups, type GroupDifferences } from '../../directory/amended-groups.ts';
import type { Groups } from '../../directory/groups.ts';
import type { Change } from '../../directory/organization.ts';
import { Role, type UserRecord } from '../../directory/records.ts';
import { announceAccess } from '../channels/access-events.ts';

/**
 * Announces to users that a group change gives or takes metadata access to channels.
 * @param isConcerned whether the change can affect a user; checked before more expensive conditions
 */
export function announceMetadataAccess(
  change: Change,
  groupId: number,
  isConcerned: (user: UserRecord) => boolean,
  differences: Partial<GroupDifferences>,
): void {
  const { directory } = change;
  const channels = channelsRevealedTo(directory, groupId);
  if (channels.length === 0) return;
  const groupsAfter = amended(directory.groups, differences);
  // Groups give guests no metadata access.
  const users = [...directory.users.values()].filter((user) => user.role !== Role.guest && isConcerned(user));
  announceAccess(change, accessChanges(directory, { users, channels, groupsAfter }));
}

/** The groups with only these differences. */
export function amended(groups: Groups, differences: Partial<GroupDifferences>): AmendedGroups {
  return new AmendedGroups(groups, {
    isDeactivated: () => undefined,
    isMember: () => undefined,
    withOtherMembers: () => [],
    subgroups: () => [],
    ...differences,
  });
}
