import type { Directory } from '../directory/directory.ts';
import { type GroupSetting, SystemGroup } from '../directory/records.ts';

/** How one setting of organizations is kept, and shown in the initial state and `realm` events. */
export interface SettingDefinition<Value> {
  readonly default: Value;
  /** What the initial state calls it after `realm_`, and events call it, where that differs from the setting's name. */
  readonly wireName?: string;
  /** What holds in every organization, whatever is stored, until Heddle has the feature that the setting is about. */
  readonly today?: Value;
}

/** A permission: the default is a system group, the value a group's id or users and groups named directly. */
export interface PermissionDefinition extends SettingDefinition<SystemGroup> {
  readonly allowsNobody: boolean;
  readonly allowsEveryone: boolean;
  /** The only values that it takes; null where any group and any set of users will do. */
  readonly onlySystemGroups: readonly SystemGroup[] | null;
}

function setting<Value>(value: Value, options: Omit<SettingDefinition<Value>, 'default'> = {}) {
  return { default: value, ...options } satisfies SettingDefinition<Value>;
}

function permission(
  defaultGroup: SystemGroup,
  options: Partial<Omit<PermissionDefinition, 'default'>> = {},
): PermissionDefinition {
  return { default: defaultGroup, allowsNobody: true, allowsEveryone: false, onlySystemGroups: null, ...options };
}

const { nobody, owners, administrators, moderators, members, everyone } = SystemGroup;
const WEEK = 7 * 86_400;

/** Who may do what in the organization; the names are those of the wire without `realm_`. */
export const ORGANIZATION_PERMISSIONS = {
  create_multiuse_invite_group: permission(administrators, { today: nobody }),
  can_access_all_users_group: permission(everyone, {
    today: everyone,
    allowsNobody: false,
    allowsEveryone: true,
    onlySystemGroups: [everyone, members],
  }),
  can_add_custom_emoji_group: permission(members, { today: nobody }),
  can_add_subscribers_group: permission(members),
  can_create_bots_group: permission(members, { today: nobody }),
  can_create_groups: permission(members, { today: nobody }),
  can_create_public_channel_group: permission(members),
  can_create_private_channel_group: permission(members),
  can_create_web_public_channel_group: permission(owners, {
    onlySystemGroups: [moderators, administrators, owners, nobody],
  }),
  can_create_write_only_bots_group: permission(members, { today: nobody }),
  can_delete_any_message_group: permission(administrators, { today: nobody }),
  can_delete_own_message_group: permission(everyone, { today: nobody, allowsEveryone: true }),
  can_invite_users_group: permission(members, { today: nobody }),
  can_manage_all_groups: permission(owners, { today: nobody, allowsNobody: false }),
  can_manage_billing_group: permission(administrators, { today: nobody, allowsNobody: false }),
  can_mention_many_users_group: permission(administrators, { allowsEveryone: true }),
  can_move_messages_between_channels_group: permission(members, { today: nobody }),
  can_move_messages_between_topics_group: permission(everyone, { today: nobody, allowsEveryone: true }),
  can_resolve_topics_group: permission(everyone, { today: nobody, allowsEveryone: true }),
  can_set_delete_message_policy_group: permission(moderators),
  can_set_topics_policy_group: permission(members, { allowsEveryone: true }),
  can_summarize_topics_group: permission(everyone, { today: nobody, allowsEveryone: true }),
  direct_message_initiator_group: permission(everyone, { allowsEveryone: true }),
  direct_message_permission_group: permission(everyone, { allowsEveryone: true }),
} as const satisfies Readonly<Record<string, PermissionDefinition>>;

export type EditHistoryVisibility = 'all' | 'moves' | 'none';
export type EmptyTopicPolicy = 'allow_empty_topic' | 'disable_empty_topic';

/** All other settings. Limits are in seconds, null for none. */
export const PLAIN_SETTINGS = {
  allow_message_editing: setting<boolean>(true, { today: false }),
  avatar_changes_disabled: setting<boolean>(false, { today: true }),
  default_code_block_language: setting<string>(''),
  default_language: setting<string>('en'),
  digest_emails_enabled: setting<boolean>(false, { today: false }),
  /** Monday is 0. */
  digest_weekday: setting<number>(1),
  disallow_disposable_email_addresses: setting<boolean>(true, { today: false }),
  email_changes_disabled: setting<boolean>(false, { today: true }),
  emails_restricted_to_domains: setting<boolean>(false, { today: false }),
  enable_guest_user_dm_warning: setting<boolean>(true),
  enable_guest_user_indicator: setting<boolean>(true),
  enable_read_receipts: setting<boolean>(true, { today: false }),
  enable_spectator_access: setting<boolean>(false),
  /** 0: no animated pictures from there. */
  giphy_rating: setting<number>(2, { today: 0 }),
  inline_image_preview: setting<boolean>(true, { today: false }),
  inline_url_embed_preview: setting<boolean>(false, { today: false }),
  invite_required: setting<boolean>(true, { today: true }),
  jitsi_server_url: setting<string | null>(null),
  message_content_allowed_in_email_notifications: setting<boolean>(true),
  message_content_delete_limit_seconds: setting<number | null>(600),
  message_content_edit_limit_seconds: setting<number | null>(600),
  message_edit_history_visibility_policy: setting<EditHistoryVisibility>('all', { today: 'none' }),
  /** -1: for ever. */
  message_retention_days: setting<number>(-1, { today: -1 }),
  /** -1 in this and the other settings that name a channel: none. */
  moderation_request_channel_id: setting<number>(-1, { today: -1 }),
  move_messages_between_channels_limit_seconds: setting<number | null>(WEEK, {
    wireName: 'move_messages_between_streams_limit_seconds', // wire name: its own
  }),
  move_messages_within_channel_limit_seconds: setting<number | null>(WEEK, {
    wireName: 'move_messages_within_stream_limit_seconds', // wire name: its own
  }),
  name_changes_disabled: setting<boolean>(false, { today: true }),
  new_channel_announcements_channel_id: setting<number>(-1, {
    today: -1,
    wireName: 'new_stream_announcements_stream_id', // wire name: its own
  }),
  /** What kind of organization it is, as a number of the interface's list; 0 where nobody has said. */
  org_type: setting<number>(0),
  require_e2ee_push_notifications: setting<boolean>(false, { today: false }),
  require_unique_names: setting<boolean>(false),
  send_welcome_emails: setting<boolean>(true, { today: false }),
  signup_announcements_channel_id: setting<number>(-1, {
    today: -1,
    wireName: 'signup_announcements_stream_id', // wire name: its own
  }),
  topics_policy: setting<EmptyTopicPolicy>('allow_empty_topic'),
  /** 0 none, 1 Jitsi Meet; clients make the links. */
  video_chat_provider: setting<number>(1),
  /** In days; younger members' accounts are not full members yet. */
  waiting_period_threshold: setting<number>(0, { today: 0 }),
  want_advertise_in_communities_directory: setting<boolean>(false),
  welcome_message_custom_text: setting<string>('', { today: '' }),
  server_update_announcements_channel_id: setting<number>(-1, {
    today: -1,
    wireName: 'zulip_update_announcements_stream_id', // wire name: its own
  }),
} as const satisfies Readonly<Record<string, SettingDefinition<unknown>>>;

type PlainSettings = {
  readonly [Name in keyof typeof PLAIN_SETTINGS]: (typeof PLAIN_SETTINGS)[Name]['default'];
};
type Permissions = { readonly [Name in keyof typeof ORGANIZATION_PERMISSIONS]: GroupSetting };

/** The value's type of each setting, by the setting's name. */
export type OrganizationSettings = PlainSettings & Permissions;
export type OrganizationSettingName = keyof OrganizationSettings;
export type OrganizationPermissionName = keyof Permissions;

const PERMISSIONS: Readonly<Record<string, PermissionDefinition>> = ORGANIZATION_PERMISSIONS;
const PLAIN: Readonly<Record<string, SettingDefinition<unknown>>> = PLAIN_SETTINGS;

export const ORGANIZATION_SETTING_NAMES: readonly OrganizationSettingName[] = [
  ...(Object.keys(ORGANIZATION_PERMISSIONS) as OrganizationPermissionName[]),
  ...(Object.keys(PLAIN_SETTINGS) as (keyof PlainSettings)[]),
];

/** The setting's value in the organization: what is stored, or else the default. */
export function organizationSetting<Name extends OrganizationSettingName>(
  directory: Directory,
  name: Name,
): OrganizationSettings[Name] {
  const stored = directory.organization.settings[name];
  // The tables and the settings' types are made from one another; indexing them by a type parameter loses that.
  return resolved(directory, name, stored) as OrganizationSettings[Name];
}

function resolved(directory: Directory, name: string, stored: unknown): unknown {
  const permissionDefinition = PERMISSIONS[name];
  if (permissionDefinition !== undefined) {
    const { today, default: defaultGroup } = permissionDefinition;
    return today === undefined && stored !== undefined ? stored : directory.groups.idOf(today ?? defaultGroup);
  }
  const definition = PLAIN[name];
  if (definition?.today !== undefined) return definition.today;
  return stored === undefined ? definition?.default : stored;
}

/** What the wire calls the setting: `realm_<this>` in the initial state, `<this>` in events. */
export function wireNameOf(name: OrganizationSettingName): string {
  return PLAIN[name]?.wireName ?? name;
}
