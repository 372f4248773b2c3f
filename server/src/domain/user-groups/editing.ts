import { groupInUse } from '@heddle/api/errors.ts';
import { GROUP_PERMISSIONS } from '@heddle/api/permissions.ts';
import { changedGroupSetting, type WireGroupSettingUpdate } from '../../access/group-settings.ts';
import { groupPermission } from '../../access/groups.ts';
import { checkListed, listedIn } from '../../access/long-permissions.ts';
import { violatesUnique } from '../../db/failures.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Change } from '../../directory/organization.ts';
import { type GroupPermissions, type GroupRecord, isSameSetting } from '../../directory/records.ts';
import { groupDelta } from '../../directory/state-deltas.ts';
import type { GroupChanges, GroupEvent } from './events.ts';
import { amended, announceMetadataAccess } from './metadata-access.ts';
import { checkedGroupDescription, checkedGroupName, groupNameTaken } from './names.ts';
import { checkNested } from './nesting.ts';
import { objectionsTo } from './objections.ts';
import { permissionNames } from './permissions.ts';
import { viewGroup } from './queries.ts';

/** A change of a group. Missing fields stay unchanged. */
export interface GroupEdit {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly permissions?: { readonly [Name in keyof GroupPermissions]?: WireGroupSettingUpdate | undefined };
  /** Reactivates a deactivated group. */
  readonly reactivate?: boolean;
}

/**
 * Changes a group and announces it to everyone. Ignores values that stay the same. The caller checks permissions.
 * @throws ApiError `BAD_REQUEST`: the name is invalid or taken, or a permission does not accept the value;
 *   `EXPECTATION_MISMATCH`: a permission has another value than the client expects; `SYSTEM_GROUP_REQUIRED`. Then
 *   nothing changes
 */
export async function changeGroup(change: Change, group: GroupRecord, edit: GroupEdit): Promise<void> {
  const { directory } = change;
  if (edit.reactivate && group.isDeactivated) {
    const [members, subgroups] = [directory.groups.membersOf(group.id).size, directory.groups.subgroupsOf(group.id)];
    checkNested(directory, { ...group, isDeactivated: false, members, subgroups });
  }
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
 * Deactivates a group. It grants nothing from then on, but keeps its name, members and subgroups. The caller checks
 * permissions.
 * @throws ApiError `CANNOT_DEACTIVATE_GROUP_IN_USE`
 */
export async function deactivateGroup(change: Change, group: GroupRecord): Promise<void> {
  const objections = objectionsTo(change.directory, group);
  if (objections.length > 0) throw groupInUse(objections);
  await store(change, group, { isDeactivated: true });
}

/** The current name is valid, even if the rules for names have changed since. */
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
  const changed: GroupPermissions = Object.fromEntries(entries);
  const before = entries.map(([name]) => groupPermission(directory, group, name));
  checkListed(directory, group.creatorId, listedIn(Object.values(changed)) - listedIn(before));
  return changed;
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
  append({ type: 'user_group', audience: { to: 'everyone' }, body, deltas: [groupDelta(changed, group)] });
  if (changed.isDeactivated === group.isDeactivated) return;
  const difference = { isDeactivated: (id: number) => (id === group.id ? changed.isDeactivated : undefined) };
  const holding = isReopened ? amended(directory.groups, difference) : directory.groups;
  announceMetadataAccess(change, group.id, (user) => holding.includes(group.id, user), difference);
}
