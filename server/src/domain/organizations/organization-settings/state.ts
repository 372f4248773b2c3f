import { DEFAULT_EXTERNAL_ACCOUNTS } from '@heddle/api/objects/profile-field.ts';
import {
  EMPTY_TOPIC_DISPLAY_NAME,
  MAX_MESSAGE_LENGTH,
  MAX_REMINDER_NOTE_LENGTH,
  MAX_TOPIC_LENGTH,
} from '../../../access/limits.ts';
import { CHANNEL_SETTINGS, organizationSetting, wireNameOf } from '../../../access/organization-settings.ts';
import { showsSpectators } from '../../../access/spectators.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import { type StatePart, stateOfAll, statePart } from '../../../extension/initial-state.ts';
import { rememberedBy, rememberedFields, rememberedState } from '../../../extension/remembered-state.ts';
import type { ClientCapabilities } from '../../../log/queue.ts';
import { MAX_PICTURE_UPLOAD_MIB } from '../../../pictures/uploads.ts';
import { THIS_SERVER, VERSION_FIELDS } from '../../../version.ts';
import { loginMethods } from '../../credentials/login-methods.ts';
import { PASSWORD_LENGTH } from '../../credentials/passwords.ts';
import { OFFLINE_THRESHOLD_SECONDS, PING_INTERVAL_SECONDS } from '../../presence/timing.ts';
import { emojiDocumentPath } from '../../texts/emoji/queries.ts';
import { THUMBNAIL_FORMATS } from '../../uploads/picture.ts';
import { presentPicture } from '../organization-pictures/present.ts';
import { GIF_RATINGS, videoChatProviders } from '../organizations/choices.ts';
import { extensionsAmong, knownTo, withoutExtensions } from '../organizations/extension-settings.ts';
import { ORGANIZATION_PERMISSION_VALUES, SUPPORTED_PERMISSIONS } from '../organizations/permission-settings.ts';
import { presentAllSettings, type WireSettings } from '../organizations/settings.ts';

/** Permissions name groups, and users with an account. */
const ASPECTS_OF_SETTINGS = ['organization', 'groups', 'users'] as const;

/**
 * The organization and the server, in several parts. Clients get the versions whatever they fetch, and some fields
 * belong to other event types.
 */
export function organizationState(app: Pick<AppContext, 'config' | 'address'>): readonly StatePart[] {
  const aboutBoth = (directory: Directory) => ({
    ...settings(directory),
    ...profile(directory, app),
    ...LIMITS,
    ...SERVER,
    realm_available_video_chat_providers: videoChatProviders(directory.server),
    server_jitsi_server_url: app.config.jitsiUrl,
    jitsi_server_url: app.config.jitsiUrl,
    max_file_upload_size_mib: app.config.maxFileUploadSizeMib,
    realm_upload_quota_mib: app.config.uploadQuotaMib,
    development_environment: app.config.devLogin,
    realm_push_notifications_enabled: app.config.pushUrl !== null,
    server_web_public_streams_enabled: app.config.webPublicChannels,
  });
  const forAccounts = rememberedFields(ASPECTS_OF_SETTINGS, aboutBoth);
  const forAll = rememberedState(ASPECTS_OF_SETTINGS, aboutBoth);
  return [
    stateOfAll({ types: [], build: () => VERSION_FIELDS }),
    stateOfAll({ types: ['giphy'], build: () => ({ giphy_api_key: '' }) }),
    stateOfAll({ types: ['stop_words'], build: () => ({ stop_words: [] }) }),
    statePart({
      types: ['realm'],
      build: ({ directory }) => forAccounts(directory),
      spectators: {
        build: ({ directory }) => ({
          ...forAll(directory),
          ...forSpectators(directory),
        }),
      },
    }),
    statePart({
      types: ['realm'],
      build: ({ directory, settings: { capabilities } }) => extensions(directory, capabilities),
    }),
  ];
}

function settings(directory: Directory): Readonly<Record<string, unknown>> {
  return namedInState(withoutExtensions(presentAllSettings(directory)));
}

const ownSettings = rememberedBy(ASPECTS_OF_SETTINGS, (directory) => extensionsAmong(presentAllSettings(directory)));
const OWN_PERMISSION_VALUES = extensionsAmong(ORGANIZATION_PERMISSION_VALUES);

/** Settings that only Heddle has, for clients that know them. */
function extensions(directory: Directory, capabilities: ClientCapabilities): Readonly<Record<string, unknown>> {
  const known = namedInState(knownTo(capabilities, ownSettings(directory)));
  const permissions = knownTo(capabilities, OWN_PERMISSION_VALUES);
  return Object.keys(permissions).length === 0 ? known : { ...known, server_own_permission_settings: permissions };
}

function namedInState(settings: WireSettings): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [`realm_${name}`, value]));
}

/** Features that spectators cannot use are disabled, and channels that they cannot see are none. */
function forSpectators(directory: Directory): Readonly<Record<string, unknown>> {
  const channels = CHANNEL_SETTINGS.map((name) => {
    const channel = directory.channel(organizationSetting(directory, name));
    const isSeen = channel !== undefined && showsSpectators(directory, channel);
    return [`realm_${wireNameOf(name)}`, isSeen ? channel.id : -1];
  });
  return { ...Object.fromEntries(channels), realm_allow_message_editing: false, realm_presence_disabled: true };
}

function profile(directory: Directory, { address, config }: Pick<AppContext, 'config' | 'address'>) {
  const { organization } = directory;
  const url = address.of(organization.subdomain);
  return {
    realm_name: organization.name,
    realm_description: organization.description,
    realm_date_created: organization.createdAt,
    realm_url: url,
    realm_uri: url,
    server_emoji_data_url: `${url}${emojiDocumentPath}`,
    realm_bot_domain: new URL(url).hostname,
    ...Object.fromEntries(
      PICTURES.flatMap((kind) => Object.entries(presentPicture(directory, organization, kind))).map(([name, value]) => [
        `realm_${name}`,
        value,
      ]),
    ),
    realm_authentication_methods: Object.fromEntries(
      loginMethods(config).map((name) => [name, { enabled: true, available: true }]),
    ),
  };
}

const PICTURES = ['icon', 'logo', 'night_logo'] as const;

const LIMITS = {
  max_message_length: MAX_MESSAGE_LENGTH,
  max_topic_length: MAX_TOPIC_LENGTH,
  max_reminder_note_length: MAX_REMINDER_NOTE_LENGTH,
  max_avatar_file_size_mib: MAX_PICTURE_UPLOAD_MIB,
  max_icon_file_size_mib: MAX_PICTURE_UPLOAD_MIB,
  max_logo_file_size_mib: MAX_PICTURE_UPLOAD_MIB,
  password_min_length: PASSWORD_LENGTH.minimum,
  password_max_length: PASSWORD_LENGTH.maximum,
  // 0: passwords are not compared with lists of common ones.
  password_min_guesses: 0,
};

/** The same in every organization: Heddle has no setting for these, or lacks the feature. */
const SERVER = {
  realm_empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME,
  realm_is_zephyr_mirror_realm: false,
  realm_email_auth_enabled: true,
  realm_password_auth_enabled: true,
  realm_push_notifications_enabled_end_timestamp: null,
  // 1: no hosting plan.
  realm_plan_type: 1,
  realm_default_external_accounts: DEFAULT_EXTERNAL_ACCOUNTS,
  server_generation: THIS_SERVER.generation,
  server_presence_ping_interval_seconds: PING_INTERVAL_SECONDS,
  server_presence_offline_threshold_seconds: OFFLINE_THRESHOLD_SECONDS,
  server_avatar_changes_disabled: false,
  server_name_changes_disabled: false,
  server_can_summarize_topics: false,
  server_inline_image_preview: true,
  server_inline_url_embed_preview: true,
  server_min_deactivated_realm_deletion_days: null,
  server_max_deactivated_realm_deletion_days: null,
  server_needs_upgrade: false,
  server_supported_permission_settings: SUPPORTED_PERMISSIONS,
  server_thumbnail_formats: THUMBNAIL_FORMATS.map(({ name, maxWidth, maxHeight, isAnimated }) => ({
    name,
    max_width: maxWidth,
    max_height: maxHeight,
    format: 'webp',
    animated: isAnimated,
  })),
  settings_send_digest_emails: true,
  giphy_rating_options: GIF_RATINGS,
  upgrade_text_for_wide_organization_logo: '',
  zulip_plan_is_not_limited: true,
};
