import type { userGroup } from '@heddle/api/objects/user-group.ts';
import { GROUP_PERMISSIONS, mapPermissions } from '@heddle/api/permissions.ts';
import type { Static } from 'typebox';
import type { Directory } from '../../directory/directory.ts';
import { type GroupRecord, SystemGroup } from '../../directory/records.ts';

/** A group as the wire has it, with its direct members and subgroups. There are no endpoints yet to change one, so nobody may. */
export function presentGroup(
  directory: Directory,
  group: GroupRecord,
  { members, subgroups }: { readonly members: readonly number[]; readonly subgroups: readonly number[] },
): Static<typeof userGroup> {
  const nobody = directory.groups.idOf(SystemGroup.nobody);
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
    ...mapPermissions(GROUP_PERMISSIONS, () => nobody),
  };
}
