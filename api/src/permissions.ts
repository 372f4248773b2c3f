/**
 * Permissions that are granted to groups, for an organization, a channel or a user group. The parameters and objects of the contract come
 * from these tables, and so do the checks, defaults and presentation of the server (public reference: "Group-setting values", and
 * `server_supported_permission_settings` of `POST /register`).
 */

/** The system groups, which every organization has. Their members follow from roles. */
export const SystemGroup = {
  nobody: 'role:nobody',
  owners: 'role:owners',
  administrators: 'role:administrators',
  moderators: 'role:moderators',
  fullMembers: 'role:fullmembers',
  members: 'role:members',
  everyone: 'role:everyone',
  internet: 'role:internet',
} as const;
export type SystemGroup = (typeof SystemGroup)[keyof typeof SystemGroup];

/**
 * A role or a permission that a user needs to change a setting:
 * - `owner`, `administrator`: the role in the organization.
 * - `channel-administrator`: can administer the channel. The creator of a channel also chooses the initial value.
 * - `content-access`: can also read the channel.
 * - `deletion-policy`, `topics-policy`: can change the policy about deleting messages, or about topics, in channels.
 * - `group-manager`: can manage the group. The creator of a group also chooses the initial value.
 */
export type Requirement =
  | 'owner'
  | 'administrator'
  | 'channel-administrator'
  | 'content-access'
  | 'deletion-policy'
  | 'topics-policy'
  | 'group-manager';

export interface Permission {
  /** The default value. `creator` is the creator of the channel or the group, or no user if the creator is unknown. */
  readonly default: SystemGroup | 'creator';
  /** The default value for groups that the server creates. Null if it equals `default`, or if the permission is not about groups. */
  readonly defaultOfSystemGroups: SystemGroup | null;
  readonly allowsNobody: boolean;
  /** Whether the permission accepts the group of everyone, and whether guests can have it. */
  readonly allowsEveryone: boolean;
  /** The only accepted values. Null if the permission accepts any group and any set of users. */
  readonly onlySystemGroups: readonly SystemGroup[] | null;
  /** A user must meet all of these requirements to change the permission. */
  readonly changedBy: readonly Requirement[];
}

const { nobody, owners, administrators, moderators, members, everyone } = SystemGroup;

/** The values of most permissions. No permission accepts the group of the whole internet. */
const COMMON = { defaultOfSystemGroups: null, allowsNobody: true, allowsEveryone: false, onlySystemGroups: null };

type Options = Partial<Omit<Permission, 'default'>>;

function ofOrganization(defaultGroup: SystemGroup, options: Options = {}): Permission {
  return { ...COMMON, changedBy: ['administrator'], ...options, default: defaultGroup };
}

function ofChannel(defaultGroup: Permission['default'], options: Options = {}): Permission {
  return { ...COMMON, changedBy: ['channel-administrator'], ...options, default: defaultGroup };
}

function ofGroup(defaultGroup: Permission['default'], options: Options = {}): Permission {
  return {
    ...COMMON,
    defaultOfSystemGroups: nobody,
    changedBy: ['group-manager'],
    ...options,
    default: defaultGroup,
  };
}

const BY_OWNERS = { changedBy: ['owner'] } as const;
const EVERYONE = { allowsEveryone: true } as const;

/** Permissions of an organization. The initial state has them as `realm_<name>`; events and `PATCH /realm` use the plain name. */
export const ORGANIZATION_PERMISSIONS = {
  create_multiuse_invite_group: ofOrganization(administrators, BY_OWNERS),
  can_access_all_users_group: ofOrganization(everyone, {
    allowsNobody: false,
    allowsEveryone: true,
    onlySystemGroups: [everyone, members],
  }),
  can_add_custom_emoji_group: ofOrganization(members),
  can_add_subscribers_group: ofOrganization(members),
  can_create_bots_group: ofOrganization(members),
  can_create_groups: ofOrganization(members, BY_OWNERS),
  can_create_public_channel_group: ofOrganization(members),
  can_create_private_channel_group: ofOrganization(members),
  can_create_web_public_channel_group: ofOrganization(owners, {
    onlySystemGroups: [moderators, administrators, owners, nobody],
  }),
  can_create_write_only_bots_group: ofOrganization(members),
  can_delete_any_message_group: ofOrganization(administrators),
  can_delete_own_message_group: ofOrganization(everyone, EVERYONE),
  can_invite_users_group: ofOrganization(members, BY_OWNERS),
  can_manage_all_groups: ofOrganization(owners, { allowsNobody: false, ...BY_OWNERS }),
  can_manage_billing_group: ofOrganization(administrators, { allowsNobody: false, ...BY_OWNERS }),
  can_mention_many_users_group: ofOrganization(administrators, EVERYONE),
  can_move_messages_between_channels_group: ofOrganization(members),
  can_move_messages_between_topics_group: ofOrganization(everyone, EVERYONE),
  can_pin_messages_group: ofOrganization(members, EVERYONE),
  can_resolve_topics_group: ofOrganization(everyone, EVERYONE),
  can_set_delete_message_policy_group: ofOrganization(moderators),
  can_set_topics_policy_group: ofOrganization(members, EVERYONE),
  can_summarize_topics_group: ofOrganization(everyone, EVERYONE),
  direct_message_initiator_group: ofOrganization(everyone, EVERYONE),
  direct_message_permission_group: ofOrganization(everyone, EVERYONE),
} as const satisfies Readonly<Record<string, Permission>>;
export type OrganizationPermission = keyof typeof ORGANIZATION_PERMISSIONS;

const WITH_CONTENT = { changedBy: ['channel-administrator', 'content-access'] } as const;
const DELETION = { allowsEveryone: true, changedBy: ['channel-administrator', 'deletion-policy'] } as const;

/** Permissions of a channel. */
export const CHANNEL_PERMISSIONS = {
  can_add_subscribers_group: ofChannel(nobody, WITH_CONTENT),
  can_administer_channel_group: ofChannel('creator'),
  can_delete_any_message_group: ofChannel(nobody, DELETION),
  can_delete_own_message_group: ofChannel(nobody, DELETION),
  can_move_messages_out_of_channel_group: ofChannel(nobody, EVERYONE),
  can_move_messages_within_channel_group: ofChannel(nobody, EVERYONE),
  can_remove_subscribers_group: ofChannel(administrators, EVERYONE),
  can_resolve_topics_group: ofChannel(nobody, EVERYONE),
  can_send_message_group: ofChannel(everyone, EVERYONE),
  can_subscribe_group: ofChannel(nobody, WITH_CONTENT),
} as const satisfies Readonly<Record<`${string}_group`, Permission>>;
export type ChannelPermission = keyof typeof CHANNEL_PERMISSIONS;

/** Permissions of a user group. */
export const GROUP_PERMISSIONS = {
  can_add_members_group: ofGroup('creator'),
  can_join_group: ofGroup(nobody),
  can_leave_group: ofGroup(everyone, EVERYONE),
  can_manage_group: ofGroup('creator'),
  can_mention_group: ofGroup(everyone, EVERYONE),
  can_remove_members_group: ofGroup(nobody),
} as const satisfies Readonly<Record<`${string}_group`, Permission>>;
export type GroupPermission = keyof typeof GROUP_PERMISSIONS;

/** Makes one value per permission of a table. Keeps the order and the names. */
export function mapPermissions<Name extends string, Value>(
  table: Readonly<Record<Name, Permission>>,
  make: (name: Name, permission: Permission) => Value,
): { [Each in Name]: Value } {
  const names = Object.keys(table) as Name[];
  return Object.fromEntries(names.map((name) => [name, make(name, table[name])])) as { [Each in Name]: Value };
}
