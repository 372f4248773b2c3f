import type { GroupPermission, GroupRecord } from '../people/groups.ts';
import type { Caller } from './caller.ts';
import { all, any, type PermissionResult, refused } from './permission-result.ts';
import { GUEST_GROUP_PERMISSIONS } from './permission-table.ts';

/**
 * What the user may do with user groups. Users who manage the group, or all groups, can also do everything that its
 * other permissions allow.
 *
 * Invariant: the results are those of the server's checks (`server/src/access/groups.ts`). A property test compares
 * them.
 */
export class GroupPermissionChecks {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  create(): PermissionResult {
    return all(
      () => this.#caller.needsMember(),
      () => this.#caller.needs('can_create_groups'),
    );
  }

  /** Whether the user may change its name, description and permissions, or reactivate it. */
  edit(group: GroupRecord): PermissionResult {
    return this.#change(group, []);
  }

  deactivate(group: GroupRecord): PermissionResult {
    return group.isDeactivated ? refused('deactivated') : this.#change(group, []);
  }

  join(group: GroupRecord): PermissionResult {
    return this.#change(group, ['can_join_group', 'can_add_members_group']);
  }

  leave(group: GroupRecord): PermissionResult {
    return this.#change(group, ['can_leave_group', 'can_remove_members_group']);
  }

  /** Whether the user may add others, and add subgroups. */
  addMembers(group: GroupRecord): PermissionResult {
    return this.#change(group, ['can_add_members_group']);
  }

  removeMembers(group: GroupRecord): PermissionResult {
    return this.#change(group, ['can_remove_members_group']);
  }

  removeSubgroups(group: GroupRecord): PermissionResult {
    return this.#change(group, []);
  }

  mention(group: GroupRecord): PermissionResult {
    return group.isDeactivated ? refused('deactivated') : this.#granted(group, 'can_mention_group');
  }

  #change(group: GroupRecord, sufficient: readonly GroupPermission[]): PermissionResult {
    if (group.isSystem) return refused('system group');
    const permissions: readonly GroupPermission[] = ['can_manage_group', ...sufficient];
    return all(
      () => this.#caller.needsMember(),
      () =>
        any(
          () => this.#caller.needs('can_manage_all_groups'),
          ...permissions.map((name) => () => this.#granted(group, name)),
        ),
    );
  }

  #granted(group: GroupRecord, name: GroupPermission): PermissionResult {
    return this.#caller.granted(group.permissions[name], GUEST_GROUP_PERMISSIONS.has(name));
  }
}
