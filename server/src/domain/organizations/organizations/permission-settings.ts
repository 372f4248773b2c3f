import {
  CHANNEL_PERMISSIONS,
  GROUP_PERMISSIONS,
  mapPermissions,
  ORGANIZATION_PERMISSIONS,
  type Permission,
  SystemGroup,
} from '@heddle/api/permissions.ts';
import { withoutExtensions } from './extension-settings.ts';

/** The values that permissions of organizations accept, including those that only Heddle has. */
export const ORGANIZATION_PERMISSION_VALUES = present(ORGANIZATION_PERMISSIONS, SystemGroup.nobody);

/**
 * The values that permissions of organizations, channels and groups accept (`server_supported_permission_settings`).
 */
export const SUPPORTED_PERMISSIONS = {
  realm: withoutExtensions(ORGANIZATION_PERMISSION_VALUES),
  // The creator of a channel is unknown for some channels.
  stream: present(CHANNEL_PERMISSIONS, 'stream_creator_or_nobody'),
  group: present(GROUP_PERMISSIONS, 'group_creator'),
};

function present<Name extends string>(table: Readonly<Record<Name, Permission>>, creator: string) {
  return mapPermissions(table, (_, permission) => ({
    require_system_group: permission.onlySystemGroups !== null,
    allow_internet_group: false,
    allow_nobody_group: permission.allowsNobody,
    allow_everyone_group: permission.allowsEveryone,
    default_group_name: permission.default === 'creator' ? creator : permission.default,
    default_for_system_groups: permission.defaultOfSystemGroups,
    allowed_system_groups: [...(permission.onlySystemGroups ?? [])],
  }));
}
