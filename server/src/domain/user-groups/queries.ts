import type { Directory } from '../../directory/directory.ts';
import { type GroupRecord, Role, SystemGroup, type UserRecord } from '../../directory/records.ts';
import { rememberedBy } from '../../extension/remembered-state.ts';
import { shownPermissions } from './permissions.ts';
import type { GroupView } from './present.ts';

/** The system groups that each role belongs to directly. Groups that contain these groups follow from the nesting. */
const GROUPS_OF_ROLE: Readonly<Record<Role, readonly SystemGroup[]>> = {
  [Role.owner]: [SystemGroup.owners],
  [Role.administrator]: [SystemGroup.administrators],
  [Role.moderator]: [SystemGroup.moderators],
  // New members are not full members; see `groupsByRole`.
  [Role.member]: [SystemGroup.fullMembers, SystemGroup.members],
  [Role.guest]: [SystemGroup.everyone],
};

/** The system groups that a user belongs to directly. */
export function groupsByRole({ groups }: Directory, user: UserRecord): readonly number[] {
  const ids = GROUPS_OF_ROLE[user.role as Role].map((name) => groups.idOf(name));
  return user.role === Role.member ? ids.filter((id) => groups.includes(id, user)) : ids;
}

/** The direct members of each system group that has any, ascending, active accounts only. Reads all users once. */
const membersByRole = rememberedBy(['organization', 'users'], (directory): ReadonlyMap<number, readonly number[]> => {
  const members = new Map<number, number[]>();
  for (const user of directory.users.values()) {
    if (!user.isActive) continue;
    for (const groupId of groupsByRole(directory, user)) {
      const ids = members.get(groupId);
      if (ids === undefined) members.set(groupId, [user.id]);
      else ids.push(user.id);
    }
  }
  for (const ids of members.values()) ids.sort(byNumber);
  return members;
});

/** All groups, ascending. */
export function listGroups(
  { groups }: Directory,
  { withDeactivated }: { readonly withDeactivated: boolean },
): GroupRecord[] {
  return [...groups.all.values()]
    .filter((group) => withDeactivated || !group.isDeactivated)
    .sort((a, b) => a.id - b.id);
}

/** The group as clients see it. */
export function viewGroup(directory: Directory, group: GroupRecord): GroupView {
  const { groups } = directory;
  const members = group.isSystem
    ? (membersByRole(directory).get(group.id) ?? [])
    : ascending(groups.membersOf(group.id)).filter((id) => directory.user(id)?.isActive);
  const subgroups = ascending(groups.subgroupsOf(group.id));
  return { group, members, subgroups, permissions: shownPermissions(directory, group) };
}

/** The active members of a group, ascending. */
export function membersOf(
  directory: Directory,
  group: GroupRecord,
  { directly }: { readonly directly: boolean },
): number[] {
  return [...directory.users.values()]
    .filter((user) => isMember(directory, group, user, { directly }))
    .map(({ id }) => id)
    .sort(byNumber);
}

/** Whether the account is active and a member of the group. */
export function isMember(
  directory: Directory,
  group: GroupRecord,
  user: UserRecord,
  { directly }: { readonly directly: boolean },
): boolean {
  if (!user.isActive) return false;
  if (!directly) return directory.groups.includes(group.id, user);
  if (group.isSystem) return groupsByRole(directory, user).includes(group.id);
  return directory.groups.membersOf(group.id).has(user.id);
}

/** The subgroups of a group, ascending. Deactivated ones are listed only as direct subgroups. */
export function subgroupsOf(
  { groups }: Directory,
  { id }: GroupRecord,
  { directly }: { readonly directly: boolean },
): number[] {
  if (directly) return ascending(groups.subgroupsOf(id));
  return ascending(groups.groupsIn(id)).filter((other) => other !== id);
}

const byNumber = (a: number, b: number) => a - b;

function ascending(ids: Iterable<number>): number[] {
  return [...ids].sort(byNumber);
}
