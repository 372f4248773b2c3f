import type { Change } from '../../directory/organization.ts';
import { Role, SystemGroup } from '../../directory/records.ts';
import type { GroupEvent } from './events.ts';
import { announceMetadataAccess } from './metadata-access.ts';

/**
 * Announces new and former full members, when a change moves the last join time of full members. An earlier event of
 * the same change contains the state delta of the organization.
 * @param joinedThrough seconds since the epoch; undefined: every member is a full member
 */
export async function announceFullMembers(change: Change, joinedThrough: number | undefined): Promise<void> {
  const { directory, append } = change;
  const before = directory.groups.fullMembersJoinedThrough;
  const after = joinedThrough ?? Infinity;
  const [first, last] = [Math.min(before, after), Math.max(before, after)];
  const crossing = [...directory.users.values()].filter(
    ({ role, joinedAt }) => role === Role.member && joinedAt > first && joinedAt <= last,
  );
  if (crossing.length === 0) return;
  const groupId = directory.groups.idOf(SystemGroup.fullMembers);
  // The API does not list deactivated accounts as members.
  const userIds = crossing.flatMap(({ id, isActive }) => (isActive ? id : []));
  if (userIds.length > 0) {
    const body: GroupEvent = { op: after > before ? 'add-members' : 'remove-members', groupId, userIds };
    append({ type: 'user_group', audience: { to: 'everyone' }, body });
  }
  const ids = new Set(userIds);
  announceMetadataAccess(change, groupId, ({ id }) => ids.has(id), { fullMembersJoinedThrough: after });
}
