import { badRequest } from '@heddle/api/errors.ts';
import { accessGroup, type GroupNeed, groupEndpointsRefusal } from '../../access/groups.ts';
import type { Change, Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { Rooms } from '../rooms.ts';
import { changeMembership } from './membership.ts';
import { tellMembers } from './notices.ts';

interface Asked {
  readonly add: readonly number[] | undefined;
  readonly remove: readonly number[] | undefined;
}

export interface MembershipRequest {
  readonly groupId: number;
  readonly members?: Asked;
  readonly subgroups?: Asked;
  /** The words for a request that asks for nothing. */
  readonly nothing: string;
}

/**
 * Carries out what a user asks of a group's members and subgroups, all of it or nothing, and tells whom it concerns.
 * @throws ApiError `BAD_REQUEST`: they may not, or `changeMembership` refuses
 */
export async function updateMembership(
  rooms: Pick<Rooms, 'address'>,
  organization: Organization,
  caller: UserRecord,
  { groupId, members, subgroups, nothing }: MembershipRequest,
): Promise<void> {
  const users = { add: members?.add ?? [], remove: members?.remove ?? [] };
  const groups = { add: subgroups?.add ?? [], remove: subgroups?.remove ?? [] };
  if ([users.add, users.remove, groups.add, groups.remove].every((ids) => ids.length === 0)) throw badRequest(nothing);
  await organization.changeBy(caller, async (change: Change, user) => {
    const { directory } = change;
    const refusal = groupEndpointsRefusal(user);
    if (refusal !== undefined) throw refusal;
    const needs: readonly (readonly [ids: readonly number[], need: GroupNeed])[] = [
      [users.add, isAlone(users.add, user) ? 'join' : 'add-members'],
      [users.remove, isAlone(users.remove, user) ? 'leave' : 'remove-members'],
      [groups.add, 'add-subgroups'],
      [groups.remove, 'remove-subgroups'],
    ];
    for (const [ids, need] of needs) if (ids.length > 0) accessGroup(directory, user, groupId, need);
    await changeMembership(change, groupId, { members: users, subgroups: groups });
    const organizationUrl = rooms.address.of(directory.organization.subdomain);
    await tellMembers(change, groupId, users, { actor: user, organizationUrl });
  });
}

/** Who names nobody but themselves joins or leaves. */
function isAlone(ids: readonly number[], { id }: UserRecord): boolean {
  return ids.length === 1 && ids[0] === id;
}
