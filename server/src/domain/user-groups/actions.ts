import { activeOnly, namesDirectly } from '../../access/group-settings.ts';
import { groupPermission } from '../../access/groups.ts';
import type { Change } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { Audience } from '../../log/event.ts';
import type { GroupEvent } from './events.ts';
import { permissionNames } from './permissions.ts';
import { groupsByRole } from './queries.ts';

/** Announces the system groups of a new account. They follow from its role, so nothing is stored. */
export function announceGroupsOf(change: Change, user: UserRecord): void {
  announce(change, 'add-members', groupsByRole(change.directory, user), user);
}

/** Announces that an account changed from the groups of one role to those of another. */
export function announceRoleGroups(change: Change, before: UserRecord, after: UserRecord): void {
  const left = new Set(groupsByRole(change.directory, before));
  const joined = new Set(groupsByRole(change.directory, after));
  announce(change, 'remove-members', left.difference(joined), after);
  announce(change, 'add-members', joined.difference(left), after);
}

/** Announces the groups of a reactivated account, and the groups whose permissions name it. */
export function announceReturn(change: Change, user: UserRecord): void {
  const everyone: Audience = { to: 'everyone' };
  announceMembership(change, 'add-members', user, everyone);
  announceNamedInGroups(change, user, everyone);
}

/**
 * Announces to an audience that a deactivated account left its groups, and their permissions without it. Other clients
 * infer both from the deactivation itself (public reference: `realm_user`, op `update`).
 */
export function announceGone(change: Change, user: UserRecord, audience: Audience): void {
  announceMembership(change, 'remove-members', user, audience);
  announceNamedInGroups(change, user, audience);
}

function announceMembership(
  { directory, append }: Change,
  op: 'add-members' | 'remove-members',
  user: UserRecord,
  audience: Audience,
): void {
  for (const groupId of groupsByRole(directory, user)) {
    const body: GroupEvent = { op, groupId, userIds: [user.id] };
    append({ type: 'user_group', audience, body });
  }
  for (const groupId of directory.groups.directGroupsOf(user.id)) {
    const isDeactivated = directory.groups.all.get(groupId)?.isDeactivated ?? false;
    const body: GroupEvent = { op, groupId, isDeactivated, userIds: [user.id] };
    append({ type: 'user_group', audience, body });
  }
}

function announceNamedInGroups({ directory, append }: Change, user: UserRecord, audience: Audience): void {
  for (const group of directory.groups.all.values()) {
    const named = permissionNames.flatMap((name) => {
      const value = groupPermission(directory, group, name);
      return namesDirectly(value, user.id) ? [[name, activeOnly(directory, value, user)] as const] : [];
    });
    if (named.length === 0) continue;
    const { id: groupId, isDeactivated } = group;
    const changes = { permissions: Object.fromEntries(named) };
    const body: GroupEvent = { op: 'update', groupId, isDeactivated, wasDeactivated: isDeactivated, changes };
    append({ type: 'user_group', audience, body });
  }
}

function announce(
  { append }: Change,
  op: 'add-members' | 'remove-members',
  groupIds: Iterable<number>,
  user: UserRecord,
): void {
  for (const groupId of groupIds) {
    const body: GroupEvent = { op, groupId, userIds: [user.id] };
    append({ type: 'user_group', audience: { to: 'everyone' }, body });
  }
}
