import Type, { type TProperties } from 'typebox';

const flag = Type.Boolean();
const number = Type.Integer();
const text = Type.String();

/** How things look. Clients without the capability `user_settings_object` find these beside the rest of the state. */
export const displaySettings = {
  color_scheme: Type.Integer({ description: '1 as the system, 2 dark, 3 light' }),
  default_language: Type.String({ description: 'A language tag, like `en`' }),
  demote_inactive_streams: Type.Integer({ description: '1 automatically, 2 always, 3 never' }),
  dense_mode: flag,
  emojiset: Type.Union([
    Type.Literal('google'),
    Type.Literal('google-blob'),
    Type.Literal('twitter'),
    Type.Literal('text'),
  ]),
  enter_sends: flag,
  fluid_layout_width: flag,
  left_side_userlist: flag,
  starred_message_counts: flag,
  timezone: Type.String({ description: 'An IANA name, or empty' }),
  translate_emoticons: flag,
  twenty_four_hour_time: flag,
} satisfies TProperties;

/** What to be told of, and how. Found beside the rest of the state like those of display. */
export const notificationSettings = {
  desktop_icon_count_display: Type.Integer({
    description:
      '1 all unread messages, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 none',
  }),
  email_notifications_batching_period_seconds: number,
  enable_desktop_notifications: flag,
  enable_digest_emails: flag,
  enable_login_emails: flag,
  enable_marketing_emails: flag,
  enable_offline_email_notifications: flag,
  enable_offline_push_notifications: flag,
  enable_online_push_notifications: flag,
  enable_sounds: flag,
  enable_stream_audible_notifications: flag,
  enable_stream_desktop_notifications: flag,
  enable_stream_email_notifications: flag,
  enable_stream_push_notifications: flag,
  message_content_in_email_notifications: flag,
  notification_sound: text,
  pm_content_in_desktop_notifications: flag,
  presence_enabled: flag,
  wildcard_mentions_notify: flag,
} satisfies TProperties;

/** The rest, which only `user_settings` holds. */
export const otherSettings = {
  allow_private_data_export: flag,
  automatically_follow_topics_policy: Type.Integer({
    description: 'Which topics: 1 that one takes part in, 2 writes in, 3 begins, 4 none',
  }),
  automatically_follow_topics_where_mentioned: flag,
  automatically_unmute_topics_in_muted_streams_policy: number,
  display_emoji_reaction_users: flag,
  email_address_visibility: Type.Integer({
    description: '1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators',
  }),
  enable_drafts_synchronization: flag,
  enable_followed_topic_audible_notifications: flag,
  enable_followed_topic_desktop_notifications: flag,
  enable_followed_topic_email_notifications: flag,
  enable_followed_topic_push_notifications: flag,
  enable_followed_topic_wildcard_mentions_notify: flag,
  hide_ai_features: flag,
  realm_name_in_email_notifications_policy: number,
  receives_typing_notifications: flag,
  resolved_topic_notice_auto_read_policy: Type.Union([
    Type.Literal('always'),
    Type.Literal('except_followed'),
    Type.Literal('never'),
  ]),
  send_private_typing_notifications: flag,
  send_read_receipts: flag,
  send_stream_typing_notifications: flag,
  user_list_style: number,
  web_animate_image_previews: Type.Union([Type.Literal('always'), Type.Literal('on_hover'), Type.Literal('never')]),
  web_channel_default_view: number,
  web_escape_navigates_to_home_view: flag,
  web_font_size_px: number,
  web_home_view: Type.Union([Type.Literal('recent_topics'), Type.Literal('inbox'), Type.Literal('all_messages')]),
  web_inbox_show_channel_folders: flag,
  web_left_sidebar_show_channel_folders: flag,
  web_left_sidebar_unreads_count_summary: flag,
  web_line_height_percent: number,
  web_mark_read_on_scroll_policy: number,
  web_navigate_to_sent_message: flag,
  web_stream_unreads_count_display_policy: number,
  web_suggest_update_timezone: flag,
} satisfies TProperties;

/** What the settings choose from. */
export const settingChoices = {
  available_notification_sounds: Type.Array(text),
  emojiset_choices: Type.Array(Type.Object({ key: text, text })),
} satisfies TProperties;

const { timezone: _, ...sharedDisplaySettings } = displaySettings;

/** The settings that new accounts begin with: all but the time zone, which is everybody's own. */
export const userSettingsDefaults = Type.Object({
  ...sharedDisplaySettings,
  ...notificationSettings,
  ...otherSettings,
  ...settingChoices,
});

export const userSettings = Type.Object({
  ...displaySettings,
  ...notificationSettings,
  ...otherSettings,
  ...settingChoices,
});
