import { badRequest } from '@heddle/api/errors.ts';
import { type AccessChange, accessChangesThrough, channelsRevealedTo } from '../../directory/access-changes.ts';
import { AmendedGroups, type GroupDifferences } from '../../directory/amended-groups.ts';
import type { Groups } from '../../directory/groups.ts';
import type { Change } from '../../directory/organization.ts';
import { Role, type UserRecord } from '../../directory/records.ts';
import { announceAccess } from '../channels/access-events.ts';

/**
 * Announces to users that a group change gives or takes metadata access to channels.
 * @param isConcerned whether the change can affect a user; checked before more expensive conditions
 * @throws ApiError `BAD_REQUEST`: it affects too many users and channels
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
  const changes = accessChangesThrough(directory, { groupId, users, channels, groupsAfter });
  // The members of system groups follow from roles and time. No user could make that change smaller.
  if (directory.groups.all.get(groupId)?.isSystem !== true) checkTold(changes);
  announceAccess(change, changes);
}

/** Users in all events of a change together, which are some 40 MB in the log. The organization waits for them. */
const MAX_TOLD_USERS = 5_000_000;

/** @throws ApiError `BAD_REQUEST`: the events for these changes of access would be too many and too long */
export function checkTold(changes: readonly AccessChange[]): void {
  const lists = new Set<readonly number[]>();
  let told = 0;
  for (const { gained, lost } of changes) {
    // One event for all channels with the same users, and another one with the subscribers of each.
    for (const users of [gained, lost]) if (!lists.has(users)) told += users.length;
    lists.add(gained).add(lost);
    told += gained.length;
  }
  if (told > MAX_TOLD_USERS)
    throw badRequest('This changes the access of too many users to too many channels at once.');
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
