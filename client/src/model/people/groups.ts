import type { EventOfType, GroupSettingValue, InitialState, UserGroup } from '../../calls/types.ts';
import { KeyedSubject, Subject } from '../changes.ts';
import { permissionsWithoutUser } from './group-values.ts';

/** The permissions of a user group, by their names on the wire. */
export type GroupPermissions = Readonly<Pick<UserGroup, Extract<keyof UserGroup, `can_${string}_group`>>>;
export type GroupPermission = keyof GroupPermissions;

/** A user group. Immutable, except for the two sets, which events change in place. */
export interface GroupRecord {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** System groups follow from roles. No user can change them. */
  readonly isSystem: boolean;
  readonly isDeactivated: boolean;
  readonly creatorId: number | null;
  /** Seconds since the epoch. */
  readonly createdAt: number | null;
  /** The direct members, without deactivated users. */
  readonly members: ReadonlySet<number>;
  readonly subgroupIds: ReadonlySet<number>;
  readonly permissions: GroupPermissions;
}

interface Group {
  record: GroupRecord;
  readonly members: Set<number>;
  readonly subgroupIds: Set<number>;
}

type Update = Extract<EventOfType<'user_group'>, { readonly op: 'update' }>['data'];

/**
 * The user groups of the organization, and who belongs to them.
 *
 * Invariants:
 * - A user belongs to a group directly or through its subgroups, at any depth.
 * - A deactivated group has no members, but keeps its list.
 * - A user who was deactivated is a direct member of no group, and no permission of a group names them.
 */
export class Groups {
  /** Notified of every change of any group. */
  readonly changes = new Subject();
  /** The same for one group. Changes of the members of its subgroups count, too. */
  readonly changesOf = new KeyedSubject<number>();
  readonly #groups = new Map<number, Group>();
  readonly #idsByName = new Map<string, number>();
  /** The active groups from which a group gets its members, itself included. Dropped when groups or subgroups change. */
  readonly #sources = new Map<number, ReadonlySet<number>>();
  /** All members of a group. An entry is dropped when the members of a source change. */
  readonly #allMembers = new Map<number, ReadonlySet<number>>();

  constructor(state: InitialState) {
    for (const group of state.realm_user_groups ?? []) this.#put(group);
  }

  /** All groups, also deactivated ones. */
  get all(): readonly GroupRecord[] {
    return Array.from(this.#groups.values(), ({ record }) => record);
  }

  get(groupId: number): GroupRecord | undefined {
    return this.#groups.get(groupId)?.record;
  }

  /** Finds a group by its exact name, for example `role:members`. */
  byName(name: string): GroupRecord | undefined {
    const id = this.#idsByName.get(name);
    return id === undefined ? undefined : this.get(id);
  }

  /** Whether the user belongs to the group, directly or through subgroups. */
  isMember(groupId: number, userId: number): boolean {
    for (const id of this.#sourcesOf(groupId)) if (this.#groups.get(id)?.members.has(userId)) return true;
    return false;
  }

  /** Whether the members of another active group belong to this one. A group contains itself. */
  contains(groupId: number, otherId: number): boolean {
    return this.#sourcesOf(groupId).has(otherId);
  }

  /** All members, also those of subgroups. The same set until a change. */
  membersOf(groupId: number): ReadonlySet<number> {
    const known = this.#allMembers.get(groupId);
    if (known !== undefined) return known;
    const members = new Set<number>();
    for (const id of this.#sourcesOf(groupId))
      for (const userId of this.#groups.get(id)?.members ?? []) members.add(userId);
    this.#allMembers.set(groupId, members);
    return members;
  }

  /** The active groups to which the user belongs, directly or through subgroups. */
  groupsOf(userId: number): GroupRecord[] {
    return this.all.filter(({ id }) => this.isMember(id, userId));
  }

  /** Whether the value of a permission includes the user. Some permissions still exclude guests (`Permissions`). */
  includes(value: GroupSettingValue, userId: number): boolean {
    if (typeof value === 'number') return this.isMember(value, userId);
    return value.direct_members.includes(userId) || value.direct_subgroups.some((id) => this.isMember(id, userId));
  }

  apply(event: EventOfType<'user_group'>): void {
    switch (event.op) {
      case 'add':
        this.#put(event.group);
        break;
      case 'remove':
        this.#remove(event.group_id);
        break;
      case 'update':
        this.#update(event.group_id, event.data);
        break;
      case 'add_members':
      case 'remove_members':
        this.#changeMembers(event.group_id, event.op === 'add_members', event.user_ids);
        break;
      default:
        this.#changeSubgroups(event.group_id, event.op === 'add_subgroups', event.direct_subgroup_ids);
    }
  }

  /**
   * A deactivated user leaves all groups, without an event per group. After a reactivation the server sends one.
   * Visits each group once: there are far fewer groups than users.
   */
  applyUser(event: EventOfType<'realm_user'>): void {
    if (event.op !== 'update' || !('is_active' in event.person) || event.person.is_active) return;
    const { user_id: userId } = event.person;
    for (const [id, group] of this.#groups) {
      const permissions = permissionsWithoutUser(group.record.permissions, userId);
      const isNamed = permissions !== group.record.permissions;
      if (isNamed) group.record = { ...group.record, permissions };
      if (group.members.delete(userId)) this.#membersChanged(id);
      else if (isNamed) this.changesOf.changed(id);
    }
    this.changes.changed();
  }

  #put(wire: UserGroup): void {
    const members = new Set(wire.members);
    const subgroupIds = new Set(wire.direct_subgroup_ids);
    const record = groupRecord(wire, members, subgroupIds);
    this.#groups.set(wire.id, { record, members, subgroupIds });
    this.#idsByName.set(wire.name, wire.id);
    this.#nestingChanged(wire.id);
  }

  #remove(groupId: number): void {
    const group = this.#groups.get(groupId);
    if (group === undefined) return;
    this.#groups.delete(groupId);
    this.#forgetName(group.record);
    this.#nestingChanged(groupId);
  }

  #update(groupId: number, { name, description, deactivated, ...permissions }: Update): void {
    const group = this.#groups.get(groupId);
    if (group === undefined) return;
    if (name !== undefined) {
      this.#forgetName(group.record);
      this.#idsByName.set(name, groupId);
    }
    group.record = {
      ...group.record,
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(deactivated !== undefined && { isDeactivated: deactivated }),
      permissions: { ...group.record.permissions, ...permissions },
    };
    if (deactivated !== undefined) this.#nestingChanged(groupId);
    else {
      this.changes.changed();
      this.changesOf.changed(groupId);
    }
  }

  #changeMembers(groupId: number, isAdded: boolean, userIds: readonly number[]): void {
    const group = this.#groups.get(groupId);
    if (group === undefined) return;
    for (const id of userIds) {
      if (isAdded) group.members.add(id);
      else group.members.delete(id);
    }
    group.record = { ...group.record };
    this.#membersChanged(groupId);
    this.changes.changed();
  }

  #changeSubgroups(groupId: number, isAdded: boolean, ids: readonly number[]): void {
    const group = this.#groups.get(groupId);
    if (group === undefined) return;
    for (const id of ids) {
      if (isAdded) group.subgroupIds.add(id);
      else group.subgroupIds.delete(id);
    }
    group.record = { ...group.record };
    this.#nestingChanged(groupId);
  }

  /** Notifies the readers of this group and of all groups that contain it. */
  #membersChanged(groupId: number): void {
    this.changesOf.changed(groupId);
    for (const id of this.#groups.keys()) {
      if (!this.#sourcesOf(id).has(groupId)) continue;
      this.#allMembers.delete(id);
      if (id !== groupId) this.changesOf.changed(id);
    }
  }

  #nestingChanged(groupId: number): void {
    this.#sources.clear();
    this.#allMembers.clear();
    this.changes.changed();
    this.changesOf.changed(groupId);
  }

  #forgetName({ id, name }: GroupRecord): void {
    if (this.#idsByName.get(name) === id) this.#idsByName.delete(name);
  }

  #sourcesOf(groupId: number): ReadonlySet<number> {
    const known = this.#sources.get(groupId);
    if (known !== undefined) return known;
    const sources = new Set<number>();
    const add = (id: number) => {
      const group = this.#groups.get(id);
      if (group === undefined || group.record.isDeactivated || sources.has(id)) return;
      sources.add(id);
      for (const subgroupId of group.subgroupIds) add(subgroupId);
    };
    add(groupId);
    this.#sources.set(groupId, sources);
    return sources;
  }

  /** The content in comparable form. */
  plain(): object {
    return this.all
      .map((group) => ({
        ...group,
        members: [...group.members].sort((a, b) => a - b),
        subgroupIds: [...group.subgroupIds].sort((a, b) => a - b),
      }))
      .sort((a, b) => a.id - b.id);
  }
}

function groupRecord(group: UserGroup, members: ReadonlySet<number>, subgroupIds: ReadonlySet<number>): GroupRecord {
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    isSystem: group.is_system_group,
    isDeactivated: group.deactivated,
    creatorId: group.creator_id,
    createdAt: group.date_created,
    members,
    subgroupIds,
    permissions: {
      can_add_members_group: group.can_add_members_group,
      can_join_group: group.can_join_group,
      can_leave_group: group.can_leave_group,
      can_manage_group: group.can_manage_group,
      can_mention_group: group.can_mention_group,
      can_remove_members_group: group.can_remove_members_group,
    },
  };
}
