import { CHANNEL_PERMISSIONS, type ChannelPermission } from '@heddle/api/permissions.ts';
import {
  checkedGroupSetting,
  defaultGroupSetting,
  presentGroupSetting,
  readGroupSetting,
  type WireGroupSetting,
} from '../../access/group-settings.ts';
import type { Directory } from '../../directory/directory.ts';
import { contains } from '../../directory/lists.ts';
import {
  CHANNEL_GROUP_SETTINGS,
  type ChannelGroupSetting,
  type ChannelGroupSettings,
  type GroupSetting,
} from '../../directory/records.ts';

/** The permissions that a request sets for a channel, as they are stored. */
export type ChosenGroupSettings = Partial<ChannelGroupSettings>;

/** Reads permissions from the parameters of a request. */
export function chosenGroupSettings(
  parameters: Readonly<Record<ChannelPermission, WireGroupSetting | undefined>>,
): ChosenGroupSettings {
  const chosen: { [Key in ChannelGroupSetting]?: GroupSetting } = {};
  for (const key of CHANNEL_GROUP_SETTINGS) {
    const value = parameters[`${key}_group`];
    if (value !== undefined) chosen[key] = readGroupSetting(value);
  }
  return chosen;
}

/**
 * Returns all permissions of a new channel: the chosen ones after a check, and defaults for the rest.
 * @throws ApiError `BAD_REQUEST`: a group or user does not exist, or the permission does not accept the value
 */
export function newGroupSettings(
  directory: Directory,
  chosen: ChosenGroupSettings,
  creatorId: number | null,
): ChannelGroupSettings {
  const entries = CHANNEL_GROUP_SETTINGS.map((key) => {
    const name = `${key}_group` as const;
    const permission = CHANNEL_PERMISSIONS[name];
    const value = chosen[key];
    const setting =
      value === undefined
        ? defaultGroupSetting(directory, permission, creatorId)
        : checkedGroupSetting(directory, { name, permission }, value);
    return [key, setting] as const;
  });
  return Object.fromEntries(entries) as Record<ChannelGroupSetting, GroupSetting>;
}

/** The deactivated accounts in the permissions, which API objects leave out; undefined if there are none. */
export function deactivatedIn(directory: Directory, settings: ChannelGroupSettings): readonly number[] | undefined {
  const found = new Set<number>();
  for (const key of CHANNEL_GROUP_SETTINGS) {
    const setting = settings[key];
    if (typeof setting === 'number') continue;
    for (const id of setting.directMembers) if (directory.user(id)?.isActive !== true) found.add(id);
  }
  return found.size === 0 ? undefined : [...found];
}

/** The permissions as fields of the API's channel object. */
export function presentGroupSettings(
  settings: ChannelGroupSettings,
  deactivated: readonly number[] = [],
): Record<ChannelPermission, WireGroupSetting> {
  const entries = CHANNEL_GROUP_SETTINGS.map((key) => {
    const value = presentGroupSetting(settings[key]);
    if (typeof value === 'number' || deactivated.length === 0) return [`${key}_group`, value] as const;
    const active = value.direct_members.filter((id) => !contains(deactivated, id));
    return [`${key}_group`, { ...value, direct_members: active }] as const;
  });
  return Object.fromEntries(entries) as Record<ChannelPermission, WireGroupSetting>;
}
