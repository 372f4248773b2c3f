/** Lines and fields of Mattermost's bulk export: what is imported, and why the rest is not. */
import type { KnownFields } from '../field-notes.ts';

/** Types of lines that are read before the posts. */
export const STORED_LINES = new Set(['team', 'channel', 'user', 'bot', 'emoji', 'direct_channel']);
export const POST_LINES = new Set(['post', 'direct_post']);

/** Lines that are not imported, with the reason; '' if they lose nothing. */
export const LEFT_LINES: Readonly<Record<string, string>> = {
  version: '',
  role: 'Heddle grants permissions to groups, and the channels have their defaults',
  scheme: 'Heddle grants permissions to groups, and the channels have their defaults',
};

/** Lists and objects in lines, with the kind of object. */
export const FIELDS_OF_LINES: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  user: [
    ['teams', 'team membership'],
    ['teams.channels', 'channel membership'],
    ['teams.channels.notify_props', 'channel notifications'],
    ['notify_props', 'notifications'],
    ['custom_status', 'status'],
  ],
  direct_channel: [['participants', 'participant']],
};

const NO_FEATURE = 'Heddle does not have this';
const OF_APP = 'it is a setting of the Mattermost app';
const SCHEME = 'Heddle grants permissions to groups, and the channels have their defaults';
const COUNTED = 'the server counts it itself';
const PIN = 'Heddle has no pins';

const POST =
  'user type message props create_at edit_at flagged_by reactions attachments is_pinned team channel channel_members replies thread_followers';

export const MATTERMOST_FIELDS: Readonly<Record<string, KnownFields>> = {
  team: {
    fields: 'name display_name type description allow_open_invite',
    left: { scheme: SCHEME },
  },
  channel: {
    fields: 'team name display_name type header purpose deleted_at delete_at',
    left: { scheme: SCHEME, banner_info: NO_FEATURE, auto_translation: NO_FEATURE },
  },
  user: {
    fields:
      'username email nickname first_name last_name position roles locale delete_at teams profile_image military_time notify_props custom_status',
    left: {
      auth_service: 'the settings of the server decide how users log in',
      auth_data: 'the settings of the server decide how users log in',
      password: 'passwords are not imported',
      theme: OF_APP,
      feature_enabled_markdown_preview: OF_APP,
      formatting: OF_APP,
      show_unread_section: OF_APP,
      send_on_ctrl_enter: OF_APP,
      code_block_ctrl_enter: OF_APP,
      show_join_leave: OF_APP,
      show_unread_scroll_position: OF_APP,
      sync_drafts: OF_APP,
      limit_visible_dms_gms: OF_APP,
      name_format: OF_APP,
      link_previews: OF_APP,
      message_display: OF_APP,
      collapse_consecutive_messages: OF_APP,
      colorize_usernames: OF_APP,
      channel_display_mode: OF_APP,
      tutorial_step: OF_APP,
      email_interval: OF_APP,
    },
  },
  notifications: {
    fields: 'desktop email mobile channel mention_keys',
    left: { desktop_sound: OF_APP, desktop_duration: OF_APP, mobile_push_status: OF_APP, comments: OF_APP },
  },
  status: {
    fields: 'emoji text',
    left: {
      duration: 'a status stays until its user changes it',
      expires_at: 'a status stays until its user changes it',
    },
  },
  'team membership': { fields: 'name roles channels', left: { theme: OF_APP } },
  'channel membership': {
    fields: 'name roles notify_props favorite last_viewed_at',
    left: {
      mention_count: COUNTED,
      mention_count_root: COUNTED,
      urgend_mention_count: COUNTED,
      msg_count: COUNTED,
      msg_count_root: COUNTED,
    },
  },
  'channel notifications': {
    fields: 'desktop mobile mark_unread email ignore_channel_mentions',
    left: { channel_auto_follow_threads: NO_FEATURE },
  },
  bot: {
    fields: 'username owner display_name delete_at profile_image',
    left: { description: 'bots have no description' },
  },
  emoji: { fields: 'name image' },
  direct_channel: {
    fields: 'members participants shown_by',
    left: { header: 'direct conversations have no description', favorited_by: 'direct conversations cannot be pinned' },
  },
  participant: {
    fields: 'username last_viewed_at scheme_user scheme_admin scheme_guest',
    left: {
      notify_props: NO_FEATURE,
      mention_count: COUNTED,
      mention_count_root: COUNTED,
      urgend_mention_count: COUNTED,
      msg_count: COUNTED,
      msg_count_root: COUNTED,
    },
  },
  post: { fields: POST },
  direct_post: { fields: POST },
  reply: { fields: POST },
  props: {
    fields:
      'attachments channel_mentions mentionHighlightDisabled disable_group_highlight from_webhook from_bot from_plugin from_oauth_app ' +
      'webhook_display_name override_username previewed_post addChannelMember',
    left: {
      override_icon_url: 'accounts for the names of webhooks have no picture',
      override_icon_emoji: 'accounts for the names of webhooks have no picture',
      use_user_icon: 'accounts for the names of webhooks have no picture',
      priority: NO_FEATURE,
      requested_ack: NO_FEATURE,
      pinned: PIN,
    },
  },
  'message attachment': {
    fields:
      'id fallback pretext author_name author_link title title_link text fields image_url thumb_url footer color timestamp ts',
    left: {
      author_icon: 'of attachments, texts, links and pictures are imported',
      footer_icon: 'of attachments, texts, links and pictures are imported',
      actions: 'of buttons, only links are imported',
    },
  },
};
