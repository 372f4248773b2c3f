import type { Change } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { GroupEvent } from './events.ts';
import { groupsOfRole } from './queries.ts';

/** Tells that a new account is in the groups of its role, which follows from the account: there is nothing to store. */
export function announceGroupsOf({ directory, append }: Change, user: UserRecord): void {
  for (const groupId of groupsOfRole(directory, user.role)) {
    const body: GroupEvent = { op: 'add-members', groupId, userIds: [user.id] };
    append({ type: 'user_group', audience: { to: 'everyone' }, body });
  }
}
