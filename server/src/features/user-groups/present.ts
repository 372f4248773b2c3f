import type { userGroup } from '@heddle/api/objects/user-group.ts';
import type { Static } from 'typebox';
import type { Directory } from '../../directory/directory.ts';
import { type GroupRecord, SystemGroup } from '../../directory/records.ts';

/** A group as the wire has it. All groups are the server's own so far: nobody may change who is in them. */
export function presentGroup(
  directory: Directory,
  group: GroupRecord,
  members: readonly number[],
): Static<typeof userGroup> {
  const nobody = directory.groups.idOf(SystemGroup.nobody);
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    members: [...members],
    direct_subgroup_ids: [...group.subgroups],
    is_system_group: group.isSystem,
    creator_id: group.creatorId,
    date_created: group.createdAt,
    deactivated: group.isDeactivated,
    can_add_members_group: nobody,
    can_join_group: nobody,
    can_leave_group: nobody,
    can_manage_group: nobody,
    can_mention_group: nobody,
    can_remove_members_group: nobody,
  };
}
