import {
  ORGANIZATION_PERMISSIONS,
  type OrganizationPermission,
  type Permission,
  type Requirement,
} from '@heddle/api/permissions.ts';
import type { Directory } from '../directory/directory.ts';
import { type GroupSetting, SystemGroup, type UserRecord } from '../directory/records.ts';
import { defaultGroupSetting, isGranted } from './group-settings.ts';

/** One setting of organizations: its default, who may change it, and its name on the wire. */
export interface SettingDefinition<Value> {
  readonly default: Value;
  /** A user must meet all of these to change the setting. */
  readonly changedBy: readonly Requirement[];
  /** Its name on the wire, if it differs: in events, and after `realm_` in the initial state. */
  readonly wireName?: string;
  /** The value in every organization, whatever is stored, until Heddle implements the feature. */
  readonly untilImplemented?: Value;
}

function setting<Value>(value: Value, options: Partial<Omit<SettingDefinition<Value>, 'default'>> = {}) {
  return { changedBy: ['administrator'], default: value, ...options } satisfies SettingDefinition<Value>;
}

const WEEK_SECONDS = 7 * 86_400;

const { nobody } = SystemGroup;

/**
 * Permissions of features that Heddle does not implement yet: who has them in every organization, whatever is stored.
 */
export const PERMISSIONS_UNTIL_IMPLEMENTED: Readonly<Partial<Record<OrganizationPermission, SystemGroup>>> = {
  can_manage_billing_group: nobody,
  can_summarize_topics_group: nobody,
};

export type EditHistoryVisibility = 'all' | 'moves' | 'none';
export type EmptyTopicPolicy = 'allow_empty_topic' | 'disable_empty_topic';

/** All settings that are not permissions. Limits are in seconds, null for none. */
export const PLAIN_SETTINGS = {
  allow_message_editing: setting<boolean>(true),
  avatar_changes_disabled: setting<boolean>(false),
  default_code_block_language: setting<string>(''),
  /** The language of new accounts. */
  default_language: setting<string>('en'),
  digest_emails_enabled: setting<boolean>(false),
  /** Monday is 0. */
  digest_weekday: setting<number>(1),
  disallow_disposable_email_addresses: setting<boolean>(true, { changedBy: ['owner'] }),
  email_changes_disabled: setting<boolean>(false),
  emails_restricted_to_domains: setting<boolean>(false, { changedBy: ['owner'] }),
  enable_guest_user_dm_warning: setting<boolean>(true),
  enable_guest_user_indicator: setting<boolean>(true),
  enable_read_receipts: setting<boolean>(true),
  enable_spectator_access: setting<boolean>(false),
  /** 0 disables pictures from Giphy. */
  giphy_rating: setting<number>(2, { untilImplemented: 0 }),
  inline_image_preview: setting<boolean>(true),
  inline_url_embed_preview: setting<boolean>(false),
  invite_required: setting<boolean>(true, { changedBy: ['owner'] }),
  jitsi_server_url: setting<string | null>(null),
  message_content_allowed_in_email_notifications: setting<boolean>(true),
  message_content_allowed_in_web_push: setting<boolean>(true),
  message_content_delete_limit_seconds: setting<number | null>(600),
  message_content_edit_limit_seconds: setting<number | null>(600),
  message_edit_history_visibility_policy: setting<EditHistoryVisibility>('all'),
  /** -1: for ever. */
  message_retention_days: setting<number>(-1, { changedBy: ['owner'] }),
  /** -1 means no channel, here and in the other settings that name a channel. */
  moderation_request_channel_id: setting<number>(-1),
  move_messages_between_channels_limit_seconds: setting<number | null>(WEEK_SECONDS, {
    wireName: 'move_messages_between_streams_limit_seconds', // wire name: its own
  }),
  move_messages_within_channel_limit_seconds: setting<number | null>(WEEK_SECONDS, {
    wireName: 'move_messages_within_stream_limit_seconds', // wire name: its own
  }),
  name_changes_disabled: setting<boolean>(false),
  new_channel_announcements_channel_id: setting<number>(-1, {
    wireName: 'new_stream_announcements_stream_id', // wire name: its own
  }),
  /** The kind of organization, as a number from the list of the interface; 0 if it is not set. */
  org_type: setting<number>(0),
  /** Whether presence is hidden from everyone. */
  presence_disabled: setting<boolean>(false),
  require_e2ee_push_notifications: setting<boolean>(false),
  require_unique_names: setting<boolean>(false),
  send_welcome_emails: setting<boolean>(true),
  signup_announcements_channel_id: setting<number>(-1, {
    untilImplemented: -1,
    wireName: 'signup_announcements_stream_id', // wire name: its own
  }),
  topics_policy: setting<EmptyTopicPolicy>('allow_empty_topic'),
  /** From the list of `domain/organizations/organizations/choices.ts`. Clients make the links. */
  video_chat_provider: setting<number>(1),
  /** For the provider `custom_url`: `{room}` stands for a random name. '' for none. */
  video_chat_url: setting<string>(''),
  /** In days. Members with a younger account are not full members. */
  waiting_period_threshold: setting<number>(0, { changedBy: ['owner'] }),
  want_advertise_in_communities_directory: setting<boolean>(false),
  welcome_message_custom_text: setting<string>(''),
  server_update_announcements_channel_id: setting<number>(-1, {
    untilImplemented: -1,
    wireName: 'zulip_update_announcements_stream_id', // wire name: its own
  }),
} as const satisfies Readonly<Record<string, SettingDefinition<unknown>>>;

/** The settings whose value is a channel's id, or -1 for none. */
export const CHANNEL_SETTINGS = [
  'moderation_request_channel_id',
  'new_channel_announcements_channel_id',
  'server_update_announcements_channel_id',
  'signup_announcements_channel_id',
] as const satisfies readonly (keyof typeof PLAIN_SETTINGS)[];

type PlainSettings = {
  readonly [Name in keyof typeof PLAIN_SETTINGS]: (typeof PLAIN_SETTINGS)[Name]['default'];
};
type Permissions = { readonly [Name in OrganizationPermission]: GroupSetting };

/** The type of each setting's value, by the name of the setting. */
export type OrganizationSettings = PlainSettings & Permissions;
export type OrganizationSettingName = keyof OrganizationSettings;

const PERMISSIONS: Readonly<Record<string, Permission>> = ORGANIZATION_PERMISSIONS;
const FIXED_PERMISSIONS: Readonly<Record<string, SystemGroup | undefined>> = PERMISSIONS_UNTIL_IMPLEMENTED;
const PLAIN: Readonly<Record<string, SettingDefinition<unknown>>> = PLAIN_SETTINGS;

export type PlainSettingName = keyof PlainSettings;

export const ORGANIZATION_SETTING_NAMES: readonly OrganizationSettingName[] = [
  ...(Object.keys(ORGANIZATION_PERMISSIONS) as OrganizationPermission[]),
  ...(Object.keys(PLAIN_SETTINGS) as PlainSettingName[]),
];

/** Returns the setting's value in the organization: the stored value, or else the default. */
export function organizationSetting<Name extends OrganizationSettingName>(
  directory: Directory,
  name: Name,
): OrganizationSettings[Name] {
  const stored = directory.organization.settings[name];
  // TypeScript cannot relate the tables to the type when a type parameter is the index.
  return resolved(directory, name, stored) as OrganizationSettings[Name];
}

function resolved(directory: Directory, name: string, stored: unknown): unknown {
  const permission = PERMISSIONS[name];
  if (permission !== undefined) {
    const fixedGroup = FIXED_PERMISSIONS[name];
    if (fixedGroup !== undefined) return directory.groups.idOf(fixedGroup);
    return stored ?? defaultGroupSetting(directory, permission, null);
  }
  const definition = PLAIN[name];
  if (definition?.untilImplemented !== undefined) return definition.untilImplemented;
  return stored === undefined ? definition?.default : stored;
}

/** Whether the user has the permission in the organization. */
export function hasPermission(directory: Directory, user: UserRecord, name: OrganizationPermission): boolean {
  return isGranted(directory, ORGANIZATION_PERMISSIONS[name], organizationSetting(directory, name), user);
}

/** Whether the setting has a fixed value because its feature is not implemented. Then it cannot be changed. */
export function isFixedUntilImplemented(name: OrganizationSettingName): boolean {
  return FIXED_PERMISSIONS[name] !== undefined || PLAIN[name]?.untilImplemented !== undefined;
}

/** What a user must be to change the setting. */
export function changersOf(name: OrganizationSettingName): readonly Requirement[] {
  return (PERMISSIONS[name] ?? PLAIN[name])?.changedBy ?? [];
}

/** The name of the setting on the wire: `realm_<name>` in the initial state, `<name>` in events. */
export function wireNameOf(name: OrganizationSettingName): string {
  return PLAIN[name]?.wireName ?? name;
}
