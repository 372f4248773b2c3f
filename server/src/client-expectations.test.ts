/**
 * The fields that existing apps read without checking. They fail at the first field that is missing, has another type,
 * or is null where they do not accept null. The tables list what zulip-flutter (lib/api/model) and zulip-terminal
 * (model.py) require.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Json } from './testing/clients/json.ts';
import { startTestServer, type TestServer } from './testing/server/server.ts';

type Kind = 'integer' | 'number' | 'string' | 'boolean' | 'list' | 'object' | 'integers' | 'color' | 'group';
/** A `?` after a kind: may be null or absent. */
type Expectation = Readonly<Record<string, Kind | `${Kind}?`>>;

let server: TestServer;

before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

const snapshot: Expectation = {
  queue_id: 'string',
  last_event_id: 'integer',
  zulip_feature_level: 'integer',
  zulip_version: 'string',
  zulip_merge_base: 'string',
  alert_words: 'list',
  custom_profile_fields: 'list',
  max_message_id: 'integer',
  max_stream_name_length: 'integer',
  max_topic_length: 'integer',
  max_message_length: 'integer',
  server_presence_ping_interval_seconds: 'integer',
  server_presence_offline_threshold_seconds: 'integer',
  server_typing_started_expiry_period_milliseconds: 'integer',
  server_typing_stopped_wait_period_milliseconds: 'integer',
  server_typing_started_wait_period_milliseconds: 'integer',
  muted_users: 'list',
  muted_topics: 'list',
  presences: 'object',
  realm_emoji: 'object',
  realm_user_groups: 'list',
  recent_private_conversations: 'list',
  saved_snippets: 'list',
  drafts: 'list',
  navigation_views: 'list',
  starred_messages: 'integers',
  subscriptions: 'list',
  channel_folders: 'list',
  unread_msgs: 'object',
  streams: 'list',
  user_status: 'object',
  user_settings: 'object',
  user_topics: 'list',
  realm_name: 'string',
  realm_url: 'string',
  realm_wildcard_mention_policy: 'integer',
  realm_mandatory_topics: 'boolean',
  realm_waiting_period_threshold: 'integer',
  realm_allow_edit_history: 'boolean',
  realm_allow_message_editing: 'boolean',
  realm_message_content_edit_limit_seconds: 'integer?',
  realm_message_retention_days: 'integer?',
  realm_presence_disabled: 'boolean',
  realm_default_external_accounts: 'object',
  max_file_upload_size_mib: 'integer',
  server_emoji_data_url: 'string',
  realm_empty_topic_display_name: 'string',
  realm_users: 'list',
  realm_non_active_users: 'list',
  cross_realm_bots: 'list',
  user_id: 'integer',
  email: 'string',
  full_name: 'string',
};

const userSettings: Expectation = {
  twenty_four_hour_time: 'boolean',
  starred_message_counts: 'boolean',
  display_emoji_reaction_users: 'boolean',
  emojiset: 'string',
  presence_enabled: 'boolean',
  send_private_typing_notifications: 'boolean',
};

const unreads: Expectation = {
  count: 'integer',
  pms: 'list',
  streams: 'list',
  huddles: 'list',
  mentions: 'integers',
  old_unreads_missing: 'boolean',
};

const user: Expectation = {
  user_id: 'integer',
  delivery_email: 'string?',
  email: 'string',
  full_name: 'string',
  date_joined: 'string',
  is_bot: 'boolean',
  bot_type: 'integer?',
  role: 'integer',
  timezone: 'string',
  avatar_url: 'string?',
  avatar_version: 'integer',
};

const group: Expectation = {
  id: 'integer',
  members: 'integers',
  direct_subgroup_ids: 'integers',
  name: 'string',
  description: 'string',
  is_system_group: 'boolean',
  deactivated: 'boolean',
};

const channel: Expectation = {
  stream_id: 'integer',
  name: 'string',
  is_archived: 'boolean',
  description: 'string',
  rendered_description: 'string',
  date_created: 'integer',
  first_message_id: 'integer?',
  folder_id: 'integer?',
  invite_only: 'boolean',
  is_web_public: 'boolean',
  history_public_to_subscribers: 'boolean',
  message_retention_days: 'integer?',
  stream_post_policy: 'integer',
  can_add_subscribers_group: 'group',
  can_delete_any_message_group: 'group',
  can_delete_own_message_group: 'group',
  can_send_message_group: 'group',
  can_subscribe_group: 'group',
  is_recently_active: 'boolean',
  stream_weekly_traffic: 'integer?',
};

const subscription: Expectation = {
  ...channel,
  desktop_notifications: 'boolean?',
  email_notifications: 'boolean?',
  wildcard_mentions_notify: 'boolean?',
  push_notifications: 'boolean?',
  audible_notifications: 'boolean?',
  pin_to_top: 'boolean',
  is_muted: 'boolean',
  color: 'color',
};

const message: Expectation = {
  client: 'string',
  content: 'string',
  content_type: 'string',
  id: 'integer',
  is_me_message: 'boolean',
  last_edit_timestamp: 'integer?',
  reactions: 'list',
  recipient_id: 'integer',
  sender_email: 'string',
  sender_full_name: 'string',
  sender_id: 'integer',
  sender_realm_str: 'string',
  submessages: 'list',
  subject: 'string',
  timestamp: 'integer',
  topic_links: 'list',
  avatar_url: 'string?',
};

function isOf(kind: Kind, value: Json): boolean {
  switch (kind) {
    case 'integer':
      return Number.isSafeInteger(value);
    case 'list':
      return Array.isArray(value);
    case 'integers':
      return Array.isArray(value) && value.every(Number.isSafeInteger);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'color':
      return /^#[0-9a-f]{6}$/.test(value);
    case 'group':
      return (
        Number.isSafeInteger(value) ||
        (isOf('integers', value?.direct_members) && isOf('integers', value?.direct_subgroups))
      );
    default:
      return typeof value === kind;
  }
}

function check(what: string, expectation: Expectation, value: Json): void {
  for (const [field, expected] of Object.entries(expectation)) {
    const kind = expected.replace('?', '') as Kind;
    const held = value[field];
    if (expected.endsWith('?') && (held === null || held === undefined)) continue;
    assert(isOf(kind, held), `${what}: ${field} is ${JSON.stringify(held)}, which is not of kind ${kind}`);
  }
}

/** The capabilities that zulip-flutter declares. */
const asTheApp = {
  apply_markdown: true,
  slim_presence: true,
  client_gravatar: false,
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: false,
    stream_typing_notifications: true,
    user_settings_object: true,
    include_deactivated_groups: true,
    empty_topic_name: true,
  },
};

// rules: conventions-13, channels-1, register-1, register-15
test('the initial state has every field that an app requires', async () => {
  const { owner } = server;
  const other = await server.user();
  await owner.subscribe('loom');
  await other.subscribe('loom');
  await server.owner.ok('POST', '/channels/create', { name: 'shed', subscribers: [], invite_only: true });
  await other.send('loom', 'warp', 'unread @**all**');
  await other.direct([owner.userId], 'unread too');
  const { state } = await owner.register(asTheApp);
  check('the initial state', snapshot, state);
  check('user_settings', userSettings, state.user_settings);
  check('unread_msgs', unreads, state.unread_msgs);
  check(
    'an unread direct message',
    { other_user_id: 'integer', unread_message_ids: 'integers' },
    state.unread_msgs.pms[0],
  );
  check(
    'an unread topic',
    { stream_id: 'integer', topic: 'string', unread_message_ids: 'integers' },
    state.unread_msgs.streams[0],
  );
  for (const [name, list, expectation] of [
    ['a user', state.realm_users, user],
    ['a group', state.realm_user_groups, group],
    ['a channel', state.streams, channel],
    ['a subscription', state.subscriptions, subscription],
  ] as const) {
    assert(list.length > 0, `the state has no example of ${name}`);
    for (const item of list) check(name, expectation, item);
  }
});

// rules: register-22
test('an older client finds its settings at the top level of the state, even if it fetches only some types', async () => {
  // The types that zulip-terminal fetches.
  const types = [
    'realm',
    'presence',
    'subscription',
    'message',
    'starred_messages',
    'update_message_flags',
    'muted_topics',
  ];
  const more = [
    'realm_user',
    'realm_user_groups',
    'update_global_notifications',
    'update_display_settings',
    'realm_emoji',
  ];
  const { state } = await server.owner.register({ fetch_event_types: [...types, ...more, 'user_settings'] });
  check(
    'the initial state',
    {
      presences: 'object',
      server_timestamp: 'number',
      muted_topics: 'list',
      realm_user_groups: 'list',
      realm_emoji: 'object',
      twenty_four_hour_time: 'boolean',
      pm_content_in_desktop_notifications: 'boolean',
      unread_msgs: 'object',
      cross_realm_bots: 'list',
      zulip_version: 'string',
    },
    state,
  );
  const { state: modern } = await server.owner.register(asTheApp);
  assert(!('twenty_four_hour_time' in modern), 'a newer client finds them in user_settings');
});

// rules: message-fields-1
test('a message has every field that an app requires, fetched or announced', async () => {
  const { owner } = server;
  const queue = await owner.register(asTheApp);
  const sent = [await owner.send('loom', 'warp', 'one'), await owner.direct([owner.userId], 'two')];
  const announced = (await queue.take(2)).map((event) => event.message);
  const { messages } = await owner.ok('GET', '/messages', { message_ids: sent, client_gravatar: false });
  for (const one of [...announced, ...messages]) check('a message', message, one);
  const [inChannel, direct] = announced;
  check('a channel message', { stream_id: 'integer', display_recipient: 'string' }, inChannel);
  check('a direct message', { display_recipient: 'list' }, direct);
  for (const person of direct.display_recipient)
    check('a recipient', { id: 'integer', email: 'string', full_name: 'string' }, person);
});
