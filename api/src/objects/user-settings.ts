import Type, { type TProperties } from 'typebox';
import { text } from '../bounds.ts';

const flag = Type.Boolean();

/** A union of constants. */
export function oneOf<const Values extends readonly (number | string)[]>(values: Values, description?: string) {
  const choices = values.map((value) => Type.Literal(value));
  const schema = Type.Union(choices, description === undefined ? {} : { description });
  // `map` keeps the length of a tuple, but its type does not say so.
  return schema as unknown as Type.TUnion<{ -readonly [Index in keyof Values]: Type.TLiteral<Values[Index]> }>;
}

/** The range of a 16-bit integer, which other servers use to store these settings. */
const size = Type.Integer({ minimum: 0, maximum: 32_767 });
const whichTopics = oneOf(
  [1, 2, 3, 4],
  '1 topics in which the user participates, 2 topics to which the user posts, 3 topics that the user starts, 4 none',
);

/** Display settings. Clients without `user_settings_object` read them as top-level fields of the initial state. */
export const displaySettings = {
  color_scheme: oneOf([1, 2, 3], '1 system setting, 2 dark, 3 light'),
  default_language: text({ maxLength: 50, description: 'A language tag, for example `en`' }),
  demote_inactive_streams: oneOf([1, 2, 3], '1 automatically, 2 always, 3 never'),
  emojiset: oneOf(['google', 'google-blob', 'twitter', 'text']),
  enable_drafts_synchronization: flag,
  enter_sends: flag,
  fluid_layout_width: flag,
  high_contrast_mode: flag,
  left_side_userlist: flag,
  starred_message_counts: flag,
  timezone: text({ maxLength: 100, description: 'An IANA time zone, or empty' }),
  translate_emoticons: flag,
  twenty_four_hour_time: flag,
  web_home_view: oneOf(['recent_topics', 'inbox', 'all_messages']),
} satisfies TProperties;

/** Notification settings. Older clients read them as top-level fields of the initial state, like display settings. */
export const notificationSettings = {
  desktop_icon_count_display: oneOf(
    [1, 2, 3, 4],
    '1 all unread messages, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 none',
  ),
  email_notifications_batching_period_seconds: Type.Integer({ description: 'At most one week' }),
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
  notification_sound: text({ maxLength: 20, description: 'One of `available_notification_sounds`, or `none`' }),
  pm_content_in_desktop_notifications: flag,
  presence_enabled: flag,
  realm_name_in_email_notifications_policy: oneOf([1, 2, 3], '1 automatically, 2 always, 3 never'),
  wildcard_mentions_notify: flag,
} satisfies TProperties;

/** Other settings. Only `user_settings` contains them. */
export const otherSettings = {
  allow_private_data_export: flag,
  automatically_follow_topics_policy: whichTopics,
  automatically_follow_topics_where_mentioned: flag,
  automatically_unmute_topics_in_muted_streams_policy: whichTopics,
  display_emoji_reaction_users: flag,
  email_address_visibility: oneOf([1, 2, 3, 4, 5], '1 everyone, 2 members, 3 administrators, 4 no users, 5 moderators'),
  enable_followed_topic_audible_notifications: flag,
  enable_followed_topic_desktop_notifications: flag,
  enable_followed_topic_email_notifications: flag,
  enable_followed_topic_push_notifications: flag,
  enable_followed_topic_wildcard_mentions_notify: flag,
  hide_ai_features: flag,
  receives_typing_notifications: flag,
  resolved_topic_notice_auto_read_policy: oneOf(['always', 'except_followed', 'never']),
  send_private_typing_notifications: flag,
  send_read_receipts: flag,
  send_stream_typing_notifications: flag,
  user_list_style: oneOf([1, 2, 3], '1 compact, 2 with status, 3 with avatar and status'),
  web_animate_image_previews: oneOf(['always', 'on_hover', 'never']),
  web_channel_default_view: oneOf([1, 2, 3, 4], '1 first topic, 2 feed, 3 list of topics, 4 first unread topic'),
  web_escape_navigates_to_home_view: flag,
  web_font_size_px: size,
  web_inbox_show_channel_folders: flag,
  web_left_sidebar_show_channel_folders: flag,
  web_left_sidebar_unreads_count_summary: flag,
  web_line_height_percent: size,
  web_mark_read_on_scroll_policy: oneOf([1, 2, 3], '1 always, 2 in conversation views, 3 never'),
  web_navigate_to_sent_message: flag,
  web_stream_unreads_count_display_policy: oneOf([1, 2, 3], '1 all channels, 2 unmuted channels, 3 none'),
  web_suggest_update_timezone: flag,
} satisfies TProperties;

/** The choices of settings, and read-only fields for older clients. */
export const settingChoices = {
  available_notification_sounds: Type.Array(Type.String()),
  emojiset_choices: Type.Array(Type.Object({ key: Type.String(), text: Type.String() })),
  dense_mode: Type.Boolean({ deprecated: true }),
} satisfies TProperties;

const { timezone: _, ...sharedDisplaySettings } = displaySettings;

/** The settings with a default for new accounts: all except the time zone. */
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

/** The value of a setting. */
export const settingValue = Type.Union([Type.Boolean(), Type.Integer(), Type.String()]);
