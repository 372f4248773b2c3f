import Type, { type TProperties, type TSchema } from 'typebox';
import { permissionSettings } from '../objects/permission-settings.ts';
import { organizationPermissions, organizationPolicies, organizationProperties } from '../objects/realm.ts';

type Prefixed<Properties extends TProperties> = {
  [Name in keyof Properties & string as `realm_${Name}`]: Type.TOptional<Properties[Name]>;
};

/** The settings as the initial state names them: `realm_<name>`. */
function prefixed<Properties extends TProperties>(properties: Properties): Prefixed<Properties> {
  const entries = Object.entries(properties).map(([name, schema]: [string, TSchema]) => {
    return [`realm_${name}`, Type.Optional(schema)];
  });
  return Object.fromEntries(entries);
}

const number = Type.Optional(Type.Integer());
const flag = Type.Optional(Type.Boolean());
const text = Type.Optional(Type.String());
const textOrNull = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const numberOrNull = Type.Optional(Type.Union([Type.Integer(), Type.Null()]));

const named = Type.Object({ id: Type.Integer(), name: Type.String() });
const logoSource = Type.Optional(Type.Union([Type.Literal('D'), Type.Literal('U')]));

/** The fields about the organization and the server. Present if the fetched types include `realm`. */
export const realmState = {
  ...prefixed(organizationPermissions),
  ...prefixed(organizationProperties),
  ...prefixed(organizationPolicies),

  realm_date_created: number,
  realm_url: text,
  realm_uri: Type.Optional(Type.String({ deprecated: true })),
  realm_bot_domain: text,
  realm_icon_url: text,
  realm_icon_source: Type.Optional(Type.Union([Type.Literal('G'), Type.Literal('U')])),
  realm_logo_url: text,
  realm_logo_source: logoSource,
  realm_night_logo_url: text,
  realm_night_logo_source: logoSource,
  realm_empty_topic_display_name: text,
  realm_is_zephyr_mirror_realm: flag,
  realm_email_auth_enabled: flag,
  realm_password_auth_enabled: flag,
  realm_authentication_methods: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Object({
        enabled: Type.Boolean(),
        available: Type.Boolean(),
        unavailable_reason: Type.Optional(Type.String()),
      }),
    ),
  ),
  realm_push_notifications_enabled: flag,
  realm_push_notifications_enabled_end_timestamp: numberOrNull,
  realm_upload_quota_mib: numberOrNull,
  realm_plan_type: number,
  realm_available_video_chat_providers: Type.Optional(Type.Record(Type.String(), named)),
  realm_default_external_accounts: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Object({ name: Type.String(), text: Type.String(), hint: Type.String(), url_pattern: Type.String() }),
    ),
  ),

  max_message_length: number,
  max_topic_length: number,
  max_channel_folder_name_length: number,
  max_channel_folder_description_length: number,
  max_file_upload_size_mib: number,
  max_avatar_file_size_mib: number,
  max_icon_file_size_mib: number,
  max_logo_file_size_mib: number,
  max_reminder_note_length: number,
  password_min_length: number,
  password_max_length: number,
  password_min_guesses: number,

  server_emoji_data_url: text,
  server_generation: number,
  server_presence_ping_interval_seconds: number,
  server_presence_offline_threshold_seconds: number,
  server_avatar_changes_disabled: flag,
  server_name_changes_disabled: flag,
  server_can_summarize_topics: flag,
  server_inline_image_preview: flag,
  server_inline_url_embed_preview: flag,
  server_jitsi_server_url: textOrNull,
  server_min_deactivated_realm_deletion_days: numberOrNull,
  server_max_deactivated_realm_deletion_days: numberOrNull,
  server_needs_upgrade: flag,
  server_supported_permission_settings: Type.Optional(
    Type.Object({ realm: permissionSettings, stream: permissionSettings, group: permissionSettings }),
  ),
  server_thumbnail_formats: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        max_width: Type.Integer(),
        max_height: Type.Integer(),
        format: Type.String(),
        animated: Type.Boolean(),
      }),
    ),
  ),
  server_web_public_streams_enabled: flag,
  settings_send_digest_emails: flag,
  development_environment: flag,
  giphy_api_key: text,
  giphy_rating_options: Type.Optional(Type.Record(Type.String(), named)),
  jitsi_server_url: Type.Optional(Type.Union([Type.String(), Type.Null()], { deprecated: true })),
  stop_words: Type.Optional(Type.Array(Type.String())),
  upgrade_text_for_wide_organization_logo: text,
  zulip_plan_is_not_limited: flag,
};

/** In every initial state: the versions under their old and new names. */
export const versionState = {
  zulip_version: Type.String(),
  zulip_merge_base: Type.String(),
  zulip_feature_level: Type.Integer(),
  service_version: Type.String(),
  service_merge_base: Type.String(),
  service_feature_level: Type.Integer(),
};
