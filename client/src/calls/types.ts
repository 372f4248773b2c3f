/** The objects of the API, the initial state, the events and the errors. `npm run generate` writes this file. */
import type { EventBase, Prefixed } from './shapes.ts';

/** The permissions of a channel. */
export interface ChannelPermissions {
  readonly can_add_subscribers_group: GroupSettingValue;
  readonly can_administer_channel_group: GroupSettingValue;
  readonly can_delete_any_message_group: GroupSettingValue;
  readonly can_delete_own_message_group: GroupSettingValue;
  readonly can_move_messages_out_of_channel_group: GroupSettingValue;
  readonly can_move_messages_within_channel_group: GroupSettingValue;
  readonly can_remove_subscribers_group: GroupSettingValue;
  readonly can_resolve_topics_group: GroupSettingValue;
  readonly can_send_message_group: GroupSettingValue;
  readonly can_subscribe_group: GroupSettingValue;
}

/** The permissions of a user group. */
export interface UserGroupPermissions {
  readonly can_add_members_group: GroupSettingValue;
  readonly can_join_group: GroupSettingValue;
  readonly can_leave_group: GroupSettingValue;
  readonly can_manage_group: GroupSettingValue;
  readonly can_mention_group: GroupSettingValue;
  readonly can_remove_members_group: GroupSettingValue;
}

/** An uploaded file, for its owner. */
export interface Attachment {
  readonly id: number;
  /** The name of the uploaded file */
  readonly name: string;
  /** The file has the path `/user_uploads/<path_id>` */
  readonly path_id: string;
  /** Bytes */
  readonly size: number;
  /** Milliseconds since the epoch */
  readonly create_time: number;
  /** Messages with a link to the file, newest first */
  readonly messages: readonly {
    readonly id: number;
    /** Milliseconds since the epoch */
    readonly date_sent: number;
  }[];
  /** The ids of `messages`, for clients of level 469 and later */
  readonly message_ids: readonly number[];
}

/** The service of an outgoing webhook bot. The server sends it the messages to the bot. Other bots have no service. */
export type BotServices = readonly {
  /** Empty if the owner did not set a URL yet */
  readonly base_url: string;
  /** 1: the format of this API, 2: the format of Slack's outgoing webhooks */
  readonly interface: 1 | 2;
  /** The service uses it to authenticate this server */
  readonly token: string;
}[];

/** A bot, for its owner and for administrators. */
export interface Bot extends BotChannels {
  readonly user_id: number;
  readonly email: string;
  readonly full_name: string;
  readonly bot_type: number | null;
  readonly is_active: boolean;
  readonly api_key: string;
  readonly avatar_url: string;
  readonly owner_id: number | null;
  readonly services: BotServices;
}

/** A channel folder. */
export interface ChannelFolder {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly rendered_description: string;
  readonly creator_id: number | null;
  /** Seconds since the epoch */
  readonly date_created: number;
  readonly is_archived: boolean;
  /** Clients show folders in ascending order */
  readonly order: number;
}

/** A channel in lists and events. */
export interface Channel extends ChannelPermissions {
  readonly stream_id: number;
  readonly name: string;
  readonly is_archived: boolean;
  readonly description: string;
  readonly rendered_description: string;
  readonly date_created: number;
  readonly creator_id: number | null;
  readonly invite_only: boolean;
  readonly is_web_public: boolean;
  readonly stream_post_policy: number;
  readonly is_announcement_only: boolean;
  readonly history_public_to_subscribers: boolean;
  readonly message_retention_days: number | null;
  readonly topics_policy: TopicsPolicy;
  readonly folder_id: number | null;
  readonly first_message_id: number | null;
  readonly is_recently_active: boolean;
  readonly subscriber_count: number;
  readonly stream_weekly_traffic: number | null;
}

/** A channel in the response of `GET /streams`. `is_default` is present only on request. */
export interface ListedChannel extends Channel {
  readonly is_default?: boolean;
}

/** A custom emoji of an organization. */
export interface CustomEmoji {
  readonly id: string;
  readonly name: string;
  /** The path of the image */
  readonly source_url: string;
  /** The path of a still image if the emoji is animated */
  readonly still_url: string | null;
  readonly deactivated: boolean;
  readonly author_id: number;
}

/** All custom emoji by ID. */
export type CustomEmojiById = { readonly [key: string]: CustomEmoji };

/**
 * 1: only data that all members can see, without hidden addresses and edit history. 2: also the private data of users who agree
 * (setting `allow_private_data_export`)
 */
export type ExportType = 1 | 2;

export interface DataExport {
  readonly id: number;
  /** The user who requested it */
  readonly acting_user_id: number;
  /** When it was requested, in seconds since the epoch */
  readonly export_time: number;
  readonly deleted_timestamp: number | null;
  readonly failed_timestamp: number | null;
  /** The URL of the archive, for administrators. Null if there is no archive */
  readonly export_url: string | null;
  /** Whether the archive is being made */
  readonly pending: boolean;
  /**
   * 1: only data that all members can see, without hidden addresses and edit history. 2: also the private data of users who agree
   * (setting `allow_private_data_export`)
   */
  readonly export_type: ExportType;
}

/** A domain that the organization allows for email addresses. */
export interface Domain {
  readonly domain: string;
  readonly allow_subdomains: boolean;
}

/** A draft. */
export interface Draft {
  readonly id: number;
  /** Empty for an unaddressed draft */
  readonly type: '' | 'stream' | 'private';
  /** The id of one channel, or the ids of users; what a draft has here that is not addressed doesn't count */
  readonly to: readonly number[];
  /** Empty unless the draft is for a channel */
  readonly topic: string;
  /** Markdown source */
  readonly content: string;
  /** The time of the last edit in seconds since the epoch */
  readonly timestamp: number;
}

/** A draft in a request. The server assigns the ID. */
export interface WrittenDraft {
  /** Empty for an unaddressed draft */
  readonly type: '' | 'stream' | 'private';
  /** The id of one channel, or the ids of users; what a draft has here that is not addressed doesn't count */
  readonly to: readonly number[];
  /** Ignored unless the draft is for a channel */
  readonly topic: string;
  readonly content: string;
  /** The time of the last edit in seconds since the epoch. The default is the current time */
  readonly timestamp?: number | null;
}

export type GifServiceOrNone = 'none' | 'tenor' | 'giphy';

/** The audience of the shown GIFs, with the names of the Motion Picture Association. */
export type GifRating = 'g' | 'pg' | 'pg-13' | 'r';

/** The service of an organization. Its key is never in a response. */
export type GifPicker = { readonly service: 'tenor' | 'giphy'; readonly rating: GifRating } | null;

export interface Gif {
  /** For `choose-gif` */
  readonly gif: string;
  /** What the GIF shows, in words. It may be empty */
  readonly title: string;
  /** Of the preview, in pixels */
  readonly width: number;
  readonly height: number;
  /** A path on this server */
  readonly preview_url: string;
  /** The same without motion, if the service has it */
  readonly still_url: string | null;
}

/** The `gif` of a found GIF. It has an address of at most 2,048 characters and a title. */
export type ChosenGif = string;

/** The ID of a group, or lists of users and groups. */
export type GroupSettingValue = number | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] };

/** A group-setting value in a request. */
export type GroupSettingParameter = number | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] };

/** A change of a permission. With `old`, the server applies it only if `old` is the current value. */
export interface GroupSettingUpdate {
  readonly new: GroupSettingParameter;
  readonly old?: GroupSettingParameter;
}

/** Owner, administrator, moderator, member, guest. */
export type InvitedRole = 100 | 200 | 300 | 400 | 600;

/** An invitation that is still valid. */
export type Invitation = {
  readonly id: number;
  readonly invited_by_user_id: number;
  /** The time of the invitation in seconds since the epoch */
  readonly invited: number;
  /** Seconds since the epoch. Null means never */
  readonly expiry_date: number | null;
  readonly invited_as: InvitedRole;
} & ({ readonly is_multiuse: false; readonly email: string; readonly notify_referrer_on_join: boolean } | { readonly is_multiuse: true; readonly link_url: string });

export interface Linkifier {
  readonly id: number;
  /** A regular expression (RE2 syntax) */
  readonly pattern: string;
  /** An RFC 6570 template. Its variables are the named groups of the pattern */
  readonly url_template: string;
}

/** A link in the name of a topic, in the order of the name. */
export interface TopicLink {
  readonly text: string;
  readonly url: string;
}

/** One change of a message with the previous values. */
export interface EditHistoryEntry {
  readonly user_id: number | null;
  /** Seconds since the epoch */
  readonly timestamp: number;
  readonly prev_content?: string;
  readonly prev_rendered_content?: string;
  readonly prev_stream?: number;
  readonly stream?: number;
  readonly prev_topic?: string;
  readonly topic?: string;
}

/** A message after one of its changes. The first entry is the original message. */
export interface MessageSnapshot {
  readonly user_id: number | null;
  /** Seconds since the epoch */
  readonly timestamp: number;
  readonly prev_content?: string;
  readonly prev_rendered_content?: string;
  readonly prev_stream?: number;
  readonly stream?: number;
  readonly prev_topic?: string;
  readonly topic: string;
  readonly content: string;
  readonly rendered_content: string;
  /** The differences. Classes mark inserted and deleted text */
  readonly content_html_diff?: string;
}

/** The flags that a message can have for a user. */
export type MessageFlag =
  | 'read'
  | 'starred'
  | 'collapsed'
  | 'mentioned'
  | 'stream_wildcard_mentioned'
  | 'topic_wildcard_mentioned'
  | 'wildcard_mentioned'
  | 'has_alert_word'
  | 'historical';

/** A message in an event. The event contains the personal fields separately. */
export interface AnnouncedMessage {
  readonly id: number;
  readonly type: 'stream' | 'private';
  readonly stream_id?: number;
  readonly subject: string;
  readonly content: string;
  readonly content_type: 'text/html' | 'text/x-markdown';
  readonly timestamp: number;
  readonly sender_id: number;
  readonly sender_email: string;
  readonly sender_full_name: string;
  readonly sender_realm_str: string;
  readonly avatar_url: string | null;
  readonly client: string;
  readonly display_recipient:
    | string
    | readonly {
        readonly id: number;
        readonly email: string;
        readonly full_name: string;
        readonly is_mirror_dummy: boolean;
      }[];
  readonly recipient_id: number;
  readonly is_me_message: boolean;
  readonly reactions: readonly Reaction[];
  readonly submessages: readonly Submessage[];
  readonly topic_links: readonly TopicLink[];
}

/** A message in a response. */
export interface Message extends AnnouncedMessage {
  readonly flags: readonly MessageFlag[];
  /** The time of the last edit of the content */
  readonly last_edit_timestamp?: number;
  /** Resolving the topic does not count as a move */
  readonly last_moved_timestamp?: number;
  /** Newest first. Contains only the newest entries if there are very many or very long ones */
  readonly edit_history?: readonly EditHistoryEntry[];
  /** Only for a search: the content as HTML with highlighted matches */
  readonly match_content?: string;
  /** The same for the topic */
  readonly match_subject?: string;
}

export interface MutedUser {
  readonly id: number;
  /** The time of muting in seconds since the epoch */
  readonly timestamp: number;
}

/** A term of a narrow: an object, or the older pair of operator and operand. */
export type NarrowTerm =
  | { readonly operator: string; readonly operand: string | number | boolean | readonly number[] | readonly string[]; readonly negated?: boolean }
  | readonly [string, string];

/** A message must match all terms. Some clients send null instead of an empty list. */
export type Narrow = readonly NarrowTerm[] | null;

/** The anchor: a message ID (a number or a string of digits) or a name that the server resolves. */
export type Anchor = 'newest' | 'oldest' | 'first_unread' | number | string;

/** An anchor that also supports `date`: the first message on or after a date. */
export type AnchorOrDate = 'newest' | 'oldest' | 'first_unread' | 'date' | number | string;

/** A built-in view that a user pinned or hid, or a custom view. */
export interface NavigationView {
  /** The part of the URL after `#`. It is unique per user */
  readonly fragment: string;
  /** True: in the sidebar, false: in the menu */
  readonly is_pinned: boolean;
  /** Null for built-in views */
  readonly name: string | null;
}

/** A notice that a client shows once. */
export interface OnboardingStep {
  /** `one_time_notice` */
  readonly type: string;
  readonly name: string;
}

export type ImportFormat = 'slack' | 'mattermost' | 'zulip' | 'rocketchat' | 'heddle';

export interface InvitationMails {
  /** People who get a mail */
  readonly queued: number;
  /** People without a valid address */
  readonly without_address: number;
}

export interface OrganizationImport {
  /**
   * uploaded: the archive is complete. stopping: it was cancelled, and the server removes what it has imported. done: this organization
   * is the imported one
   */
  readonly state: 'uploaded' | 'running' | 'stopping' | 'failed' | 'done';
  readonly format: ImportFormat | null;
  readonly filename: string;
  /** Bytes of the archive */
  readonly size: number;
  readonly progress: {
    /** waiting: it starts soon, or continues after an interruption. reading: the server reads the archive. importing: it writes a table */
    readonly stage: 'waiting' | 'reading' | 'importing';
    readonly table: string | null;
    /** Rows so far */
    readonly done: number;
    readonly total: number | null;
  } | null;
  readonly problem: string | null;
  readonly report: {
    /** The numbers of objects by table */
    readonly imported: { readonly [key: string]: number };
    /** What the archive has and the organization does not have */
    readonly not_imported: readonly {
      /** The kind of object and the reason */
      readonly what: string;
      readonly count: number;
      readonly examples: readonly string[];
    }[];
    /** Messages that were not imported; `not_imported` says why */
    readonly messages_left_out: number;
  } | null;
  readonly mails: InvitationMails | null;
}

/** The values that a permission accepts, for clients that show a form. */
export interface PermissionSetting {
  readonly require_system_group: boolean;
  readonly allow_internet_group: boolean;
  readonly allow_nobody_group: boolean;
  readonly allow_everyone_group: boolean;
  readonly default_group_name: string;
  readonly default_for_system_groups: string | null;
  readonly allowed_system_groups: readonly string[];
}

/** By the name of the permission. */
export type PermissionSettings = { readonly [key: string]: PermissionSetting };

/** Where a message is pinned. A message that is pinned in a channel is shown in all topics of the channel. */
export type PlaceOfPin = 'channel' | 'topic';

export interface PinnedMessage {
  readonly message_id: number;
  /** The topic of the message, now */
  readonly topic: string;
  readonly place: PlaceOfPin;
  /** The ID of a user */
  readonly pinned_by: number;
  /** Seconds since the epoch */
  readonly date_pinned: number;
}

/** A code playground: a page that runs code of a language. */
export interface Playground {
  readonly id: number;
  readonly name: string;
  /** The value of `data-code-language` in code blocks */
  readonly pygments_language: string;
  /** An RFC 6570 template with the variable `code` */
  readonly url_template: string;
}

/** The time of the last activity, and the time of the last report of any client. */
export interface ModernPresence {
  /** Seconds since the epoch */
  readonly active_timestamp: number;
  /** Seconds since the epoch */
  readonly idle_timestamp: number;
}

/** The format for older clients: the newest report, as if it came from one client. */
export interface ClientPresence {
  readonly client: string;
  readonly status: 'active' | 'idle';
  /** Seconds since the epoch */
  readonly timestamp: number;
  readonly pushable: boolean;
}

/** Keys are user IDs */
export type ModernPresences = { readonly [key: string]: ModernPresence };

/** Keys are API addresses */
export type LegacyPresences = {
  readonly [key: string]: {
    readonly aggregated: {
      readonly client: string;
      readonly status: 'active' | 'idle';
      /** Seconds since the epoch */
      readonly timestamp: number;
    };
    readonly website: ClientPresence;
  };
};

/** The presence of one user, by client. */
export interface PresenceOfUser {
  readonly aggregated: {
    readonly status: 'active' | 'idle' | 'offline';
    /** Seconds since the epoch */
    readonly timestamp: number;
  };
  readonly website: {
    readonly status: 'active' | 'idle';
    /** Seconds since the epoch */
    readonly timestamp: number;
  };
}

/** A custom profile field. */
export interface ProfileField {
  readonly id: number;
  readonly name: string;
  /** 1 short text, 2 long text, 3 options, 4 date, 5 link, 6 users, 7 account, 8 pronouns */
  readonly type: number;
  readonly hint: string;
  /** JSON with the options or the kind of account. Empty for other types */
  readonly field_data: string;
  readonly order: number;
  /** Clients ask for a value, but the server does not require it */
  readonly required: boolean;
  /** False if only administrators can set values */
  readonly editable_by_user: boolean;
  readonly display_in_profile_summary?: true;
}

/** The data of a field in a request: options by key, or `subtype` and `url_pattern` of an account. */
export type FieldData = { readonly [key: string]: { readonly [key: string]: string } | string };

export type ProfileDataUpdates = readonly { readonly id: number; readonly value: string | readonly number[] }[];

/** Null, an empty string or an empty list removes the value. */
export type ProfileDataUpdatesOrNone = readonly { readonly id: number; readonly value: string | readonly number[] | null }[];

export type PushStatus = 'pending' | 'active' | 'failed';

/** The status of the registration of a device with the push service. */
export interface PushDevice {
  readonly status: PushStatus;
  /** Why the push service rejected the device */
  readonly error_code: string | null;
}

/** A logged-in device. Newer servers also describe its notifications here; Heddle has them only in `push_devices`. */
export interface ClientDevice {
  readonly push_key_id: null;
  readonly push_token_id: null;
  readonly pending_push_token_id: null;
  readonly push_token_last_updated_timestamp: null;
  readonly push_registration_error_code: null;
}

/** A part of the week, in the time zone of the user. */
export interface QuietWindow {
  /** The days on which it begins: 1 is Monday, 7 is Sunday */
  readonly days: readonly number[];
  /** Minutes after midnight */
  readonly from: number;
  /** Minutes after midnight. If it is not after `from`, the window ends on the next day */
  readonly to: number;
}

/** When the user is not notified */
export type QuietSchedule = readonly QuietWindow[];

/** `quiet-time.ts` says what they mean. */
export interface QuietHours {
  /** Seconds since the epoch: the user is not notified until then. It can have passed */
  readonly paused_until: number | null;
  /** Seconds since the epoch: the schedule has no effect until then, because the user ended it early */
  readonly resumed_until: number | null;
  /** When the user is not notified */
  readonly schedule: QuietSchedule;
  /** Whether direct messages notify all the same */
  readonly except_direct_messages: boolean;
}

/**
 * The namespaces of `emoji_code`. The last two are the same namespace: clients whose program name starts with `Zulip` receive
 * `zulip_extra_emoji`, other clients `service_extra_emoji`. The server accepts both from all clients.
 */
export type ReactionType = 'unicode_emoji' | 'realm_emoji' | 'service_extra_emoji' | 'zulip_extra_emoji';

/** A reaction in a message. */
export interface Reaction {
  readonly emoji_name: string;
  readonly emoji_code: string;
  readonly reaction_type: ReactionType;
  readonly user_id: number;
}

/** A text that a user saved for repeated use. */
export interface SavedSnippet {
  readonly id: number;
  readonly title: string;
  /** Markdown source */
  readonly content: string;
  /** Seconds since the epoch */
  readonly date_created: number;
}

/** A message that the server sends later. */
export type ScheduledMessage = {
  readonly scheduled_message_id: number;
  /** Markdown source */
  readonly content: string;
  /** HTML */
  readonly rendered_content: string;
  /** Seconds since the epoch */
  readonly scheduled_delivery_timestamp: number;
  /** True if the server could not send it */
  readonly failed: boolean;
} & (
  | {
      readonly type: 'stream';
      /** The channel ID */
      readonly to: number;
      readonly topic: string;
    }
  | {
      readonly type: 'private';
      /** The IDs of the other users, or of the sender if there are none */
      readonly to: readonly number[];
    }
);

/** A reminder of a message, which the notification bot sends to the user. */
export interface Reminder {
  readonly reminder_id: number;
  readonly type: 'private';
  /** The ID of the user who created the reminder */
  readonly to: readonly number[];
  /** Markdown source */
  readonly content: string;
  /** HTML */
  readonly rendered_content: string;
  /** Seconds since the epoch */
  readonly scheduled_delivery_timestamp: number;
  /** True if the server could not send it */
  readonly failed: boolean;
  readonly reminder_target_message_id: number;
}

/** An attachment of a message: a widget, or a change of its state. */
export interface Submessage {
  readonly id: number;
  readonly message_id: number;
  readonly sender_id: number;
  readonly msg_type: string;
  /** JSON */
  readonly content: string;
}

/** A channel with the personal settings of the user. */
export type Subscription = NeverSubscribedChannel & SubscriptionSettings;

/** A channel that the user can access and never subscribed to. */
export interface NeverSubscribedChannel extends Channel {
  readonly subscribers?: readonly number[];
  readonly partial_subscribers?: readonly number[];
}

/** Which topics a channel accepts. */
export type TopicsPolicy = 'inherit' | 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only';

/** A user group with its direct members and subgroups. Members of subgroups are also members of the group. */
export interface UserGroup extends UserGroupPermissions {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** Direct members without deactivated users */
  readonly members: readonly number[];
  readonly direct_subgroup_ids: readonly number[];
  readonly is_system_group: boolean;
  readonly creator_id: number | null;
  readonly date_created: number | null;
  readonly deactivated: boolean;
}

/** The settings with a default for new accounts: all except the time zone. */
export type UserSettingsDefaults = Omit<DisplaySettings, 'timezone'> & NotificationSettings & OtherSettings & SettingChoices;

export interface UserSettings extends UserSettingsDefaults {
  /** An IANA time zone, or empty */
  readonly timezone: string;
}

/** The value of a setting. */
export type SettingValue = boolean | number | string;

/** The status of a user. Only the fields that the user set are present. */
export interface UserStatus {
  /** @deprecated for older clients. Hides the presence of the user */
  readonly away?: boolean;
  readonly status_text?: string;
  readonly emoji_name?: string;
  readonly emoji_code?: string;
  readonly reaction_type?: ReactionType;
}

/** The visibility policy of a user for a topic. */
export interface UserTopic {
  readonly stream_id: number;
  readonly topic_name: string;
  /** Seconds since the epoch */
  readonly last_updated: number;
  /** 1 muted, 2 unmuted, 3 followed */
  readonly visibility_policy: number;
}

/** For older clients: the name of the channel, the topic, and the time of muting. */
export type MutedTopics = readonly (readonly [string | number, string | number, string | number])[];

/** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. */
export type Role = 100 | 200 | 300 | 400 | 600;

/** Values of custom profile fields, by field ID. */
export type ProfileData = { readonly [key: string]: { readonly value: string; readonly rendered_value?: string } };

/** A user. */
export interface User extends ListedUser {
  /** False for a deactivated user */
  readonly is_active: boolean;
}

/** A user in the initial state, which has separate lists of active and deactivated users. */
export interface ListedUser extends SpectatedUser {
  /** An IANA time zone, or empty */
  readonly timezone: string;
  readonly profile_data?: ProfileData;
}

/**
 * A user in the initial state with the capability `brief_users`. Fields that follow from the role, or have the usual value, are
 * missing.
 */
export interface BriefUser {
  readonly user_id: number;
  /** The address for the API */
  readonly email: string;
  readonly delivery_email?: string | null;
  readonly full_name: string;
  /** ISO 8601 */
  readonly date_joined: string;
  readonly role: Role;
  readonly is_bot?: true;
  readonly bot_type?: number;
  readonly bot_owner_id?: number | null;
  /** An IANA time zone. Missing: empty */
  readonly timezone?: string;
  /** Missing: the client computes the Gravatar URL from the address */
  readonly avatar_url?: string;
  /** Missing: 1 */
  readonly avatar_version?: number;
  readonly profile_data?: ProfileData;
}

/** A user in the initial state of a spectator. */
export interface SpectatedUser {
  readonly user_id: number;
  readonly delivery_email: string | null;
  /** The address for the API */
  readonly email: string;
  readonly full_name: string;
  /** ISO 8601 */
  readonly date_joined: string;
  readonly is_owner: boolean;
  /** Also true for owners */
  readonly is_admin: boolean;
  readonly is_guest: boolean;
  readonly is_bot: boolean;
  readonly bot_type: number | null;
  readonly bot_owner_id?: number | null;
  /** Only for system bots */
  readonly is_system_bot?: true;
  readonly role: Role;
  readonly avatar_url: string | null;
  readonly avatar_version: number;
}

export type WebPushPayload = {
  readonly version: 1;
  /** The path of the app in this organization: `/` */
  readonly path: string;
  /** The account that is notified. Another one may be logged in by now */
  readonly user_id: number;
  /** Names the conversation, only for this device. For `Notification.tag` */
  readonly tag: string;
  /** Messages whose notification must go; ascending. They were read, deleted, edited or moved */
  readonly removed_ids: readonly number[];
  /** For the badge: unread messages as `desktop_icon_count_display` counts them. Null: leave the badge */
  readonly unread: number | null;
} & (
  | {
      readonly kind: 'message';
      readonly is_update: boolean;
      /** The newest message, which the notification shows and opens */
      readonly message_id: number;
      /** All messages for which this notification stands; ascending. The last one is `message_id` */
      readonly message_ids: readonly number[];
      readonly conversation:
        | {
            readonly kind: 'direct';
            /** All participants, ascending. Null: there are too many for a payload */
            readonly user_ids: readonly number[] | null;
          }
        | {
            readonly kind: 'channel';
            readonly channel_id: number;
            readonly channel_name: string;
            /** Empty for messages without a topic */
            readonly topic: string;
          };
      readonly sender: {
        readonly id: number;
        readonly name: string;
        /** A path of this server, or the address of a gravatar */
        readonly avatar: string;
      };
      /** How the message mentions the user, if that is why it is notified */
      readonly mention: 'none' | 'personal' | 'group' | 'everyone';
      /** Seconds since the epoch */
      readonly sent_at: number;
      /** The sender, the participants, or the channel and the topic */
      readonly title: string;
      /** Plain text, shortened. Null: this device, or the user for direct messages, wants no text */
      readonly text: string | null;
    }
  | { readonly kind: 'remove' }
);

/** The fields that all objects about bots share. */
export interface BotChannels {
  readonly default_sending_stream: string | null;
  readonly default_events_register_stream: string | null;
  readonly default_all_public_streams: boolean;
}

/** The fields that a channel and a subscription share. */
export type ChannelFields = Channel;

/** The fields of a reaction in messages and in events. */
export type ReactionEmoji = Reaction;

/** The permissions of an organization. The initial state has them as `realm_<name>`. */
export interface OrganizationPermissions {
  readonly create_multiuse_invite_group: GroupSettingValue;
  readonly can_access_all_users_group: GroupSettingValue;
  readonly can_add_custom_emoji_group: GroupSettingValue;
  readonly can_add_subscribers_group: GroupSettingValue;
  readonly can_create_bots_group: GroupSettingValue;
  readonly can_create_groups: GroupSettingValue;
  readonly can_create_public_channel_group: GroupSettingValue;
  readonly can_create_private_channel_group: GroupSettingValue;
  readonly can_create_web_public_channel_group: GroupSettingValue;
  readonly can_create_write_only_bots_group: GroupSettingValue;
  readonly can_delete_any_message_group: GroupSettingValue;
  readonly can_delete_own_message_group: GroupSettingValue;
  readonly can_invite_users_group: GroupSettingValue;
  readonly can_manage_all_groups: GroupSettingValue;
  readonly can_manage_billing_group: GroupSettingValue;
  readonly can_mention_many_users_group: GroupSettingValue;
  readonly can_move_messages_between_channels_group: GroupSettingValue;
  readonly can_move_messages_between_topics_group: GroupSettingValue;
  readonly can_pin_messages_group: GroupSettingValue;
  readonly can_resolve_topics_group: GroupSettingValue;
  readonly can_set_delete_message_policy_group: GroupSettingValue;
  readonly can_set_topics_policy_group: GroupSettingValue;
  readonly can_summarize_topics_group: GroupSettingValue;
  readonly direct_message_initiator_group: GroupSettingValue;
  readonly direct_message_permission_group: GroupSettingValue;
}

/** The other settings of an organization, with the same kind of names. */
export interface OrganizationProperties {
  readonly name: string;
  readonly description: string;
  readonly allow_edit_history: boolean;
  readonly allow_message_editing: boolean;
  readonly avatar_changes_disabled: boolean;
  readonly default_code_block_language: string;
  readonly default_language: string;
  readonly digest_emails_enabled: boolean;
  readonly digest_weekday: number;
  readonly disallow_disposable_email_addresses: boolean;
  readonly email_changes_disabled: boolean;
  readonly emails_restricted_to_domains: boolean;
  readonly enable_guest_user_dm_warning: boolean;
  readonly enable_guest_user_indicator: boolean;
  readonly enable_read_receipts: boolean;
  readonly enable_spectator_access: boolean;
  readonly giphy_rating: number;
  readonly inline_image_preview: boolean;
  readonly inline_url_embed_preview: boolean;
  readonly invite_required: boolean;
  readonly jitsi_server_url: string | null;
  readonly mandatory_topics: boolean;
  readonly message_content_allowed_in_email_notifications: boolean;
  readonly message_content_allowed_in_web_push: boolean;
  readonly message_content_delete_limit_seconds: number | null;
  readonly message_content_edit_limit_seconds: number | null;
  readonly message_edit_history_visibility_policy: 'all' | 'moves' | 'none';
  readonly message_retention_days: number;
  readonly moderation_request_channel_id: number;
  readonly move_messages_between_streams_limit_seconds: number | null;
  readonly move_messages_within_stream_limit_seconds: number | null;
  readonly name_changes_disabled: boolean;
  readonly new_stream_announcements_stream_id: number;
  readonly org_type: number;
  readonly presence_disabled: boolean;
  readonly require_e2ee_push_notifications: boolean;
  readonly require_unique_names: boolean;
  readonly send_welcome_emails: boolean;
  readonly signup_announcements_stream_id: number;
  readonly topics_policy: 'allow_empty_topic' | 'disable_empty_topic';
  readonly video_chat_provider: number;
  readonly video_chat_url: string;
  readonly waiting_period_threshold: number;
  readonly want_advertise_in_communities_directory: boolean;
  readonly welcome_message_custom_text: string;
  readonly zulip_update_announcements_stream_id: number;
}

/** Properties that older clients read instead of permissions. The number of a role describes a superset of the permitted users. */
export interface OrganizationPolicies {
  readonly create_public_stream_policy: number;
  readonly create_private_stream_policy: number;
  readonly create_web_public_stream_policy: number;
  readonly wildcard_mention_policy: number;
}

/** The personal fields of a subscription. Null means that the general notification setting of the user applies. */
export interface SubscriptionSettings {
  readonly color: string;
  readonly is_muted: boolean;
  readonly pin_to_top: boolean;
  readonly desktop_notifications: boolean | null;
  readonly audible_notifications: boolean | null;
  readonly push_notifications: boolean | null;
  readonly email_notifications: boolean | null;
  readonly wildcard_mentions_notify: boolean | null;
  readonly in_home_view: boolean;
}

/** Display settings. Clients without `user_settings_object` read them as top-level fields of the initial state. */
export interface DisplaySettings {
  /** 1 system setting, 2 dark, 3 light */
  readonly color_scheme: 1 | 2 | 3;
  /** A language tag, for example `en` */
  readonly default_language: string;
  /** 1 automatically, 2 always, 3 never */
  readonly demote_inactive_streams: 1 | 2 | 3;
  readonly emojiset: 'google' | 'google-blob' | 'twitter' | 'text';
  readonly enable_drafts_synchronization: boolean;
  readonly enter_sends: boolean;
  readonly fluid_layout_width: boolean;
  readonly high_contrast_mode: boolean;
  readonly left_side_userlist: boolean;
  readonly starred_message_counts: boolean;
  /** An IANA time zone, or empty */
  readonly timezone: string;
  readonly translate_emoticons: boolean;
  readonly twenty_four_hour_time: boolean;
  readonly web_home_view: 'recent_topics' | 'inbox' | 'all_messages';
}

/** Notification settings. Older clients read them as top-level fields of the initial state, like display settings. */
export interface NotificationSettings {
  /** 1 all unread messages, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 none */
  readonly desktop_icon_count_display: 1 | 2 | 3 | 4;
  /** At most one week */
  readonly email_notifications_batching_period_seconds: number;
  readonly enable_desktop_notifications: boolean;
  readonly enable_digest_emails: boolean;
  readonly enable_login_emails: boolean;
  readonly enable_marketing_emails: boolean;
  readonly enable_offline_email_notifications: boolean;
  readonly enable_offline_push_notifications: boolean;
  readonly enable_online_push_notifications: boolean;
  readonly enable_sounds: boolean;
  readonly enable_stream_audible_notifications: boolean;
  readonly enable_stream_desktop_notifications: boolean;
  readonly enable_stream_email_notifications: boolean;
  readonly enable_stream_push_notifications: boolean;
  readonly message_content_in_email_notifications: boolean;
  /** One of `available_notification_sounds`, or `none` */
  readonly notification_sound: string;
  readonly pm_content_in_desktop_notifications: boolean;
  readonly presence_enabled: boolean;
  /** 1 automatically, 2 always, 3 never */
  readonly realm_name_in_email_notifications_policy: 1 | 2 | 3;
  readonly wildcard_mentions_notify: boolean;
}

/** Other settings. Only `user_settings` contains them. */
export interface OtherSettings {
  readonly allow_private_data_export: boolean;
  /** 1 topics in which the user participates, 2 topics to which the user posts, 3 topics that the user starts, 4 none */
  readonly automatically_follow_topics_policy: 1 | 2 | 3 | 4;
  readonly automatically_follow_topics_where_mentioned: boolean;
  /** 1 topics in which the user participates, 2 topics to which the user posts, 3 topics that the user starts, 4 none */
  readonly automatically_unmute_topics_in_muted_streams_policy: 1 | 2 | 3 | 4;
  readonly display_emoji_reaction_users: boolean;
  /** 1 everyone, 2 members, 3 administrators, 4 no users, 5 moderators */
  readonly email_address_visibility: 1 | 2 | 3 | 4 | 5;
  readonly enable_followed_topic_audible_notifications: boolean;
  readonly enable_followed_topic_desktop_notifications: boolean;
  readonly enable_followed_topic_email_notifications: boolean;
  readonly enable_followed_topic_push_notifications: boolean;
  readonly enable_followed_topic_wildcard_mentions_notify: boolean;
  readonly hide_ai_features: boolean;
  readonly receives_typing_notifications: boolean;
  readonly resolved_topic_notice_auto_read_policy: 'always' | 'except_followed' | 'never';
  readonly send_private_typing_notifications: boolean;
  readonly send_read_receipts: boolean;
  readonly send_stream_typing_notifications: boolean;
  /** 1 compact, 2 with status, 3 with avatar and status */
  readonly user_list_style: 1 | 2 | 3;
  readonly web_animate_image_previews: 'always' | 'on_hover' | 'never';
  /** 1 first topic, 2 feed, 3 list of topics, 4 first unread topic */
  readonly web_channel_default_view: 1 | 2 | 3 | 4;
  readonly web_escape_navigates_to_home_view: boolean;
  readonly web_font_size_px: number;
  readonly web_inbox_show_channel_folders: boolean;
  readonly web_left_sidebar_show_channel_folders: boolean;
  readonly web_left_sidebar_unreads_count_summary: boolean;
  readonly web_line_height_percent: number;
  /** 1 always, 2 in conversation views, 3 never */
  readonly web_mark_read_on_scroll_policy: 1 | 2 | 3;
  readonly web_navigate_to_sent_message: boolean;
  /** 1 all channels, 2 unmuted channels, 3 none */
  readonly web_stream_unreads_count_display_policy: 1 | 2 | 3;
  readonly web_suggest_update_timezone: boolean;
}

/** The choices of settings, and read-only fields for older clients. */
export interface SettingChoices {
  readonly available_notification_sounds: readonly string[];
  readonly emojiset_choices: readonly { readonly key: string; readonly text: string }[];
  /** @deprecated for older clients */
  readonly dense_mode: boolean;
}

/** The response of `POST /register`. The types of data that the client fetches decide which fields it has. */
export interface InitialState
  extends Prefixed<'realm_', OrganizationPermissions>,
    Prefixed<'realm_', OrganizationProperties>,
    Prefixed<'realm_', OrganizationPolicies>,
    Partial<DisplaySettings>,
    Partial<NotificationSettings>,
    Partial<SettingChoices> {
  /** Null for spectators, who receive no events */
  readonly queue_id: string | null;
  /** The client polls for the events after this one */
  readonly last_event_id?: number;
  /** Clients stop a poll after this time */
  readonly event_queue_longpoll_timeout_seconds: number;
  readonly zulip_version: string;
  readonly zulip_merge_base: string;
  readonly zulip_feature_level: number;
  readonly service_version: string;
  readonly service_merge_base: string;
  readonly service_feature_level: number;
  readonly realm_date_created?: number;
  readonly realm_url?: string;
  /** @deprecated for older clients */
  readonly realm_uri?: string;
  readonly realm_bot_domain?: string;
  readonly realm_icon_url?: string;
  readonly realm_icon_source?: 'G' | 'U';
  readonly realm_logo_url?: string;
  readonly realm_logo_source?: 'D' | 'U';
  readonly realm_night_logo_url?: string;
  readonly realm_night_logo_source?: 'D' | 'U';
  readonly realm_empty_topic_display_name?: string;
  readonly realm_is_zephyr_mirror_realm?: boolean;
  readonly realm_email_auth_enabled?: boolean;
  readonly realm_password_auth_enabled?: boolean;
  readonly realm_authentication_methods?: { readonly [key: string]: { readonly enabled: boolean; readonly available: boolean; readonly unavailable_reason?: string } };
  readonly realm_push_notifications_enabled?: boolean;
  readonly realm_push_notifications_enabled_end_timestamp?: number | null;
  readonly realm_upload_quota_mib?: number | null;
  readonly realm_plan_type?: number;
  readonly realm_available_video_chat_providers?: { readonly [key: string]: { readonly id: number; readonly name: string } };
  readonly realm_default_external_accounts?: {
    readonly [key: string]: {
      readonly name: string;
      readonly text: string;
      readonly hint: string;
      readonly url_pattern: string;
    };
  };
  readonly max_message_length?: number;
  readonly max_topic_length?: number;
  readonly max_channel_folder_name_length?: number;
  readonly max_channel_folder_description_length?: number;
  readonly max_file_upload_size_mib?: number;
  readonly max_avatar_file_size_mib?: number;
  readonly max_icon_file_size_mib?: number;
  readonly max_logo_file_size_mib?: number;
  readonly max_reminder_note_length?: number;
  readonly password_min_length?: number;
  readonly password_max_length?: number;
  readonly password_min_guesses?: number;
  readonly server_emoji_data_url?: string;
  readonly server_generation?: number;
  readonly server_presence_ping_interval_seconds?: number;
  readonly server_presence_offline_threshold_seconds?: number;
  readonly server_avatar_changes_disabled?: boolean;
  readonly server_name_changes_disabled?: boolean;
  readonly server_can_summarize_topics?: boolean;
  readonly server_inline_image_preview?: boolean;
  readonly server_inline_url_embed_preview?: boolean;
  readonly server_jitsi_server_url?: string | null;
  readonly server_min_deactivated_realm_deletion_days?: number | null;
  readonly server_max_deactivated_realm_deletion_days?: number | null;
  readonly server_needs_upgrade?: boolean;
  readonly server_supported_permission_settings?: { readonly realm: PermissionSettings; readonly stream: PermissionSettings; readonly group: PermissionSettings };
  readonly server_thumbnail_formats?: readonly {
    readonly name: string;
    readonly max_width: number;
    readonly max_height: number;
    readonly format: string;
    readonly animated: boolean;
  }[];
  readonly server_web_public_streams_enabled?: boolean;
  readonly settings_send_digest_emails?: boolean;
  readonly development_environment?: boolean;
  readonly giphy_api_key?: string;
  readonly giphy_rating_options?: { readonly [key: string]: { readonly id: number; readonly name: string } };
  /** @deprecated for older clients */
  readonly jitsi_server_url?: string | null;
  readonly stop_words?: readonly string[];
  readonly upgrade_text_for_wide_organization_logo?: string;
  readonly zulip_plan_is_not_limited?: boolean;
  /** For spectators, and with the capability `brief_users`, each user has fewer fields */
  readonly realm_users?: readonly (ListedUser | SpectatedUser | BriefUser)[];
  /** For spectators, and with the capability `brief_users`, each user has fewer fields */
  readonly realm_non_active_users?: readonly (ListedUser | SpectatedUser | BriefUser)[];
  /** The system bots. They write messages, but are not in the list of users */
  readonly cross_realm_bots?: readonly (
    | (Omit<User, 'is_system_bot'> & { readonly is_system_bot: true })
    | (Omit<User, 'is_system_bot' | 'timezone' | 'profile_data'> & { readonly is_system_bot: true })
  )[];
  readonly user_id?: number;
  readonly email?: string;
  readonly delivery_email?: string;
  readonly full_name?: string;
  readonly is_owner?: boolean;
  readonly is_admin?: boolean;
  readonly is_moderator?: boolean;
  readonly is_guest?: boolean;
  readonly avatar_source?: 'G' | 'U';
  readonly avatar_url?: string;
  readonly avatar_url_medium?: string;
  /** @deprecated for older clients */
  readonly can_create_streams?: boolean;
  /** @deprecated for older clients */
  readonly can_create_public_streams?: boolean;
  /** @deprecated for older clients */
  readonly can_create_private_streams?: boolean;
  /** @deprecated for older clients */
  readonly can_create_web_public_streams?: boolean;
  /** @deprecated for older clients */
  readonly can_subscribe_other_users?: boolean;
  /** @deprecated for older clients */
  readonly can_invite_others_to_realm?: boolean;
  /** The bots of the user. For administrators, all bots */
  readonly realm_bots?: readonly Bot[];
  /** Heddle has no embedded bots */
  readonly realm_embedded_bots?: readonly { readonly [key: string]: unknown }[];
  /** Always empty: `GET /integrations` lists the integrations */
  readonly realm_incoming_webhook_bots?: readonly { readonly [key: string]: unknown }[];
  readonly realm_user_groups?: readonly UserGroup[];
  readonly streams?: readonly Channel[];
  readonly realm_default_streams?: readonly number[];
  readonly realm_default_stream_groups?: readonly { readonly [key: string]: unknown }[];
  readonly stream_name_max_length?: number;
  readonly stream_description_max_length?: number;
  readonly max_stream_name_length?: number;
  readonly max_stream_description_length?: number;
  readonly max_bulk_new_subscription_messages?: number;
  /** Of a channel, and of a topic */
  readonly max_pinned_messages?: number;
  readonly server_own_permission_settings?: PermissionSettings;
  readonly channel_folders?: readonly ChannelFolder[];
  readonly subscriptions?: readonly Subscription[];
  readonly unsubscribed?: readonly Subscription[];
  readonly never_subscribed?: readonly NeverSubscribedChannel[];
  readonly max_message_id?: number;
  readonly unread_msgs?: {
    readonly count: number;
    readonly pms: readonly { readonly other_user_id: number; readonly sender_id: number; readonly unread_message_ids: readonly number[] }[];
    readonly streams: readonly { readonly stream_id: number; readonly topic: string; readonly unread_message_ids: readonly number[] }[];
    readonly huddles: readonly { readonly user_ids_string: string; readonly unread_message_ids: readonly number[] }[];
    readonly mentions: readonly number[];
    readonly old_unreads_missing: boolean;
  };
  readonly starred_messages?: readonly number[];
  readonly recent_private_conversations?: readonly { readonly max_message_id: number; readonly user_ids: readonly number[] }[];
  readonly server_typing_started_expiry_period_milliseconds?: number;
  readonly server_typing_stopped_wait_period_milliseconds?: number;
  readonly server_typing_started_wait_period_milliseconds?: number;
  readonly user_topics?: readonly UserTopic[];
  readonly muted_topics?: readonly (readonly [string | number, string | number, string | number])[];
  readonly user_settings?: UserSettings;
  readonly realm_user_settings_defaults?: UserSettingsDefaults;
  readonly saved_snippets?: readonly SavedSnippet[];
  readonly alert_words?: readonly string[];
  readonly muted_users?: readonly MutedUser[];
  /** The last edited draft is first */
  readonly drafts?: readonly Draft[];
  readonly navigation_views?: readonly NavigationView[];
  /** The steps that the user has not seen. Empty for spectators */
  readonly onboarding_steps?: readonly OnboardingStep[];
  /** Always null: Heddle has no such video */
  readonly navigation_tour_video_url?: null;
  /** Keys are `push_account_id` */
  readonly push_devices?: { readonly [key: string]: PushDevice };
  /** Keys are `device_id` */
  readonly devices?: { readonly [key: string]: ClientDevice };
  readonly realm_emoji?: CustomEmojiById;
  readonly custom_profile_fields?: readonly ProfileField[];
  readonly custom_profile_field_types?: { readonly [key: string]: { readonly id: number; readonly name: string } };
  readonly realm_domains?: readonly Domain[];
  readonly scheduled_messages?: readonly ScheduledMessage[];
  readonly reminders?: readonly Reminder[];
  readonly presences?: ModernPresences | LegacyPresences;
  /** -1 if no user ever reported */
  readonly presence_last_update_id?: number;
  /** The time of `presences` in seconds since the epoch */
  readonly server_timestamp?: number;
  /** Empty for clients without the capability `linkifier_url_template` */
  readonly realm_linkifiers?: readonly Linkifier[];
  /** @deprecated for older clients. Always empty */
  readonly realm_filters?: readonly { readonly [key: string]: unknown }[];
  readonly realm_playgrounds?: readonly Playground[];
  /** Null if the organization has no GIF picker */
  readonly realm_gif_picker?: GifPicker;
  /** Keys are user IDs. Only users with a status */
  readonly user_status?: { readonly [key: string]: UserStatus };
  /** The `applicationServerKey` for `PushManager.subscribe`, in Base64 for URLs */
  readonly web_push_public_key?: string;
  readonly quiet_hours?: QuietHours;
  readonly has_zoom_token?: boolean;
  readonly realm_billing?: { readonly has_pending_sponsorship_request: boolean };
}

export interface AlertWordsEvent extends EventBase<'alert_words'> {
  readonly alert_words: readonly string[];
}

/** A file of the user was uploaded or deleted, or other messages link to it. */
export type AttachmentEvent = EventBase<'attachment'> & {
  /** Total size of the files of the organization in bytes */
  readonly upload_space_used: number;
} & ({ readonly op: 'add' | 'update'; readonly attachment: Attachment } | { readonly op: 'remove'; readonly attachment: { readonly id: number } });

export type ChannelFolderEvent = EventBase<'channel_folder'> &
  (
    | { readonly op: 'add'; readonly channel_folder: ChannelFolder }
    | {
        readonly op: 'update';
        readonly channel_folder_id: number;
        readonly data: {
          readonly name?: string;
          readonly description?: string;
          readonly rendered_description?: string;
          readonly is_archived?: boolean;
        };
      }
    | { readonly op: 'reorder'; readonly order: readonly number[] }
  );

/** A custom profile field changed. The event contains all fields. */
export interface CustomProfileFieldsEvent extends EventBase<'custom_profile_fields'> {
  readonly fields: readonly ProfileField[];
}

export type DeleteMessageEvent = EventBase<'delete_message'> &
  (
    | {
        readonly message_ids: readonly number[];
        readonly message_type: 'stream';
        readonly stream_id: number;
        readonly topic: string;
      }
    | {
        readonly message_id: number;
        readonly message_type: 'stream';
        readonly stream_id: number;
        readonly topic: string;
      }
    | { readonly message_ids: readonly number[]; readonly message_type: 'private' }
    | { readonly message_id: number; readonly message_type: 'private' }
  );

export type DeviceEvent = EventBase<'device'> & { readonly device_id: number } & ({ readonly op: 'add' } | { readonly op: 'remove' });

export type DraftsEvent = EventBase<'drafts'> &
  ({ readonly op: 'add'; readonly drafts: readonly Draft[] } | { readonly op: 'update'; readonly draft: Draft } | { readonly op: 'remove'; readonly draft_id: number });

/** Ends a poll without other events. Its `id` is a position in the log, after which the client polls next. */
export type HeartbeatEvent = EventBase<'heartbeat'>;

/** The response of `GET /invites` changed. */
export type InvitesChangedEvent = EventBase<'invites_changed'>;

export interface MessageEvent extends EventBase<'message'> {
  readonly message: AnnouncedMessage;
  readonly flags: readonly MessageFlag[];
  readonly local_message_id?: string;
}

export interface MutedUsersEvent extends EventBase<'muted_users'> {
  readonly muted_users: readonly MutedUser[];
}

export type NavigationViewEvent = EventBase<'navigation_view'> &
  (
    | { readonly op: 'add'; readonly navigation_view: NavigationView }
    | {
        readonly op: 'update';
        readonly fragment: string;
        /** The changed fields */
        readonly data: {
          /** True: in the sidebar, false: in the menu */
          readonly is_pinned?: boolean;
          /** Null for built-in views */
          readonly name?: string | null;
        };
      }
    | { readonly op: 'remove'; readonly fragment: string }
  );

export interface OnboardingStepsEvent extends EventBase<'onboarding_steps'> {
  /** The remaining steps */
  readonly onboarding_steps: readonly OnboardingStep[];
}

/** The pinned messages of a channel, or of some of its topics, have changed. Clients fetch them again. */
export interface PinnedMessagesEvent extends EventBase<'pinned_messages'> {
  readonly stream_id: number;
}

export type PresenceEvent = EventBase<'presence'> &
  (
    | {
        /** Keys are user IDs */
        readonly presences: ModernPresences;
      }
    | {
        readonly user_id: number;
        readonly email: string;
        readonly server_timestamp: number;
        readonly presence: { readonly website: ClientPresence };
      }
  );

export interface PushDeviceEvent extends EventBase<'push_device'> {
  /** Digits of a 64-bit number */
  readonly push_account_id: string;
  readonly status: PushStatus;
  /** Only for failed registrations */
  readonly error_code?: string;
}

/** The quiet hours of the user have changed. */
export interface QuietHoursEvent extends EventBase<'quiet_hours'> {
  readonly quiet_hours: QuietHours;
}

export interface ReactionEvent extends EventBase<'reaction'>, Reaction {
  readonly op: 'add' | 'remove';
  readonly message_id: number;
  readonly user: { readonly user_id: number; readonly email: string; readonly full_name: string };
}

export type OrganizationBotEvent = EventBase<'realm_bot'> &
  (
    | { readonly op: 'add'; readonly bot: Bot }
    | { readonly op: 'update'; readonly bot: { readonly user_id: number } & Partial<Omit<Bot, 'user_id'>> }
    | { readonly op: 'delete'; readonly bot: { readonly user_id: number } }
  );

export type OrganizationDomainsEvent = EventBase<'realm_domains'> &
  ({ readonly op: 'add'; readonly realm_domain: Domain } | { readonly op: 'change'; readonly realm_domain: Domain } | { readonly op: 'remove'; readonly domain: string });

export interface OrganizationEmojiEvent extends EventBase<'realm_emoji'> {
  readonly op: 'update';
  readonly realm_emoji: CustomEmojiById;
}

export interface OrganizationExportConsentEvent extends EventBase<'realm_export_consent'> {
  readonly user_id: number;
  readonly consented: boolean;
}

export interface OrganizationExportEvent extends EventBase<'realm_export'> {
  readonly exports: readonly DataExport[];
}

export interface OrganizationLinkifiersEvent extends EventBase<'realm_linkifiers'> {
  readonly realm_linkifiers: readonly Linkifier[];
}

export interface OrganizationPlaygroundsEvent extends EventBase<'realm_playgrounds'> {
  readonly realm_playgrounds: readonly Playground[];
}

export type OrganizationUserEvent = EventBase<'realm_user'> &
  (
    | { readonly op: 'add'; readonly person: User }
    | { readonly op: 'remove'; readonly person: { readonly user_id: number; readonly full_name: string } }
    | { readonly op: 'update'; readonly person: { readonly user_id: number; readonly is_active: boolean } }
    | { readonly op: 'update'; readonly person: { readonly user_id: number; readonly role: Role } }
    | { readonly op: 'update'; readonly person: { readonly user_id: number; readonly email: string; readonly timezone: string } }
    | { readonly op: 'update'; readonly person: { readonly user_id: number; readonly full_name: string } }
    | { readonly op: 'update'; readonly person: { readonly user_id: number; readonly new_email: string } }
    | { readonly op: 'update'; readonly person: { readonly user_id: number; readonly delivery_email: string | null } }
    | {
        readonly op: 'update';
        readonly person: {
          readonly user_id: number;
          readonly avatar_source: 'G' | 'U';
          readonly avatar_url: string;
          readonly avatar_url_medium: string;
          readonly avatar_version: number;
        };
      }
    | { readonly op: 'update'; readonly person: { readonly user_id: number; readonly bot_owner_id: number } }
    | {
        readonly op: 'update';
        readonly person: {
          readonly user_id: number;
          readonly custom_profile_field: { readonly id: number; readonly value: string | null; readonly rendered_value?: string };
        };
      }
  );

export type OrganizationEvent = EventBase<'realm'> &
  (
    | {
        readonly op: 'update_dict';
        readonly property: 'default';
        readonly data: Partial<OrganizationPermissions> & Partial<OrganizationProperties> & Partial<OrganizationPolicies>;
      }
    | {
        readonly op: 'update_dict';
        readonly property: 'icon' | 'logo' | 'night_logo';
        readonly data: {
          readonly icon_url?: string;
          readonly icon_source?: 'G' | 'D' | 'U';
          readonly logo_url?: string;
          readonly logo_source?: 'G' | 'D' | 'U';
          readonly night_logo_url?: string;
          readonly night_logo_source?: 'G' | 'D' | 'U';
        };
      }
    | {
        readonly op: 'update';
        readonly property: 'gif_picker';
        /** Null if the organization has no GIF picker */
        readonly value: GifPicker;
      }
    | { readonly op: 'update'; readonly property: keyof OrganizationProperties; readonly value: string | boolean | number | null }
  );

export type RemindersEvent = EventBase<'reminders'> &
  ({ readonly op: 'add'; readonly reminders: readonly Reminder[] } | { readonly op: 'remove'; readonly reminder_id: number });

/** The version or feature level of the server changed. */
export interface RestartEvent extends EventBase<'restart'> {
  readonly zulip_version: string;
  readonly zulip_merge_base: string;
  readonly zulip_feature_level: number;
  readonly service_version: string;
  readonly service_merge_base: string;
  readonly service_feature_level: number;
  /** Start time of the server in seconds since the epoch */
  readonly server_generation: number;
}

export type SavedSnippetsEvent = EventBase<'saved_snippets'> &
  (
    | { readonly op: 'add'; readonly saved_snippet: SavedSnippet }
    | { readonly op: 'update'; readonly saved_snippet: SavedSnippet }
    | { readonly op: 'remove'; readonly saved_snippet_id: number }
  );

export type ScheduledMessagesEvent = EventBase<'scheduled_messages'> &
  (
    | { readonly op: 'add'; readonly scheduled_messages: readonly ScheduledMessage[] }
    | { readonly op: 'update'; readonly scheduled_message: ScheduledMessage }
    | { readonly op: 'remove'; readonly scheduled_message_id: number }
  );

export type ChannelEvent = EventBase<'stream'> &
  (
    | { readonly op: 'create'; readonly streams: readonly Channel[] }
    | { readonly op: 'delete'; readonly stream_ids: readonly number[]; readonly streams: readonly { readonly stream_id: number }[] }
    | ({ readonly op: 'update'; readonly stream_id: number; readonly name: string } & (
        | { readonly property: 'first_message_id'; readonly value: number | null }
        | { readonly property: 'is_recently_active'; readonly value: boolean }
        | { readonly property: 'name'; readonly value: string }
        | { readonly property: 'description'; readonly value: string; readonly rendered_description: string }
        | { readonly property: 'is_archived'; readonly value: boolean }
        | { readonly property: 'message_retention_days'; readonly value: number | null }
        | { readonly property: 'topics_policy'; readonly value: TopicsPolicy }
        | { readonly property: 'folder_id'; readonly value: number | null }
        | { readonly property: keyof ChannelPermissions; readonly value: GroupSettingValue }
        | { readonly property: 'stream_post_policy'; readonly value: number }
        | { readonly property: 'is_announcement_only'; readonly value: boolean }
        | {
            readonly property: 'invite_only';
            readonly value: boolean;
            readonly history_public_to_subscribers: boolean;
            readonly is_web_public: boolean;
          }
      ))
  );

export interface DefaultChannelsEvent extends EventBase<'default_streams'> {
  readonly default_streams: readonly number[];
}

export interface SubmessageEvent extends EventBase<'submessage'> {
  readonly msg_type: string;
  readonly message_id: number;
  readonly submessage_id: number;
  readonly sender_id: number;
  readonly content: string;
}

export type SubscriptionEvent = EventBase<'subscription'> &
  (
    | { readonly op: 'add'; readonly subscriptions: readonly Subscription[] }
    | { readonly op: 'remove'; readonly subscriptions: readonly { readonly stream_id: number; readonly name: string }[] }
    | {
        readonly op: 'update';
        readonly stream_id: number;
        readonly property: string;
        readonly value: boolean | string | null;
      }
    | { readonly op: 'peer_add'; readonly stream_ids: readonly number[]; readonly user_ids: readonly number[] }
    | { readonly op: 'peer_remove'; readonly stream_ids: readonly number[]; readonly user_ids: readonly number[] }
  );

export type TypingEvent = EventBase<'typing'> & { readonly op: 'start' | 'stop'; readonly sender: { readonly user_id: number; readonly email: string } } & (
    | { readonly message_type: 'direct'; readonly recipients: readonly { readonly user_id: number; readonly email: string }[] }
    | { readonly message_type: 'stream'; readonly stream_id: number; readonly topic: string }
  );

export interface TypingEditMessageEvent extends EventBase<'typing_edit_message'> {
  readonly op: 'start' | 'stop';
  readonly sender_id: number;
  readonly message_id: number;
  readonly recipient:
    | { readonly type: 'direct'; readonly user_ids: readonly number[] }
    | { readonly type: 'channel'; readonly channel_id: number; readonly topic: string };
}

export type UpdateMessageFlagsEvent = EventBase<'update_message_flags'> & {
  readonly operation: 'add' | 'remove';
  readonly flag: string;
  readonly messages: readonly number[];
  readonly all: boolean;
} & (
    | { readonly op: 'add' }
    | {
        readonly op: 'remove';
        readonly message_details?: {
          readonly [key: string]:
            | {
                readonly type: 'stream';
                readonly mentioned?: boolean;
                readonly stream_id: number;
                readonly topic: string;
                readonly unmuted_stream_msg: boolean;
              }
            | { readonly type: 'private'; readonly mentioned?: boolean; readonly user_ids: readonly number[] };
        };
      }
  );

/**
 * The content of a message was edited, messages were moved, or both. `stream_id` is the previous channel. `new_stream_id` and
 * `subject` are present if the messages have a new channel or topic.
 */
export interface UpdateMessageEvent extends EventBase<'update_message'> {
  readonly user_id: number | null;
  /** Seconds since the epoch */
  readonly edit_timestamp: number;
  readonly message_id: number;
  readonly message_ids: readonly number[];
  readonly flags: readonly MessageFlag[];
  readonly rendering_only: boolean;
  readonly stream_id?: number;
  readonly stream_name?: string;
  readonly orig_content?: string;
  readonly orig_rendered_content?: string;
  readonly content?: string;
  readonly rendered_content?: string;
  readonly is_me_message?: boolean;
  readonly propagate_mode?: 'change_one' | 'change_later' | 'change_all';
  /** The previous topic of the message in the request */
  readonly orig_subject?: string;
  readonly subject?: string;
  readonly topic_links?: readonly TopicLink[];
  readonly new_stream_id?: number;
}

export type UserGroupEvent = EventBase<'user_group'> &
  (
    | { readonly op: 'add'; readonly group: UserGroup }
    | {
        readonly op: 'update';
        readonly group_id: number;
        readonly data: Partial<UserGroupPermissions> & { readonly name?: string; readonly description?: string; readonly deactivated?: boolean };
      }
    | { readonly op: 'remove'; readonly group_id: number }
    | { readonly group_id: number; readonly op: 'add_members' | 'remove_members'; readonly user_ids: readonly number[] }
    | { readonly group_id: number; readonly op: 'add_subgroups' | 'remove_subgroups'; readonly direct_subgroup_ids: readonly number[] }
  );

/** A setting of the user changed. */
export interface UserSettingsEvent extends EventBase<'user_settings'> {
  readonly op: 'update';
  readonly property: string;
  readonly value: SettingValue;
  /** Only for `default_language`: the name of the language */
  readonly language_name?: string;
}

/** A display setting changed, for clients without `user_settings_object`. */
export interface DisplaySettingsEvent extends EventBase<'update_display_settings'> {
  /** The API address of the user */
  readonly user: string;
  readonly setting_name: string;
  readonly setting: SettingValue;
  /** Only for `default_language`: the name of the language */
  readonly language_name?: string;
}

/** A notification setting changed, for clients without `user_settings_object`. */
export interface NotificationSettingsEvent extends EventBase<'update_global_notifications'> {
  /** The API address of the user */
  readonly user: string;
  readonly notification_name: string;
  readonly setting: SettingValue;
}

/** A default of new accounts changed. */
export interface SettingsDefaultsEvent extends EventBase<'realm_user_settings_defaults'> {
  readonly op: 'update';
  readonly property: string;
  readonly value: SettingValue;
}

/** The changed fields of a status. Removed texts are empty. */
export interface UserStatusEvent extends EventBase<'user_status'>, UserStatus {
  readonly user_id: number;
}

/** `visibility_policy` can be 0: the topic follows its channel again. */
export type UserTopicEvent = EventBase<'user_topic'> & UserTopic;

/** For older clients: all muted topics after each change. */
export interface MutedTopicsEvent extends EventBase<'muted_topics'> {
  readonly muted_topics: MutedTopics;
}

/** Asks web clients to reload their code. Each client waits for a random time, unless `immediate` is true. */
export interface WebReloadClientEvent extends EventBase<'web_reload_client'> {
  readonly immediate: boolean;
}

/** The events by their `type`. */
export interface EventsByType {
  readonly alert_words: AlertWordsEvent;
  readonly attachment: AttachmentEvent;
  readonly channel_folder: ChannelFolderEvent;
  readonly custom_profile_fields: CustomProfileFieldsEvent;
  readonly delete_message: DeleteMessageEvent;
  readonly device: DeviceEvent;
  readonly drafts: DraftsEvent;
  readonly heartbeat: HeartbeatEvent;
  readonly invites_changed: InvitesChangedEvent;
  readonly message: MessageEvent;
  readonly muted_users: MutedUsersEvent;
  readonly navigation_view: NavigationViewEvent;
  readonly onboarding_steps: OnboardingStepsEvent;
  readonly pinned_messages: PinnedMessagesEvent;
  readonly presence: PresenceEvent;
  readonly push_device: PushDeviceEvent;
  readonly quiet_hours: QuietHoursEvent;
  readonly reaction: ReactionEvent;
  readonly realm_bot: OrganizationBotEvent;
  readonly realm_domains: OrganizationDomainsEvent;
  readonly realm_emoji: OrganizationEmojiEvent;
  readonly realm_export_consent: OrganizationExportConsentEvent;
  readonly realm_export: OrganizationExportEvent;
  readonly realm_linkifiers: OrganizationLinkifiersEvent;
  readonly realm_playgrounds: OrganizationPlaygroundsEvent;
  readonly realm_user: OrganizationUserEvent;
  readonly realm: OrganizationEvent;
  readonly reminders: RemindersEvent;
  readonly restart: RestartEvent;
  readonly saved_snippets: SavedSnippetsEvent;
  readonly scheduled_messages: ScheduledMessagesEvent;
  readonly stream: ChannelEvent;
  readonly default_streams: DefaultChannelsEvent;
  readonly submessage: SubmessageEvent;
  readonly subscription: SubscriptionEvent;
  readonly typing: TypingEvent;
  readonly typing_edit_message: TypingEditMessageEvent;
  readonly update_message_flags: UpdateMessageFlagsEvent;
  readonly update_message: UpdateMessageEvent;
  readonly user_group: UserGroupEvent;
  readonly user_settings: UserSettingsEvent;
  readonly update_display_settings: DisplaySettingsEvent;
  readonly update_global_notifications: NotificationSettingsEvent;
  readonly realm_user_settings_defaults: SettingsDefaultsEvent;
  readonly user_status: UserStatusEvent;
  readonly user_topic: UserTopicEvent;
  readonly muted_topics: MutedTopicsEvent;
  readonly web_reload_client: WebReloadClientEvent;
}

/** The type of an event, for example `message`. */
export type EventType = keyof EventsByType;

/** The events of one type: `EventOfType<'message'>`. */
export type EventOfType<Type extends EventType> = EventsByType[Type];

/** An event that a client polls. Newer servers also send types that are not listed here; ignore those. */
export type ServerEvent = EventsByType[EventType];

/** No fields. */
export interface NoFields {
  readonly [field: string]: never;
}

/** The fields of each error besides `result`, `msg` and `code`. */
export interface ErrorFields {
  /**
   * Status 400. The server cannot execute the request, or a parameter has an invalid type or value. `msg` contains the reason. Status
   * 404. The caller has no object with the ID in the path. `msg` contains the kind of object. Status 400. Fields have invalid values.
   * `errors` lists the problems by field, and `msg` contains the first one. Status 400. The channel accepts only the empty topic or does
   * not accept it. Or other topics prevent a policy that accepts only the empty topic. Status 400. A request cannot contain these
   * parameters together.
   */
  readonly BAD_REQUEST: {
    readonly errors?: { readonly [key: string]: readonly string[] };
    /** The display name of the empty topic */
    readonly empty_topic_display_name?: string;
    /** Their names, separated by commas */
    readonly parameters?: string;
  };
  /** Status 400. A required parameter is missing. */
  readonly REQUEST_VARIABLE_MISSING: { readonly var_name: string };
  /** Status 400. A parameter has an invalid value. */
  readonly REQUEST_VARIABLE_INVALID: { readonly var_name: string; readonly bad_value: string | number };
  /** Status 400. The request contains a parameter under two names. */
  readonly REQUEST_CONFUSING_VAR: { readonly var_name1: string; readonly var_name2: string };
  /** Status 400. The file is not an image, or its dimensions are too large. `msg` contains the reason. */
  readonly BAD_IMAGE: NoFields;
  /** Status 400. The caller already reacted to the message with this emoji. */
  readonly REACTION_ALREADY_EXISTS: NoFields;
  /** Status 400. The message has no reaction of the caller with this emoji. */
  readonly REACTION_DOES_NOT_EXIST: NoFields;
  /** Status 400. The current value is not the value that the client expects. The server changed nothing. */
  readonly EXPECTATION_MISMATCH: {
    /** The parameter with the expected value */
    readonly field_name: string;
  };
  /** Status 400. The permission accepts only certain system groups. */
  readonly SYSTEM_GROUP_REQUIRED: { readonly setting_name: string };
  /** Status 400. The user is the last user or the last owner of the organization. `entity` says which. */
  readonly CANNOT_DEACTIVATE_LAST_USER: { readonly is_last_owner: boolean; readonly entity: string };
  /**
   * Status 400. The user group is a subgroup or has permissions. `objections` lists where. Each has a `type`: `subgroup` with
   * `supergroup_ids`; `channel` with `channel_id` and the names in `settings`; `user_group` with `group_id` and `settings`; `realm` with
   * `settings`.
   */
  readonly CANNOT_DEACTIVATE_GROUP_IN_USE: {
    readonly objections: readonly (
      | { readonly type: 'subgroup'; readonly supergroup_ids: readonly number[] }
      | { readonly type: 'channel'; readonly channel_id: number; readonly settings: readonly string[] }
      | { readonly type: 'user_group'; readonly group_id: number; readonly settings: readonly string[] }
      | { readonly type: 'realm'; readonly settings: readonly string[] }
    )[];
  };
  /**
   * Status 400. The server did not invite some or all addresses. `errors` lists each of them with the reason and whether it belongs to a
   * deactivated account.
   */
  readonly INVITATION_FAILED: {
    readonly errors: readonly (readonly [string, string, boolean])[];
    /** Whether the server invited the other addresses */
    readonly sent_invitations: boolean;
    /** Always false: Heddle has no licenses */
    readonly license_limit_reached: boolean;
    readonly daily_limit_reached: boolean;
  };
  /** Status 400. A narrow has an unknown operator or an invalid operand. `desc` contains the details. */
  readonly BAD_NARROW: { readonly desc: string };
  /** Status 400. The event queue does not exist or has expired. The client must register again. */
  readonly BAD_EVENT_QUEUE_ID: { readonly queue_id: string };
  /** Status 400. The channel does not exist or is not accessible. The error contains the name or the ID from the request. */
  readonly STREAM_DOES_NOT_EXIST: { readonly stream?: string; readonly stream_id?: number };
  /** Status 409. A channel with that name exists. The caller possibly has no access to it. */
  readonly CHANNEL_ALREADY_EXISTS: { readonly channel_name: string };
  /** Status 400. The caller cannot use wildcard mentions in such a large channel. */
  readonly STREAM_WILDCARD_MENTION_NOT_ALLOWED: NoFields;
  /** Status 400. The caller cannot use wildcard mentions in a topic with so many participants. */
  readonly TOPIC_WILDCARD_MENTION_NOT_ALLOWED: NoFields;
  /** Status 400. The caller cannot change the settings of the channel. */
  readonly CANNOT_ADMINISTER_CHANNEL: NoFields;
  /**
   * Status 400. The message, or other messages of the request, are too old for the caller to move. The caller can move the messages from
   * `first_message_id_allowed_to_move` on with `change_later`. Null means none.
   */
  readonly MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: {
    readonly first_message_id_allowed_to_move: number | null;
    readonly total_messages_allowed_to_move: number;
    readonly total_messages_in_topic: number;
  };
  /** Status 400. The file exceeds the storage limit of the organization. */
  readonly REALM_UPLOAD_QUOTA: NoFields;
  /** Status 400. The caller lacks the required role or permission. */
  readonly UNAUTHORIZED_PRINCIPAL: NoFields;
  /**
   * Status 400. The organization's service of GIFs does not respond (`unreachable`), refuses the key (`refused`), or allows no more
   * requests now (`limited`).
   */
  readonly GIF_SERVICE_FAILED: { readonly reason: 'unreachable' | 'refused' | 'limited' };
  /** Status 400. The caller has no registered device, or not the requested one. */
  readonly NO_ACTIVE_PUSH_DEVICE: NoFields;
  /** Status 400. The caller did not add this token. */
  readonly INVALID_PUSH_DEVICE_TOKEN: NoFields;
  /** Status 400. The push service does not know the token. */
  readonly INVALID_REMOTE_PUSH_DEVICE_TOKEN: NoFields;
  /** Status 401. Credentials are missing, malformed or wrong. */
  readonly UNAUTHORIZED: NoFields;
  /** Status 401. The user name or the password is wrong. */
  readonly AUTHENTICATION_FAILED: NoFields;
  /** Status 401. The account is deactivated. */
  readonly USER_DEACTIVATED: NoFields;
  /** Status 401. The organization is deactivated. */
  readonly REALM_DEACTIVATED: NoFields;
  /** Status 403. A request with a browser session, or the form of a page, has no valid CSRF token. `reason` contains the details. */
  readonly CSRF_FAILED: { readonly reason: string };
  /** Status 403. The push service refuses this server or organization because of its credentials, plan or registration. */
  readonly ADMIN_ACTION_REQUIRED: NoFields;
  /** Status 404. The path, or the object in the path, does not exist. */
  readonly NOT_FOUND: NoFields;
  /** Status 404. No organization has this host name. */
  readonly NONEXISTENT_SUBDOMAIN: NoFields;
  /** Status 405. The path does not support the method. */
  readonly METHOD_NOT_ALLOWED: { readonly allowed_methods: readonly string[] };
  /** Status 408. The server did not receive the whole request in time. */
  readonly REQUEST_TIMEOUT: NoFields;
  /** Status 413. The body is too large. */
  readonly PAYLOAD_TOO_LARGE: NoFields;
  /** Status 415. The body is compressed or encoded. The client must send it without encoding. */
  readonly UNSUPPORTED_MEDIA_TYPE: NoFields;
  /** Status 416. The file does not contain the requested range. */
  readonly RANGE_NOT_SATISFIABLE: NoFields;
  /** Status 429. Too many requests. The client must wait `retry-after` seconds. */
  readonly RATE_LIMIT_HIT: { readonly 'retry-after': number };
  /** Status 431. The header is too large. */
  readonly HEADERS_TOO_LARGE: NoFields;
  /** Status 500. The server failed. The request is not the cause. */
  readonly INTERNAL_SERVER_ERROR: NoFields;
  /** Status 502. The server cannot connect to the push service. */
  readonly FAILED_TO_CONNECT_BOUNCER: NoFields;
  /** Status 502. The push service failed. */
  readonly INTERNAL_SERVER_ERROR_ON_BOUNCER: NoFields;
  /**
   * Status 503. The database is down, or the server is stopping or has too much to do. The server did not do what was asked. A retry can
   * succeed, after `retry-after` seconds if the response names them.
   */
  readonly SERVICE_UNAVAILABLE: { readonly 'retry-after'?: number };
  /**
   * Status 503. The server lost the database while it stored a change. The change may be stored or not. Look before you send the request
   * again: find a message by its `local_id` in the events, or read what the request would have changed.
   */
  readonly OUTCOME_UNKNOWN: NoFields;
}

/** The codes of errors in responses. */
export type ErrorCode = keyof ErrorFields;
