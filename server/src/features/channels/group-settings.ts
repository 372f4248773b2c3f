import { badRequest } from '@heddle/api/errors.ts';
import type { Directory } from '../../directory/directory.ts';
import {
  CHANNEL_GROUP_SETTINGS,
  type ChannelGroupSetting,
  type ChannelRecord,
  type GroupSetting,
  SystemGroup,
} from '../../directory/records.ts';

export type ChannelGroupSettings = Partial<Record<ChannelGroupSetting, GroupSetting>>;

interface SettingRule {
  /** `creator`: whoever creates the channel; nobody where that is not known. */
  readonly default: SystemGroup | 'creator';
  /** Whether guests can be given it all at once, by the group of everyone. */
  readonly allowsEveryone: boolean;
}

const { nobody, administrators, everyone, internet } = SystemGroup;

/** What a new channel grants, and what it may (public reference: POST /users/me/subscriptions). */
const RULES: Readonly<Record<ChannelGroupSetting, SettingRule>> = {
  can_add_subscribers: { default: nobody, allowsEveryone: false },
  can_administer_channel: { default: 'creator', allowsEveryone: false },
  can_create_topic: { default: everyone, allowsEveryone: true },
  can_delete_any_message: { default: nobody, allowsEveryone: true },
  can_delete_own_message: { default: nobody, allowsEveryone: true },
  can_move_messages_out_of_channel: { default: nobody, allowsEveryone: true },
  can_move_messages_within_channel: { default: nobody, allowsEveryone: true },
  can_remove_subscribers: { default: administrators, allowsEveryone: true },
  can_resolve_topics: { default: nobody, allowsEveryone: true },
  can_send_message: { default: everyone, allowsEveryone: true },
  can_subscribe: { default: nobody, allowsEveryone: false },
};

/**
 * All permissions of a new channel: those chosen, checked, and the defaults of the others.
 * @throws ApiError `BAD_REQUEST`: a group or user that does not exist, or a group that the permission cannot be given to
 */
export function newGroupSettings(
  directory: Directory,
  chosen: ChannelGroupSettings,
  creatorId: number | null,
): ChannelRecord['groupSettings'] {
  const settings = CHANNEL_GROUP_SETTINGS.map((name): [ChannelGroupSetting, GroupSetting] => {
    const value = chosen[name];
    return [
      name,
      value === undefined ? defaultOf(directory, name, creatorId) : checkedGroupSetting(directory, name, value),
    ];
  });
  return Object.fromEntries(settings) as Record<ChannelGroupSetting, GroupSetting>;
}

function defaultOf(directory: Directory, name: ChannelGroupSetting, creatorId: number | null): GroupSetting {
  const group = RULES[name].default;
  if (group !== 'creator') return directory.groups.idOf(group);
  if (creatorId === null) return directory.groups.idOf(nobody);
  return { directMembers: [creatorId], directSubgroups: [] };
}

/**
 * The permission's value as it is stored: a single group as its id, lists sorted and without repetitions.
 * @throws ApiError `BAD_REQUEST`
 */
export function checkedGroupSetting(
  directory: Directory,
  name: ChannelGroupSetting,
  value: GroupSetting,
): GroupSetting {
  if (typeof value === 'number') {
    checkGroup(directory, name, value);
    return value;
  }
  const directMembers = [...new Set(value.directMembers)].sort((a, b) => a - b);
  const directSubgroups = [...new Set(value.directSubgroups)].sort((a, b) => a - b);
  for (const userId of directMembers) {
    if (!directory.user(userId)?.isActive) throw badRequest(`Invalid user ID: ${userId}`);
  }
  for (const groupId of directSubgroups) checkGroup(directory, name, groupId);
  if (directMembers.length > 0) return { directMembers, directSubgroups };
  const [only, ...others] = directSubgroups;
  if (only === undefined) return directory.groups.idOf(nobody);
  return others.length === 0 ? only : { directMembers, directSubgroups };
}

function checkGroup(directory: Directory, name: ChannelGroupSetting, groupId: number): void {
  const group = directory.groups.all.get(groupId);
  if (group === undefined || group.isDeactivated) throw badRequest('Invalid user group');
  const isRefused = group.name === internet || (group.name === everyone && !RULES[name].allowsEveryone);
  if (group.isSystem && isRefused) throw badRequest(`'${name}_group' setting cannot be set to '${group.name}' group.`);
}
