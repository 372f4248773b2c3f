import { badRequest } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import { accessChanges, channelsRevealedTo } from '../../directory/access-changes.ts';
import { AmendedGroups, type GroupDifferences } from '../../directory/amended-groups.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Fact } from '../../directory/facts.ts';
import type { Change } from '../../directory/organization.ts';
import { type GroupRecord, Role, type UserRecord } from '../../directory/records.ts';
import { announceAccess } from '../channels/actions.ts';
import type { GroupEvent } from './events.ts';

/** Who, or which groups, join and leave a group. */
export interface MembershipChange {
  readonly add?: readonly number[];
  readonly remove?: readonly number[];
}

/**
 * Puts users into a group, and takes others out of it, and tells those who gain or lose channels by that. Whether the caller may is the
 * caller's question.
 * @throws ApiError `BAD_REQUEST`: no such group or user, or a system group; a user who is a member already, or is none
 */
export async function changeMembers(change: Change, groupId: number, { add = [], remove = [] }: MembershipChange) {
  const { db, directory } = change;
  changeableGroup(directory, groupId);
  const members = directory.groups.membersOf(groupId);
  const added = checkedMembers(directory, add);
  const removed = ascending(remove);
  for (const id of added) if (members.has(id)) throw badRequest(`User ${id} is already a member of this group`);
  for (const id of removed) if (!members.has(id)) throw badRequest(`There is no member '${id}' in this user group`);
  if (added.length + removed.length === 0) return;

  await storeMembers(change, groupId, added);
  await db
    .deleteFrom('user_group_members')
    .where('organization_id', '=', directory.organization.id)
    .where('group_id', '=', groupId)
    .where('user_id', '=', sql<number>`ANY(${removed}::integer[])`)
    .execute();

  // Deactivated accounts count as members for nobody.
  const visiblyRemoved = removed.filter((id) => directory.user(id)?.isActive);
  const fact: Fact = { fact: 'group-members', groupId, added, removed };
  announce(change, fact, [
    ...(visiblyRemoved.length > 0 ? [{ op: 'remove-members', groupId, userIds: visiblyRemoved } as const] : []),
    ...(added.length > 0 ? [{ op: 'add-members', groupId, userIds: added } as const] : []),
  ]);
  const isMember = new Map([...removed.map((id) => [id, false] as const), ...added.map((id) => [id, true] as const)]);
  await announceWhoKnows(
    change,
    groupId,
    [...isMember.keys()].flatMap((id) => directory.user(id) ?? []),
    { isMember: (id, userId) => (id === groupId ? isMember.get(userId) : undefined) },
  );
}

/**
 * The same for groups in a group.
 * @throws ApiError `BAD_REQUEST`: no such group, or a system group to be changed; one that is a subgroup already, or is none; a group that
 * would come to be in itself
 */
export async function changeSubgroups(change: Change, groupId: number, { add = [], remove = [] }: MembershipChange) {
  const { db, directory } = change;
  changeableGroup(directory, groupId);
  const subgroups = directory.groups.subgroupsOf(groupId);
  const added = checkedSubgroups(directory, add);
  const removed = ascending(remove);
  for (const id of added) {
    if (subgroups.has(id)) throw badRequest(`User group ${id} is already a subgroup of this group.`);
    if (holds(directory, id, groupId)) throw badRequest(`User group ${id} cannot be in a group that is in it.`);
  }
  for (const id of removed) {
    if (!subgroups.has(id)) throw badRequest(`User group ${id} is not a subgroup of this group.`);
  }
  if (added.length + removed.length === 0) return;

  await storeSubgroups(change, groupId, added);
  await db
    .deleteFrom('user_group_subgroups')
    .where('organization_id', '=', directory.organization.id)
    .where('group_id', '=', groupId)
    .where('subgroup_id', '=', sql<number>`ANY(${removed}::integer[])`)
    .execute();

  const fact: Fact = { fact: 'group-subgroups', groupId, added, removed };
  announce(change, fact, [
    ...(removed.length > 0 ? [{ op: 'remove-subgroups', groupId, subgroupIds: removed } as const] : []),
    ...(added.length > 0 ? [{ op: 'add-subgroups', groupId, subgroupIds: added } as const] : []),
  ]);
  const differences = [...removed.map((id) => [id, false] as const), ...added.map((id) => [id, true] as const)];
  await announceWhoKnows(change, groupId, directory.users.values(), {
    subgroups: (id) => (id === groupId ? differences : []),
  });
}

/** Stores who joined a group; in one statement, however many. */
export async function storeMembers({ db, directory }: Change, groupId: number, userIds: readonly number[]) {
  await sql`
    INSERT INTO user_group_members (organization_id, group_id, user_id)
    SELECT ${directory.organization.id}, ${groupId}, unnest(${userIds}::integer[])`.execute(db);
}

/** The same for groups in a group. */
export async function storeSubgroups({ db, directory }: Change, groupId: number, subgroupIds: readonly number[]) {
  await sql`
    INSERT INTO user_group_subgroups (organization_id, group_id, subgroup_id)
    SELECT ${directory.organization.id}, ${groupId}, unnest(${subgroupIds}::integer[])`.execute(db);
}

/**
 * Users who can join a group, each once, ascending.
 * @throws ApiError `BAD_REQUEST`: one does not exist or is deactivated
 */
export function checkedMembers(directory: Directory, userIds: readonly number[]): readonly number[] {
  for (const id of userIds) if (!directory.user(id)?.isActive) throw badRequest(`Invalid user ID: ${id}`);
  return ascending(userIds);
}

/**
 * Groups that can be in a group, each once, ascending.
 * @throws ApiError `BAD_REQUEST`: one does not exist or is deactivated
 */
export function checkedSubgroups(directory: Directory, groupIds: readonly number[]): readonly number[] {
  for (const id of groupIds) {
    if (directory.groups.all.get(id)?.isDeactivated ?? true) throw badRequest(`Invalid user group ID: ${id}`);
  }
  return ascending(groupIds);
}

/** System groups follow from roles. */
function changeableGroup(directory: Directory, groupId: number): GroupRecord {
  const group = directory.groups.all.get(groupId);
  if (group === undefined) throw badRequest('Invalid user group');
  if (group.isSystem) throw badRequest('Insufficient permission');
  if (group.isDeactivated) throw badRequest('User group is deactivated.');
  return group;
}

/** Whether a group is another or has it in it; also through deactivated ones, which may be opened again. */
function holds({ groups }: Directory, groupId: number, other: number): boolean {
  const pending = new Set([groupId]);
  for (const id of pending) {
    if (id === other) return true;
    for (const subgroupId of groups.subgroupsOf(id)) pending.add(subgroupId);
  }
  return false;
}

/** The first event carries the fact, or one for nobody where there is nothing to tell. */
function announce({ append }: Change, fact: Fact, bodies: readonly GroupEvent[]): void {
  const facts = [fact];
  const [first, ...others] = bodies;
  if (first === undefined) append({ type: 'user_group', audience: { to: 'nobody' }, body: null, facts });
  else append({ type: 'user_group', audience: { to: 'everyone' }, body: first, facts });
  for (const body of others) append({ type: 'user_group', audience: { to: 'everyone' }, body });
}

async function announceWhoKnows(
  change: Change,
  groupId: number,
  users: Iterable<UserRecord>,
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
  // No group lets guests know a channel.
  const concerned = [...users].filter((user) => user.role !== Role.guest);
  await announceAccess(change, accessChanges(directory, { users: concerned, channels, groupsAfter }));
}

function ascending(ids: readonly number[]): readonly number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
}
