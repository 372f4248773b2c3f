/** Every setting of users that the server accepts has a use: a test of the server shows it, or a client reads it. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { displaySettings, notificationSettings, otherSettings } from '@heddle/api/objects/user-settings.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The tests of what the server does with a setting. */
const SERVER_TESTS: Readonly<Record<string, string>> = {
  allow_private_data_export: 'features/data-export/privacy.test.ts',
  automatically_follow_topics_policy: 'domain/accounts/own-settings/user-settings.test.ts',
  automatically_follow_topics_where_mentioned: 'domain/accounts/own-settings/user-settings.test.ts',
  automatically_unmute_topics_in_muted_streams_policy: 'domain/accounts/own-settings/user-settings.test.ts',
  default_language: 'domain/accounts/own-settings/user-settings.test.ts',
  email_address_visibility: 'domain/users/users/addresses.test.ts',
  email_notifications_batching_period_seconds: 'features/missed-mails/missed-mails.test.ts',
  enable_digest_emails: 'features/digests/digests.test.ts',
  enable_drafts_synchronization: 'domain/accounts/own-settings/user-settings.test.ts',
  enable_followed_topic_email_notifications: 'features/missed-mails/missed-mails.test.ts',
  enable_followed_topic_push_notifications: 'features/mobile-push/notifications.test.ts',
  enable_followed_topic_wildcard_mentions_notify: 'features/missed-mails/missed-mails.test.ts',
  enable_login_emails: 'domain/accounts/account-security/account.test.ts',
  enable_offline_email_notifications: 'features/missed-mails/missed-mails.test.ts',
  enable_offline_push_notifications: 'features/mobile-push/notifications.test.ts',
  enable_online_push_notifications: 'features/mobile-push/notifications.test.ts',
  enable_stream_email_notifications: 'features/missed-mails/missed-mails.test.ts',
  enable_stream_push_notifications: 'features/mobile-push/notifications.test.ts',
  message_content_in_email_notifications: 'features/missed-mails/missed-mails.test.ts',
  presence_enabled: 'features/mobile-push/notifications.test.ts',
  realm_name_in_email_notifications_policy: 'features/missed-mails/missed-mails.test.ts',
  receives_typing_notifications: 'features/typing/editing.test.ts',
  resolved_topic_notice_auto_read_policy: 'domain/accounts/own-settings/user-settings.test.ts',
  send_private_typing_notifications: 'features/typing/editing.test.ts',
  send_read_receipts: 'domain/reading/read-state/receipts.test.ts',
  send_stream_typing_notifications: 'features/typing/editing.test.ts',
  timezone: 'domain/accounts/own-settings/user-settings.test.ts',
  translate_emoticons: 'domain/accounts/own-settings/user-settings.test.ts',
  twenty_four_hour_time: 'features/missed-mails/missed-mails.test.ts',
  wildcard_mentions_notify: 'features/missed-mails/missed-mails.test.ts',
};

/** Settings for clients only, and the file of the web app that reads each. */
const CLIENT_CODE: Readonly<Record<string, string>> = {
  color_scheme: 'app/display-settings.ts',
  desktop_icon_count_display: 'app/title-count.ts',
  display_emoji_reaction_users: 'feed/reactions/reactions-row.tsx',
  emojiset: 'emoji/emoji-glyph.tsx',
  enable_desktop_notifications: 'notifications/decide.ts',
  enable_followed_topic_audible_notifications: 'notifications/decide.ts',
  enable_followed_topic_desktop_notifications: 'notifications/decide.ts',
  enable_sounds: 'notifications/decide.ts',
  enable_stream_audible_notifications: 'notifications/decide.ts',
  enable_stream_desktop_notifications: 'notifications/decide.ts',
  enter_sends: 'compose/box/writing-box.tsx',
  notification_sound: 'notifications/sounds.ts',
  pm_content_in_desktop_notifications: 'notifications/text.ts',
  starred_message_counts: 'conversations/sidebar/views.ts',
  web_animate_image_previews: 'content/decorate-media.ts',
  web_channel_default_view: 'conversations/channel-route.ts',
  web_escape_navigates_to_home_view: 'conversations/navigation-shortcuts.tsx',
  web_font_size_px: 'app/display-settings.ts',
  web_home_view: 'app/boot.ts',
  web_inbox_show_channel_folders: 'conversations/inbox/rows.ts',
  web_left_sidebar_unreads_count_summary: 'conversations/sidebar/section-row.tsx',
  web_line_height_percent: 'app/display-settings.ts',
  web_mark_read_on_scroll_policy: 'feed/reading.ts',
  web_navigate_to_sent_message: 'compose/sending/sending.ts',
  web_stream_unreads_count_display_policy: 'conversations/sidebar/conversation-rows.tsx',
};

/** How other clients show the app. The server stores the choice for them; none of these is about notifications. */
const OTHER_CLIENTS = [
  'demote_inactive_streams',
  'fluid_layout_width',
  'hide_ai_features',
  'high_contrast_mode',
  'left_side_userlist',
  'user_list_style',
  'web_left_sidebar_show_channel_folders',
  'web_suggest_update_timezone',
];

/** The user agrees to a kind of mails that Heddle never sends. */
const NEVER_SENT = ['enable_marketing_emails'];

const accepted = Object.keys({ ...displaySettings, ...notificationSettings, ...otherSettings });

// rules: user-settings-22
test('each setting of the contract is used by the server, by the web app, or named as one for other clients', () => {
  const named = [...Object.keys(SERVER_TESTS), ...Object.keys(CLIENT_CODE), ...OTHER_CLIENTS, ...NEVER_SENT];
  assert.deepEqual(named.toSorted(), accepted.toSorted());
});

// rules: user-settings-22
test('no setting of notifications is only stored, except for mails that are never sent', () => {
  const idle = new Set([...OTHER_CLIENTS, ...NEVER_SENT]);
  const stored = Object.keys(notificationSettings).filter((name) => idle.has(name));
  assert.deepEqual(stored, NEVER_SENT);
});

// rules: user-settings-22
test('the named tests and files of the web app exist and name the setting', async () => {
  const files = [
    ...Object.entries(SERVER_TESTS).map(([name, path]) => [name, join('server/src', path)] as const),
    ...Object.entries(CLIENT_CODE).map(([name, path]) => [name, join('web/src', path)] as const),
  ];
  for (const [name, path] of files) {
    const text = await readFile(join(ROOT, path), 'utf8').catch(() => '');
    assert(text.includes(name), `${path} does not name ${name}`);
  }
});
