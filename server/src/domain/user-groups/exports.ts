/** The tables of this folder in a data export. */
import type { TableExport } from '../../extension/exports.ts';

export const userGroupsExports: readonly TableExport[] = [
  {
    table: 'user_groups',
    fields: ['id', 'name', 'description', 'is_system', 'creator_id', 'created_at', 'deactivated_at', 'permissions'],
  },
  {
    table: 'user_group_subgroups',
    fields: ['group_id', 'subgroup_id'],
  },
  {
    table: 'user_group_members',
    fields: ['group_id', 'user_id'],
  },
];
