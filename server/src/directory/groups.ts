import { type GroupRecord, type GroupSetting, Role, SystemGroup, type UserRecord } from './records.ts';

/** The roles that make a user a direct or nested member of a system group: that role or a stronger one. */
const WEAKEST_ROLE: Readonly<Record<string, number>> = {
  [SystemGroup.owners]: Role.owner,
  [SystemGroup.administrators]: Role.administrator,
  [SystemGroup.moderators]: Role.moderator,
  [SystemGroup.fullMembers]: Role.member,
  [SystemGroup.members]: Role.member,
  [SystemGroup.everyone]: Role.guest,
  [SystemGroup.internet]: Role.guest,
};

/** The organization's groups. Members of system groups follow from roles; the nesting is recorded like any group's. */
export class GroupIndex {
  readonly #groups = new Map<number, GroupRecord>();
  readonly #systemIds = new Map<string, number>();

  put(group: GroupRecord): void {
    this.#groups.set(group.id, group);
    if (group.isSystem) this.#systemIds.set(group.name, group.id);
  }

  get all(): ReadonlyMap<number, GroupRecord> {
    return this.#groups;
  }

  /** The id of a system group; every organization has them all. */
  idOf(name: SystemGroup): number {
    const id = this.#systemIds.get(name);
    if (id === undefined) throw new Error(`the organization has no group ${name}`);
    return id;
  }

  /** Whether the user belongs to the group, directly or through subgroups. */
  includes(groupId: number, user: UserRecord): boolean {
    return this.#includes(groupId, user, new Set());
  }

  /** Whether a permission that is set to this value is granted to the user. */
  grants(setting: GroupSetting, user: UserRecord): boolean {
    if (typeof setting === 'number') return this.includes(setting, user);
    if (setting.directMembers.includes(user.id)) return true;
    return setting.directSubgroups.some((groupId) => this.includes(groupId, user));
  }

  #includes(groupId: number, user: UserRecord, seen: Set<number>): boolean {
    const group = this.#groups.get(groupId);
    if (group === undefined || group.isDeactivated || seen.has(groupId)) return false;
    seen.add(groupId);
    if (group.isSystem) {
      const weakest = WEAKEST_ROLE[group.name];
      return weakest !== undefined && user.role <= weakest;
    }
    return group.subgroups.some((subgroupId) => this.#includes(subgroupId, user, seen));
  }
}
