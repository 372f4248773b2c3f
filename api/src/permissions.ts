/**
 * Every permission that is given to groups, at its three levels: of the organization, of a channel, of a user group. The contract's
 * parameters and objects are made from these tables, and so are the server's checks, defaults and presentation (public reference:
 * "Group-setting values", and `server_supported_permission_settings` of `POST /register`).
 */

/** The names of the groups that every organization has; their members follow from roles. */
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
 * What whoever changes a setting must be, or be allowed to:
 * - `owner`, `administrator` of the organization;
 * - `channel-administrator`: to administer the channel; whoever creates one may choose what it begins with;
 * - `content-access`: to read the channel, too;
 * - `deletion-policy`, `topics-policy`: to decide about deleting messages, and about topics, in channels;
 * - `group-manager`: to manage the group; whoever creates one may choose what it begins with.
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
  /** Who has it until somebody decides; `creator`: whoever creates the channel or the group, nobody where that is not known. */
  readonly default: SystemGroup | 'creator';
  /** Who has it in groups that the server itself makes; null where that is the same, or there are none such. */
  readonly defaultOfSystemGroups: SystemGroup | null;
  readonly allowsNobody: boolean;
  /** Whether guests may have it: by the group of everyone, and at all. */
  readonly allowsEveryone: boolean;
  /** The only values that it takes; null where any group and any set of users will do. */
  readonly onlySystemGroups: readonly SystemGroup[] | null;
  /** All of it is needed to change it. */
  readonly changedBy: readonly Requirement[];
}

const { nobody, owners, administrators, moderators, members, everyone } = SystemGroup;

/** What most permissions have in common, by level. No permission at all can be given to the whole internet. */
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

/** Who may do what in the organization. The initial state says `realm_<name>`, events and `PATCH /realm` the name alone. */
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

/** Who may do what in a channel. */
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

/** Who may do what with a user group. */
export const GROUP_PERMISSIONS = {
  can_add_members_group: ofGroup('creator'),
  can_join_group: ofGroup(nobody),
  can_leave_group: ofGroup(everyone, EVERYONE),
  can_manage_group: ofGroup('creator'),
  can_mention_group: ofGroup(everyone, EVERYONE),
  can_remove_members_group: ofGroup(nobody),
} as const satisfies Readonly<Record<`${string}_group`, Permission>>;
export type GroupPermission = keyof typeof GROUP_PERMISSIONS;

/** One value for each permission of a table, in its order and by its names. */
export function mapPermissions<Name extends string, Value>(
  table: Readonly<Record<Name, Permission>>,
  make: (name: Name, permission: Permission) => Value,
): { [Each in Name]: Value } {
  const names = Object.keys(table) as Name[];
  return Object.fromEntries(names.map((name) => [name, make(name, table[name])])) as { [Each in Name]: Value };
}
