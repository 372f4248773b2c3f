import { badRequest } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import { shareOf } from '../../access/shares.ts';
import type { Directory } from '../../directory/directory.ts';
import { membersOfAny } from '../../directory/members-among.ts';
import type { Change } from '../../directory/organization.ts';
import { type GroupRecord, Role, type UserRecord } from '../../directory/records.ts';
import type { GroupChange } from '../../directory/state-deltas.ts';
import type { GroupEvent } from './events.ts';
import { announceMetadataAccess } from './metadata-access.ts';
import { type ChangedGroup, checkNested, checkSubgroups } from './nesting.ts';

/** Users or groups that join and leave a group. */
export interface Differences {
  readonly add?: readonly number[];
  readonly remove?: readonly number[];
}

export interface MembershipChange {
  readonly members?: Differences | undefined;
  readonly subgroups?: Differences | undefined;
}

/**
 * Adds and removes members and subgroups of a group, and announces channels to users who gain or lose metadata access.
 * The caller checks permissions. One statement per kind of row, whatever the number.
 * @throws ApiError `BAD_REQUEST`: an unknown group or user; a system group; an added member who is one already, or a
 *   removed one who is not; a group that would contain itself
 */
export async function changeMembership(change: Change, groupId: number, { members, subgroups }: MembershipChange) {
  const { directory, append } = change;
  const { group, users, groups } = checkedMembership(directory, groupId, { members, subgroups });

  if (users.added.length > 0) await storeMembers(change, groupId, users.added);
  if (users.removed.length > 0) await removeMembers(change, groupId, users.removed);
  if (groups.added.length > 0) await storeSubgroups(change, groupId, groups.added);
  if (groups.removed.length > 0) await removeSubgroups(change, groupId, groups.removed);

  const about = { groupId, ...(group.isDeactivated && { isDeactivated: true }) };
  const announce = (body: GroupEvent, delta: GroupChange) =>
    append({ type: 'user_group', audience: { to: 'everyone' }, body, deltas: [delta] });
  const { added: joined, removed: left } = users;
  const { added: nested, removed: freed } = groups;
  const ofMembers = { delta: 'group-members', groupId, added: [], removed: [] } as const;
  const ofSubgroups = { delta: 'group-subgroups', groupId, added: [], removed: [] } as const;
  if (left.length > 0) announce({ op: 'remove-members', ...about, userIds: left }, { ...ofMembers, removed: left });
  if (joined.length > 0) announce({ op: 'add-members', ...about, userIds: joined }, { ...ofMembers, added: joined });
  if (freed.length > 0) {
    announce({ op: 'remove-subgroups', ...about, subgroupIds: freed }, { ...ofSubgroups, removed: freed });
  }
  if (nested.length > 0)
    announce({ op: 'add-subgroups', ...about, subgroupIds: nested }, { ...ofSubgroups, added: nested });

  const isMember = pairs(users);
  const isSubgroup = [...pairs(groups)];
  const nestedOrFreed = isSubgroup.map(([id]) => id);
  let inSubgroups: ReadonlySet<number> | undefined;
  const isConcerned = (user: UserRecord): boolean => {
    inSubgroups ??= membersOfAny(directory, nestedOrFreed, directory.users.keys());
    return isMember.has(user.id) || inSubgroups.has(user.id);
  };
  announceMetadataAccess(change, groupId, isConcerned, {
    isMember: (id, userId) => (id === groupId ? isMember.get(userId) : undefined),
    withOtherMembers: () => [groupId],
    subgroups: (id) => (id === groupId ? isSubgroup : []),
  });
}

/**
 * Computes the change without applying it.
 * @throws ApiError `BAD_REQUEST`: as `changeMembership`
 */
export function checkedMembership(directory: Directory, groupId: number, { members, subgroups }: MembershipChange) {
  const group = directory.groups.all.get(groupId);
  if (group === undefined) throw badRequest('Invalid user group');
  if (group.isSystem) throw badRequest('Insufficient permission');
  const users = changedMembers(directory, group, members);
  const groups = changedSubgroups(directory, group, subgroups);
  if (users.added.length > 0 || groups.added.length > 0)
    checkNested(directory, changedGroup(directory, group, users, groups));
  return { group, users, groups };
}

function changedGroup(directory: Directory, group: GroupRecord, users: Changed, groups: Changed): ChangedGroup {
  const { id, creatorId, isDeactivated } = group;
  const members = directory.groups.membersOf(id).size + users.added.length - users.removed.length;
  const left = new Set(groups.removed);
  const stays = [...directory.groups.subgroupsOf(id)].filter((one) => !left.has(one));
  return { id, creatorId, isDeactivated, members, subgroups: new Set([...stays, ...groups.added]) };
}

/** Checked ids, each once, ascending. */
interface Changed {
  readonly added: readonly number[];
  readonly removed: readonly number[];
}

function changedMembers(
  directory: Directory,
  { id, creatorId }: GroupRecord,
  { add = [], remove = [] }: Differences = {},
): Changed {
  const members = directory.groups.membersOf(id);
  const added = checkedMembers(directory, add);
  const removed = checkedMembers(directory, remove);
  for (const userId of added) {
    if (members.has(userId)) throw badRequest(`User ${userId} is already a member of this group`);
  }
  for (const userId of removed) {
    if (!members.has(userId)) throw badRequest(`There is no member '${userId}' in this user group`);
  }
  checkListedMembers(directory, creatorId, added.length - removed.length);
  return { added, removed };
}

function changedSubgroups(
  directory: Directory,
  { id, creatorId }: GroupRecord,
  { add = [], remove = [] }: Differences = {},
): Changed {
  const subgroups = directory.groups.subgroupsOf(id);
  const added = checkedSubgroups(directory, add);
  for (const groupId of added) {
    if (subgroups.has(groupId)) throw badRequest(`User group ${groupId} is already a subgroup of this group.`);
  }
  if (anyHolds(directory, added, id)) {
    throw badRequest(`User group ${id} is already a subgroup of one of the passed subgroups.`);
  }
  const removed = ascending(remove);
  checkSubgroups(directory, creatorId, added.length - removed.length);
  for (const groupId of removed) {
    if (!directory.groups.all.has(groupId)) throw badRequest(`Invalid user group ID: ${groupId}`);
    if (!subgroups.has(groupId)) throw badRequest(`User group ${groupId} is not a subgroup of this group.`);
  }
  return { added, removed };
}

/** The most direct members of all groups of an organization together: each process has all of them in memory. */
const MAX_LISTED_MEMBERS = 2_000_000;

/**
 * Checks the bound of direct members, and the share of the user who created the group.
 * @param more the number of added members minus the removed ones
 * @throws ApiError `BAD_REQUEST`
 */
export function checkListedMembers(directory: Directory, creatorId: number | null, more: number): void {
  if (more <= 0) return;
  const { groups } = directory;
  if (groups.listedMembers + more > MAX_LISTED_MEMBERS) {
    throw badRequest(`Too many users are in groups (limit of the organization: ${MAX_LISTED_MEMBERS})`);
  }
  const creator = creatorId === null ? undefined : directory.user(creatorId);
  if (creator === undefined || creator.role <= Role.administrator) return;
  const share = shareOf(MAX_LISTED_MEMBERS);
  let own = more;
  for (const group of groups.all.values()) if (group.creatorId === creator.id) own += groups.membersOf(group.id).size;
  if (own > share) throw badRequest(`Too many users are in the groups that one user created (limit: ${share})`);
}

/** Stores new members of a group. */
export async function storeMembers({ db, directory }: Change, groupId: number, userIds: readonly number[]) {
  await sql`
    INSERT INTO user_group_members (organization_id, group_id, user_id)
    SELECT ${directory.organization.id}, ${groupId}, unnest(${userIds}::integer[])`.execute(db);
}

/**
 * Adds an account that this transaction creates to a group that is not a system group. Its clients get the channels
 * when they register.
 */
export async function addNewcomer(change: Change, { id: groupId, isDeactivated }: GroupRecord, userId: number) {
  await storeMembers(change, groupId, [userId]);
  const body: GroupEvent = { op: 'add-members', groupId, ...(isDeactivated && { isDeactivated }), userIds: [userId] };
  const deltas: GroupChange[] = [{ delta: 'group-members', groupId, added: [userId], removed: [] }];
  change.append({ type: 'user_group', audience: { to: 'everyone' }, body, deltas });
}

/** Stores new subgroups of a group. */
export async function storeSubgroups({ db, directory }: Change, groupId: number, subgroupIds: readonly number[]) {
  await sql`
    INSERT INTO user_group_subgroups (organization_id, group_id, subgroup_id)
    SELECT ${directory.organization.id}, ${groupId}, unnest(${subgroupIds}::integer[])`.execute(db);
}

async function removeMembers({ db, directory }: Change, groupId: number, userIds: readonly number[]) {
  await db
    .deleteFrom('user_group_members')
    .where('organization_id', '=', directory.organization.id)
    .where('group_id', '=', groupId)
    .where('user_id', '=', sql<number>`ANY(${userIds}::integer[])`)
    .execute();
}

async function removeSubgroups({ db, directory }: Change, groupId: number, subgroupIds: readonly number[]) {
  await db
    .deleteFrom('user_group_subgroups')
    .where('organization_id', '=', directory.organization.id)
    .where('group_id', '=', groupId)
    .where('subgroup_id', '=', sql<number>`ANY(${subgroupIds}::integer[])`)
    .execute();
}

/**
 * Checks users who join or leave a group. Returns each once, ascending.
 * @throws ApiError `BAD_REQUEST`: one does not exist or is deactivated
 */
export function checkedMembers(directory: Directory, userIds: readonly number[]): readonly number[] {
  for (const id of userIds) if (!directory.user(id)?.isActive) throw badRequest(`Invalid user ID: ${id}`);
  return ascending(userIds);
}

/**
 * Checks groups that become subgroups. Returns each once, ascending.
 * @throws ApiError `BAD_REQUEST`: one does not exist or is deactivated
 */
export function checkedSubgroups(directory: Directory, groupIds: readonly number[]): readonly number[] {
  for (const id of groupIds) {
    const group = directory.groups.all.get(id);
    if (group === undefined) throw badRequest(`Invalid user group ID: ${id}`);
    if (group.isDeactivated) throw badRequest('User group is deactivated.');
  }
  return ascending(groupIds);
}

/**
 * Whether one of the groups is `other` or contains it. Deactivated groups count too, because they can be reactivated.
 */
function anyHolds({ groups }: Directory, groupIds: readonly number[], other: number): boolean {
  const pending = new Set(groupIds);
  for (const id of pending) {
    if (id === other) return true;
    for (const subgroupId of groups.subgroupsOf(id)) pending.add(subgroupId);
  }
  return false;
}

function pairs({ added, removed }: Changed): ReadonlyMap<number, boolean> {
  return new Map([...removed.map((id) => [id, false] as const), ...added.map((id) => [id, true] as const)]);
}

function ascending(ids: readonly number[]): readonly number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
}
