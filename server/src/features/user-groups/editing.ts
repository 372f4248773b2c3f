import { groupInUse } from '@heddle/api/errors.ts';
import { GROUP_PERMISSIONS } from '@heddle/api/permissions.ts';
import { changedGroupSetting, type WireGroupSettingUpdate } from '../../access/group-settings.ts';
import { groupPermission } from '../../access/groups.ts';
import { violatesUnique } from '../../db/failures.ts';
import type { Directory } from '../../directory/directory.ts';
import { groupFact } from '../../directory/facts.ts';
import type { Change } from '../../directory/organization.ts';
import { type GroupPermissions, type GroupRecord, isSameSetting } from '../../directory/records.ts';
import type { GroupChanges, GroupEvent } from './events.ts';
import { checkedGroupDescription, checkedGroupName, groupNameTaken } from './names.ts';
import { objectionsTo } from './objections.ts';
import { permissionNames } from './permissions.ts';
import { viewGroup } from './queries.ts';
import { amended, announceWhoKnows } from './who-knows.ts';

/** What is to become of a group; what is left out stays. */
export interface GroupEdit {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly permissions?: { readonly [Name in keyof GroupPermissions]?: WireGroupSettingUpdate | undefined };
  /** Opens a deactivated group again. */
  readonly reactivate?: boolean;
}

/**
 * Changes a group and tells everybody. What is as it was already is passed over. Whether the caller may is the caller's question.
 * @throws ApiError `BAD_REQUEST`: a name that cannot be or is taken, a value that a permission does not take; `EXPECTATION_MISMATCH`: a
 * permission is not what the client takes it for; `SYSTEM_GROUP_REQUIRED`. Then nothing is changed
 */
export async function changeGroup(change: Change, group: GroupRecord, edit: GroupEdit): Promise<void> {
  const { directory } = change;
  const name = edit.name === undefined ? group.name : nameFor(directory, group, edit.name);
  const description = edit.description ?? group.description;
  const permissions = changedPermissions(directory, group, edit.permissions ?? {});
  const changes: GroupChanges = {
    ...(name !== group.name && { name }),
    ...(description !== group.description && { description: checkedGroupDescription(description) }),
    ...(Object.keys(permissions).length > 0 && { permissions }),
    ...(edit.reactivate && group.isDeactivated && { isDeactivated: false }),
  };
  if (Object.keys(changes).length > 0) await store(change, group, changes);
}

/**
 * Deactivates a group: from then on it holds nobody, and keeps its name, members and subgroups. Whether the caller may is the caller's
 * question.
 * @throws ApiError `CANNOT_DEACTIVATE_GROUP_IN_USE`
 */
export async function deactivateGroup(change: Change, group: GroupRecord): Promise<void> {
  const objections = objectionsTo(change.directory, group);
  if (objections.length > 0) throw groupInUse(objections);
  await store(change, group, { isDeactivated: true });
}

/** The name that it has stays whatever the rules for names have become. */
function nameFor(directory: Directory, group: GroupRecord, name: string): string {
  return name === group.name ? name : checkedGroupName(directory, name, group.id);
}

function changedPermissions(
  directory: Directory,
  group: GroupRecord,
  updates: NonNullable<GroupEdit['permissions']>,
): GroupPermissions {
  const entries = permissionNames.flatMap((name) => {
    const update = updates[name];
    if (update === undefined) return [];
    const current = groupPermission(directory, group, name);
    const value = changedGroupSetting(directory, { name, permission: GROUP_PERMISSIONS[name] }, current, update);
    return isSameSetting(value, current) ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

async function store(change: Change, group: GroupRecord, changes: GroupChanges): Promise<void> {
  const { db, directory, append } = change;
  const permissions = { ...group.permissions, ...changes.permissions };
  const changed: GroupRecord = { ...group, ...changes, permissions };
  await db
    .updateTable('user_groups')
    .set({
      name: changed.name,
      description: changed.description,
      deactivated_at: changed.isDeactivated ? new Date() : null,
      permissions,
    })
    .where('organization_id', '=', directory.organization.id)
    .where('id', '=', group.id)
    .execute()
    .catch((error) => {
      throw violatesUnique(error, 'user_groups_by_name') ? groupNameTaken(changed.name) : error;
    });
  const isReopened = group.isDeactivated && !changed.isDeactivated;
  const body: GroupEvent = {
    op: 'update',
    groupId: group.id,
    changes,
    wasDeactivated: group.isDeactivated,
    isDeactivated: changed.isDeactivated,
    ...(isReopened && { view: viewGroup(directory, changed) }),
  };
  append({ type: 'user_group', audience: { to: 'everyone' }, body, facts: [groupFact(changed, group)] });
  if (changed.isDeactivated === group.isDeactivated) return;
  const difference = { isDeactivated: (id: number) => (id === group.id ? changed.isDeactivated : undefined) };
  const holding = isReopened ? amended(directory.groups, difference) : directory.groups;
  announceWhoKnows(change, group.id, (user) => holding.includes(group.id, user), difference);
}
