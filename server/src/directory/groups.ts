import { type AllMembers, AllMembersCache } from './group-members.ts';
import { grants, type Member, type Memberships, NO_MEMBERS_RANK, rankOf, weakestRankOf } from './memberships.ts';
import type { ReadOnly } from './read-only.ts';
import type { GroupRecord, GroupSetting, SystemGroup } from './records.ts';

/** Above this number of users, a change discards the cached members instead of updating them. */
const MAX_UPDATED_USERS = 100;

/**
 * The organization's groups with their direct members and direct subgroups. The full membership of a group is computed
 * on demand and cached until a change affects it, so a lookup is cheap. Members by role are never listed. No action
 * creates cycles, and a walk ends where a cycle begins.
 */
export class GroupIndex implements Memberships {
  /**
   * Members who joined later are not full members; seconds since the epoch. Set only when loading and applying events.
   */
  fullMembersJoinedThrough = Infinity;
  readonly #groups = new Map<number, GroupRecord>();
  readonly #systemIds = new Map<string, number>();
  /** Keys are lower-case names. */
  readonly #idByName = new Map<string, number>();
  readonly #members = new Map<number, Set<number>>();
  readonly #subgroups = new Map<number, Set<number>>();
  /** For each group, the groups that have it as a direct subgroup. */
  readonly #supergroups = new Map<number, Set<number>>();
  readonly #directGroups = new Map<number, number[]>();
  readonly #allMembers = new AllMembersCache();
  #nestings = 0;
  #listedMembers = 0;

  /** For loading and applying events only, like the other methods that change the index. */
  put(group: GroupRecord): void {
    const before = this.#groups.get(group.id);
    this.#groups.set(group.id, group);
    if (before !== undefined) this.#idByName.delete(before.name.toLowerCase());
    this.#idByName.set(group.name.toLowerCase(), group.id);
    if (group.isSystem) this.#systemIds.set(group.name, group.id);
    if (before === undefined || before.isDeactivated !== group.isDeactivated) this.#forgetAbove(group.id);
  }

  addMembers(groupId: number, userIds: readonly number[]): void {
    const members = entry(this.#members, groupId);
    for (const userId of userIds) {
      if (members.has(userId)) continue;
      members.add(userId);
      this.#listedMembers++;
      const groups = this.#directGroups.get(userId);
      if (groups === undefined) this.#directGroups.set(userId, [groupId]);
      else groups.push(groupId);
    }
    this.#amendCopies(groupId, userIds, (users) => {
      for (const userId of userIds) users.add(userId);
    });
  }

  removeMembers(groupId: number, userIds: readonly number[]): void {
    const members = entry(this.#members, groupId);
    for (const userId of userIds) {
      const groups = this.#directGroups.get(userId);
      if (!members.delete(userId) || groups === undefined) continue;
      this.#listedMembers--;
      groups.splice(groups.indexOf(groupId), 1);
      if (groups.length === 0) this.#directGroups.delete(userId);
    }
    this.#amendCopies(groupId, userIds, (users, groups) => {
      for (const userId of userIds) {
        const stays = this.#directGroups.get(userId)?.some((other) => groups.has(other)) ?? false;
        if (!stays) users.delete(userId);
      }
    });
  }

  addSubgroups(groupId: number, subgroupIds: readonly number[]): void {
    const subgroups = entry(this.#subgroups, groupId);
    const before = subgroups.size;
    for (const subgroupId of subgroupIds) {
      subgroups.add(subgroupId);
      entry(this.#supergroups, subgroupId).add(groupId);
    }
    this.#nestings += subgroups.size - before;
    this.#forgetAbove(groupId);
  }

  removeSubgroups(groupId: number, subgroupIds: readonly number[]): void {
    for (const subgroupId of subgroupIds) {
      if (this.#subgroups.get(groupId)?.delete(subgroupId)) this.#nestings--;
      this.#supergroups.get(subgroupId)?.delete(groupId);
    }
    this.#forgetAbove(groupId);
  }

  get all(): ReadonlyMap<number, GroupRecord> {
    return this.#groups;
  }

  /** The number of direct subgroup relations. It bounds the cost of any walk. */
  get nestings(): number {
    return this.#nestings;
  }

  /** The number of direct members of all groups together. It bounds the memory that they take. */
  get listedMembers(): number {
    return this.#listedMembers;
  }

  /** Finds a group by name, active or deactivated. Ignores case. */
  byName(name: string): GroupRecord | undefined {
    const id = this.#idByName.get(name.toLowerCase());
    return id === undefined ? undefined : this.#groups.get(id);
  }

  /** The id of a system group. Every organization has all of them. */
  idOf(name: SystemGroup): number {
    const id = this.#systemIds.get(name);
    if (id === undefined) throw new Error(`the organization has no group ${name}`);
    return id;
  }

  /** The direct members of the group. System groups have none. */
  membersOf(groupId: number): ReadonlySet<number> {
    return this.#members.get(groupId) ?? NOTHING;
  }

  /** The group's direct subgroups. */
  subgroupsOf(groupId: number): ReadonlySet<number> {
    return this.#subgroups.get(groupId) ?? NOTHING;
  }

  /** The groups that have this one as a direct subgroup, including deactivated ones. */
  supergroupsOf(groupId: number): ReadonlySet<number> {
    return this.#supergroups.get(groupId) ?? NOTHING;
  }

  /** The group and everything inside it. Empty for a deactivated group. */
  groupsIn(groupId: number): ReadonlySet<number> {
    return this.#allMembersOf(groupId)?.groups ?? NOTHING;
  }

  /** The group and all groups that contain it. Empty for a deactivated group. Walks all of them. */
  groupsHolding(groupId: number): ReadonlySet<number> {
    const isOpen = (id: number) => this.#groups.get(id)?.isDeactivated === false;
    const holders = new Set(isOpen(groupId) ? [groupId] : []);
    for (const id of holders) for (const above of this.supergroupsOf(id)) if (isOpen(above)) holders.add(above);
    return holders;
  }

  /**
   * The groups that have the user as a direct member, including deactivated ones. System groups have no direct members.
   */
  directGroupsOf(userId: number): readonly number[] {
    return this.#directGroups.get(userId) ?? NO_GROUPS;
  }

  /**
   * All groups of the user, including those by role and through subgroups. The cost grows with the number of groups.
   */
  groupsOf(user: Member): ReadonlySet<number> {
    return new Set([...this.#groups.keys()].filter((groupId) => this.includes(groupId, user)));
  }

  /** All members of the group that are listed, and the weakest rank whose users are all members. Undefined if the group does not exist. */
  allMembersOf(groupId: number): Pick<AllMembers, 'users' | 'weakestRank'> | undefined {
    return this.#allMembersOf(groupId);
  }

  includes(groupId: number, user: Member): boolean {
    const members = this.#allMembersOf(groupId);
    if (members === undefined) return false;
    const rank = rankOf(user, this.fullMembersJoinedThrough);
    return rank <= members.weakestRank || members.users.has(user.id);
  }

  /** Whether this value of a permission grants it to the user. */
  grants(setting: GroupSetting, user: Member): boolean {
    return grants(setting, user, this);
  }

  /** Updates the cached member sets of all groups that contain this one. */
  #amendCopies(
    groupId: number,
    userIds: readonly number[],
    amend: (users: Set<number>, groups: ReadonlySet<number>) => void,
  ): void {
    if (userIds.length > MAX_UPDATED_USERS) this.#forgetAbove(groupId);
    else for (const holder of this.groupsHolding(groupId)) this.#allMembers.amend(holder, amend);
  }

  /** Discards the cached members of the group and of all groups that contain it. */
  #forgetAbove(groupId: number): void {
    const touched = new Set([groupId]);
    for (const id of touched) {
      this.#allMembers.forget(id);
      for (const above of this.supergroupsOf(id)) touched.add(above);
    }
  }

  /** Undefined if the group does not exist. */
  #allMembersOf(groupId: number): AllMembers | undefined {
    const known = this.#allMembers.get(groupId);
    if (known !== undefined || !this.#groups.has(groupId)) return known;
    const members = this.#computeMembers(groupId);
    this.#allMembers.keep(groupId, members);
    return members;
  }

  #computeMembers(groupId: number): AllMembers {
    const groups = new Set<number>();
    const pending = new Set([groupId]);
    let weakestRank = NO_MEMBERS_RANK;
    for (const id of pending) {
      const group = this.#groups.get(id);
      if (group === undefined || group.isDeactivated) continue;
      groups.add(id);
      weakestRank = Math.max(weakestRank, weakestRankOf(group));
      for (const subgroupId of this.subgroupsOf(id)) pending.add(subgroupId);
    }
    return { groups, weakestRank, ...this.#usersIn(groupId, groups) };
  }

  #usersIn(groupId: number, groups: ReadonlySet<number>): Pick<AllMembers, 'users' | 'copy'> {
    if (!groups.has(groupId)) return { users: NOTHING, copy: null };
    const others = [...groups].filter((id) => id !== groupId && this.#groups.get(id)?.isSystem === false);
    const own = entry(this.#members, groupId);
    if (others.length === 0) return { users: own, copy: null };
    const copy = new Set(own);
    for (const id of others) for (const userId of this.membersOf(id)) copy.add(userId);
    return { users: copy, copy };
  }
}

/** The groups, for readers. */
export type Groups = ReadOnly<GroupIndex>;

function entry(sets: Map<number, Set<number>>, key: number): Set<number> {
  let set = sets.get(key);
  if (set === undefined) {
    set = new Set();
    sets.set(key, set);
  }
  return set;
}

const NOTHING: ReadonlySet<number> = new Set();
const NO_GROUPS: readonly number[] = [];
