import type { GroupObjection } from '@heddle/api/errors.ts';
import { ORGANIZATION_PERMISSIONS } from '@heddle/api/permissions.ts';
import { groupPermission } from '../../access/groups.ts';
import { organizationSetting } from '../../access/organization-settings.ts';
import type { Directory } from '../../directory/directory.ts';
import { CHANNEL_GROUP_SETTINGS, type GroupRecord, type GroupSetting } from '../../directory/records.ts';
import { permissionNames } from './permissions.ts';

/**
 * Lists the uses of a group: as a subgroup, or in a permission of a channel, group or the organization. Archived
 * channels and deactivated groups do not count (public reference: "Deactivate a user group").
 */
export function objectionsTo(directory: Directory, { id }: GroupRecord): GroupObjection[] {
  const { groups } = directory;
  const objections: GroupObjection[] = [];
  const uses = (setting: GroupSetting) =>
    typeof setting === 'number' ? setting === id : setting.directSubgroups.includes(id);

  const open = [...groups.all.values()].filter((group) => !group.isDeactivated);
  const supergroups = groups.supergroupsOf(id);
  const supergroup_ids = open.flatMap((group) => (supergroups.has(group.id) ? group.id : []));
  if (supergroup_ids.length > 0) objections.push({ type: 'subgroup', supergroup_ids });

  for (const channel of directory.channels.values()) {
    if (channel.isArchived) continue;
    const settings = CHANNEL_GROUP_SETTINGS.filter((key) => uses(channel.groupSettings[key])).map(
      (key) => `${key}_group`,
    );
    if (settings.length > 0) objections.push({ type: 'channel', channel_id: channel.id, settings });
  }

  for (const group of open) {
    const settings = permissionNames.filter((name) => uses(groupPermission(directory, group, name)));
    if (settings.length > 0) objections.push({ type: 'user_group', group_id: group.id, settings });
  }

  const names = Object.keys(ORGANIZATION_PERMISSIONS) as (keyof typeof ORGANIZATION_PERMISSIONS)[];
  const settings = names.filter((name) => uses(organizationSetting(directory, name)));
  if (settings.length > 0) objections.push({ type: 'realm', settings });
  return objections;
}
