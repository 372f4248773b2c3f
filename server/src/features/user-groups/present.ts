import type { userGroup } from '@heddle/api/objects/user-group.ts';
import type { Static } from 'typebox';
import type { GroupRecord } from '../../directory/records.ts';
import { presentPermissions, type ShownPermissions } from './permissions.ts';

/** A group with what its wire object says beyond the record, as of one moment. Survives JSON: events carry it. */
export interface GroupView {
  readonly group: GroupRecord;
  /** Direct ones, ascending; active accounts only. */
  readonly members: readonly number[];
  /** Direct ones, ascending. */
  readonly subgroups: readonly number[];
  readonly permissions: ShownPermissions;
}

/** A group as the wire has it. */
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
