import { grants, type Member, type Memberships, NO_STANDING, standingOf, weakestStandingOf } from './memberships.ts';
import type { GroupRecord, GroupSetting, SystemGroup } from './records.ts';

/** Whom a group holds, directly and through its subgroups: whoever has this standing or a stronger one, and those listed. */
interface Closure {
  /** The group and all in it that are not deactivated. */
  readonly groups: ReadonlySet<number>;
  readonly weakestStanding: number;
  /** The group's own members themselves where nothing in it has others. */
  readonly users: ReadonlySet<number>;
}

/**
 * The organization's groups with their direct members, their direct subgroups, and whom each holds in all. What a change touches is
 * worked out at the change: a question costs no more than a look or two. Members by role are never listed; cycles, which no action
 * makes, end where they begin.
 */
export class GroupIndex implements Memberships {
  /** Members who joined later are no full members; seconds since the epoch. Set when loading and folding only. */
  fullMembersJoinedThrough = Infinity;
  readonly #groups = new Map<number, GroupRecord>();
  readonly #systemIds = new Map<string, number>();
  /** By names in lower case. */
  readonly #idByName = new Map<string, number>();
  readonly #members = new Map<number, Set<number>>();
  readonly #subgroups = new Map<number, Set<number>>();
  /** The groups that a group is a direct subgroup of. */
  readonly #supergroups = new Map<number, Set<number>>();
  readonly #directGroups = new Map<number, number[]>();
  readonly #closures = new Map<number, Closure>();
  /** The groups that hold a group, itself among them unless it is deactivated. */
  readonly #holders = new Map<number, Set<number>>();

  /** For loading and folding only, as the other changes are. */
  put(group: GroupRecord): void {
    const before = this.#groups.get(group.id);
    this.#groups.set(group.id, group);
    if (before !== undefined) this.#idByName.delete(before.name.toLowerCase());
    this.#idByName.set(group.name.toLowerCase(), group.id);
    if (group.isSystem) this.#systemIds.set(group.name, group.id);
    if (before === undefined || before.isDeactivated !== group.isDeactivated) this.#closeAbove(group.id);
  }

  addMembers(groupId: number, userIds: readonly number[]): void {
    const members = entry(this.#members, groupId);
    for (const userId of userIds) {
      if (members.has(userId)) continue;
      members.add(userId);
      const groups = this.#directGroups.get(userId);
      if (groups === undefined) this.#directGroups.set(userId, [groupId]);
      else groups.push(groupId);
    }
    for (const holder of this.#copiesOf(groupId, members)) for (const userId of userIds) holder.users.add(userId);
  }

  removeMembers(groupId: number, userIds: readonly number[]): void {
    const members = entry(this.#members, groupId);
    for (const userId of userIds) {
      const groups = this.#directGroups.get(userId);
      if (!members.delete(userId) || groups === undefined) continue;
      groups.splice(groups.indexOf(groupId), 1);
      if (groups.length === 0) this.#directGroups.delete(userId);
    }
    for (const { groups, users } of this.#copiesOf(groupId, members)) {
      for (const userId of userIds) {
        const stays = this.#directGroups.get(userId)?.some((other) => groups.has(other)) ?? false;
        if (!stays) users.delete(userId);
      }
    }
  }

  addSubgroups(groupId: number, subgroupIds: readonly number[]): void {
    for (const subgroupId of subgroupIds) {
      entry(this.#subgroups, groupId).add(subgroupId);
      entry(this.#supergroups, subgroupId).add(groupId);
    }
    this.#closeAbove(groupId);
  }

  removeSubgroups(groupId: number, subgroupIds: readonly number[]): void {
    for (const subgroupId of subgroupIds) {
      this.#subgroups.get(groupId)?.delete(subgroupId);
      this.#supergroups.get(subgroupId)?.delete(groupId);
    }
    this.#closeAbove(groupId);
  }

  get all(): ReadonlyMap<number, GroupRecord> {
    return this.#groups;
  }

  /** The group of this name, in whichever case; also a deactivated one. */
  byName(name: string): GroupRecord | undefined {
    const id = this.#idByName.get(name.toLowerCase());
    return id === undefined ? undefined : this.#groups.get(id);
  }

  /** The id of a system group; every organization has them all. */
  idOf(name: SystemGroup): number {
    const id = this.#systemIds.get(name);
    if (id === undefined) throw new Error(`the organization has no group ${name}`);
    return id;
  }

  /** The users that were put into the group one by one: none of a system group. */
  membersOf(groupId: number): ReadonlySet<number> {
    return this.#members.get(groupId) ?? NOTHING;
  }

  /** The group's direct subgroups. */
  subgroupsOf(groupId: number): ReadonlySet<number> {
    return this.#subgroups.get(groupId) ?? NOTHING;
  }

  /** The groups that the group is a direct subgroup of, deactivated ones too. */
  supergroupsOf(groupId: number): ReadonlySet<number> {
    return this.#supergroups.get(groupId) ?? NOTHING;
  }

  /** The group and all that it holds through subgroups; nothing of a deactivated one. */
  groupsIn(groupId: number): ReadonlySet<number> {
    return this.#closures.get(groupId)?.groups ?? NOTHING;
  }

  /** The group and all that hold it through their subgroups; nothing of a deactivated one. */
  groupsHolding(groupId: number): ReadonlySet<number> {
    return this.#holders.get(groupId) ?? NOTHING;
  }

  /** The groups that the user was put into one by one, deactivated ones too: no system groups. */
  directGroupsOf(userId: number): readonly number[] {
    return this.#directGroups.get(userId) ?? NO_GROUPS;
  }

  /** All groups that the user belongs to, also by role and through subgroups; costs as much as there are. */
  groupsOf(user: Member): ReadonlySet<number> {
    const groups = new Set<number>();
    for (const groupId of this.directGroupsOf(user.id)) {
      for (const holder of this.groupsHolding(groupId)) groups.add(holder);
    }
    const standing = standingOf(user, this.fullMembersJoinedThrough);
    for (const [groupId, closure] of this.#closures) if (standing <= closure.weakestStanding) groups.add(groupId);
    return groups;
  }

  includes(groupId: number, user: Member): boolean {
    const closure = this.#closures.get(groupId);
    if (closure === undefined) return false;
    const standing = standingOf(user, this.fullMembersJoinedThrough);
    return standing <= closure.weakestStanding || closure.users.has(user.id);
  }

  /** Whether a permission that is set to this value is granted to the user. */
  grants(setting: GroupSetting, user: Member): boolean {
    return grants(setting, user, this);
  }

  /** The closures that hold the group's members in a set of their own. */
  *#copiesOf(groupId: number, members: ReadonlySet<number>) {
    for (const holder of this.groupsHolding(groupId)) {
      const closure = this.#closures.get(holder);
      // Only here are closures changed in place.
      if (closure !== undefined && closure.users !== members) {
        yield { groups: closure.groups, users: closure.users as Set<number> };
      }
    }
  }

  /** Works out anew whom the group holds, and whom those hold that it is in. */
  #closeAbove(groupId: number): void {
    const touched = new Set([groupId]);
    for (const id of touched) for (const above of this.#supergroups.get(id) ?? []) touched.add(above);
    for (const id of touched) {
      for (const held of this.groupsIn(id)) this.#holders.get(held)?.delete(id);
      const closure = this.#close(id);
      this.#closures.set(id, closure);
      for (const held of closure.groups) entry(this.#holders, held).add(id);
    }
  }

  #close(groupId: number): Closure {
    const groups = new Set<number>();
    const pending = new Set([groupId]);
    let weakestStanding = NO_STANDING;
    for (const id of pending) {
      const group = this.#groups.get(id);
      if (group === undefined || group.isDeactivated) continue;
      groups.add(id);
      weakestStanding = Math.max(weakestStanding, weakestStandingOf(group));
      for (const subgroupId of this.subgroupsOf(id)) pending.add(subgroupId);
    }
    return { groups, weakestStanding, users: this.#usersIn(groupId, groups) };
  }

  #usersIn(groupId: number, groups: ReadonlySet<number>): ReadonlySet<number> {
    if (!groups.has(groupId)) return NOTHING;
    const others = [...groups].filter((id) => id !== groupId && this.#groups.get(id)?.isSystem === false);
    const own = entry(this.#members, groupId);
    if (others.length === 0) return own;
    const users = new Set(own);
    for (const id of others) for (const userId of this.membersOf(id)) users.add(userId);
    return users;
  }
}

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
