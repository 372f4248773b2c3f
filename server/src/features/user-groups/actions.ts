import type { Change } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { GroupEvent } from './events.ts';
import { groupsByRole } from './queries.ts';

export { changeGroup, deactivateGroup, type GroupEdit } from './editing.ts';
export { announceFullMembers } from './full-members.ts';
export { changeMembers, changeMembership, changeSubgroups, type MembershipChange } from './membership.ts';
export { createGroup, type NewGroup } from './new-group.ts';

/** Tells that a new account is in the groups of its role, which follows from the account: there is nothing to store. */
export function announceGroupsOf(change: Change, user: UserRecord): void {
  announce(change, 'add-members', groupsByRole(change.directory, user), user);
}

/** Tells that an account left the groups of one role for those of another. */
export function announceRoleGroups(change: Change, before: UserRecord, after: UserRecord): void {
  const left = new Set(groupsByRole(change.directory, before));
  const joined = new Set(groupsByRole(change.directory, after));
  announce(change, 'remove-members', left.difference(joined), after);
  announce(change, 'add-members', joined.difference(left), after);
}

function announce(
  { append }: Change,
  op: 'add-members' | 'remove-members',
  groupIds: Iterable<number>,
  user: UserRecord,
): void {
  for (const groupId of groupIds) {
    const body: GroupEvent = { op, groupId, userIds: [user.id] };
    append({ type: 'user_group', audience: { to: 'everyone' }, body });
  }
}
