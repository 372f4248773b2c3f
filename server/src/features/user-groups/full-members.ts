import type { Change } from '../../directory/organization.ts';
import { Role, SystemGroup } from '../../directory/records.ts';
import type { GroupEvent } from './events.ts';
import { announceWhoKnows } from './who-knows.ts';

/**
 * Tells who becomes a full member and who is none any more, when a change moves the time until which full members have joined. The
 * change carries that itself, as a fact about the organization, in an event before these.
 * @param joinedThrough seconds since the epoch; undefined: everybody is a full member
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
  // Closed accounts are nobody's members on the wire.
  const userIds = crossing.flatMap(({ id, isActive }) => (isActive ? id : []));
  if (userIds.length > 0) {
    const body: GroupEvent = { op: after > before ? 'add-members' : 'remove-members', groupId, userIds };
    append({ type: 'user_group', audience: { to: 'everyone' }, body });
  }
  const ids = new Set(userIds);
  announceWhoKnows(change, groupId, ({ id }) => ids.has(id), { fullMembersJoinedThrough: after });
}
