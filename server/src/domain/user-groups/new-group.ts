import { GROUP_PERMISSIONS } from '@heddle/api/permissions.ts';
import { checkedGroupSetting } from '../../access/group-settings.ts';
import { checkListed, listedIn } from '../../access/long-permissions.ts';
import { checkShare } from '../../access/shares.ts';
import { violatesUnique } from '../../db/failures.ts';
import type { Directory } from '../../directory/directory.ts';
import { groupRecord } from '../../directory/load.ts';
import type { Change } from '../../directory/organization.ts';
import { type GroupPermissions, type GroupRecord, Role } from '../../directory/records.ts';
import { groupDelta, type StateDelta } from '../../directory/state-deltas.ts';
import type { GroupEvent } from './events.ts';
import { checkedMembers, checkedSubgroups, storeMembers, storeSubgroups } from './membership.ts';
import { checkedGroupDescription, checkedGroupName, groupNameTaken } from './names.ts';
import { checkNested, checkSubgroups } from './nesting.ts';
import { permissionNames, shownPermissions } from './permissions.ts';

/** The most groups in an organization, including deactivated ones, because clients get all of them. */
const MAX_GROUPS = 10_000;

export interface NewGroup {
  readonly name: string;
  readonly description?: string;
  readonly members?: readonly number[];
  readonly subgroups?: readonly number[];
  /** The permissions that differ from the defaults. */
  readonly permissions?: GroupPermissions;
  readonly creatorId: number | null;
}

/**
 * Creates a group and announces it. The caller checks permissions.
 * @throws ApiError `BAD_REQUEST`: the name is invalid or taken, a user or group does not exist, a permission does not
 *   accept the value, or a bound is reached; `SYSTEM_GROUP_REQUIRED`
 */
export async function createGroup(change: Change, group: NewGroup): Promise<GroupRecord> {
  const { db, directory, append } = change;
  checkRoom(directory, group.creatorId);
  const members = checkedMembers(directory, group.members ?? []);
  const subgroups = checkedSubgroups(directory, group.subgroups ?? []);
  const { creatorId } = group;
  checkSubgroups(directory, creatorId, subgroups.length);
  const nested = { members: members.length, subgroups: new Set(subgroups) };
  checkNested(directory, { id: 0, creatorId, isDeactivated: false, ...nested });
  const name = checkedGroupName(directory, group.name);
  const permissions = checkedPermissions(directory, group.permissions ?? {});
  checkListed(directory, creatorId, listedIn(Object.values(permissions)));
  const row = await db
    .insertInto('user_groups')
    .values({
      organization_id: directory.organization.id,
      name,
      description: checkedGroupDescription(group.description ?? ''),
      creator_id: group.creatorId,
      deactivated_at: null,
      permissions,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch((error) => {
      throw violatesUnique(error, 'user_groups_by_name') ? groupNameTaken(name) : error;
    });
  const created = groupRecord(row);
  const deltas: StateDelta[] = [groupDelta(created)];
  if (members.length > 0) {
    await storeMembers(change, created.id, members);
    deltas.push({ delta: 'group-members', groupId: created.id, added: members, removed: [] });
  }
  if (subgroups.length > 0) {
    await storeSubgroups(change, created.id, subgroups);
    deltas.push({ delta: 'group-subgroups', groupId: created.id, added: subgroups, removed: [] });
  }
  const view = { group: created, members, subgroups, permissions: shownPermissions(directory, created) };
  const body: GroupEvent = { op: 'add', view };
  append({ type: 'user_group', audience: { to: 'everyone' }, body, deltas });
  return created;
}

/** @throws ApiError `BAD_REQUEST` */
function checkRoom(directory: Directory, creatorId: number | null): void {
  const groups = directory.groups.all;
  const creator = creatorId === null ? undefined : directory.user(creatorId);
  const own = creator === undefined ? 0 : [...groups.values()].filter((group) => group.creatorId === creator.id).length;
  checkShare(creator ?? { role: Role.owner }, { what: 'user groups', bound: MAX_GROUPS, all: groups.size, own });
}

function checkedPermissions(directory: Directory, chosen: GroupPermissions): GroupPermissions {
  const entries = permissionNames.flatMap((name) => {
    const value = chosen[name];
    if (value === undefined) return [];
    return [[name, checkedGroupSetting(directory, { name, permission: GROUP_PERMISSIONS[name] }, value)] as const];
  });
  return Object.fromEntries(entries);
}
