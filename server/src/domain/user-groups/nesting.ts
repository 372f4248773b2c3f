/**
 * Bounds of groups in other groups. Permissions are decided with the list of all members of a group, direct and through subgroups. A process
 * keeps these lists (`directory/group-members.ts`). If they did not fit, each request of any user would make them again.
 */
import { badRequest } from '@heddle/api/errors.ts';
import { shareOf } from '../../access/shares.ts';
import type { Directory } from '../../directory/directory.ts';
import { type GroupRecord, Role } from '../../directory/records.ts';

/** The most direct subgroups in an organization, because a membership check walks through them. */
const MAX_SUBGROUPS = 10_000;
/** The most groups and users in the lists of all groups with subgroups together. A process keeps a few more. */
const MAX_NESTED_ENTRIES = 900_000;

/** A group as a change leaves it. */
export interface ChangedGroup extends Pick<GroupRecord, 'creatorId' | 'isDeactivated'> {
  /** 0 for a new group. */
  readonly id: number;
  /** The number of direct members. */
  readonly members: number;
  /** The direct subgroups. */
  readonly subgroups: ReadonlySet<number>;
}

/**
 * Checks the bound of direct subgroups in the organization, and the share of the user who created the group.
 * @param more the number of added subgroups minus the removed ones
 * @throws ApiError `BAD_REQUEST`
 */
export function checkSubgroups(directory: Directory, creatorId: number | null, more: number): void {
  if (more <= 0) return;
  const { groups } = directory;
  if (groups.nestings + more > MAX_SUBGROUPS) {
    throw badRequest(`Too many groups are in other groups (limit of the organization: ${MAX_SUBGROUPS})`);
  }
  if (!hasShare(directory, creatorId)) return;
  const share = shareOf(MAX_SUBGROUPS);
  let own = more;
  for (const group of groups.all.values()) if (group.creatorId === creatorId) own += groups.subgroupsOf(group.id).size;
  if (own > share) throw badRequest(`Too many groups are in the groups that one user created (limit: ${share})`);
}

/**
 * Checks the bound of the lists of all groups with subgroups, and the share of the user who created the group. A user in several subgroups
 * counts several times. The time is bounded too.
 * @param changed a group that has got members or subgroups, or is active again
 * @throws ApiError `BAD_REQUEST`
 */
export function checkNested(directory: Directory, changed: ChangedGroup): void {
  const { groups } = directory;
  if (changed.subgroups.size === 0 && groups.supergroupsOf(changed.id).size === 0) return;
  const isChanged = (id: number) => id === changed.id;
  const isOpen = (id: number) => !(isChanged(id) ? changed : groups.all.get(id))?.isDeactivated;
  const subgroupsOf = (id: number) => (isChanged(id) ? changed.subgroups : groups.subgroupsOf(id));
  const membersOf = (id: number) => (isChanged(id) ? changed.members : groups.membersOf(id).size);
  const share = hasShare(directory, changed.creatorId) ? shareOf(MAX_NESTED_ENTRIES) : MAX_NESTED_ENTRIES;
  let [all, own] = [0, 0];
  for (const { id, creatorId } of [changed, ...groups.all.values().filter((group) => !isChanged(group.id))]) {
    if (subgroupsOf(id).size === 0 || !isOpen(id)) continue;
    const before = all;
    const inside = new Set([id]);
    for (const one of inside) {
      all += 1;
      if (!isOpen(one)) continue;
      all += membersOf(one);
      for (const below of subgroupsOf(one)) inside.add(below);
      if (all > MAX_NESTED_ENTRIES) throw tooMany('limit of the organization', MAX_NESTED_ENTRIES);
    }
    if (creatorId === changed.creatorId) own += all - before;
    if (own > share) throw tooMany('limit of one user', share);
  }
}

function tooMany(limit: string, count: number) {
  return badRequest(`Too many users are in groups that are in other groups (${limit}: ${count})`);
}

/** There is none for administrators, and for groups without a creator. */
function hasShare(directory: Directory, creatorId: number | null): boolean {
  const creator = creatorId === null ? undefined : directory.user(creatorId);
  return creator !== undefined && creator.role > Role.administrator;
}
