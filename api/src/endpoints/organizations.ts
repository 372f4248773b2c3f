import Type from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, optional } from '../contract.ts';
import { groupSettingUpdate, groupSettingValue } from '../objects/group-setting.ts';
import { MAX_ORGANIZATION_DESCRIPTION_LENGTH, MAX_ORGANIZATION_NAME_LENGTH } from '../objects/realm.ts';
import { mapPermissions, ORGANIZATION_PERMISSIONS } from '../permissions.ts';

const flag = optional(Type.Boolean());
const number = optional(Type.Integer());
/** A number from a list of the interface document. */
const oneOf = (...numbers: readonly number[]) => Type.Union(numbers.map((one) => Type.Literal(one)));
const limit = optional(Type.Union([Type.Integer(), text(), Type.Null()]), {
  description: 'Seconds. `unlimited` or null means no limit',
});
const channel = optional(Type.Integer(), { description: 'The ID of a channel, or -1 for none' });

export const updateOrganization = defineEndpoint({
  operationId: 'update-realm',
  method: 'PATCH',
  path: '/realm',
  area: 'Organization',
  summary: 'Change the settings of the organization',
  description:
    'For administrators. Some settings are only for owners. The request succeeds or fails as a whole. The server refuses a change of a ' +
    'setting whose feature Heddle does not have.',
  authentication: 'required',
  parameters: {
    name: optional(text({ maxLength: MAX_ORGANIZATION_NAME_LENGTH })),
    description: optional(text({ maxLength: MAX_ORGANIZATION_DESCRIPTION_LENGTH }), { description: 'Markdown' }),
    org_type: optional(oneOf(0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000)),
    ...mapPermissions(ORGANIZATION_PERMISSIONS, () => optional(groupSettingUpdate)),
    allow_message_editing: flag,
    authentication_methods: optional(Type.Record(Type.String(), Type.Boolean(), { maxProperties: 50 }), {
      description: 'Only for owners: whether each authentication method is enabled',
    }),
    avatar_changes_disabled: flag,
    default_code_block_language: optional(text({ maxLength: 100 }), {
      description: 'The default language of code blocks. Empty means none',
    }),
    default_language: optional(text({ maxLength: 50 })),
    digest_emails_enabled: flag,
    digest_weekday: optional(oneOf(0, 1, 2, 3, 4, 5, 6), { description: 'Monday is 0' }),
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
    jitsi_server_url: optional(Type.Union([text({ maxLength: 200 }), Type.Null()]), {
      description: 'A URL. `default` or null means the URL of the server',
    }),
    message_content_allowed_in_email_notifications: flag,
    message_content_allowed_in_web_push: optional(Type.Boolean(), {
      description: 'Of Heddle alone: whether notifications by Web Push may contain the text of messages',
    }),
    message_content_delete_limit_seconds: limit,
    message_content_edit_limit_seconds: limit,
    message_edit_history_visibility_policy: optional(
      Type.Union([Type.Literal('all'), Type.Literal('moves'), Type.Literal('none')]),
    ),
    message_retention_days: optional(Type.Union([Type.Integer(), text()]), {
      description: 'A number of days or `unlimited`',
    }),
    moderation_request_channel_id: channel,
    move_messages_between_streams_limit_seconds: limit,
    move_messages_within_stream_limit_seconds: limit,
    name_changes_disabled: flag,
    new_stream_announcements_stream_id: channel,
    presence_disabled: flag,
    require_e2ee_push_notifications: flag,
    require_unique_names: flag,
    send_welcome_emails: flag,
    signup_announcements_stream_id: channel,
    string_id: optional(text({ maxLength: 40 }), {
      description: 'For owners of demo organizations. Heddle has no demo organizations',
    }),
    topics_policy: optional(Type.Union([Type.Literal('allow_empty_topic'), Type.Literal('disable_empty_topic')])),
    video_chat_provider: number,
    video_chat_url: optional(text({ maxLength: 500 }), {
      description:
        'For the provider `custom_url`: the URL of a call, where `{room}` stands for a random name. Empty for none',
    }),
    waiting_period_threshold: optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 }), {
      description: 'Days until a new member is a full member',
    }),
    want_advertise_in_communities_directory: flag,
    welcome_message_custom_text: optional(text({ maxLength: 8000 })),
    zulip_update_announcements_stream_id: channel,
  },
  response: Type.Object(
    {},
    {
      description: 'The changed settings by parameter name, with the new value or `updated` for a text',
      additionalProperties: Type.Union([Type.String(), Type.Boolean(), Type.Integer(), Type.Null(), groupSettingValue]),
    },
  ),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'EXPECTATION_MISMATCH', 'SYSTEM_GROUP_REQUIRED', 'REQUEST_VARIABLE_INVALID'],
});
