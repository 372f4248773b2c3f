/** The operations of the API, one function each. `npm run generate` writes this file. */
import { address, get, type NamedBlob, type None, patch, post, put, remove } from './operation.ts';
import type { Optional, OptionalValues } from './shapes.ts';
// biome-ignore format: a line for each name would be most of a screen
import type {
  Anchor, AnchorOrDate, Attachment, BotChannels, BotServices, Channel, ChannelFolder, ChannelPermissions, ChosenGif, CustomEmojiById, DataExport, DisplaySettings, Domain,
  Draft, ExportType, FieldData, Gif, GifRating, GifServiceOrNone, GroupSettingParameter, GroupSettingUpdate, ImportFormat, InitialState, Invitation, InvitedRole,
  LegacyPresences, Linkifier, ListedChannel, Message, MessageSnapshot, ModernPresences, Narrow, NarrowTerm, NavigationView, NotificationSettings, OrganizationImport,
  OrganizationPermissions, OtherSettings, PinnedMessage, PlaceOfPin, PresenceOfUser, ProfileDataUpdates, ProfileDataUpdatesOrNone, ProfileField, QuietHours,
  QuietSchedule, Reminder, Role, SavedSnippet, ScheduledMessage, ServerEvent, Subscription, TopicsPolicy, User, UserGroup, UserGroupPermissions, UserStatus, WrittenDraft,
} from './types.ts';

/** Errors that every operation can return. */
export type CommonError =
  | 'BAD_REQUEST'
  | 'NONEXISTENT_SUBDOMAIN'
  | 'REALM_DEACTIVATED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RATE_LIMIT_HIT'
  | 'INTERNAL_SERVER_ERROR'
  | 'SERVICE_UNAVAILABLE'
  | 'OUTCOME_UNKNOWN';

/** Errors of every operation that needs an account. */
export type AccountError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED' | 'CSRF_FAILED';

export interface GetAlertWordsResponse {
  /** All alert words of the caller */
  readonly alert_words: readonly string[];
}
export type GetAlertWordsError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** List the caller's alert words. */
export const getAlertWords = get<None, GetAlertWordsResponse, GetAlertWordsError>('/users/me/alert_words');

export type AddAlertWordsParameters = { readonly alert_words: readonly string[] };
export type AddAlertWordsResponse = GetAlertWordsResponse;
export type AddAlertWordsError = AccountError | 'REQUEST_VARIABLE_MISSING';
/**
 * Add alert words. Messages with an alert word have the flag `has_alert_word`, unless the word is in a code block. A user has at most
 * 100 alert words.
 */
export const addAlertWords = post<AddAlertWordsParameters, AddAlertWordsResponse, AddAlertWordsError>('/users/me/alert_words');

export type RemoveAlertWordsParameters = { readonly alert_words: readonly string[] };
export type RemoveAlertWordsResponse = GetAlertWordsResponse;
export type RemoveAlertWordsError = AccountError | 'REQUEST_VARIABLE_MISSING';
/** Remove alert words, regardless of case. */
export const removeAlertWords = remove<RemoveAlertWordsParameters, RemoveAlertWordsResponse, RemoveAlertWordsError>('/users/me/alert_words');

export interface FetchApiKeyParameters {
  /** The email address of the account */
  readonly username: string;
  readonly password: string;
}
export interface FetchApiKeyResponse {
  readonly api_key: string;
  /** The user name for this key */
  readonly email: string;
  readonly user_id: number;
}
export type FetchApiKeyError = CommonError | 'AUTHENTICATION_FAILED' | 'USER_DEACTIVATED' | 'REQUEST_VARIABLE_MISSING';
/** Exchange a password for an API key. */
export const fetchApiKey = post<FetchApiKeyParameters, FetchApiKeyResponse, FetchApiKeyError>('/fetch_api_key');

export interface DevelopmentFetchApiKeyParameters {
  /** The email address of the account */
  readonly username: string;
}
export type DevelopmentFetchApiKeyResponse = FetchApiKeyResponse;
export type DevelopmentFetchApiKeyError = CommonError | 'AUTHENTICATION_FAILED' | 'USER_DEACTIVATED' | 'REQUEST_VARIABLE_MISSING';
/** Get an API key without a password, on development servers only. */
export const developmentFetchApiKey = post<DevelopmentFetchApiKeyParameters, DevelopmentFetchApiKeyResponse, DevelopmentFetchApiKeyError>('/dev_fetch_api_key');

export type RegenerateApiKeyResponse = { readonly api_key: string };
export type RegenerateApiKeyError = AccountError;
/** Replace the caller's API key. The server then refuses the old key. It deletes its event queues, and the registrations of phones. */
export const regenerateApiKey = post<None, RegenerateApiKeyResponse, RegenerateApiKeyError>('/users/me/api_key/regenerate');

export interface JwtFetchApiKeyParameters {
  /** The claim `email` contains the address of the account. Default: `""` */
  readonly token?: string | undefined;
  /** Default: `false` */
  readonly include_profile?: boolean | undefined;
}
export interface JwtFetchApiKeyResponse {
  readonly api_key: string;
  readonly email: string;
  readonly user?: User;
}
export type JwtFetchApiKeyError = CommonError | 'AUTHENTICATION_FAILED' | 'USER_DEACTIVATED';
/** Exchange a signed token (JWT) for an API key. */
export const jwtFetchApiKey = post<JwtFetchApiKeyParameters, JwtFetchApiKeyResponse, JwtFetchApiKeyError>('/jwt/fetch_api_key');

export interface UploadAvatarParameters {
  /** An image in GIF, JPEG, PNG, WebP or AVIF */
  readonly file: NamedBlob;
}
export type UploadAvatarResponse = { readonly avatar_url: string };
export type UploadAvatarError = AccountError | 'BAD_IMAGE' | 'REQUEST_TIMEOUT';
/** Upload an avatar for the caller. */
export const uploadAvatar = post<UploadAvatarParameters, UploadAvatarResponse, UploadAvatarError>('/users/me/avatar', 'file');

export type DeleteAvatarResponse = { readonly avatar_url: string };
export type DeleteAvatarError = AccountError;
/** Delete the avatar of the caller. */
export const deleteAvatar = remove<None, DeleteAvatarResponse, DeleteAvatarError>('/users/me/avatar');

export interface GetBotStorageParameters {
  /** The default is all keys */
  readonly keys?: readonly string[] | undefined;
}
export type GetBotStorageResponse = { readonly storage: { readonly [key: string]: string } };
export type GetBotStorageError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/**
 * Get stored texts of the caller, usually a bot.
 * @example
 * const { storage } = await getBotStorage(connection);
 */
export const getBotStorage = get<GetBotStorageParameters, GetBotStorageResponse, GetBotStorageError>('/bot_storage');

export type UpdateBotStorageParameters = { readonly storage: { readonly [key: string]: string } };
export type UpdateBotStorageError = AccountError | 'REQUEST_VARIABLE_MISSING';
/**
 * Store texts by key. Other keys do not change.
 * @example
 * await updateBotStorage(connection, { storage: { lastRun: new Date().toISOString() } });
 */
export const updateBotStorage = put<UpdateBotStorageParameters, None, UpdateBotStorageError>('/bot_storage');

export type RemoveBotStorageParameters = GetBotStorageParameters;
export type RemoveBotStorageError = AccountError;
/** Remove stored texts. */
export const removeBotStorage = remove<RemoveBotStorageParameters, None, RemoveBotStorageError>('/bot_storage');

export interface CreateBotParameters {
  readonly full_name: string;
  /** The address of the bot is <short_name>-bot@<host> */
  readonly short_name: string;
  /**
   * 1 generic, 2 incoming webhook (can only send messages), 3 outgoing webhook (its service receives the messages to the bot). Default:
   * `1`
   */
  readonly bot_type?: number | undefined;
  /** The URL (http or https) of the service of an outgoing webhook bot, plain or as a JSON string */
  readonly payload_url?: string | undefined;
  /**
   * The name of the service of an outgoing webhook bot. The default is the short name. For incoming webhook bots, the integration;
   * Heddle has none
   */
  readonly service_name?: string | undefined;
  /** The format for the service: 1 the format of this API, 2 the format of Slack's outgoing webhooks. Default: `1` */
  readonly interface_type?: number | undefined;
  /** For bot types that Heddle does not support. It must be empty */
  readonly config_data?: { readonly [key: string]: string } | undefined;
  /** The name of a channel, or empty for none */
  readonly default_sending_stream?: string | undefined;
  /** The name of a channel, or empty for none */
  readonly default_events_register_stream?: string | undefined;
  /** Default: `false` */
  readonly default_all_public_streams?: boolean | undefined;
  /** The avatar of the bot in GIF, JPEG, PNG, WebP or AVIF */
  readonly file?: NamedBlob | undefined;
}
export interface CreateBotResponse extends BotChannels {
  readonly user_id: number;
  readonly api_key: string;
  readonly avatar_url: string;
}
export type CreateBotError = AccountError | 'BAD_IMAGE' | 'REQUEST_VARIABLE_MISSING' | 'REQUEST_TIMEOUT';
/**
 * Create a bot.
 * @example
 * const { api_key } = await createBot(connection, { full_name: 'Echo', short_name: 'echo' });
 */
export const createBot = post<CreateBotParameters, CreateBotResponse, CreateBotError>('/bots', 'optional-file');

export type GetBotsResponse = {
  readonly bots: readonly (BotChannels & {
    readonly username: string;
    readonly full_name: string;
    readonly api_key: string;
    readonly avatar_url: string;
    readonly services: BotServices;
  })[];
};
export type GetBotsError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** List the active bots of the caller. */
export const getBots = get<None, GetBotsResponse, GetBotsError>('/bots');

export interface UpdateBotParameters {
  readonly bot_id: number;
  readonly full_name?: string | undefined;
  /** Only for administrators. A bot cannot be an owner */
  readonly role?: Role | undefined;
  /**
   * The ID of the new owner. The bot gets a new API key and a new service token. The server deletes its event queues and scheduled
   * messages. If a member changes the owner, the server also removes the URL of the service.
   */
  readonly bot_owner_id?: number | undefined;
  /** The URL (http or https) of the service of an outgoing webhook bot, plain or as a JSON string */
  readonly service_payload_url?: string | undefined;
  /** The format for the service of an outgoing webhook bot: 1 the format of this API, 2 that of Slack */
  readonly service_interface?: number | undefined;
  /** For bot types that Heddle does not support. It must be empty */
  readonly config_data?: { readonly [key: string]: string } | undefined;
  /** The name of a channel, or empty for none */
  readonly default_sending_stream?: string | undefined;
  /** The name of a channel, or empty for none */
  readonly default_events_register_stream?: string | undefined;
  readonly default_all_public_streams?: boolean | undefined;
  /** The avatar of the bot in GIF, JPEG, PNG, WebP or AVIF */
  readonly file?: NamedBlob | undefined;
}
export interface UpdateBotResponse extends BotChannels {
  readonly full_name: string;
  readonly avatar_url: string;
  /** 1 if the bot has no service */
  readonly service_interface: number;
  /** Null if the bot has no service */
  readonly service_payload_url: string | null;
  readonly config_data: null;
  /** The address of the owner */
  readonly bot_owner?: string;
}
export type UpdateBotError = AccountError | 'BAD_IMAGE' | 'UNAUTHORIZED_PRINCIPAL' | 'REQUEST_TIMEOUT';
/** Change a bot. For the bot owner and administrators. The request succeeds or fails as a whole. */
export const updateBot = patch<UpdateBotParameters, UpdateBotResponse, UpdateBotError>('/bots/{bot_id}', 'optional-file');

export type DeactivateBotParameters = { readonly bot_id: number };
export type DeactivateBotError = AccountError;
/** Deactivate a bot. */
export const deactivateBot = remove<DeactivateBotParameters, None, DeactivateBotError>('/bots/{bot_id}');

export type GetBotApiKeyParameters = { readonly bot_id: number };
export type GetBotApiKeyResponse = { readonly api_key: string };
export type GetBotApiKeyError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** Fetch the API key of a bot. */
export const getBotApiKey = get<GetBotApiKeyParameters, GetBotApiKeyResponse, GetBotApiKeyError>('/bots/{bot_id}/api_key');

export type RegenerateBotApiKeyParameters = { readonly bot_id: number };
export type RegenerateBotApiKeyResponse = { readonly api_key: string };
export type RegenerateBotApiKeyError = AccountError;
/** Replace the API key of a bot. The server then refuses the old key. */
export const regenerateBotApiKey = post<RegenerateBotApiKeyParameters, RegenerateBotApiKeyResponse, RegenerateBotApiKeyError>('/bots/{bot_id}/api_key/regenerate');

export interface CreateChannelFolderParameters {
  /** At most 60 characters; the server trims it. Unique regardless of case, also among archived folders */
  readonly name: string;
  /** Markdown of at most 1024 characters */
  readonly description: string;
}
export type CreateChannelFolderResponse = { readonly channel_folder_id: number };
export type CreateChannelFolderError = AccountError | 'UNAUTHORIZED_PRINCIPAL' | 'REQUEST_VARIABLE_MISSING';
/** Create a channel folder. For administrators of the organization. */
export const createChannelFolder = post<CreateChannelFolderParameters, CreateChannelFolderResponse, CreateChannelFolderError>('/channel_folders/create');

export interface GetChannelFoldersParameters {
  /** Default: `false` */
  readonly include_archived?: boolean | undefined;
}
export type GetChannelFoldersResponse = { readonly channel_folders: readonly ChannelFolder[] };
export type GetChannelFoldersError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** List channel folders in their order. */
export const getChannelFolders = get<GetChannelFoldersParameters, GetChannelFoldersResponse, GetChannelFoldersError>('/channel_folders');

export interface ReorderChannelFoldersParameters {
  /** The IDs of all folders, including archived ones */
  readonly order: readonly number[];
}
export type ReorderChannelFoldersError = AccountError | 'UNAUTHORIZED_PRINCIPAL' | 'REQUEST_VARIABLE_MISSING';
/** Change the order of channel folders. For administrators of the organization. */
export const reorderChannelFolders = patch<ReorderChannelFoldersParameters, None, ReorderChannelFoldersError>('/channel_folders');

export interface UpdateChannelFolderParameters {
  readonly channel_folder_id: number;
  /** At most 60 characters; the server trims it. Unique regardless of case, also among archived folders */
  readonly name?: string | undefined;
  /** Markdown of at most 1024 characters */
  readonly description?: string | undefined;
  readonly is_archived?: boolean | undefined;
}
export type UpdateChannelFolderError = AccountError | 'UNAUTHORIZED_PRINCIPAL';
/**
 * Change, archive or unarchive a channel folder. For administrators of the organization. Only folders without channels can be
 * archived.
 */
export const updateChannelFolder = patch<UpdateChannelFolderParameters, None, UpdateChannelFolderError>('/channel_folders/{channel_folder_id}');

export interface CreateChannelParameters extends OptionalValues<ChannelPermissions, GroupSettingParameter> {
  readonly name: string;
  /** Default: `""` */
  readonly description?: string | undefined;
  /** User IDs */
  readonly subscribers: readonly number[];
  /** Whether to announce the new channel in the announcement channel of the organization, if it has one. Default: `false` */
  readonly announce?: boolean | undefined;
  /** Default: `false` */
  readonly invite_only?: boolean | undefined;
  /** Default: `false` */
  readonly is_web_public?: boolean | undefined;
  /** Default: `false` */
  readonly is_default_stream?: boolean | undefined;
  readonly history_public_to_subscribers?: boolean | undefined;
  /** A number of days, `realm_default` or `unlimited` */
  readonly message_retention_days?: number | string | undefined;
  readonly topics_policy?: TopicsPolicy | undefined;
  readonly folder_id?: number | undefined;
  /**
   * When subscribing users to a channel, it decides about direct messages to them. It has no effect on a new channel: the first message
   * of the channel says who created it.
   */
  readonly send_new_subscription_messages?: boolean | undefined;
}
export type CreateChannelResponse = { readonly id: number };
export type CreateChannelError = AccountError | 'CHANNEL_ALREADY_EXISTS' | 'REQUEST_VARIABLE_INVALID' | 'UNAUTHORIZED_PRINCIPAL' | 'REQUEST_VARIABLE_MISSING';
/**
 * Create a channel and subscribe users to it. The first 500 or so subscribers are subscribed in the commit that creates the channel,
 * and the others in later commits. If a later commit fails because of a concurrent change, the response is that error, and the channel
 * exists.
 */
export const createChannel = post<CreateChannelParameters, CreateChannelResponse, CreateChannelError>('/channels/create');

export interface GetChannelsParameters {
  /** Default: `true` */
  readonly include_public?: boolean | undefined;
  /** Default: `false` */
  readonly include_web_public?: boolean | undefined;
  /** Default: `true` */
  readonly include_subscribed?: boolean | undefined;
  /** Default: `true` */
  readonly exclude_archived?: boolean | undefined;
  /** All channels with metadata access. For administrators, all channels. Default: `false` */
  readonly include_all?: boolean | undefined;
  /** Adds `is_default` to each channel. Default: `false` */
  readonly include_default?: boolean | undefined;
  /** For bots: the channels to which the owner is subscribed. Default: `false` */
  readonly include_owner_subscribed?: boolean | undefined;
  /** Default: `false` */
  readonly include_can_access_content?: boolean | undefined;
  /** @deprecated for older clients. The older form of `include_all`, for administrators. Default: `false` */
  readonly include_all_active?: boolean | undefined;
}
export type GetChannelsResponse = { readonly streams: readonly ListedChannel[] };
export type GetChannelsError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/**
 * List the channels that the caller can access.
 * @example
 * const { streams } = await getChannels(connection);
 */
export const getChannels = get<GetChannelsParameters, GetChannelsResponse, GetChannelsError>('/streams');

export type GetChannelParameters = { readonly stream_id: number };
export type GetChannelResponse = { readonly stream: Channel };
export type GetChannelError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** Fetch one channel. */
export const getChannel = get<GetChannelParameters, GetChannelResponse, GetChannelError>('/streams/{stream_id}');

export interface UpdateChannelParameters extends OptionalValues<ChannelPermissions, GroupSettingUpdate> {
  readonly stream_id: number;
  readonly new_name?: string | undefined;
  readonly description?: string | undefined;
  /** Without `history_public_to_subscribers`, private channels get protected history and public channels shared history */
  readonly is_private?: boolean | undefined;
  readonly is_web_public?: boolean | undefined;
  readonly history_public_to_subscribers?: boolean | undefined;
  /** Only for administrators of the organization */
  readonly is_default_stream?: boolean | undefined;
  /** `true` archives the channel, `false` unarchives it */
  readonly is_archived?: boolean | undefined;
  /**
   * A number of days, `realm_default` or `unlimited`. Only for owners. The server deletes older messages, after a change at the earliest
   * one day later.
   */
  readonly message_retention_days?: number | string | undefined;
  /** `empty_topic_only` requires that all messages of the channel are in the empty topic */
  readonly topics_policy?: TopicsPolicy | undefined;
  /** Null removes the channel from its folder */
  readonly folder_id?: number | null | undefined;
}
export type UpdateChannelError =
  | AccountError
  | 'CANNOT_ADMINISTER_CHANNEL'
  | 'CHANNEL_ALREADY_EXISTS'
  | 'EXPECTATION_MISMATCH'
  | 'REQUEST_VARIABLE_INVALID'
  | 'SYSTEM_GROUP_REQUIRED'
  | 'UNAUTHORIZED_PRINCIPAL';
/**
 * Change the settings of a channel. For channel administrators. Changes of the privacy, and of who can join or add others, also
 * require content access. The request succeeds or fails as a whole.
 */
export const updateChannel = patch<UpdateChannelParameters, None, UpdateChannelError>('/streams/{stream_id}');

export type ArchiveChannelParameters = { readonly stream_id: number };
export type ArchiveChannelError = AccountError | 'CANNOT_ADMINISTER_CHANNEL';
/** Archive a channel. */
export const archiveChannel = remove<ArchiveChannelParameters, None, ArchiveChannelError>('/streams/{stream_id}');

export interface GetChannelEmailAddressParameters {
  readonly stream_id: number;
  /** The ID of the sender of messages from mails: the caller, a bot of the caller, or the email gateway */
  readonly sender_id?: number | undefined;
}
export type GetChannelEmailAddressResponse = { readonly email: string };
export type GetChannelEmailAddressError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/**
 * Get the email address of a channel. A mail to the address becomes a message in the channel. The address is empty if the server has
 * no mail gateway.
 */
export const getChannelEmailAddress = get<GetChannelEmailAddressParameters, GetChannelEmailAddressResponse, GetChannelEmailAddressError>(
  '/streams/{stream_id}/email_address',
);

export type AddDefaultChannelParameters = { readonly stream_id: number };
export type AddDefaultChannelError = AccountError | 'UNAUTHORIZED_PRINCIPAL' | 'REQUEST_VARIABLE_MISSING';
/** Add a default channel for new users. Only for administrators of the organization. */
export const addDefaultChannel = post<AddDefaultChannelParameters, None, AddDefaultChannelError>('/default_streams');

export type RemoveDefaultChannelParameters = { readonly stream_id: number };
export type RemoveDefaultChannelError = AccountError | 'UNAUTHORIZED_PRINCIPAL' | 'REQUEST_VARIABLE_MISSING';
/** Remove a default channel for new users. Only for administrators of the organization. */
export const removeDefaultChannel = remove<RemoveDefaultChannelParameters, None, RemoveDefaultChannelError>('/default_streams');

export interface GetChannelIdParameters {
  /** The name, regardless of case */
  readonly stream: string;
}
export type GetChannelIdResponse = { readonly stream_id: number };
export type GetChannelIdError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED' | 'REQUEST_VARIABLE_MISSING';
/**
 * Get the ID of a channel by its name.
 * @example
 * const { stream_id } = await getChannelId(connection, { stream: 'general' });
 */
export const getChannelId = get<GetChannelIdParameters, GetChannelIdResponse, GetChannelIdError>('/get_stream_id');

export type GetSubscribersParameters = { readonly stream_id: number };
export type GetSubscribersResponse = { readonly subscribers: readonly number[] };
export type GetSubscribersError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** List the IDs of the subscribers of a channel. */
export const getSubscribers = get<GetSubscribersParameters, GetSubscribersResponse, GetSubscribersError>('/streams/{stream_id}/members');

export type GetCustomEmojiResponse = { readonly emoji: CustomEmojiById };
export type GetCustomEmojiError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** List all custom emoji. */
export const getCustomEmoji = get<None, GetCustomEmojiResponse, GetCustomEmojiError>('/realm/emoji');

export interface UploadCustomEmojiParameters {
  readonly emoji_name: string;
  /** An image in GIF, JPEG, PNG, WebP or AVIF, optionally animated */
  readonly file: NamedBlob;
}
export type UploadCustomEmojiError = AccountError | 'BAD_IMAGE' | 'REQUEST_TIMEOUT';
/** Add a custom emoji. */
export const uploadCustomEmoji = post<UploadCustomEmojiParameters, None, UploadCustomEmojiError>('/realm/emoji/{+emoji_name}', 'file');

export type DeactivateCustomEmojiParameters = { readonly emoji_name: string };
export type DeactivateCustomEmojiError = AccountError;
/** Deactivate a custom emoji. */
export const deactivateCustomEmoji = remove<DeactivateCustomEmojiParameters, None, DeactivateCustomEmojiError>('/realm/emoji/{+emoji_name}');

export type DeleteMessageParameters = { readonly message_id: number };
export type DeleteMessageError = AccountError;
/** Delete a message permanently for all users. */
export const deleteMessage = remove<DeleteMessageParameters, None, DeleteMessageError>('/messages/{message_id}');

export interface DeleteTopicParameters {
  readonly stream_id: number;
  /** The display name of the empty topic also identifies that topic */
  readonly topic_name: string;
}
export interface DeleteTopicResponse {
  /** False if messages remain because of a timeout. The client then repeats the request */
  readonly complete: boolean;
}
export type DeleteTopicError = AccountError | 'REQUEST_VARIABLE_MISSING' | 'UNAUTHORIZED_PRINCIPAL';
/** Delete the accessible messages of a topic, newest first. */
export const deleteTopic = post<DeleteTopicParameters, DeleteTopicResponse, DeleteTopicError>('/streams/{stream_id}/delete_topic');

export type GetDomainsResponse = { readonly domains: readonly Domain[] };
export type GetDomainsError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** List the domains that the organization allows for email addresses. */
export const getDomains = get<None, GetDomainsResponse, GetDomainsError>('/realm/domains');

export interface AddDomainParameters {
  readonly domain: string;
  /** Whether the rule includes subdomains */
  readonly allow_subdomains: boolean;
}
export interface AddDomainResponse {
  /** The ID and the domain */
  readonly new_domain: readonly [number, string];
}
export type AddDomainError = AccountError | 'UNAUTHORIZED_PRINCIPAL' | 'REQUEST_VARIABLE_MISSING';
/** Add a domain. Only for owners. */
export const addDomain = post<AddDomainParameters, AddDomainResponse, AddDomainError>('/realm/domains');

export type ChangeDomainParameters = AddDomainParameters;
export type ChangeDomainError = AccountError | 'UNAUTHORIZED_PRINCIPAL' | 'REQUEST_VARIABLE_MISSING';
/** Change whether a domain includes its subdomains. Only for owners. */
export const changeDomain = patch<ChangeDomainParameters, None, ChangeDomainError>('/realm/domains/{domain}');

export type RemoveDomainParameters = { readonly domain: string };
export type RemoveDomainError = AccountError | 'UNAUTHORIZED_PRINCIPAL';
/** Remove a domain. Removing the last domain ends the restriction. Only for owners. */
export const removeDomain = remove<RemoveDomainParameters, None, RemoveDomainError>('/realm/domains/{domain}');

export interface GetDraftsResponse {
  readonly count: number;
  readonly drafts: readonly Draft[];
}
export type GetDraftsError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** List the drafts of the caller. The last edited draft is last. */
export const getDrafts = get<None, GetDraftsResponse, GetDraftsError>('/drafts');

export interface CreateDraftsParameters {
  /** Default: `[]` */
  readonly drafts?: readonly WrittenDraft[] | undefined;
}
export interface CreateDraftsResponse {
  /** The IDs in the order of the drafts */
  readonly ids: readonly number[];
}
export type CreateDraftsError = AccountError;
/** Create drafts. The server creates all drafts or none. A user has at most 500 drafts with a total of 1 MB. */
export const createDrafts = post<CreateDraftsParameters, CreateDraftsResponse, CreateDraftsError>('/drafts');

export interface EditDraftParameters {
  readonly draft_id: number;
  readonly draft: WrittenDraft;
}
export type EditDraftError = AccountError | 'REQUEST_VARIABLE_MISSING';
/** Replace a draft. */
export const editDraft = patch<EditDraftParameters, None, EditDraftError>('/drafts/{draft_id}');

export type DeleteDraftParameters = { readonly draft_id: number };
export type DeleteDraftError = AccountError;
/** Delete a draft. */
export const deleteDraft = remove<DeleteDraftParameters, None, DeleteDraftError>('/drafts/{draft_id}');

export interface UpdateMessageParameters {
  readonly message_id: number;
  readonly topic?: string | undefined;
  /** Default: `"change_one"` */
  readonly propagate_mode?: 'change_one' | 'change_later' | 'change_all' | undefined;
  /** Default: `false` */
  readonly send_notification_to_old_thread?: boolean | undefined;
  /** Default: `true` */
  readonly send_notification_to_new_thread?: boolean | undefined;
  /** Blank content becomes `(deleted)` */
  readonly content?: string | undefined;
  /** The SHA-256 hash of the content that the client expects, in hexadecimal */
  readonly prev_content_sha256?: string | undefined;
  readonly stream_id?: number | undefined;
}
export interface UpdateMessageResponse {
  /** Files of the caller without a link in any message */
  readonly detached_uploads: readonly Attachment[];
}
export type UpdateMessageError =
  | AccountError
  | 'EXPECTATION_MISMATCH'
  | 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED'
  | 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'
  | 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED'
  | 'REQUEST_CONFUSING_VAR';
/**
 * Edit a message, or move messages. Edits the content of a message, or moves messages to another topic or channel. `propagate_mode`
 * selects the messages of the topic. The prefix `✔ ` in the name of a topic means that it is resolved.
 * @example
 * const { id } = await sendMessage(connection, { type: 'direct', to: [userId], content: 'Building …' });
 * await updateMessage(connection, { message_id: id, content: 'Built.' });
 */
export const updateMessage = patch<UpdateMessageParameters, UpdateMessageResponse, UpdateMessageError>('/messages/{message_id}');

export interface GetMessageHistoryParameters {
  readonly message_id: number;
  /** Default: `false` */
  readonly allow_empty_topic_name?: boolean | undefined;
}
export interface GetMessageHistoryResponse {
  /** Oldest first. Contains only the newest entries if there are very many or very long ones */
  readonly message_history: readonly MessageSnapshot[];
}
export type GetMessageHistoryError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** Get the edit history of a message. */
export const getMessageHistory = get<GetMessageHistoryParameters, GetMessageHistoryResponse, GetMessageHistoryError>('/messages/{message_id}/history');

export interface RegisterQueueParameters {
  /** Default: `false` */
  readonly apply_markdown?: boolean | undefined;
  /** The default is true with credentials and false without */
  readonly client_gravatar?: boolean | undefined;
  /** Default: `false` */
  readonly include_subscribers?: boolean | 'partial' | undefined;
  /** Default: `false` */
  readonly slim_presence?: boolean | undefined;
  /** The maximum age of presence data in days. The default is 14 */
  readonly presence_history_limit_days?: number | undefined;
  /** The server ignores unknown types */
  readonly event_types?: readonly string[] | undefined;
  readonly fetch_event_types?: readonly string[] | undefined;
  /** Default: `false` */
  readonly all_public_streams?: boolean | undefined;
  /** Default: `{}` */
  readonly client_capabilities?:
    | {
        readonly notification_settings_null?: boolean | undefined;
        readonly bulk_message_deletion?: boolean | undefined;
        readonly user_avatar_url_field_optional?: boolean | undefined;
        readonly stream_typing_notifications?: boolean | undefined;
        readonly user_settings_object?: boolean | undefined;
        readonly linkifier_url_template?: boolean | undefined;
        readonly user_list_incomplete?: boolean | undefined;
        readonly include_deactivated_groups?: boolean | undefined;
        readonly archived_channels?: boolean | undefined;
        readonly empty_topic_name?: boolean | undefined;
        readonly simplified_presence_events?: boolean | undefined;
        /** Of Heddle alone: the fields and events about pinned messages */
        readonly pinned_messages?: boolean | undefined;
        /** Of Heddle alone: `realm_gif_picker`, and the events about it */
        readonly gif_picker?: boolean | undefined;
        /** Of Heddle alone: `web_push_public_key`, `realm_message_content_allowed_in_web_push`, and the events about it */
        readonly web_push?: boolean | undefined;
        /** Of Heddle alone: users in the initial state without fields that have the usual value */
        readonly brief_users?: boolean | undefined;
        /** Of Heddle alone: `quiet_hours`, and the events about it */
        readonly quiet_hours?: boolean | undefined;
      }
    | undefined;
  /** Default: `[]` */
  readonly narrow?: readonly (readonly [string, string])[] | undefined;
}
export type RegisterQueueResponse = InitialState;
export type RegisterQueueError = AccountError;
/**
 * Register an event queue and fetch the initial state. Without credentials, in organizations with spectators, the response has the
 * initial state for spectators and no queue.
 * @example
 * const { queue_id, last_event_id } = await registerQueue(connection, { event_types: ['message'] });
 */
export const registerQueue = post<RegisterQueueParameters, RegisterQueueResponse, RegisterQueueError>('/register');

export interface GetEventsParameters {
  readonly queue_id: string;
  readonly last_event_id: number;
  /** Default: `false` */
  readonly dont_block?: boolean | undefined;
}
export interface GetEventsResponse {
  readonly events: readonly ServerEvent[];
  readonly queue_id: string;
}
export type GetEventsError = CommonError | 'BAD_EVENT_QUEUE_ID' | 'UNAUTHORIZED' | 'USER_DEACTIVATED' | 'REQUEST_VARIABLE_MISSING';
/**
 * Wait for the events after a known event.
 * @example
 * const { queue_id, last_event_id = -1 } = await registerQueue(connection, { event_types: ['message'] });
 * await sendMessage(connection, { type: 'channel', to: 'general', topic: 'lunch', content: 'Pasta?' });
 * if (queue_id !== null) {
 *   const { events } = await getEvents(connection, { queue_id, last_event_id });
 * }
 */
export const getEvents = get<GetEventsParameters, GetEventsResponse, GetEventsError>('/events');

export type DeleteQueueParameters = { readonly queue_id: string };
export type DeleteQueueError = AccountError | 'BAD_EVENT_QUEUE_ID' | 'REQUEST_VARIABLE_MISSING';
/** Delete an event queue. */
export const deleteQueue = remove<DeleteQueueParameters, None, DeleteQueueError>('/events');

export type GetExportsResponse = { readonly exports: readonly DataExport[] };
export type GetExportsError = CommonError | 'UNAUTHORIZED_PRINCIPAL' | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** List the data exports of the organization. For administrators. The latest 500, oldest first, including failed and deleted ones. */
export const getExports = get<None, GetExportsResponse, GetExportsError>('/export/realm');

export interface CreateExportParameters {
  /**
   * 1: only data that all members can see, without hidden addresses and edit history. 2: also the private data of users who agree
   * (setting `allow_private_data_export`). Default: `1`
   */
  readonly export_type?: ExportType | undefined;
}
export type CreateExportResponse = { readonly id: number };
export type CreateExportError = AccountError | 'UNAUTHORIZED_PRINCIPAL';
/**
 * Request a data export of the organization. For administrators. The server makes an archive in the background, and sends
 * `realm_export` events. It deletes the archive after 30 days. At most five in a week.
 */
export const createExport = post<CreateExportParameters, CreateExportResponse, CreateExportError>('/export/realm');

export type DeleteExportParameters = { readonly export_id: number };
export type DeleteExportError = AccountError | 'UNAUTHORIZED_PRINCIPAL';
/** Delete the archive of a data export. For administrators. */
export const deleteExport = remove<DeleteExportParameters, None, DeleteExportError>('/export/realm/{export_id}');

export type GetExportConsentsResponse = { readonly export_consents: readonly { readonly user_id: number; readonly consented: boolean }[] };
export type GetExportConsentsError = CommonError | 'UNAUTHORIZED_PRINCIPAL' | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/**
 * List who allows the export of private data. For administrators. The setting `allow_private_data_export` of all active users except
 * bots.
 */
export const getExportConsents = get<None, GetExportConsentsResponse, GetExportConsentsError>('/export/realm/consents');

export interface UpdateGifPickerParameters {
  readonly service?: GifServiceOrNone | undefined;
  /** The key of the organization at the service */
  readonly api_key?: string | undefined;
  /** The default is `g` */
  readonly rating?: GifRating | undefined;
}
export type UpdateGifPickerError = AccountError | 'UNAUTHORIZED_PRINCIPAL';
/**
 * Change the organization's service of GIFs. Of Heddle alone, for administrators. Another service needs its `api_key`. No response,
 * event or export contains the key. `none` deletes it.
 */
export const updateGifPicker = patch<UpdateGifPickerParameters, None, UpdateGifPickerError>('/realm/gif_picker');

export interface SearchGifsParameters {
  /** Without it: what is popular. Default: `""` */
  readonly query?: string | undefined;
  /** `next` of the previous page of the same search */
  readonly position?: string | undefined;
}
export interface SearchGifsResponse {
  readonly gifs: readonly Gif[];
  /** The position of the next page; null at the end */
  readonly next: string | null;
}
export type SearchGifsError = CommonError | 'GIF_SERVICE_FAILED' | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/**
 * Search GIFs. Of Heddle alone. The server asks the organization's service. So the service learns nothing about the user but the
 * search and the language.
 */
export const searchGifs = get<SearchGifsParameters, SearchGifsResponse, SearchGifsError>('/gifs');

export interface ChooseGifParameters {
  /** `gif` of a result of `search-gifs` */
  readonly gif: ChosenGif;
}
export interface ChooseGifResponse {
  /** The path of the file */
  readonly url: string;
  readonly filename: string;
}
export type ChooseGifError = AccountError | 'GIF_SERVICE_FAILED' | 'REALM_UPLOAD_QUOTA' | 'REQUEST_VARIABLE_MISSING';
/**
 * Upload a found GIF. Of Heddle alone. The server fetches the GIF and keeps it as an uploaded file of the user. Messages link to it as
 * to other files, so readers still see it when the service has ended.
 */
export const chooseGif = post<ChooseGifParameters, ChooseGifResponse, ChooseGifError>('/gifs');

export interface GetIntegrationsResponse {
  readonly language: string;
  readonly integrations: readonly {
    readonly name: string;
    readonly title: string;
    readonly category: string;
    readonly summary: string;
    /** What to do at the other service, one after the other, with the URL at hand */
    readonly steps: readonly string[];
    /** A body, a script or settings to paste there; empty if the service needs none */
    readonly template: string;
    /** Whether the URL can have `webhook_secret` */
    readonly is_signed: boolean;
    /** The events that cause messages, for the filters of the URL; empty if the service has one kind only */
    readonly events: readonly string[];
    /** The events that cause no message on purpose, each with a sentence that says why */
    readonly ignored_events: readonly { readonly name: string; readonly reason: string }[];
  }[];
}
export type GetIntegrationsError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** List the integrations. In the order of their titles, in the language that `language` names. The reference has no such endpoint. */
export const getIntegrations = get<None, GetIntegrationsResponse, GetIntegrationsError>('/integrations');

export interface GetIntegrationSampleParameters {
  /** The name of the integration, like `github` */
  readonly integration: string;
}
export interface GetIntegrationSampleResponse {
  readonly headers: { readonly [key: string]: string };
  readonly body: string;
}
export type GetIntegrationSampleError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** Get an example request of an integration. A recorded request in JSON, without a signature, for the URL of a bot. */
export const getIntegrationSample = get<GetIntegrationSampleParameters, GetIntegrationSampleResponse, GetIntegrationSampleError>('/integrations/{integration}/sample');

export interface CreateInviteLinkParameters {
  /** Null means never. The default is a setting of the server */
  readonly invite_expires_in_minutes?: number | null | undefined;
  /** The role of the new user. It cannot have more permissions than the role of the caller. Default: `400` */
  readonly invite_as?: InvitedRole | undefined;
  /** IDs of groups for the new user. The caller must be able to add members to them. Default: `[]` */
  readonly group_ids?: readonly number[] | undefined;
  /** Whether the new user is subscribed to the default channels at the time of joining. Default: `false` */
  readonly include_realm_default_subscriptions?: boolean | undefined;
  /** Only for administrators: an additional text of the welcome bot. Null means the text of the organization, empty means none */
  readonly welcome_message_custom_text?: string | null | undefined;
  /** IDs of channels for the new user: default channels, or channels to which the caller can add subscribers. Default: `[]` */
  readonly stream_ids?: readonly number[] | undefined;
}
export type CreateInviteLinkResponse = { readonly invite_link: string };
export type CreateInviteLinkError = AccountError | 'UNAUTHORIZED_PRINCIPAL';
/** Create a reusable invitation link. */
export const createInviteLink = post<CreateInviteLinkParameters, CreateInviteLinkResponse, CreateInviteLinkError>('/invites/multiuse');

export interface SendInvitesParameters {
  /** Addresses, or names with addresses in angle brackets. Commas or line breaks separate them */
  readonly invitee_emails: string;
  /** Null means never. The default is a setting of the server */
  readonly invite_expires_in_minutes?: number | null | undefined;
  /** The role of the new user. It cannot have more permissions than the role of the caller. Default: `400` */
  readonly invite_as?: InvitedRole | undefined;
  /** IDs of groups for the new user. The caller must be able to add members to them. Default: `[]` */
  readonly group_ids?: readonly number[] | undefined;
  /** Whether the new user is subscribed to the default channels at the time of joining. Default: `false` */
  readonly include_realm_default_subscriptions?: boolean | undefined;
  /** Only for administrators: an additional text of the welcome bot. Null means the text of the organization, empty means none */
  readonly welcome_message_custom_text?: string | null | undefined;
  /** IDs of channels for the new user: default channels, or channels to which the caller can add subscribers */
  readonly stream_ids: readonly number[];
  /** Whether the caller receives a notification when a user joins. Default: `true` */
  readonly notify_referrer_on_join?: boolean | undefined;
}
export type SendInvitesError = AccountError | 'INVITATION_FAILED' | 'UNAUTHORIZED_PRINCIPAL' | 'REQUEST_VARIABLE_MISSING';
/** Invite people by mail. Addresses with an account cause an error. The server invites the others. */
export const sendInvites = post<SendInvitesParameters, None, SendInvitesError>('/invites');

export type GetInvitesResponse = { readonly invites: readonly Invitation[] };
export type GetInvitesError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** List the valid invitations of the caller. For administrators, all invitations. Only owners receive reusable links for owners. */
export const getInvites = get<None, GetInvitesResponse, GetInvitesError>('/invites');

export type RevokeInviteParameters = { readonly invite_id: number };
export type RevokeInviteError = AccountError | 'UNAUTHORIZED_PRINCIPAL';
/** Revoke an invitation by mail. */
export const revokeInvite = remove<RevokeInviteParameters, None, RevokeInviteError>('/invites/{invite_id}');

export type RevokeInviteLinkParameters = { readonly invite_id: number };
export type RevokeInviteLinkError = AccountError | 'UNAUTHORIZED_PRINCIPAL';
/** Revoke a reusable link. */
export const revokeInviteLink = remove<RevokeInviteLinkParameters, None, RevokeInviteLinkError>('/invites/multiuse/{invite_id}');

export type ResendInviteParameters = { readonly invite_id: number };
export type ResendInviteError = AccountError | 'INVITATION_FAILED' | 'UNAUTHORIZED_PRINCIPAL';
/** Send an invitation by mail again. */
export const resendInvite = post<ResendInviteParameters, None, ResendInviteError>('/invites/{invite_id}/resend');

export type TestWelcomeMessageParameters = { readonly welcome_message_custom_text: string };
export interface TestWelcomeMessageResponse {
  /** The ID of the message */
  readonly message_id: number;
}
export type TestWelcomeMessageError = AccountError | 'UNAUTHORIZED_PRINCIPAL' | 'REQUEST_VARIABLE_MISSING';
/** Send the caller the message of the welcome bot as a test. Only for administrators. */
export const testWelcomeMessage = post<TestWelcomeMessageParameters, TestWelcomeMessageResponse, TestWelcomeMessageError>('/realm/test_welcome_bot_custom_message');

export type GetLinkifiersResponse = { readonly linkifiers: readonly Linkifier[] };
export type GetLinkifiersError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** List linkifiers in their order. */
export const getLinkifiers = get<None, GetLinkifiersResponse, GetLinkifiersError>('/realm/linkifiers');

export type ReorderLinkifiersParameters = { readonly ordered_linkifier_ids: readonly number[] };
export type ReorderLinkifiersError = AccountError | 'UNAUTHORIZED_PRINCIPAL' | 'REQUEST_VARIABLE_MISSING';
/** Change the order of linkifiers. */
export const reorderLinkifiers = patch<ReorderLinkifiersParameters, None, ReorderLinkifiersError>('/realm/linkifiers');

export interface AddLinkifierParameters {
  /** A regular expression (RE2 syntax). Its named groups are the variables of the template */
  readonly pattern: string;
  /** An RFC 6570 template */
  readonly url_template: string;
}
export type AddLinkifierResponse = { readonly id: number };
export type AddLinkifierError = AccountError | 'UNAUTHORIZED_PRINCIPAL' | 'REQUEST_VARIABLE_MISSING';
/** Add a linkifier. */
export const addLinkifier = post<AddLinkifierParameters, AddLinkifierResponse, AddLinkifierError>('/realm/filters');

export interface UpdateLinkifierParameters {
  readonly filter_id: number;
  /** A regular expression (RE2 syntax). Its named groups are the variables of the template */
  readonly pattern: string;
  /** An RFC 6570 template */
  readonly url_template: string;
}
export type UpdateLinkifierError = AccountError | 'UNAUTHORIZED_PRINCIPAL' | 'REQUEST_VARIABLE_MISSING';
/** Change a linkifier. */
export const updateLinkifier = patch<UpdateLinkifierParameters, None, UpdateLinkifierError>('/realm/filters/{filter_id}');

export type RemoveLinkifierParameters = { readonly filter_id: number };
export type RemoveLinkifierError = AccountError | 'UNAUTHORIZED_PRINCIPAL';
/** Remove a linkifier. */
export const removeLinkifier = remove<RemoveLinkifierParameters, None, RemoveLinkifierError>('/realm/filters/{filter_id}');

export interface UpdateUserParameters {
  readonly user_id: number;
  readonly full_name?: string | undefined;
  /** Only owners can add or remove the owner role. The only owner cannot lose it */
  readonly role?: Role | undefined;
  /** Values of custom profile fields. Null or an empty value removes a value */
  readonly profile_data?: ProfileDataUpdatesOrNone | undefined;
  /** For owners with `can_change_user_emails`, which the operator of the server grants */
  readonly new_email?: string | undefined;
}
export type UpdateUserError = AccountError | 'UNAUTHORIZED_PRINCIPAL';
/** Change a user. For administrators of the organization. The request succeeds or fails as a whole. */
export const updateUser = patch<UpdateUserParameters, None, UpdateUserError>('/users/{user_id}');

export interface UpdateUserByEmailParameters {
  readonly email: string;
  readonly full_name?: string | undefined;
  /** Only owners can add or remove the owner role. The only owner cannot lose it */
  readonly role?: Role | undefined;
  /** Values of custom profile fields. Null or an empty value removes a value */
  readonly profile_data?: ProfileDataUpdatesOrNone | undefined;
  /** For owners with `can_change_user_emails`, which the operator of the server grants */
  readonly new_email?: string | undefined;
}
export type UpdateUserByEmailError = AccountError | 'UNAUTHORIZED_PRINCIPAL';
/** Change a user by address. For administrators of the organization. The request succeeds or fails as a whole. */
export const updateUserByEmail = patch<UpdateUserByEmailParameters, None, UpdateUserByEmailError>('/users/{email}');

export interface CreateUserParameters {
  readonly email: string;
  readonly full_name: string;
  readonly password: string;
}
export type CreateUserResponse = { readonly user_id: number };
export type CreateUserError = AccountError | 'UNAUTHORIZED_PRINCIPAL' | 'REQUEST_VARIABLE_MISSING';
/** Create a user. For administrators with `can_create_users`, which the operator of the server grants. */
export const createUser = post<CreateUserParameters, CreateUserResponse, CreateUserError>('/users');

export interface DeactivateUserParameters {
  readonly user_id: number;
  /** The comment of a mail to the user. If it is empty, the mail has no comment. If it is absent, the server sends no mail */
  readonly deactivation_notification_comment?: string | undefined;
}
export type DeactivateUserError = AccountError | 'UNAUTHORIZED_PRINCIPAL';
/** Deactivate a user. For administrators of the organization. Only owners can deactivate owners. The only owner cannot be deactivated. */
export const deactivateUser = remove<DeactivateUserParameters, None, DeactivateUserError>('/users/{user_id}');

export type ReactivateUserParameters = { readonly user_id: number };
export type ReactivateUserError = AccountError | 'UNAUTHORIZED_PRINCIPAL';
/** Reactivate a user. For administrators, and owners of bots. The account has its previous subscriptions, groups, role and API key. */
export const reactivateUser = post<ReactivateUserParameters, None, ReactivateUserError>('/users/{user_id}/reactivate');

export type DeactivateOwnUserError = AccountError | 'CANNOT_DEACTIVATE_LAST_USER';
/** Deactivate the caller. Not for bots. */
export const deactivateOwnUser = remove<None, None, DeactivateOwnUserError>('/users/me');

export interface SendMessageParameters {
  readonly type: 'direct' | 'channel' | 'stream' | 'private';
  /** The name or ID of a channel, or the IDs or API addresses of users */
  readonly to: number | string | readonly number[] | readonly string[];
  readonly content: string;
  /** Required for channel messages */
  readonly topic?: string | undefined;
  /** The queue whose event contains `local_id` */
  readonly queue_id?: string | undefined;
  readonly local_id?: string | undefined;
  /** The default depends on the client program */
  readonly read_by_sender?: boolean | undefined;
  /** JSON of a widget: a form with choices */
  readonly widget_content?: string | undefined;
}
export interface SendMessageResponse {
  readonly id: number;
  /** 2 or 3 if sending changed the topic to unmuted or followed */
  readonly automatic_new_visibility_policy?: number;
}
export type SendMessageError =
  | AccountError
  | 'STREAM_DOES_NOT_EXIST'
  | 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'
  | 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED'
  | 'REQUEST_VARIABLE_MISSING'
  | 'REQUEST_CONFUSING_VAR';
/**
 * Send a channel message or a direct message.
 * @example
 * await sendMessage(connection, { type: 'channel', to: 'general', topic: 'lunch', content: 'Pizza?' });
 * await sendMessage(connection, { type: 'direct', to: [userId], content: 'Are you there?' });
 */
export const sendMessage = post<SendMessageParameters, SendMessageResponse, SendMessageError>('/messages', 'form', ['to']);

export type RenderMessageParameters = { readonly content: string };
export interface RenderMessageResponse {
  /** HTML */
  readonly rendered: string;
}
export type RenderMessageError = AccountError | 'REQUEST_VARIABLE_MISSING';
/** Render a text as a message of the caller. */
export const renderMessage = post<RenderMessageParameters, RenderMessageResponse, RenderMessageError>('/messages/render');

export interface GetMessageParameters {
  readonly message_id: number;
  /** Default: `true` */
  readonly apply_markdown?: boolean | undefined;
  /** Default: `false` */
  readonly allow_empty_topic_name?: boolean | undefined;
}
export interface GetMessageResponse {
  readonly message: Message;
  /** Deprecated: use `apply_markdown=false` instead */
  readonly raw_content: string;
}
export type GetMessageError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/**
 * Fetch one message. Without credentials, a message of a web-public channel, in organizations with spectators.
 * @example
 * const { message } = await getMessage(connection, { message_id: messageId, apply_markdown: false });
 */
export const getMessage = get<GetMessageParameters, GetMessageResponse, GetMessageError>('/messages/{message_id}');

export interface GetMessagesParameters {
  /**
   * A message ID, `newest`, `oldest`, `first_unread` or `date`. `date` means the first message on or after `anchor_date`, or else the
   * newest
   */
  readonly anchor?: AnchorOrDate | undefined;
  /**
   * For `anchor=date`: an ISO 8601 date with an optional time, such as `2026-02-03` or `2026-02-03T04:05:06Z`. The default time is
   * midnight, the default time zone UTC.
   */
  readonly anchor_date?: string | undefined;
  /** @deprecated for older clients. Default: `false` */
  readonly use_first_unread_anchor?: boolean | undefined;
  /** Default: `true` */
  readonly include_anchor?: boolean | undefined;
  /** Default: `0` */
  readonly num_before?: number | undefined;
  /** Default: `0` */
  readonly num_after?: number | undefined;
  /** Default: `[]` */
  readonly narrow?: Narrow | undefined;
  readonly message_ids?: readonly number[] | undefined;
  /** Default: `true` */
  readonly client_gravatar?: boolean | undefined;
  /** Default: `true` */
  readonly apply_markdown?: boolean | undefined;
  /** Default: `false` */
  readonly allow_empty_topic_name?: boolean | undefined;
}
export interface GetMessagesResponse {
  readonly anchor?: number;
  readonly found_newest?: boolean;
  readonly found_oldest?: boolean;
  readonly found_anchor?: boolean;
  readonly history_limited?: boolean;
  readonly messages: readonly Message[];
}
export type GetMessagesError = CommonError | 'BAD_NARROW' | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/**
 * Fetch messages around an anchor that match a narrow. Without credentials, in organizations with spectators, the narrow must contain
 * `channels:web-public`. The response then has at most 1,000 messages.
 * @example
 * const narrow = [{ operator: 'channel', operand: 'general' }];
 * const { messages } = await getMessages(connection, { anchor: 'newest', num_before: 20, num_after: 0, narrow });
 */
export const getMessages = get<GetMessagesParameters, GetMessagesResponse, GetMessagesError>('/messages');

export interface GetSearchHitsParameters {
  /** Default: `[]` */
  readonly narrow?: Narrow | undefined;
  /** The maximum number of IDs in `message_ids`. Default: `0` */
  readonly num_relevant?: number | undefined;
}
export interface GetSearchHitsResponse {
  /** At most 1000 */
  readonly count: number;
  /** Whether there are no other messages */
  readonly is_complete: boolean;
  /**
   * The most relevant ones first, as PostgreSQL ranks the words of the searches. Words of the topic count more than those of the text.
   * Equal ones are in the order of their dates, newest first
   */
  readonly message_ids: readonly number[];
}
export type GetSearchHitsError = CommonError | 'BAD_NARROW' | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/**
 * Count the messages of a narrow, and order the newest of them by relevance. Extension of Heddle. The server looks at the newest 1000
 * messages of the narrow. A client fetches those of `message_ids` with `GET /messages`. Without credentials, the narrow must contain
 * `channels:web-public`.
 */
export const getSearchHits = get<GetSearchHitsParameters, GetSearchHitsResponse, GetSearchHitsError>('/messages/hits');

export interface UpdateMessageFlagsParameters {
  /** The maximum is the number of unread messages in the initial state */
  readonly messages: readonly number[];
  readonly op: 'add' | 'remove';
  readonly flag: string;
}
export interface UpdateMessageFlagsResponse {
  readonly messages: readonly number[];
  readonly ignored_because_not_subscribed_channels: readonly number[];
}
export type UpdateMessageFlagsError = AccountError | 'REQUEST_VARIABLE_MISSING';
/**
 * Add or remove a flag of the caller on messages.
 * @example
 * await updateMessageFlags(connection, { messages: [messageId], op: 'add', flag: 'read' });
 */
export const updateMessageFlags = post<UpdateMessageFlagsParameters, UpdateMessageFlagsResponse, UpdateMessageFlagsError>('/messages/flags');

export interface CheckMatchesNarrowParameters {
  readonly msg_ids: readonly number[];
  readonly narrow: readonly NarrowTerm[];
}
export interface CheckMatchesNarrowResponse {
  /** Keys are message IDs */
  readonly messages: {
    readonly [key: string]: {
      readonly match_content: string;
      /** The topic as HTML */
      readonly match_subject: string;
    };
  };
}
export type CheckMatchesNarrowError = CommonError | 'BAD_NARROW' | 'UNAUTHORIZED' | 'USER_DEACTIVATED' | 'REQUEST_VARIABLE_MISSING';
/** Check which messages match a narrow. */
export const checkMatchesNarrow = get<CheckMatchesNarrowParameters, CheckMatchesNarrowResponse, CheckMatchesNarrowError>('/messages/matches_narrow');

export interface RegisterPushDeviceParameters {
  readonly token_kind: 'apns' | 'fcm';
  /** A random number that the client chooses for the account */
  readonly push_account_id: string;
  /**
   * The X25519 public key of the device in Base64. The server encrypts notifications as sealed boxes (`crypto_box_seal` of libsodium).
   * Required without `push_key`.
   */
  readonly push_public_key?: string | undefined;
  /**
   * The key of newer clients in Base64: the byte 0x31 and 32 bytes. The server encrypts notifications with `crypto_secretbox_easy` of
   * libsodium, nonce first.
   */
  readonly push_key?: string | undefined;
  /** The public key that encrypts the registration */
  readonly bouncer_public_key: string;
  /** Only the push service can decrypt it */
  readonly encrypted_push_registration: string;
}
export type RegisterPushDeviceError = AccountError | 'REQUEST_VARIABLE_MISSING';
/**
 * Register a device for end-to-end encrypted notifications. The response is immediate. A `push_device` event follows with the success
 * or the error of the push service. An existing registration does not change unless it failed. An account has at most 100 devices.
 */
export const registerPushDevice = post<RegisterPushDeviceParameters, None, RegisterPushDeviceError>('/mobile_push/register');

export interface SendEncryptedTestParameters {
  /** The default is all devices of the caller */
  readonly push_account_id?: string | undefined;
}
export type SendEncryptedTestError = AccountError | 'NO_ACTIVE_PUSH_DEVICE' | 'ADMIN_ACTION_REQUIRED' | 'FAILED_TO_CONNECT_BOUNCER' | 'INTERNAL_SERVER_ERROR_ON_BOUNCER';
/** Send an end-to-end encrypted test notification. */
export const sendEncryptedTest = post<SendEncryptedTestParameters, None, SendEncryptedTestError>('/mobile_push/e2ee/test_notification');

export interface SendTestParameters {
  /** The default is all tokens of the caller */
  readonly token?: string | undefined;
}
export type SendTestError =
  | AccountError
  | 'INVALID_PUSH_DEVICE_TOKEN'
  | 'INVALID_REMOTE_PUSH_DEVICE_TOKEN'
  | 'ADMIN_ACTION_REQUIRED'
  | 'FAILED_TO_CONNECT_BOUNCER'
  | 'INTERNAL_SERVER_ERROR_ON_BOUNCER';
/** @deprecated Send an unencrypted test notification. */
export const sendTest = post<SendTestParameters, None, SendTestError>('/mobile_push/test_notification');

export interface AddApnsTokenParameters {
  /** Hexadecimal */
  readonly token: string;
  /** The bundle ID of the app */
  readonly appid: string;
}
export type AddApnsTokenError = AccountError | 'REQUEST_VARIABLE_MISSING';
/** @deprecated Add an APNs device token. An account has at most 100 tokens. Another token replaces the oldest one. */
export const addApnsToken = post<AddApnsTokenParameters, None, AddApnsTokenError>('/users/me/apns_device_token');

export interface RemoveApnsTokenParameters {
  /** A token of the push service of the phone manufacturer */
  readonly token: string;
}
export type RemoveApnsTokenError = AccountError | 'REQUEST_VARIABLE_MISSING';
/** @deprecated Remove an APNs device token. */
export const removeApnsToken = remove<RemoveApnsTokenParameters, None, RemoveApnsTokenError>('/users/me/apns_device_token');

export type AddFcmTokenParameters = RemoveApnsTokenParameters;
export type AddFcmTokenError = AccountError | 'REQUEST_VARIABLE_MISSING';
/** @deprecated Add an FCM registration token. */
export const addFcmToken = post<AddFcmTokenParameters, None, AddFcmTokenError>('/users/me/android_gcm_reg_id');

export type RemoveFcmTokenParameters = RemoveApnsTokenParameters;
export type RemoveFcmTokenError = AccountError | 'REQUEST_VARIABLE_MISSING';
/** @deprecated Remove an FCM registration token. */
export const removeFcmToken = remove<RemoveFcmTokenParameters, None, RemoveFcmTokenError>('/users/me/android_gcm_reg_id');

export type RegisterClientDeviceResponse = { readonly device_id: number };
export type RegisterClientDeviceError = AccountError;
/** Register a logged-in device. An account has at most 100 devices. Another device replaces the oldest one. */
export const registerClientDevice = post<None, RegisterClientDeviceResponse, RegisterClientDeviceError>('/register_client_device');

export type RemoveClientDeviceParameters = { readonly device_id: number };
export type RemoveClientDeviceError = AccountError | 'REQUEST_VARIABLE_MISSING';
/** Remove a logged-in device. */
export const removeClientDevice = post<RemoveClientDeviceParameters, None, RemoveClientDeviceError>('/remove_client_device');

export type MuteUserParameters = { readonly muted_user_id: number };
export type MuteUserError = AccountError;
/** Mute a user. The server marks old and new messages of muted users as read. A user can mute at most 1,000 users. */
export const muteUser = post<MuteUserParameters, None, MuteUserError>('/users/me/muted_users/{muted_user_id}');

export type UnmuteUserParameters = { readonly muted_user_id: number };
export type UnmuteUserError = AccountError;
/** Unmute a user. */
export const unmuteUser = remove<UnmuteUserParameters, None, UnmuteUserError>('/users/me/muted_users/{muted_user_id}');

export type GetNavigationViewsResponse = { readonly navigation_views: readonly NavigationView[] };
export type GetNavigationViewsError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** List the navigation views of the caller. */
export const getNavigationViews = get<None, GetNavigationViewsResponse, GetNavigationViewsError>('/navigation_views');

export interface AddNavigationViewParameters {
  /** The server trims it */
  readonly fragment: string;
  /** Whether clients show it in the sidebar */
  readonly is_pinned: boolean;
  /** The unique name of a custom view. Built-in views have none */
  readonly name?: string | null | undefined;
}
export type AddNavigationViewError = AccountError | 'REQUEST_VARIABLE_MISSING';
/** Add a custom view, or set the location of a built-in view. A user has at most 200 views. */
export const addNavigationView = post<AddNavigationViewParameters, None, AddNavigationViewError>('/navigation_views');

export interface EditNavigationViewParameters {
  /** Slashes can be plain or percent-encoded (once or twice) */
  readonly fragment: string;
  /** Whether clients show it in the sidebar */
  readonly is_pinned?: boolean | undefined;
  /** The unique name of a custom view. Built-in views have none */
  readonly name?: string | null | undefined;
}
export type EditNavigationViewError = AccountError | 'NOT_FOUND';
/** Change the location of a view, or the name of a custom view. */
export const editNavigationView = patch<EditNavigationViewParameters, None, EditNavigationViewError>('/navigation_views/{+fragment}');

export interface RemoveNavigationViewParameters {
  /** Slashes can be plain or percent-encoded (once or twice) */
  readonly fragment: string;
}
export type RemoveNavigationViewError = AccountError | 'NOT_FOUND';
/** Remove a view. */
export const removeNavigationView = remove<RemoveNavigationViewParameters, None, RemoveNavigationViewError>('/navigation_views/{+fragment}');

export interface MarkOnboardingStepAsReadParameters {
  /** The name of the step */
  readonly onboarding_step: string;
}
export type MarkOnboardingStepAsReadError = AccountError | 'REQUEST_VARIABLE_MISSING';
/** Mark an onboarding step as seen. */
export const markOnboardingStepAsRead = post<MarkOnboardingStepAsReadParameters, None, MarkOnboardingStepAsReadError>('/users/me/onboarding_steps');

export interface GetImportResponse {
  /**
   * Why nothing can be imported. in_use: the organization is not new any more. other_organizations: the server has others.
   * not_supported: the operator has switched it off. Null: an archive can be imported
   */
  readonly refusal: 'in_use' | 'other_organizations' | 'not_supported' | null;
  /** The largest size of an archive in bytes */
  readonly max_size: number;
  readonly import: OrganizationImport | null;
  /** The id of the caller, which is another one after an import */
  readonly user_id: number;
}
export type GetImportError = CommonError | 'UNAUTHORIZED_PRINCIPAL' | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/**
 * Get whether an archive can be imported, and the state of the import. For owners. An import replaces a new organization by that of an
 * archive, at the same address. Upload the archive with a resumable upload (`POST /tus`) whose metadata contains `purpose` with the
 * value `import`.
 */
export const getImport = get<None, GetImportResponse, GetImportError>('/import');

export interface StartImportParameters {
  readonly format: ImportFormat;
  /** The name of the organization. Default: that of the archive */
  readonly name?: string | undefined;
  /** The owner's address in the archive. Default: the current address. If nobody has it, the owner gets a new account */
  readonly email?: string | undefined;
}
export type StartImportError = AccountError | 'UNAUTHORIZED_PRINCIPAL' | 'REQUEST_VARIABLE_MISSING';
/**
 * Import the uploaded archive. For owners. The import runs in the background. Its last step replaces the organization and moves the
 * login of the owner: password and sessions stay valid. API keys and ids change.
 */
export const startImport = post<StartImportParameters, None, StartImportError>('/import');

export type CancelImportError = AccountError | 'UNAUTHORIZED_PRINCIPAL';
/** Cancel the import, or dismiss its report. For owners. The server deletes the archive, and what a running import has written. */
export const cancelImport = remove<None, None, CancelImportError>('/import');

export type SendImportMailsResponse = {
  /** People who get a mail */
  readonly queued: number;
  /** People without a valid address */
  readonly without_address: number;
};
export type SendImportMailsError = AccountError | 'UNAUTHORIZED_PRINCIPAL';
/**
 * Send mails to the imported people. For owners, once after an import. Each active person but the caller gets a link that sets a
 * password.
 */
export const sendImportMails = post<None, SendImportMailsResponse, SendImportMailsError>('/import/mails');

export interface UploadIconParameters {
  /** An image in GIF, JPEG, PNG, WebP or AVIF */
  readonly file: NamedBlob;
}
export type UploadIconResponse = { readonly icon_url: string };
export type UploadIconError = AccountError | 'BAD_IMAGE' | 'UNAUTHORIZED_PRINCIPAL' | 'REQUEST_TIMEOUT';
/** Upload the icon of the organization. */
export const uploadIcon = post<UploadIconParameters, UploadIconResponse, UploadIconError>('/realm/icon', 'file');

export type DeleteIconResponse = { readonly icon_url: string };
export type DeleteIconError = AccountError | 'UNAUTHORIZED_PRINCIPAL';
/** Delete the icon of the organization. */
export const deleteIcon = remove<None, DeleteIconResponse, DeleteIconError>('/realm/icon');

export interface UploadLogoParameters {
  /** Whether the logo is for dark themes */
  readonly night: boolean;
  /** An image in GIF, JPEG, PNG, WebP or AVIF */
  readonly file: NamedBlob;
}
export type UploadLogoError = AccountError | 'BAD_IMAGE' | 'UNAUTHORIZED_PRINCIPAL' | 'REQUEST_VARIABLE_MISSING' | 'REQUEST_TIMEOUT';
/** Upload a logo of the organization. */
export const uploadLogo = post<UploadLogoParameters, None, UploadLogoError>('/realm/logo', 'file');

export interface DeleteLogoParameters {
  /** Whether the logo is for dark themes */
  readonly night: boolean;
}
export type DeleteLogoError = AccountError | 'UNAUTHORIZED_PRINCIPAL' | 'REQUEST_VARIABLE_MISSING';
/** Delete a logo of the organization. */
export const deleteLogo = remove<DeleteLogoParameters, None, DeleteLogoError>('/realm/logo');

export interface UpdateOrganizationParameters extends OptionalValues<OrganizationPermissions, GroupSettingUpdate> {
  readonly name?: string | undefined;
  /** Markdown */
  readonly description?: string | undefined;
  readonly org_type?: 0 | 10 | 20 | 30 | 35 | 40 | 50 | 60 | 70 | 80 | 90 | 100 | 1000 | undefined;
  readonly allow_message_editing?: boolean | undefined;
  /** Only for owners: whether each authentication method is enabled */
  readonly authentication_methods?: { readonly [key: string]: boolean } | undefined;
  readonly avatar_changes_disabled?: boolean | undefined;
  /** The default language of code blocks. Empty means none */
  readonly default_code_block_language?: string | undefined;
  readonly default_language?: string | undefined;
  readonly digest_emails_enabled?: boolean | undefined;
  /** Monday is 0 */
  readonly digest_weekday?: 0 | 1 | 2 | 3 | 4 | 5 | 6 | undefined;
  readonly disallow_disposable_email_addresses?: boolean | undefined;
  readonly email_changes_disabled?: boolean | undefined;
  readonly emails_restricted_to_domains?: boolean | undefined;
  readonly enable_guest_user_dm_warning?: boolean | undefined;
  readonly enable_guest_user_indicator?: boolean | undefined;
  readonly enable_read_receipts?: boolean | undefined;
  readonly enable_spectator_access?: boolean | undefined;
  readonly giphy_rating?: number | undefined;
  readonly inline_image_preview?: boolean | undefined;
  readonly inline_url_embed_preview?: boolean | undefined;
  readonly invite_required?: boolean | undefined;
  /** A URL. `default` or null means the URL of the server */
  readonly jitsi_server_url?: string | null | undefined;
  readonly message_content_allowed_in_email_notifications?: boolean | undefined;
  /** Of Heddle alone: whether notifications by Web Push may contain the text of messages */
  readonly message_content_allowed_in_web_push?: boolean | undefined;
  /** Seconds. `unlimited` or null means no limit */
  readonly message_content_delete_limit_seconds?: number | string | null | undefined;
  /** Seconds. `unlimited` or null means no limit */
  readonly message_content_edit_limit_seconds?: number | string | null | undefined;
  readonly message_edit_history_visibility_policy?: 'all' | 'moves' | 'none' | undefined;
  /** A number of days or `unlimited` */
  readonly message_retention_days?: number | string | undefined;
  /** The ID of a channel, or -1 for none */
  readonly moderation_request_channel_id?: number | undefined;
  /** Seconds. `unlimited` or null means no limit */
  readonly move_messages_between_streams_limit_seconds?: number | string | null | undefined;
  /** Seconds. `unlimited` or null means no limit */
  readonly move_messages_within_stream_limit_seconds?: number | string | null | undefined;
  readonly name_changes_disabled?: boolean | undefined;
  /** The ID of a channel, or -1 for none */
  readonly new_stream_announcements_stream_id?: number | undefined;
  readonly presence_disabled?: boolean | undefined;
  readonly require_e2ee_push_notifications?: boolean | undefined;
  readonly require_unique_names?: boolean | undefined;
  readonly send_welcome_emails?: boolean | undefined;
  /** The ID of a channel, or -1 for none */
  readonly signup_announcements_stream_id?: number | undefined;
  /** For owners of demo organizations. Heddle has no demo organizations */
  readonly string_id?: string | undefined;
  readonly topics_policy?: 'allow_empty_topic' | 'disable_empty_topic' | undefined;
  readonly video_chat_provider?: number | undefined;
  /** For the provider `custom_url`: the URL of a call, where `{room}` stands for a random name. Empty for none */
  readonly video_chat_url?: string | undefined;
  /** Days until a new member is a full member */
  readonly waiting_period_threshold?: number | undefined;
  readonly want_advertise_in_communities_directory?: boolean | undefined;
  readonly welcome_message_custom_text?: string | undefined;
  /** The ID of a channel, or -1 for none */
  readonly zulip_update_announcements_stream_id?: number | undefined;
}
export type UpdateOrganizationError = AccountError | 'UNAUTHORIZED_PRINCIPAL' | 'EXPECTATION_MISMATCH' | 'SYSTEM_GROUP_REQUIRED' | 'REQUEST_VARIABLE_INVALID';
/**
 * Change the settings of the organization. For administrators. Some settings are only for owners. The request succeeds or fails as a
 * whole. The server refuses a change of a setting whose feature Heddle does not have.
 */
export const updateOrganization = patch<UpdateOrganizationParameters, None, UpdateOrganizationError>('/realm');

export interface PinMessageParameters {
  readonly message_id: number;
  readonly place: PlaceOfPin;
}
export type PinMessageError = AccountError | 'REQUEST_VARIABLE_MISSING';
/**
 * Pin a message in its topic or its channel. Of Heddle alone. A channel and a topic have at most 50 each, and the topics of a channel
 * at most 1000 together. A message has one place.
 */
export const pinMessage = post<PinMessageParameters, None, PinMessageError>('/messages/{message_id}/pin');

export type UnpinMessageParameters = { readonly message_id: number };
export type UnpinMessageError = AccountError;
/** Unpin a message. Of Heddle alone. It succeeds also if the message is not pinned. */
export const unpinMessage = remove<UnpinMessageParameters, None, UnpinMessageError>('/messages/{message_id}/pin');

export type GetPinnedMessagesParameters = { readonly stream_id: number };
export type GetPinnedMessagesResponse = { readonly pinned_messages: readonly PinnedMessage[] };
export type GetPinnedMessagesError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** List the pinned messages of a channel and its topics. Of Heddle alone. Only messages that the user can read, the last pinned first. */
export const getPinnedMessages = get<GetPinnedMessagesParameters, GetPinnedMessagesResponse, GetPinnedMessagesError>('/streams/{stream_id}/pinned_messages');

export interface AddPlaygroundParameters {
  readonly name: string;
  readonly pygments_language: string;
  /** An RFC 6570 template with the variable `code` */
  readonly url_template: string;
}
export type AddPlaygroundResponse = { readonly id: number };
export type AddPlaygroundError = AccountError | 'UNAUTHORIZED_PRINCIPAL' | 'REQUEST_VARIABLE_MISSING';
/** Add a code playground. */
export const addPlayground = post<AddPlaygroundParameters, AddPlaygroundResponse, AddPlaygroundError>('/realm/playgrounds');

export type RemovePlaygroundParameters = { readonly playground_id: number };
export type RemovePlaygroundError = AccountError | 'UNAUTHORIZED_PRINCIPAL';
/** Remove a code playground. */
export const removePlayground = remove<RemovePlaygroundParameters, None, RemovePlaygroundError>('/realm/playgrounds/{playground_id}');

export interface UpdatePresenceParameters {
  /** active or idle */
  readonly status: string;
  /** Requests only changes since the response with this `presence_last_update_id`. -1 requests all data */
  readonly last_update_id?: number | undefined;
  /** The maximum age of presence data in days. The default is 14. Ignored with `last_update_id` */
  readonly history_limit_days?: number | undefined;
  /** Whether the user was active since the last report. Default: `false` */
  readonly new_user_input?: boolean | undefined;
  /** Only reports. The response then contains no presence data. Default: `false` */
  readonly ping_only?: boolean | undefined;
  /** Selects the newer format by user ID. `last_update_id` selects it too. Default: `false` */
  readonly slim_presence?: boolean | undefined;
}
export interface UpdatePresenceResponse {
  readonly presences?: ModernPresences | LegacyPresences;
  /** The time of the presence data in seconds since the epoch */
  readonly server_timestamp?: number;
  readonly presence_last_update_id?: number;
}
export type UpdatePresenceError = AccountError | 'REQUEST_VARIABLE_MISSING';
/** Report the presence of the caller, and get the presence of other users. */
export const updatePresence = post<UpdatePresenceParameters, UpdatePresenceResponse, UpdatePresenceError>('/users/me/presence');

export type GetUserPresenceParameters = { readonly user_id_or_email: string };
export type GetUserPresenceResponse = { readonly presence: PresenceOfUser };
export type GetUserPresenceError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** Get the presence of a user. */
export const getUserPresence = get<GetUserPresenceParameters, GetUserPresenceResponse, GetUserPresenceError>('/users/{user_id_or_email}/presence');

export interface GetPresencesResponse {
  /** Keys are API addresses */
  readonly presences: LegacyPresences;
  /** The time of the presence data in seconds since the epoch */
  readonly server_timestamp: number;
}
export type GetPresencesError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** Get the presence of all users in the last two weeks. */
export const getPresences = get<None, GetPresencesResponse, GetPresencesError>('/realm/presence');

export type GetProfileFieldsResponse = { readonly custom_fields: readonly ProfileField[] };
export type GetProfileFieldsError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** List custom profile fields in their order. */
export const getProfileFields = get<None, GetProfileFieldsResponse, GetProfileFieldsError>('/realm/profile_fields');

export interface CreateProfileFieldParameters {
  /** At most 40 characters. Unique. Default: `""` */
  readonly name?: string | undefined;
  /** At most 80 characters. Default: `""` */
  readonly hint?: string | undefined;
  readonly field_type: number;
  /** JSON of at most 10000 characters. Default: `{}` */
  readonly field_data?: FieldData | undefined;
  /** At most two fields of an organization. Not for the types long text and users. Default: `false` */
  readonly display_in_profile_summary?: boolean | undefined;
  /** Default: `false` */
  readonly required?: boolean | undefined;
  /** Default: `true` */
  readonly editable_by_user?: boolean | undefined;
}
export type CreateProfileFieldResponse = { readonly id: number };
export type CreateProfileFieldError = AccountError | 'UNAUTHORIZED_PRINCIPAL' | 'REQUEST_VARIABLE_MISSING';
/**
 * Create a custom profile field. For administrators of the organization. For well-known external accounts, the server ignores the
 * given name and hint.
 */
export const createProfileField = post<CreateProfileFieldParameters, CreateProfileFieldResponse, CreateProfileFieldError>('/realm/profile_fields');

export interface ReorderProfileFieldsParameters {
  /** The IDs of all fields */
  readonly order: readonly number[];
}
export type ReorderProfileFieldsError = AccountError | 'UNAUTHORIZED_PRINCIPAL' | 'REQUEST_VARIABLE_MISSING';
/** Change the order of custom profile fields. For administrators of the organization. */
export const reorderProfileFields = patch<ReorderProfileFieldsParameters, None, ReorderProfileFieldsError>('/realm/profile_fields');

export interface UpdateProfileFieldParameters {
  readonly field_id: number;
  /** At most 40 characters. Unique */
  readonly name?: string | undefined;
  /** At most 80 characters */
  readonly hint?: string | undefined;
  /** JSON of at most 10000 characters */
  readonly field_data?: FieldData | undefined;
  /** At most two fields of an organization. Not for the types long text and users */
  readonly display_in_profile_summary?: boolean | undefined;
  readonly required?: boolean | undefined;
  readonly editable_by_user?: boolean | undefined;
}
export type UpdateProfileFieldError = AccountError | 'UNAUTHORIZED_PRINCIPAL';
/**
 * Change a custom profile field. For administrators of the organization. The type cannot change. Users who chose a removed option lose
 * their value.
 */
export const updateProfileField = patch<UpdateProfileFieldParameters, None, UpdateProfileFieldError>('/realm/profile_fields/{field_id}');

export type DeleteProfileFieldParameters = { readonly field_id: number };
export type DeleteProfileFieldError = AccountError | 'UNAUTHORIZED_PRINCIPAL';
/** Delete a custom profile field and all its values. For administrators of the organization. */
export const deleteProfileField = remove<DeleteProfileFieldParameters, None, DeleteProfileFieldError>('/realm/profile_fields/{field_id}');

export type UpdateProfileDataParameters = { readonly data: ProfileDataUpdates };
export type UpdateProfileDataError = AccountError | 'REQUEST_VARIABLE_MISSING';
/** Set values in the profile of the caller. Not for bots. The request succeeds or fails as a whole. */
export const updateProfileData = patch<UpdateProfileDataParameters, None, UpdateProfileDataError>('/users/me/profile_data');

export interface DeleteProfileDataParameters {
  /** IDs of fields */
  readonly data: readonly number[];
}
export type DeleteProfileDataError = AccountError | 'REQUEST_VARIABLE_MISSING';
/** Remove values from the profile of the caller. Not for bots. */
export const deleteProfileData = remove<DeleteProfileDataParameters, None, DeleteProfileDataError>('/users/me/profile_data');

export interface UpdateQuietHoursParameters {
  /**
   * Seconds since the epoch, at most a year ahead: pauses notifications until then. Null: notifies again at once, also during a window
   * of the schedule, until the next one
   */
  readonly paused_until?: number | null | undefined;
  /** When the user is not notified */
  readonly schedule?: QuietSchedule | undefined;
  readonly except_direct_messages?: boolean | undefined;
}
export type UpdateQuietHoursResponse = { readonly quiet_hours: QuietHours };
export type UpdateQuietHoursError = AccountError;
/**
 * Pause the own notifications, or change when they pause. Of Heddle alone. During quiet hours there are no notifications on phones,
 * and mails about missed messages wait for their end. Clients also show no notifications of their own.
 */
export const updateQuietHours = patch<UpdateQuietHoursParameters, UpdateQuietHoursResponse, UpdateQuietHoursError>('/users/me/quiet_hours');

export type GetQuietHoursOfUserParameters = { readonly user_id: number };
export interface GetQuietHoursOfUserResponse {
  readonly paused: boolean;
  /** Seconds since the epoch. Null if they are not paused, or by the schedule alone */
  readonly paused_until: number | null;
}
export type GetQuietHoursOfUserError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/**
 * Find out whether the notifications of a user are paused. Of Heddle alone. It says nothing of the schedule but whether one of its
 * windows is now. Bots are refused.
 */
export const getQuietHoursOfUser = get<GetQuietHoursOfUserParameters, GetQuietHoursOfUserResponse, GetQuietHoursOfUserError>('/users/{user_id}/quiet_hours');

export interface AddReactionParameters {
  readonly message_id: number;
  readonly emoji_name: string;
  /** The emoji within its namespace. The code of an existing reaction adds the caller to that reaction, regardless of its name */
  readonly emoji_code?: string | undefined;
  /** `unicode_emoji`, `realm_emoji` or `service_extra_emoji` (older name: `zulip_extra_emoji`) */
  readonly reaction_type?: string | undefined;
}
export type AddReactionError = AccountError | 'REACTION_ALREADY_EXISTS' | 'REQUEST_VARIABLE_MISSING';
/**
 * Add an emoji reaction.
 * @example
 * await addReaction(connection, { message_id: messageId, emoji_name: 'tada' });
 */
export const addReaction = post<AddReactionParameters, None, AddReactionError>('/messages/{message_id}/reactions');

export interface RemoveReactionParameters {
  readonly message_id: number;
  readonly emoji_name?: string | undefined;
  /** The emoji within its namespace. The code of an existing reaction adds the caller to that reaction, regardless of its name */
  readonly emoji_code?: string | undefined;
  /** `unicode_emoji`, `realm_emoji` or `service_extra_emoji` (older name: `zulip_extra_emoji`) */
  readonly reaction_type?: string | undefined;
}
export type RemoveReactionError = AccountError | 'REACTION_DOES_NOT_EXIST';
/**
 * Remove an emoji reaction of the caller.
 * @example
 * await addReaction(connection, { message_id: messageId, emoji_name: 'hourglass' });
 * await removeReaction(connection, { message_id: messageId, emoji_name: 'hourglass' });
 */
export const removeReaction = remove<RemoveReactionParameters, None, RemoveReactionError>('/messages/{message_id}/reactions');

export interface UpdateMessageFlagsForNarrowParameters {
  readonly anchor: Anchor;
  /** Default: `true` */
  readonly include_anchor?: boolean | undefined;
  /** The server reduces both together to 5,000 */
  readonly num_before: number;
  readonly num_after: number;
  readonly narrow: Narrow;
  readonly op: 'add' | 'remove';
  readonly flag: string;
  /** Extension of the interface: whether the response names the changed messages. Default: `false` */
  readonly include_updated_ids?: boolean | undefined;
}
export interface UpdateMessageFlagsForNarrowResponse {
  readonly processed_count: number;
  readonly updated_count: number;
  readonly first_processed_id: number | null;
  readonly last_processed_id: number | null;
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
  readonly ignored_because_not_subscribed_channels: readonly number[];
  /** Extension of the interface: the changed messages, with `include_updated_ids`. So clients can undo the change */
  readonly updated_ids?: readonly number[];
}
export type UpdateMessageFlagsForNarrowError = AccountError | 'BAD_NARROW' | 'REQUEST_VARIABLE_MISSING';
/** Add or remove a flag of the caller on messages of a narrow around an anchor. */
export const updateMessageFlagsForNarrow = post<UpdateMessageFlagsForNarrowParameters, UpdateMessageFlagsForNarrowResponse, UpdateMessageFlagsForNarrowError>(
  '/messages/flags/narrow',
);

export type GetReadReceiptsParameters = { readonly message_id: number };
export interface GetReadReceiptsResponse {
  /** Excludes the sender, users who hide read receipts, deactivated users, and users whom the caller muted or who muted the caller */
  readonly user_ids: readonly number[];
}
export type GetReadReceiptsError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** List who read a message. */
export const getReadReceipts = get<GetReadReceiptsParameters, GetReadReceiptsResponse, GetReadReceiptsError>('/messages/{message_id}/read_receipts');

export interface MarkAllAsReadResponse {
  /** If false, the client must repeat the request */
  readonly complete: boolean;
}
export type MarkAllAsReadError = AccountError;
/** @deprecated Mark all messages of the caller as read. */
export const markAllAsRead = post<None, MarkAllAsReadResponse, MarkAllAsReadError>('/mark_all_as_read');

export type MarkChannelAsReadParameters = { readonly stream_id: number };
export type MarkChannelAsReadError = AccountError | 'REQUEST_VARIABLE_MISSING';
/** @deprecated Mark all messages of a channel as read. */
export const markChannelAsRead = post<MarkChannelAsReadParameters, None, MarkChannelAsReadError>('/mark_stream_as_read');

export interface MarkTopicAsReadParameters {
  readonly stream_id: number;
  readonly topic_name: string;
}
export type MarkTopicAsReadError = AccountError | 'REQUEST_VARIABLE_MISSING';
/** @deprecated Mark all messages of a topic as read. */
export const markTopicAsRead = post<MarkTopicAsReadParameters, None, MarkTopicAsReadError>('/mark_topic_as_read');

export type GetRemindersResponse = { readonly reminders: readonly Reminder[] };
export type GetRemindersError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** List the reminders of the caller. */
export const getReminders = get<None, GetRemindersResponse, GetRemindersError>('/reminders');

export interface CreateReminderParameters {
  readonly message_id: number;
  /** Seconds since the epoch. In the future and within ten years */
  readonly scheduled_delivery_timestamp: number;
  /** At most 1,000 characters */
  readonly note?: string | undefined;
}
export type CreateReminderResponse = { readonly reminder_id: number };
export type CreateReminderError = AccountError | 'REQUEST_VARIABLE_MISSING';
/**
 * Create a reminder of a message. The notification bot sends a direct message that quotes the message. A user has at most 200
 * reminders with a total of 1 MB, including their HTML.
 */
export const createReminder = post<CreateReminderParameters, CreateReminderResponse, CreateReminderError>('/reminders');

export type DeleteReminderParameters = { readonly reminder_id: number };
export type DeleteReminderError = AccountError;
/** Delete a reminder. */
export const deleteReminder = remove<DeleteReminderParameters, None, DeleteReminderError>('/reminders/{reminder_id}');

export interface ReportMessageParameters {
  readonly message_id: number;
  readonly report_type: 'spam' | 'harassment' | 'inappropriate' | 'norms' | 'other';
  /** Required for the type `other`. Default: `""` */
  readonly description?: string | undefined;
}
export type ReportMessageError = AccountError | 'REQUEST_VARIABLE_MISSING';
/** Report a message to the moderators. */
export const reportMessage = post<ReportMessageParameters, None, ReportMessageError>('/messages/{message_id}/report');

export type GetSavedSnippetsResponse = { readonly saved_snippets: readonly SavedSnippet[] };
export type GetSavedSnippetsError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** List the saved snippets of the caller. */
export const getSavedSnippets = get<None, GetSavedSnippetsResponse, GetSavedSnippetsError>('/saved_snippets');

export interface CreateSavedSnippetParameters {
  /** At most 60 characters. The server trims it */
  readonly title: string;
  /** Markdown. The server trims it */
  readonly content: string;
}
export type CreateSavedSnippetResponse = { readonly saved_snippet_id: number };
export type CreateSavedSnippetError = AccountError | 'REQUEST_VARIABLE_MISSING';
/** Save a snippet. A user has at most 500 snippets with a total of 1 MB. */
export const createSavedSnippet = post<CreateSavedSnippetParameters, CreateSavedSnippetResponse, CreateSavedSnippetError>('/saved_snippets');

export interface EditSavedSnippetParameters {
  readonly saved_snippet_id: number;
  /** At most 60 characters. The server trims it */
  readonly title?: string | undefined;
  /** Markdown. The server trims it */
  readonly content?: string | undefined;
}
export type EditSavedSnippetError = AccountError;
/** Change the title or the content of a saved snippet. */
export const editSavedSnippet = patch<EditSavedSnippetParameters, None, EditSavedSnippetError>('/saved_snippets/{saved_snippet_id}');

export type DeleteSavedSnippetParameters = { readonly saved_snippet_id: number };
export type DeleteSavedSnippetError = AccountError;
/** Delete a saved snippet. */
export const deleteSavedSnippet = remove<DeleteSavedSnippetParameters, None, DeleteSavedSnippetError>('/saved_snippets/{saved_snippet_id}');

export type GetScheduledMessagesResponse = { readonly scheduled_messages: readonly ScheduledMessage[] };
export type GetScheduledMessagesError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** List the scheduled messages of the caller. Ordered by delivery time. Includes failed messages. */
export const getScheduledMessages = get<None, GetScheduledMessagesResponse, GetScheduledMessagesError>('/scheduled_messages');

export interface CreateScheduledMessageParameters {
  readonly type: 'direct' | 'channel' | 'stream' | 'private';
  /** The ID of a channel, or the IDs of users */
  readonly to: number | readonly number[];
  readonly content: string;
  /** Required for channel messages */
  readonly topic?: string | undefined;
  /** Seconds since the epoch. In the future and within ten years */
  readonly scheduled_delivery_timestamp: number;
  /** The default depends on the client program */
  readonly read_by_sender?: boolean | undefined;
}
export type CreateScheduledMessageResponse = { readonly scheduled_message_id: number };
export type CreateScheduledMessageError =
  | AccountError
  | 'REQUEST_VARIABLE_MISSING'
  | 'STREAM_DOES_NOT_EXIST'
  | 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'
  | 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED'
  | 'REQUEST_CONFUSING_VAR';
/**
 * Schedule a message. The server applies the checks of sending now and at delivery. A user has at most 200 scheduled messages with a
 * total of 1 MB, including their HTML.
 */
export const createScheduledMessage = post<CreateScheduledMessageParameters, CreateScheduledMessageResponse, CreateScheduledMessageError>('/scheduled_messages');

export interface UpdateScheduledMessageParameters {
  readonly scheduled_message_id: number;
  /** Requires `to`, and for a channel also `topic` */
  readonly type?: 'direct' | 'channel' | 'stream' | 'private' | undefined;
  /** The ID of a channel, or the IDs of users */
  readonly to?: number | readonly number[] | undefined;
  readonly content?: string | undefined;
  /** Ignored for direct messages */
  readonly topic?: string | undefined;
  /** Required if the message failed */
  readonly scheduled_delivery_timestamp?: number | undefined;
}
export type UpdateScheduledMessageError =
  | AccountError
  | 'STREAM_DOES_NOT_EXIST'
  | 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'
  | 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED'
  | 'REQUEST_CONFUSING_VAR';
/** Edit a scheduled message. */
export const updateScheduledMessage = patch<UpdateScheduledMessageParameters, None, UpdateScheduledMessageError>('/scheduled_messages/{scheduled_message_id}');

export type DeleteScheduledMessageParameters = { readonly scheduled_message_id: number };
export type DeleteScheduledMessageError = AccountError;
/** Delete a scheduled message. Also succeeds once within a day after delivery. It does not delete the delivered message. */
export const deleteScheduledMessage = remove<DeleteScheduledMessageParameters, None, DeleteScheduledMessageError>('/scheduled_messages/{scheduled_message_id}');

export interface GetServerSettingsResponse {
  /** @deprecated for older clients */
  readonly authentication_methods: {
    readonly password: boolean;
    readonly dev: boolean;
    readonly email: boolean;
    readonly ldap: boolean;
    readonly remoteuser: boolean;
    readonly github: boolean;
    readonly azuread: boolean;
    readonly gitlab: boolean;
    readonly google: boolean;
    readonly apple: boolean;
    readonly saml: boolean;
    readonly 'openid connect': boolean;
  };
  readonly external_authentication_methods: readonly {
    readonly name: string;
    readonly display_name: string;
    readonly display_icon: string | null;
    readonly login_url: string;
    readonly signup_url: string;
  }[];
  readonly zulip_feature_level: number;
  readonly zulip_version: string;
  readonly zulip_merge_base: string;
  readonly service_feature_level: number;
  readonly service_version: string;
  readonly service_merge_base: string;
  readonly push_notifications_enabled: boolean;
  readonly is_incompatible: boolean;
  readonly email_auth_enabled: boolean;
  readonly require_email_format_usernames: boolean;
  readonly realm_url?: string;
  /** @deprecated for older clients */
  readonly realm_uri?: string;
  readonly realm_name?: string;
  /** URL of the square logo */
  readonly realm_icon?: string;
  /** HTML. A default text if the organization has no description */
  readonly realm_description?: string;
  readonly realm_web_public_access_enabled?: boolean;
}
export type GetServerSettingsError = CommonError;
/**
 * Get the settings of the server. Clients need these settings before a login. A root domain without an organization has no fields
 * about an organization.
 */
export const getServerSettings = get<None, GetServerSettingsResponse, GetServerSettingsError>('/server_settings');

export type CheckCompatibilityError = CommonError;
/** Check whether the server supports the client, by its `User-Agent`. Returns an error if not. */
export const checkCompatibility = get<None, None, CheckCompatibilityError>('/compatibility');

export type GetSessionsResponse = {
  readonly sessions: readonly {
    /** Names the session. It is no credential */
    readonly session_id: string;
    /** Whether the session has sent this request */
    readonly is_current: boolean;
    /** The name of the browser. Null: unknown */
    readonly browser: string | null;
    /** The name of the operating system. Null: unknown */
    readonly system: string | null;
    /** Where the session was used last: an IPv4 address or an IPv6 network (`2001:db8:1:2::/64`). Null: unknown */
    readonly network: string | null;
    /** When the user logged in, in seconds since the epoch */
    readonly created_at: number;
    /** When the session was used last, up to an hour too early */
    readonly last_used_at: number;
  }[];
};
export type GetSessionsError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/**
 * Get the caller's sessions. The browsers that are logged in to the account, the last used one first. Programs with an API key have no
 * session.
 */
export const getSessions = get<None, GetSessionsResponse, GetSessionsError>('/users/me/sessions');

export interface EndSessionParameters {
  /** The session */
  readonly session_id: string;
}
export type EndSessionError = AccountError;
/** End one of the caller's sessions. When the response arrives, every process refuses the session. */
export const endSession = remove<EndSessionParameters, None, EndSessionError>('/users/me/sessions/{session_id}');

export type EndOtherSessionsError = AccountError;
/**
 * End the caller's other sessions. All sessions of the account, except the one that sends the request. A program with an API key ends
 * all.
 */
export const endOtherSessions = remove<None, None, EndOtherSessionsError>('/users/me/sessions');

export interface AddSubmessageParameters {
  readonly message_id: number;
  /** widget */
  readonly msg_type: string;
  /** JSON */
  readonly content: string;
}
export type AddSubmessageError = AccountError | 'REQUEST_VARIABLE_MISSING';
/**
 * Attach a submessage to a message: a vote, an option or a task. Only the sender can attach the first submessage, then every user with
 * access to the message. A message has at most 5,000 submessages with a total of 1 MB, and at most 500 per user.
 */
export const addSubmessage = post<AddSubmessageParameters, None, AddSubmessageError>('/submessage');

export interface GetSubscriptionsParameters {
  /** With `true` or `partial`, each channel has the IDs of its subscribers. Default: `false` */
  readonly include_subscribers?: boolean | 'partial' | undefined;
}
export type GetSubscriptionsResponse = { readonly subscriptions: readonly Subscription[] };
export type GetSubscriptionsError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/**
 * List the subscriptions of the caller.
 * @example
 * const { subscriptions } = await getSubscriptions(connection);
 */
export const getSubscriptions = get<GetSubscriptionsParameters, GetSubscriptionsResponse, GetSubscriptionsError>('/users/me/subscriptions');

export interface SubscribeParameters extends OptionalValues<ChannelPermissions, GroupSettingParameter> {
  readonly subscriptions: readonly { readonly name: string; readonly description?: string | undefined; readonly color?: string | undefined }[];
  /** IDs or API addresses of users. The default is the caller */
  readonly principals?: readonly number[] | readonly string[] | undefined;
  /** Whether one inaccessible channel fails the whole request. Default: `true` */
  readonly authorization_errors_fatal?: boolean | undefined;
  /** Whether to announce the new channel in the announcement channel of the organization, if it has one. Default: `false` */
  readonly announce?: boolean | undefined;
  /** Default: `false` */
  readonly invite_only?: boolean | undefined;
  /** Default: `false` */
  readonly is_web_public?: boolean | undefined;
  /** Default: `false` */
  readonly is_default_stream?: boolean | undefined;
  readonly history_public_to_subscribers?: boolean | undefined;
  /** A number of days, `realm_default` or `unlimited` */
  readonly message_retention_days?: number | string | undefined;
  readonly topics_policy?: TopicsPolicy | undefined;
  readonly folder_id?: number | undefined;
  /** Whether the notification bot sends direct messages to the new subscribers. Default: `true` */
  readonly send_new_subscription_messages?: boolean | undefined;
}
export interface SubscribeResponse {
  readonly subscribed: { readonly [key: string]: readonly string[] };
  readonly already_subscribed: { readonly [key: string]: readonly string[] };
  readonly unauthorized?: readonly string[];
  readonly new_subscription_messages_sent?: boolean;
}
export type SubscribeError = AccountError | 'REQUEST_VARIABLE_INVALID' | 'UNAUTHORIZED_PRINCIPAL' | 'REQUEST_VARIABLE_MISSING';
/**
 * Subscribe users to channels, and create missing channels. A small request succeeds or fails as a whole. The server splits larger
 * requests (about 20 new channels, 50 channels, or 500 pairs of a user and a channel) into several commits. It checks everything
 * before the first commit. If a later commit fails because of a concurrent change, the response is that error, and the earlier commits
 * remain. A request has at most 100,000 pairs.
 * @example
 * await subscribe(connection, { subscriptions: [{ name: 'general' }] });
 */
export const subscribe = post<SubscribeParameters, SubscribeResponse, SubscribeError>('/users/me/subscriptions');

export interface UnsubscribeParameters {
  /** Names of channels */
  readonly subscriptions: readonly string[];
  /** IDs or API addresses of users. The default is the caller */
  readonly principals?: readonly number[] | readonly string[] | undefined;
}
export interface UnsubscribeResponse {
  readonly removed: readonly string[];
  readonly not_removed: readonly string[];
}
export type UnsubscribeError = AccountError | 'REQUEST_VARIABLE_MISSING';
/**
 * Unsubscribe users from channels. A small request succeeds or fails as a whole. The server splits larger requests (about 20 new
 * channels, 50 channels, or 500 pairs of a user and a channel) into several commits. It checks everything before the first commit. If
 * a later commit fails because of a concurrent change, the response is that error, and the earlier commits remain. A request has at
 * most 100,000 pairs.
 * @example
 * await unsubscribe(connection, { subscriptions: ['general'] });
 */
export const unsubscribe = remove<UnsubscribeParameters, UnsubscribeResponse, UnsubscribeError>('/users/me/subscriptions');

export interface UpdateSubscriptionsParameters {
  /** Default: `[]` */
  readonly delete?: readonly string[] | undefined;
  /** Default: `[]` */
  readonly add?: readonly { readonly name: string; readonly description?: string | undefined; readonly color?: string | undefined }[] | undefined;
}
export interface UpdateSubscriptionsResponse {
  readonly subscribed: { readonly [key: string]: readonly string[] };
  readonly already_subscribed: { readonly [key: string]: readonly string[] };
  readonly unauthorized?: readonly string[];
  readonly new_subscription_messages_sent?: boolean;
  readonly removed: readonly string[];
  readonly not_removed: readonly string[];
}
export type UpdateSubscriptionsError = AccountError;
/**
 * Unsubscribe the caller from some channels and subscribe to others. A small request succeeds or fails as a whole. The server splits
 * larger requests (about 20 new channels, 50 channels, or 500 pairs of a user and a channel) into several commits. It checks
 * everything before the first commit. If a later commit fails because of a concurrent change, the response is that error, and the
 * earlier commits remain. A request has at most 100,000 pairs.
 */
export const updateSubscriptions = patch<UpdateSubscriptionsParameters, UpdateSubscriptionsResponse, UpdateSubscriptionsError>('/users/me/subscriptions');

export type UpdateSubscriptionSettingsParameters = {
  readonly subscription_data: readonly { readonly stream_id: number; readonly property: string; readonly value: boolean | string }[];
};
export type UpdateSubscriptionSettingsError = AccountError | 'REQUEST_VARIABLE_MISSING';
/** Change the subscription settings of the caller. */
export const updateSubscriptionSettings = post<UpdateSubscriptionSettingsParameters, None, UpdateSubscriptionSettingsError>('/users/me/subscriptions/properties');

export interface GetSubscriptionStatusParameters {
  readonly user_id: number;
  readonly stream_id: number;
}
export type GetSubscriptionStatusResponse = { readonly is_subscribed: boolean };
export type GetSubscriptionStatusError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** Check whether a user is subscribed to a channel. */
export const getSubscriptionStatus = get<GetSubscriptionStatusParameters, GetSubscriptionStatusResponse, GetSubscriptionStatusError>(
  '/users/{user_id}/subscriptions/{stream_id}',
);

export type GetUserChannelsParameters = { readonly user_id: number };
export type GetUserChannelsResponse = { readonly subscribed_channel_ids: readonly number[] };
export type GetUserChannelsError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** List the IDs of the channels to which a user is subscribed. Contains only channels that the caller can access. */
export const getUserChannels = get<GetUserChannelsParameters, GetUserChannelsResponse, GetUserChannelsError>('/users/{user_id}/channels');

export interface GetTopicsParameters {
  readonly stream_id: number;
  /** If false, the response contains the display name of the empty topic. Default: `false` */
  readonly allow_empty_topic_name?: boolean | undefined;
}
export type GetTopicsResponse = { readonly topics: readonly { readonly name: string; readonly max_id: number }[] };
export type GetTopicsError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/**
 * List the accessible topics of a channel, newest first. Without credentials, only for web-public channels, in organizations with
 * spectators.
 * @example
 * const { topics } = await getTopics(connection, { stream_id: channelId });
 */
export const getTopics = get<GetTopicsParameters, GetTopicsResponse, GetTopicsError>('/users/me/{stream_id}/topics');

export interface SetTypingParameters {
  /** Default: `"direct"` */
  readonly type?: 'direct' | 'channel' | 'stream' | 'private' | undefined;
  readonly op: 'start' | 'stop';
  /** User IDs for direct messages */
  readonly to?: readonly number[] | number | undefined;
  /** For channel messages */
  readonly stream_id?: number | undefined;
  /** For channel messages */
  readonly topic?: string | undefined;
}
export type SetTypingError = AccountError | 'REQUEST_VARIABLE_MISSING';
/**
 * Report that the caller started or stopped typing.
 * @example
 * await setTyping(connection, { op: 'start', type: 'channel', stream_id: channelId, topic: 'lunch' });
 */
export const setTyping = post<SetTypingParameters, None, SetTypingError>('/typing');

export interface SetTypingInEditParameters {
  readonly message_id: number;
  readonly op: 'start' | 'stop';
}
export type SetTypingInEditError = AccountError | 'REQUEST_VARIABLE_MISSING';
/** Report that the caller started or stopped editing a message. */
export const setTypingInEdit = post<SetTypingInEditParameters, None, SetTypingInEditError>('/messages/{message_id}/typing');

export interface UnsubscribeAtOnceParameters {
  /** The kind of mails to stop */
  readonly email_type: 'missed_messages' | 'digest' | 'login';
  readonly key: string;
}
export type UnsubscribeAtOnceError = CommonError;
/** Stop a kind of mails at once. For the one-click button of mail programs (RFC 8058). It needs no login: the key is the permission. */
export const unsubscribeAtOnce = post<UnsubscribeAtOnceParameters, None, UnsubscribeAtOnceError>('/accounts/unsubscribe/{email_type}/{key}');

export interface UploadWholeFileParameters {
  /** The file */
  readonly file: NamedBlob;
}
export interface UploadWholeFileResponse {
  /** A path of this organization */
  readonly url: string;
  /** The same for older clients */
  readonly uri: string;
  /** The text of a link, without square brackets */
  readonly filename: string;
}
export type UploadWholeFileError = AccountError | 'REALM_UPLOAD_QUOTA' | 'REQUEST_TIMEOUT';
/**
 * Upload a file. Only the owner can access the file until a message links to it. Then all users who can read such a message can access
 * it. For files over 25 MB, `/api/v1/tus` is better.
 */
export const uploadWholeFile = post<UploadWholeFileParameters, UploadWholeFileResponse, UploadWholeFileError>('/user_uploads', 'file');

export interface GetFileTemporaryUrlParameters {
  /** The ID of the organization */
  readonly realm_id_str: number;
  /** The rest of the path of the file */
  readonly filename: string;
}
export interface GetFileTemporaryUrlResponse {
  /** A path of this organization */
  readonly url: string;
}
export type GetFileTemporaryUrlError = CommonError | 'NOT_FOUND' | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** Get a temporary URL of a file, which requires no credentials. The URL is valid for one minute. */
export const getFileTemporaryUrl = get<GetFileTemporaryUrlParameters, GetFileTemporaryUrlResponse, GetFileTemporaryUrlError>('/user_uploads/{realm_id_str}/{+filename}');

export type GetThumbnailStatusParameters = GetFileTemporaryUrlParameters;
export interface GetThumbnailStatusResponse {
  /** False while the server generates them, and for files that are not images */
  readonly has_thumbnail: boolean;
}
export type GetThumbnailStatusError = CommonError | 'NOT_FOUND' | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** Check whether an uploaded image has thumbnails. */
export const getThumbnailStatus = get<GetThumbnailStatusParameters, GetThumbnailStatusResponse, GetThumbnailStatusError>('/thumbnail/status/{realm_id_str}/{+filename}');

export interface GetAttachmentsResponse {
  /** The newest 5,000 files, newest first */
  readonly attachments: readonly Attachment[];
  /** Total size of the files of the organization in bytes */
  readonly upload_space_used: number;
}
export type GetAttachmentsError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** List the uploaded files of the caller. */
export const getAttachments = get<None, GetAttachmentsResponse, GetAttachmentsError>('/attachments');

export type RemoveAttachmentParameters = { readonly attachment_id: number };
export type RemoveAttachmentError = AccountError;
/** Delete an uploaded file of the caller. Links to the file in messages remain, but no longer work. */
export const removeAttachment = remove<RemoveAttachmentParameters, None, RemoveAttachmentError>('/attachments/{attachment_id}');

export interface GetUserGroupsParameters {
  /** Default: `false` */
  readonly include_deactivated_groups?: boolean | undefined;
}
export type GetUserGroupsResponse = { readonly user_groups: readonly UserGroup[] };
export type GetUserGroupsError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** List the user groups of the organization. */
export const getUserGroups = get<GetUserGroupsParameters, GetUserGroupsResponse, GetUserGroupsError>('/user_groups');

export interface CreateUserGroupParameters extends OptionalValues<UserGroupPermissions, GroupSettingParameter> {
  /** At most 100 characters; the server trims it. Unique regardless of case */
  readonly name: string;
  /** At most 1,024 characters */
  readonly description: string;
  /** User IDs */
  readonly members: readonly number[];
  /** IDs of groups */
  readonly subgroups?: readonly number[] | undefined;
}
export type CreateUserGroupResponse = { readonly group_id: number };
export type CreateUserGroupError = AccountError | 'SYSTEM_GROUP_REQUIRED' | 'REQUEST_VARIABLE_MISSING';
/** Create a user group. */
export const createUserGroup = post<CreateUserGroupParameters, CreateUserGroupResponse, CreateUserGroupError>('/user_groups/create');

export interface UpdateUserGroupParameters extends OptionalValues<UserGroupPermissions, GroupSettingUpdate> {
  readonly user_group_id: number;
  /** At most 100 characters; the server trims it. Unique regardless of case */
  readonly name?: string | undefined;
  /** At most 1,024 characters */
  readonly description?: string | undefined;
  /** False reactivates the group. True has no effect, because a separate endpoint deactivates groups */
  readonly deactivated?: boolean | undefined;
}
export type UpdateUserGroupError = AccountError | 'EXPECTATION_MISMATCH' | 'SYSTEM_GROUP_REQUIRED';
/** Change the name, description or permissions of a user group, or reactivate it. */
export const updateUserGroup = patch<UpdateUserGroupParameters, None, UpdateUserGroupError>('/user_groups/{user_group_id}');

export type DeactivateUserGroupParameters = { readonly user_group_id: number };
export type DeactivateUserGroupError = AccountError | 'CANNOT_DEACTIVATE_GROUP_IN_USE';
/** Deactivate an unused user group. */
export const deactivateUserGroup = post<DeactivateUserGroupParameters, None, DeactivateUserGroupError>('/user_groups/{user_group_id}/deactivate');

export interface UpdateUserGroupMembersParameters {
  readonly user_group_id: number;
  /** User IDs */
  readonly add?: readonly number[] | undefined;
  /** User IDs */
  readonly delete?: readonly number[] | undefined;
  /** IDs of groups */
  readonly add_subgroups?: readonly number[] | undefined;
  /** IDs of groups */
  readonly delete_subgroups?: readonly number[] | undefined;
}
export type UpdateUserGroupMembersError = AccountError;
/** Add and remove members and subgroups of a user group. */
export const updateUserGroupMembers = post<UpdateUserGroupMembersParameters, None, UpdateUserGroupMembersError>('/user_groups/{user_group_id}/members');

export interface GetUserGroupMembersParameters {
  readonly user_group_id: number;
  /** Whether to exclude members of subgroups. Default: `false` */
  readonly direct_member_only?: boolean | undefined;
}
export type GetUserGroupMembersResponse = { readonly members: readonly number[] };
export type GetUserGroupMembersError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** List the IDs of the members of a user group. */
export const getUserGroupMembers = get<GetUserGroupMembersParameters, GetUserGroupMembersResponse, GetUserGroupMembersError>('/user_groups/{user_group_id}/members');

export interface GetIsUserGroupMemberParameters {
  readonly user_group_id: number;
  readonly user_id: number;
  /** Whether to exclude members of subgroups. Default: `false` */
  readonly direct_member_only?: boolean | undefined;
}
export type GetIsUserGroupMemberResponse = { readonly is_user_group_member: boolean };
export type GetIsUserGroupMemberError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** Check whether a user is in a user group. */
export const getIsUserGroupMember = get<GetIsUserGroupMemberParameters, GetIsUserGroupMemberResponse, GetIsUserGroupMemberError>(
  '/user_groups/{user_group_id}/members/{user_id}',
);

export interface UpdateUserGroupSubgroupsParameters {
  readonly user_group_id: number;
  readonly add?: readonly number[] | undefined;
  readonly delete?: readonly number[] | undefined;
}
export type UpdateUserGroupSubgroupsError = AccountError;
/** Add and remove subgroups of a user group. */
export const updateUserGroupSubgroups = post<UpdateUserGroupSubgroupsParameters, None, UpdateUserGroupSubgroupsError>('/user_groups/{user_group_id}/subgroups');

export interface GetUserGroupSubgroupsParameters {
  readonly user_group_id: number;
  /** Whether to exclude subgroups of subgroups. Default: `false` */
  readonly direct_subgroup_only?: boolean | undefined;
}
export type GetUserGroupSubgroupsResponse = { readonly subgroups: readonly number[] };
export type GetUserGroupSubgroupsError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** List the IDs of the subgroups of a user group. */
export const getUserGroupSubgroups = get<GetUserGroupSubgroupsParameters, GetUserGroupSubgroupsResponse, GetUserGroupSubgroupsError>(
  '/user_groups/{user_group_id}/subgroups',
);

export interface UpdateSettingsParameters extends Optional<Omit<DisplaySettings, 'web_home_view'>>, Optional<NotificationSettings>, Optional<OtherSettings> {
  /** Ignored if the organization does not allow members to change names */
  readonly full_name?: string | undefined;
  /** The address changes after the user confirms the link in a mail to it */
  readonly email?: string | undefined;
  /** Required for a new password */
  readonly old_password?: string | undefined;
  /** Ends all other sessions. The API key does not change */
  readonly new_password?: string | undefined;
  /** `recent` is another name of `recent_topics` */
  readonly web_home_view?: 'recent_topics' | 'recent' | 'inbox' | 'all_messages' | undefined;
}
export type UpdateSettingsError = AccountError;
/**
 * Change the settings of the caller. Not for bots. The request succeeds or fails as a whole. For settings of features that Heddle does
 * not have, the server stores harmless values. It refuses a change on which clients would rely.
 */
export const updateSettings = patch<UpdateSettingsParameters, None, UpdateSettingsError>('/settings');

export type UpdateDisplaySettingsParameters = UpdateSettingsParameters;
export type UpdateDisplaySettingsError = AccountError;
/** @deprecated Change the settings of the caller (older path). The same as `PATCH /settings` for older clients. */
export const updateDisplaySettings = patch<UpdateDisplaySettingsParameters, None, UpdateDisplaySettingsError>('/settings/display');

export type UpdateNotificationSettingsParameters = UpdateSettingsParameters;
export type UpdateNotificationSettingsError = AccountError;
/** @deprecated Change the settings of the caller (another older path). The same as `PATCH /settings` for older clients. */
export const updateNotificationSettings = patch<UpdateNotificationSettingsParameters, None, UpdateNotificationSettingsError>('/settings/notifications');

export interface UpdateSettingsDefaultsParameters
  extends Optional<Omit<DisplaySettings, 'default_language' | 'timezone' | 'web_home_view'>>,
    Optional<Omit<NotificationSettings, 'enable_login_emails' | 'enable_marketing_emails'>>,
    Optional<Omit<OtherSettings, 'allow_private_data_export'>> {
  /** `recent` is another name of `recent_topics` */
  readonly web_home_view?: 'recent_topics' | 'recent' | 'inbox' | 'all_messages' | undefined;
}
export type UpdateSettingsDefaultsError = AccountError | 'UNAUTHORIZED_PRINCIPAL';
/**
 * Change the default settings of new accounts. Only for administrators. Existing accounts do not change. The request succeeds or fails
 * as a whole.
 */
export const updateSettingsDefaults = patch<UpdateSettingsDefaultsParameters, None, UpdateSettingsDefaultsError>('/realm/user_settings_defaults');

export interface UpdateOwnStatusParameters {
  /** At most 60 characters. Empty means none */
  readonly status_text?: string | undefined;
  /** Empty means none */
  readonly emoji_name?: string | undefined;
  readonly emoji_code?: string | undefined;
  readonly reaction_type?: string | undefined;
  /** @deprecated for older clients. Hides presence. The same as the setting `presence_enabled` */
  readonly away?: boolean | undefined;
}
export type UpdateOwnStatusError = AccountError;
/** Set the status of the caller. */
export const updateOwnStatus = post<UpdateOwnStatusParameters, None, UpdateOwnStatusError>('/users/me/status');

export interface UpdateStatusOfUserParameters {
  readonly user_id: number;
  /** At most 60 characters. Empty means none */
  readonly status_text?: string | undefined;
  /** Empty means none */
  readonly emoji_name?: string | undefined;
  readonly emoji_code?: string | undefined;
  readonly reaction_type?: string | undefined;
}
export type UpdateStatusOfUserError = AccountError;
/** Set the status of another user. Only for administrators. */
export const updateStatusOfUser = post<UpdateStatusOfUserParameters, None, UpdateStatusOfUserError>('/users/{user_id}/status');

export type GetUserStatusParameters = { readonly user_id: number };
export type GetUserStatusResponse = { readonly status: UserStatus };
export type GetUserStatusError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** Get the status of a user. */
export const getUserStatus = get<GetUserStatusParameters, GetUserStatusResponse, GetUserStatusError>('/users/{user_id}/status');

export interface UpdateUserTopicParameters {
  readonly stream_id: number;
  /** A topic of at most `max_topic_length` characters, with or without messages */
  readonly topic: string;
  /** 0 none, 1 muted, 2 unmuted, 3 followed */
  readonly visibility_policy: 0 | 1 | 2 | 3;
}
export type UpdateUserTopicError = AccountError | 'REQUEST_VARIABLE_MISSING';
/** Set the visibility policy of a topic. */
export const updateUserTopic = post<UpdateUserTopicParameters, None, UpdateUserTopicError>('/user_topics');

export interface UpdateMutedTopicParameters {
  readonly stream_id?: number | undefined;
  /** The name of the channel, instead of `stream_id` */
  readonly stream?: string | undefined;
  /** A topic of at most `max_topic_length` characters, with or without messages */
  readonly topic: string;
  readonly op: 'add' | 'remove';
}
export type UpdateMutedTopicError = AccountError | 'REQUEST_VARIABLE_MISSING';
/** @deprecated Mute or unmute a topic. */
export const updateMutedTopic = patch<UpdateMutedTopicParameters, None, UpdateMutedTopicError>('/users/me/subscriptions/muted_topics');

export interface GetUsersParameters {
  /** Whether the client computes Gravatar URLs. `avatar_url` is then null for Gravatar users. Default: `true` */
  readonly client_gravatar?: boolean | undefined;
  /** Whether users have `profile_data`. Default: `false` */
  readonly include_custom_profile_fields?: boolean | undefined;
  /** Returns only these users */
  readonly user_ids?: readonly number[] | undefined;
}
export type GetUsersResponse = { readonly members: readonly User[] };
export type GetUsersError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/**
 * List all users of the organization, including deactivated ones.
 * @example
 * const { members } = await getUsers(connection);
 */
export const getUsers = get<GetUsersParameters, GetUsersResponse, GetUsersError>('/users');

export interface GetOwnUserResponse extends User {
  /** @deprecated for older clients. The ID of the last message that the caller received, or -1 */
  readonly max_message_id: number;
}
export type GetOwnUserError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/**
 * Get the caller.
 * @example
 * const { user_id, full_name } = await getOwnUser(connection);
 */
export const getOwnUser = get<None, GetOwnUserResponse, GetOwnUserError>('/users/me');

export interface GetUserParameters {
  readonly user_id: number;
  /** Whether the client computes Gravatar URLs. `avatar_url` is then null for Gravatar users. Default: `true` */
  readonly client_gravatar?: boolean | undefined;
  /** Whether users have `profile_data`. Default: `false` */
  readonly include_custom_profile_fields?: boolean | undefined;
}
export type GetUserResponse = { readonly user: User };
export type GetUserError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/**
 * Get a user by ID.
 * @example
 * const { user } = await getUser(connection, { user_id: userId });
 */
export const getUser = get<GetUserParameters, GetUserResponse, GetUserError>('/users/{user_id}');

export interface GetUserByEmailParameters {
  readonly email: string;
  /** Whether the client computes Gravatar URLs. `avatar_url` is then null for Gravatar users. Default: `true` */
  readonly client_gravatar?: boolean | undefined;
  /** Whether users have `profile_data`. Default: `false` */
  readonly include_custom_profile_fields?: boolean | undefined;
}
export type GetUserByEmailResponse = { readonly user: User };
export type GetUserByEmailError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** Get a user by address. Accepts the real address (if the caller can access it), the API address, and `user<id>@<host>`. */
export const getUserByEmail = get<GetUserByEmailParameters, GetUserByEmailResponse, GetUserByEmailError>('/users/{email}');

export interface CreateBigBlueButtonCallParameters {
  readonly meeting_name: string;
  /** Whether the meeting disables cameras. Default: `false` */
  readonly voice_only?: boolean | undefined;
}
export interface CreateBigBlueButtonCallResponse {
  /** A path of this organization */
  readonly url: string;
}
export type CreateBigBlueButtonCallError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED' | 'REQUEST_VARIABLE_MISSING';
/**
 * Get a link to a new meeting on the BigBlueButton server. The meeting begins when a user opens the link. The caller is the moderator
 * of the meeting. Fails if the operator did not configure BigBlueButton.
 */
export const createBigBlueButtonCall = get<CreateBigBlueButtonCallParameters, CreateBigBlueButtonCallResponse, CreateBigBlueButtonCallError>(
  '/calls/bigbluebutton/create',
);

export interface SubscribeToWebPushParameters {
  /** An `https:` address of the push service. Private networks are refused */
  readonly endpoint: string;
  /** A point of P-256 in Base64 for URLs */
  readonly p256dh: string;
  /** 16 bytes in Base64 for URLs */
  readonly auth: string;
  /** Whether notifications contain the text of messages. The push service cannot read it in either case. Default: `true` */
  readonly shows_text?: boolean | undefined;
}
export type SubscribeToWebPushResponse = { readonly device_id: number };
export type SubscribeToWebPushError = AccountError | 'REQUEST_VARIABLE_MISSING';
/**
 * Notify this browser. Of Heddle alone, for browsers with a session. The values are those of `PushSubscription.toJSON()`, with
 * `web_push_public_key` of the initial state as `applicationServerKey`. The session has one subscription, which ends with it. A
 * further request replaces it. A user has at most ten; another one replaces the one that is unused for longest.
 */
export const subscribeToWebPush = post<SubscribeToWebPushParameters, SubscribeToWebPushResponse, SubscribeToWebPushError>('/web_push/subscription');

export type UnsubscribeFromWebPushError = AccountError;
/** Notify this browser no longer. Of Heddle alone. It succeeds also if the session has no subscription. */
export const unsubscribeFromWebPush = remove<None, None, UnsubscribeFromWebPushError>('/web_push/subscription');

export interface GetWebPushDevicesResponse {
  readonly devices: readonly {
    readonly device_id: number;
    /** Whether the browser has sent this request */
    readonly is_current: boolean;
    /** The name of the browser. Null: unknown */
    readonly browser: string | null;
    /** The name of the operating system. Null: unknown */
    readonly system: string | null;
    /** Whether its notifications contain the text of messages */
    readonly shows_text: boolean;
    /** Seconds since the epoch, as all times here */
    readonly registered_at: number;
    /** When the browser was used last, up to an hour too early */
    readonly last_used_at: number;
    /** When its push service accepted the last notification. Null: never */
    readonly last_notified_at: number | null;
  }[];
  /**
   * Whether the caller has removed the browser of this session, which has not subscribed since. If it is neither in the list nor
   * removed, its subscription has ended, and it can subscribe anew.
   */
  readonly is_removed: boolean;
}
export type GetWebPushDevicesError = CommonError | 'UNAUTHORIZED' | 'USER_DEACTIVATED';
/** Get the caller's browsers that are notified. Of Heddle alone. The last used one comes first. */
export const getWebPushDevices = get<None, GetWebPushDevicesResponse, GetWebPushDevicesError>('/web_push/devices');

export type RemoveWebPushDeviceParameters = { readonly device_id: number };
export type RemoveWebPushDeviceError = AccountError;
/** Notify one of the caller's browsers no longer. Of Heddle alone. The session of the browser continues. */
export const removeWebPushDevice = remove<RemoveWebPushDeviceParameters, None, RemoveWebPushDeviceError>('/web_push/devices/{device_id}');

// URLs of files and pictures.

/** Get the avatar of a user with this URL. Without credentials it accepts only IDs, and only in organizations with spectators. */
export const avatarUrl = address<{
  /** The ID or address of a user */
  readonly user: string;
}>('/avatar/{user}');

/** Get the medium avatar of a user with this URL. Without credentials it accepts only IDs, and only in organizations with spectators. */
export const mediumAvatarUrl = address<{
  /** The ID or address of a user */
  readonly user: string;
}>('/avatar/{user}/medium');

/** Get an uploaded avatar with this URL. */
export const avatarPictureUrl = address<{ readonly organization_id: number; readonly file: string }>('/user_avatars/{organization_id}/{file}');

/** Get the image of a custom emoji with this URL. */
export const emojiPictureUrl = address<{ readonly organization_id: number; readonly file: string }>('/user_avatars/{organization_id}/emoji/images/{file}');

/** Get the still image of an animated custom emoji with this URL. */
export const stillEmojiPictureUrl = address<{ readonly organization_id: number; readonly file: string }>('/user_avatars/{organization_id}/emoji/images/still/{file}');

/**
 * Download the archive of a data export with this URL. For administrators. `docs/export-format.md` describes the archive. The file
 * name has no meaning.
 */
export const downloadExportUrl = address<{ readonly export_id: number; readonly filename: string }>('/user_exports/{export_id}/{filename}');

/**
 * Get an image of another server in a message with this URL. Messages contain these URLs with a signature. Browsers of readers then do
 * not contact the other server, and others cannot use this server as a proxy. The response is a PNG, JPEG, GIF, WebP or AVIF image of
 * at most 5 MiB.
 */
export const externalImageUrl = address<{
  /** The signature */
  readonly digest: string;
  /** The URL in hexadecimal */
  readonly received_url: string;
}>('/external_content/{digest}/{+received_url}');

/** Get an uploaded icon or logo with this URL. */
export const organizationPictureUrl = address<{ readonly organization_id: number; readonly file: string }>('/user_avatars/{organization_id}/realm/{file}');

/** Get an uploaded file with this URL. */
export const fileUrl = address<{
  /** The ID of the organization */
  readonly realm_id_str: number;
  /** The rest of the path of the file */
  readonly filename: string;
}>('/user_uploads/{realm_id_str}/{+filename}');

/** Download an uploaded file with this URL. */
export const downloadFileUrl = address<{
  /** The ID of the organization */
  readonly realm_id_str: number;
  /** The rest of the path of the file */
  readonly filename: string;
}>('/user_uploads/download/{realm_id_str}/{+filename}');

/** Get an uploaded file by its temporary URL with this URL. */
export const temporaryFileUrl = address<{ readonly token: string; readonly filename: string }>('/user_uploads/temporary/{token}/{filename}');

/**
 * Get a thumbnail of an uploaded image with this URL. The path of the file, followed by the name of a format: one of
 * `server_thumbnail_formats`, or a name from a message.
 */
export const thumbnailUrl = address<{
  /** The ID of the organization */
  readonly realm_id_str: number;
  /** The rest of the path of the file */
  readonly filename: string;
}>('/user_uploads/thumbnail/{realm_id_str}/{+filename}');
