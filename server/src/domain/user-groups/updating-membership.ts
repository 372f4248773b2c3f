import { badRequest } from '@heddle/api/errors.ts';
import { accessGroup, type GroupNeed, groupEndpointsRefusal } from '../../access/groups.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { noticeContextOf } from '../sending/sending/notices.ts';
import { batchesOf } from './batches.ts';
import { changeMembership, checkedMembership, type Differences, type MembershipChange } from './membership.ts';
import { notifyMembers } from './notices.ts';

interface Asked {
  readonly add: readonly number[] | undefined;
  readonly remove: readonly number[] | undefined;
}

export interface MembershipRequest {
  readonly groupId: number;
  readonly members?: Asked;
  readonly subgroups?: Asked;
  /** The error text for a request without changes. */
  readonly nothing: string;
}

/**
 * Changes members and subgroups as a user requests, and sends notices. All of it is done or nothing, unless it takes
 * several batches (batches.ts).
 * @throws ApiError `BAD_REQUEST`: the caller lacks a permission, or `changeMembership` refuses
 */
export async function updateMembership(
  app: Pick<AppContext, 'address'>,
  organization: Organization,
  caller: UserRecord,
  { groupId, members, subgroups, nothing }: MembershipRequest,
): Promise<void> {
  const asked: Whole = { members: differences(members), subgroups: differences(subgroups) };
  if (needsOf(asked, caller).length === 0) throw badRequest(nothing);
  const { directory } = organization;
  const batches = batchesOf(asked);
  if (batches.length > 1) {
    checkMay(directory, caller, groupId, asked);
    checkedMembership(directory, groupId, asked);
  }
  const noticeContext = noticeContextOf(directory, caller, app.address.of(directory.organization.subdomain));
  for (const [index, batch] of batches.entries()) {
    if (index > 0) await organization.yieldToOthers();
    await organization.transact(caller, 'exclusive', async (change, actor) => {
      checkMay(change.directory, actor, groupId, asked);
      await changeMembership(change, groupId, batch);
      // A request with several batches has too many users for notices.
      await notifyMembers(change, groupId, asked.members, { ...noticeContext, actor });
    });
  }
}

type Whole = Required<{ readonly [Name in keyof MembershipChange]: Required<Differences> }>;

function differences(asked: Asked | undefined): Required<Differences> {
  return { add: asked?.add ?? [], remove: asked?.remove ?? [] };
}

/** @throws ApiError `BAD_REQUEST`: the user lacks a permission for a part of it */
function checkMay(directory: Directory, user: UserRecord, groupId: number, asked: Whole): void {
  const refusal = groupEndpointsRefusal(user);
  if (refusal !== undefined) throw refusal;
  for (const need of needsOf(asked, user)) accessGroup(directory, user, groupId, need);
}

function needsOf({ members, subgroups }: Whole, user: UserRecord): GroupNeed[] {
  const needs: readonly (readonly [ids: readonly number[], need: GroupNeed])[] = [
    [members.add, isAlone(members.add, user) ? 'join' : 'add-members'],
    [members.remove, isAlone(members.remove, user) ? 'leave' : 'remove-members'],
    [subgroups.add, 'add-subgroups'],
    [subgroups.remove, 'remove-subgroups'],
  ];
  return needs.flatMap(([ids, need]) => (ids.length > 0 ? need : []));
}

/** A user who names only themselves joins or leaves. */
function isAlone(ids: readonly number[], { id }: UserRecord): boolean {
  return ids.length === 1 && ids[0] === id;
}
