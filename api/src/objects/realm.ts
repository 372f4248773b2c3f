import Type, { type TProperties } from 'typebox';
import { ORGANIZATION_PERMISSIONS } from '../permissions.ts';
import { groupSettingFields } from './group-setting.ts';

export const MAX_ORGANIZATION_NAME_LENGTH = 40;
export const MAX_ORGANIZATION_DESCRIPTION_LENGTH = 1000;

const text = Type.String();
const flag = Type.Boolean();
const number = Type.Integer();
const numberOrNull = Type.Union([Type.Integer(), Type.Null()]);
const textOrNull = Type.Union([Type.String(), Type.Null()]);

/** The permissions of an organization. The initial state has them as `realm_<name>`. */
export const organizationPermissions = groupSettingFields(ORGANIZATION_PERMISSIONS);

/** The other settings of an organization, with the same kind of names. */
export const organizationProperties = {
  name: text,
  description: text,
  allow_edit_history: flag,
  allow_message_editing: flag,
  avatar_changes_disabled: flag,
  default_code_block_language: text,
  default_language: text,
  digest_emails_enabled: flag,
  digest_weekday: number,
  disallow_disposable_email_addresses: flag,
  email_changes_disabled: flag,
  emails_restricted_to_domains: flag,
  enable_guest_user_dm_warning: flag,
  enable_guest_user_indicator: flag,
  enable_read_receipts: flag,
  enable_spectator_access: flag,
  giphy_rating: number,
  inline_image_preview: flag,
  inline_url_embed_preview: flag,
  invite_required: flag,
  jitsi_server_url: textOrNull,
  mandatory_topics: flag,
  message_content_allowed_in_email_notifications: flag,
  message_content_allowed_in_web_push: flag,
  message_content_delete_limit_seconds: numberOrNull,
  message_content_edit_limit_seconds: numberOrNull,
  message_edit_history_visibility_policy: Type.Union([
    Type.Literal('all'),
    Type.Literal('moves'),
    Type.Literal('none'),
  ]),
  message_retention_days: number,
  moderation_request_channel_id: number,
  move_messages_between_streams_limit_seconds: numberOrNull,
  move_messages_within_stream_limit_seconds: numberOrNull,
  name_changes_disabled: flag,
  new_stream_announcements_stream_id: number,
  org_type: number,
  presence_disabled: flag,
  require_e2ee_push_notifications: flag,
  require_unique_names: flag,
  send_welcome_emails: flag,
  signup_announcements_stream_id: number,
  topics_policy: Type.Union([Type.Literal('allow_empty_topic'), Type.Literal('disable_empty_topic')]),
  video_chat_provider: number,
  video_chat_url: text,
  waiting_period_threshold: number,
  want_advertise_in_communities_directory: flag,
  welcome_message_custom_text: text,
  zulip_update_announcements_stream_id: number,
} satisfies TProperties;

/** Properties that older clients read instead of permissions. The number of a role describes a superset of the permitted users. */
export const organizationPolicies = {
  create_public_stream_policy: number,
  create_private_stream_policy: number,
  create_web_public_stream_policy: number,
  wildcard_mention_policy: number,
} satisfies TProperties;
