import type { userGroup } from '@heddle/api/objects/user-group.ts';
import type { Static } from 'typebox';
import type { GroupRecord } from '../../directory/records.ts';
import { presentPermissions, type ShownPermissions } from './permissions.ts';

/** A group with the other values of its API object, at one point in time. It is stored as JSON in events. */
export interface GroupView {
  readonly group: GroupRecord;
  /** Direct members with active accounts, ascending. */
  readonly members: readonly number[];
  /** Direct subgroups, ascending. */
  readonly subgroups: readonly number[];
  readonly permissions: ShownPermissions;
}

/** The API's group object. */
export function presentGroup({ group, members, subgroups, permissions }: GroupView): Static<typeof userGroup> {
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    members: [...members],
    direct_subgroup_ids: [...subgroups],
    is_system_group: group.isSystem,
    creator_id: group.creatorId,
    date_created: group.createdAt,
    deactivated: group.isDeactivated,
    ...presentPermissions(permissions),
  };
}
