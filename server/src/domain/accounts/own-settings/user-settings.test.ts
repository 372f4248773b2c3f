import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { updateSettings, updateSettingsDefaults } from '@heddle/api/endpoints/user-settings.ts';
import { sql } from 'kysely';
import { Role } from '../../../directory/records.ts';
import type { Fields, TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { FIRST_SETTINGS } from '../../users/user-settings/first-settings.ts';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
let other: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.user();
  other = await server.user();
});
after(() => server.stop());

const set = (client: TestClient, settings: Fields) => client.ok('PATCH', '/settings', settings);

async function settingsOf(client: TestClient): Promise<Json> {
  return (await client.register({ fetch_event_types: ['user_settings'] })).state.user_settings;
}

const withoutId = ({ id, ...event }: Json) => event;

/** Returns another valid value of the setting. */
function another(name: string, now: unknown): unknown {
  if (typeof now === 'boolean') return !now;
  const words: Json = {
    default_language: 'de',
    emojiset: 'text',
    notification_sound: 'ding',
    resolved_topic_notice_auto_read_policy: 'never',
    web_animate_image_previews: 'always',
    web_home_view: 'all_messages',
  };
  return words[name] ?? (now === 2 ? 3 : 2);
}

const UNCHANGEABLE = ['full_name', 'email', 'old_password', 'new_password'];
const NAMES = Object.keys(updateSettings.parameters).filter((name) => !UNCHANGEABLE.includes(name));
const DEFAULT_NAMES = Object.keys(updateSettingsDefaults.parameters).filter((name) => !UNCHANGEABLE.includes(name));
const OWN_ALONE = ['allow_private_data_export', 'default_language', 'enable_login_emails', 'enable_marketing_emails'];

describe('PATCH /settings', () => {
  // rules: user-settings-1
  test('every setting can be changed, and only the user receives events and the new initial state', async () => {
    const client = await server.user();
    const types = ['user_settings', 'update_display_settings', 'update_global_notifications'];
    const queue = await client.register({ event_types: types, client_capabilities: { user_settings_object: true } });
    const stranger = await other.register({ event_types: types });
    const before = await settingsOf(client);
    const wanted: Json = {};
    for (const name of NAMES.filter((one) => one !== 'timezone')) wanted[name] = another(name, before[name]);
    await set(client, wanted);
    const events = await queue.now();
    assert.deepEqual(
      events.map(({ type, op, property, value }) => [type, op, property, value]),
      Object.entries(wanted).map(([name, value]) => ['user_settings', 'update', name, value]),
    );
    assert.equal(events.find(({ property }) => property === 'default_language')?.language_name, 'Deutsch');
    assert.deepEqual(await settingsOf(client), { ...before, ...wanted });
    assert.deepEqual(await stranger.now(), []);
    assert.deepEqual(Object.keys(FIRST_SETTINGS).sort(), Object.keys(wanted).sort());
  });

  // rules: user-settings-4
  test('unchanged settings send no events', async () => {
    const queue = await other.register({ event_types: ['user_settings'] });
    await set(other, { enter_sends: false, translate_emoticons: false, web_home_view: 'inbox' });
    await set(other, {});
    assert.deepEqual(await queue.now(), []);
  });

  // rules: user-settings-6, register-22
  test('clients without user_settings_object also receive display and notification events', async () => {
    const types = ['user_settings', 'update_display_settings', 'update_global_notifications'];
    const queue = await member.register({ event_types: types });
    await set(member, { default_language: 'fr', enable_sounds: false, user_list_style: 1 });
    const { email } = member;
    const update = { type: 'user_settings', op: 'update' };
    const events = (await queue.take(5)).map(withoutId);
    assert.deepEqual(
      events.toSorted((a, b) => Number(a.type > b.type) - Number(a.type < b.type)),
      [
        {
          type: 'update_display_settings',
          user: email,
          setting_name: 'default_language',
          setting: 'fr',
          language_name: 'français',
        },
        { type: 'update_global_notifications', user: email, notification_name: 'enable_sounds', setting: false },
        ...events.filter(({ type }) => type === 'user_settings'),
      ],
    );
    assert.deepEqual(
      events.filter(({ type }) => type === 'user_settings').sort((a, b) => (a.property < b.property ? -1 : 1)),
      [
        { ...update, property: 'default_language', value: 'fr', language_name: 'français' },
        { ...update, property: 'enable_sounds', value: false },
        { ...update, property: 'user_list_style', value: 1 },
      ],
    );
    const { state } = await member.register({ fetch_event_types: types });
    assert.deepEqual([state.default_language, state.enable_sounds, state.user_list_style], ['fr', false, undefined]);
  });

  // rules: user-settings-11
  test('all users receive a changed time zone, in events and in user lists', async () => {
    const queue = await other.register({ event_types: ['realm_user'] });
    await set(member, { timezone: 'US/Pacific' });
    const [event] = await queue.take(1);
    const person = { user_id: member.userId, email: member.email, timezone: 'America/Los_Angeles' };
    assert.deepEqual(withoutId(event ?? {}), { type: 'realm_user', op: 'update', person });
    const { user } = await other.ok('GET', `/users/${member.userId}`);
    assert.equal(user.timezone, 'America/Los_Angeles');
    const { state } = await other.register({ event_types: ['realm_user'] });
    const listed = state.realm_users.find((one: Json) => one.user_id === member.userId);
    assert.equal(listed.timezone, 'America/Los_Angeles');
    assert.equal((await settingsOf(member)).timezone, 'America/Los_Angeles');
    // Lists of time zones disagree on which name is current, so these names stay.
    for (const timezone of ['Asia/Kolkata', 'Europe/Kyiv', 'UTC', 'Europe/Berlin']) {
      await set(member, { timezone });
      assert.equal((await settingsOf(member)).timezone, timezone);
    }
  });

  // rules: user-settings-12
  test('the older paths change settings too', async () => {
    for (const path of ['/settings/display', '/settings/notifications']) {
      const starred_message_counts = path.endsWith('display');
      await member.ok('PATCH', path, { starred_message_counts, enable_digest_emails: starred_message_counts });
      const now = await settingsOf(member);
      assert.deepEqual(
        [now.starred_message_counts, now.enable_digest_emails],
        [starred_message_counts, starred_message_counts],
      );
    }
  });

  const bad: readonly (readonly [given: Json, msg: string])[] = [
    [{ color_scheme: 4 }, outsideOf('color_scheme')],
    [{ color_scheme: 'dark' }, 'color_scheme is not valid JSON'],
    [{ demote_inactive_streams: 0 }, outsideOf('demote_inactive_streams')],
    [{ desktop_icon_count_display: 5 }, outsideOf('desktop_icon_count_display')],
    [{ user_list_style: 9 }, outsideOf('user_list_style')],
    [{ web_mark_read_on_scroll_policy: 10 }, outsideOf('web_mark_read_on_scroll_policy')],
    [{ web_channel_default_view: 5 }, outsideOf('web_channel_default_view')],
    [{ automatically_follow_topics_policy: 5 }, outsideOf('automatically_follow_topics_policy')],
    [{ realm_name_in_email_notifications_policy: 4 }, outsideOf('realm_name_in_email_notifications_policy')],
    [{ emojiset: 'apple' }, outsideOf('emojiset')],
    [{ web_home_view: 'nowhere' }, outsideOf('web_home_view')],
    [{ web_animate_image_previews: 'maybe' }, outsideOf('web_animate_image_previews')],
    [{ resolved_topic_notice_auto_read_policy: 'sometimes' }, 'Invalid resolved_topic_notice_auto_read_policy'],
    [{ enter_sends: 'maybe' }, 'enter_sends is not valid JSON'],
    [{ web_font_size_px: 'large' }, 'web_font_size_px is not valid JSON'],
    [{ web_font_size_px: -1 }, 'web_font_size_px is too small'],
    [{ web_line_height_percent: 40_000 }, 'web_line_height_percent is too large'],
    [{ default_language: 'not a language' }, 'Invalid default_language'],
    [{ default_language: 'invalid' }, 'Invalid default_language'],
    [{ notification_sound: 'gong' }, "Invalid notification sound 'gong'"],
    [{ email_notifications_batching_period_seconds: 0 }, 'Invalid email batching period: 0 seconds'],
    [{ email_notifications_batching_period_seconds: 604_801 }, 'Invalid email batching period: 604801 seconds'],
    [{ timezone: '' }, 'Invalid timezone: Value error, Not a recognized time zone'],
    [{ timezone: 'Mars/Olympus_Mons' }, 'Invalid timezone: Value error, Not a recognized time zone'],
    [{ timezone: '+01:00' }, 'Invalid timezone: Value error, Not a recognized time zone'],
    [{ email_address_visibility: 6 }, outsideOf('email_address_visibility')],
    [{ full_name: 'Some * body' }, 'Invalid characters in name!'],
    [{ email: 'no address' }, 'Invalid address.'],
    [{ old_password: 'x', new_password: 'y' }, 'Wrong password!'],
    [{ new_password: 'y' }, 'Wrong password!'],
  ];
  for (const [given, msg] of bad) {
    // rules: user-settings-2
    test(`${JSON.stringify(given)} is refused, and the request changes nothing`, async () => {
      const before = await settingsOf(other);
      const body = await other.fails('PATCH', '/settings', {
        ...given,
        enable_login_emails: !before.enable_login_emails,
      });
      assert.deepEqual([body.code, body.msg], ['BAD_REQUEST', msg]);
      assert.deepEqual(await settingsOf(other), before);
    });
  }

  // rules: user-settings-4
  test('setting all settings to their current values sends no events', async () => {
    const queue = await other.register({ event_types: ['user_settings'] });
    const { timezone, dense_mode, available_notification_sounds, emojiset_choices, ...now } = await settingsOf(other);
    await set(other, now);
    assert.deepEqual(await queue.now(), []);
  });

  // rules: user-settings-2
  test('notification_sound none and a batching period of a week are accepted', async () => {
    await set(other, { notification_sound: 'none', email_notifications_batching_period_seconds: 604_800 });
    const { notification_sound, email_notifications_batching_period_seconds: seconds } = await settingsOf(other);
    assert.deepEqual([notification_sound, seconds], ['none', 604_800]);
  });

  // rules: user-settings-13
  test('bots cannot change settings', async () => {
    const bot = await server.user();
    await sql`UPDATE users SET is_bot = true, bot_type = 1 WHERE id = ${bot.userId}`.execute(server.app.db);
    const restarted = await startTestServer({ shared: server.shared });
    try {
      const { msg } = await (await restarted.sameUser(bot)).fails('PATCH', '/settings', { enter_sends: true });
      assert.equal(msg, 'This endpoint does not accept bot requests.');
    } finally {
      await restarted.stop();
    }
  });

  // rules: user-settings-21
  test('concurrent changes of different settings all apply', async () => {
    const client = await server.user();
    const names = NAMES.filter((name) => typeof (FIRST_SETTINGS as Json)[name] === 'boolean');
    await Promise.all(names.map((name) => set(client, { [name]: !(FIRST_SETTINGS as Json)[name] })));
    const now = await settingsOf(client);
    assert.deepEqual(
      names.filter((name) => now[name] === (FIRST_SETTINGS as Json)[name]),
      [],
    );
  });

  // rules: user-settings-21
  test('a running process and one started later apply the changed settings', async () => {
    const client = await server.user();
    const running = await startTestServer({ shared: server.shared });
    await (await running.sameUser(client)).ok('GET', '/drafts');
    await set(client, { enable_drafts_synchronization: false, send_private_typing_notifications: false });
    const started = await startTestServer({ shared: server.shared });
    try {
      for (const one of [server, running, started]) {
        const there = await one.sameUser(client);
        await (await one.app.organizations.bySubdomain(''))?.catchUp();
        await there.fails('GET', '/drafts');
        await there.fails('POST', '/typing', { op: 'start', to: [other.userId] });
      }
    } finally {
      await running.stop();
      await started.stop();
    }
  });
});

describe('PATCH /realm/user_settings_defaults', () => {
  const path = '/realm/user_settings_defaults';
  const defaultsOf = async (client: TestClient) =>
    (await client.register({ fetch_event_types: ['realm_user_settings_defaults'] })).state.realm_user_settings_defaults;

  // rules: user-settings-14
  test('new accounts start with the defaults, existing accounts keep theirs, and all users are notified', async () => {
    const before = await defaultsOf(member);
    const settled = await settingsOf(member);
    const wanted: Json = {};
    for (const name of DEFAULT_NAMES) wanted[name] = another(name, before[name]);
    const queue = await member.register({ event_types: ['realm_user_settings_defaults', 'user_settings'] });
    const administrator = await server.user({ role: Role.administrator });
    await administrator.ok('PATCH', path, wanted);
    try {
      assert.deepEqual(
        (await queue.now()).map(withoutId),
        Object.entries(wanted).map(([property, value]) => {
          return { type: 'realm_user_settings_defaults', op: 'update', property, value };
        }),
      );
      assert.deepEqual(await defaultsOf(member), { ...before, ...wanted });
      assert.deepEqual(await settingsOf(member), settled);
      const begun = await server.user();
      assert.deepEqual(await settingsOf(begun), { ...before, ...wanted, timezone: '' });
      await begun.fails('GET', '/drafts');
      const later = await startTestServer({ shared: server.shared });
      assert.deepEqual(await defaultsOf(await later.sameUser(begun)), { ...before, ...wanted });
      await later.stop();
    } finally {
      const { dense_mode, available_notification_sounds, emojiset_choices, ...own } = before;
      for (const name of [...OWN_ALONE, ...UNCHANGEABLE]) delete own[name];
      await owner.ok('PATCH', path, own);
    }
    assert.deepEqual(await defaultsOf(member), before);
  });

  // rules: user-settings-14
  test('refuses users below administrator', async () => {
    for (const role of [Role.moderator, Role.member, Role.guest]) {
      const body = await (await server.user({ role })).fails('PATCH', path, { enter_sends: true });
      assert.deepEqual([body.code, body.msg], ['UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator']);
    }
  });

  // rules: user-settings-14
  test('personal settings have no default', async () => {
    const given = {
      timezone: 'UTC',
      default_language: 'de',
      enable_login_emails: false,
      enable_marketing_emails: false,
    };
    const { ignored_parameters_unsupported: ignored } = await owner.ok('PATCH', path, {
      ...given,
      allow_private_data_export: true,
    });
    assert.deepEqual(ignored.toSorted(), [...OWN_ALONE, 'timezone'].toSorted());
  });

  // rules: user-settings-14
  test('invalid values are refused, and the request changes nothing', async () => {
    const bad: readonly (readonly [Json, string])[] = [
      [{ notification_sound: 'gong' }, "Invalid notification sound 'gong'"],
      [{ email_notifications_batching_period_seconds: -1 }, 'Invalid email batching period: -1 seconds'],
      [{ color_scheme: 7 }, outsideOf('color_scheme')],
      [{ email_address_visibility: 6 }, outsideOf('email_address_visibility')],
    ];
    const before = await defaultsOf(owner);
    for (const [given, msg] of bad) {
      assert.equal((await owner.fails('PATCH', path, { enter_sends: true, ...given })).msg, msg);
    }
    assert.deepEqual(await defaultsOf(owner), before);
  });

  // rules: user-settings-14
  test('new accounts start with the organization’s default language', async () => {
    await owner.ok('PATCH', '/realm', { default_language: 'de' });
    const begun = await server.user();
    assert.equal((await settingsOf(begun)).default_language, 'de');
    await owner.ok('PATCH', '/realm', { default_language: 'en' });
    assert.equal((await settingsOf(begun)).default_language, 'de');
  });
});

describe('effects of settings', () => {
  // rules: user-settings-15
  test('disabling draft synchronization deletes the drafts, and refuses requests about drafts', async () => {
    const client = await server.user();
    const draft = { type: '', to: [], topic: '', content: 'hm' };
    const { ids } = await client.ok('POST', '/drafts', { drafts: [draft] });
    const queue = await client.register({ event_types: ['drafts'] });
    await set(client, { enable_drafts_synchronization: false });
    for (const [method, path, fields] of [
      ['GET', '/drafts', {}],
      ['POST', '/drafts', { drafts: [draft] }],
      ['PATCH', `/drafts/${ids[0]}`, { draft }],
      ['DELETE', `/drafts/${ids[0]}`, {}],
    ] as const) {
      const { code, msg } = await client.fails(method, path, fields);
      assert.deepEqual([code, msg], ['BAD_REQUEST', 'User has disabled synchronizing drafts.']);
    }
    assert.deepEqual((await client.register({ event_types: ['drafts'] })).state.drafts, []);
    await set(client, { enable_drafts_synchronization: true });
    assert.deepEqual((await client.ok('GET', '/drafts')).drafts, []);
    assert.deepEqual(await queue.now(), [], 'clients keep their local drafts');
  });

  // rules: user-settings-15
  test('drafts created while synchronization is disabled concurrently are deleted too', async () => {
    const client = await server.user();
    const draft = { type: '', to: [], topic: '', content: 'hm' };
    await Promise.all([
      ...Array.from({ length: 10 }, () => client.call('POST', '/drafts', { drafts: [draft] })),
      set(client, { enable_drafts_synchronization: false }),
      ...Array.from({ length: 10 }, () => client.call('POST', '/drafts', { drafts: [draft] })),
    ]);
    await set(client, { enable_drafts_synchronization: true });
    assert.deepEqual((await client.ok('GET', '/drafts')).drafts, []);
  });

  // rules: user-settings-16
  test('separate settings refuse typing notifications in direct messages and in channels', async () => {
    const writer = await server.user();
    await owner.subscribe('typing', { principals: [writer.userId, other.userId] });
    const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: 'typing' });
    const direct = { op: 'start', to: [other.userId] };
    const channel = { type: 'channel', op: 'start', stream_id, topic: 'a' };
    const refusal = async (fields: Fields) => (await writer.fails('POST', '/typing', fields)).msg;
    await set(writer, { send_private_typing_notifications: false });
    assert.equal(await refusal(direct), 'User has disabled typing notifications for direct messages');
    await writer.ok('POST', '/typing', channel);
    await set(writer, { send_private_typing_notifications: true, send_stream_typing_notifications: false });
    assert.equal(await refusal(channel), 'User has disabled typing notifications for channel messages');
    await writer.ok('POST', '/typing', direct);
  });

  // rules: user-settings-16
  test('receives_typing_notifications=false stops typing events', async () => {
    const reader = await server.user();
    const queue = await reader.register({
      event_types: ['typing', 'user_settings'],
      client_capabilities: { stream_typing_notifications: true },
    });
    await owner.subscribe('seen typing', { principals: [reader.userId, other.userId] });
    const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: 'seen typing' });
    const type = async () => {
      await other.ok('POST', '/typing', { op: 'start', to: [reader.userId] });
      await other.ok('POST', '/typing', { type: 'channel', op: 'start', stream_id, topic: 'a' });
    };
    await set(reader, { receives_typing_notifications: false });
    await type();
    await set(reader, { receives_typing_notifications: true });
    await type();
    const events = await queue.take(4);
    assert.deepEqual(
      events.map(({ type: name }) => name),
      ['user_settings', 'user_settings', 'typing', 'typing'],
    );
  });

  const policyOf = async (client: TestClient, topic: string) => {
    const { user_topics } = (await client.register({ event_types: ['user_topic'] })).state;
    return user_topics.find((one: Json) => one.topic_name === topic)?.visibility_policy ?? 0;
  };

  // rules: user-settings-17
  test('automatic following and unmuting policies apply from the next message', async () => {
    const writer = await server.user();
    await owner.subscribe('looms', { principals: [writer.userId, other.userId] });
    const topics = ['one', 'two', 'three'];
    for (const topic of topics) await other.send('looms', topic, 'first');
    // With the default policies these topics keep their visibility.
    for (const topic of topics) await writer.send('looms', topic, 'hi');
    assert.equal(await policyOf(writer, 'one'), 0);
    await set(writer, { automatically_follow_topics_policy: 2 });
    await writer.send('looms', 'one', 'hi');
    assert.equal(await policyOf(writer, 'one'), 3);

    await set(writer, { automatically_follow_topics_policy: 4 });
    await writer.send('looms', 'begun', 'hi');
    assert.equal(await policyOf(writer, 'begun'), 0);

    const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: 'looms' });
    const muted = [{ stream_id, property: 'is_muted', value: true }];
    await writer.ok('POST', '/users/me/subscriptions/properties', { subscription_data: muted });
    await set(writer, { automatically_unmute_topics_in_muted_streams_policy: 4 });
    await writer.send('looms', 'two', 'hi');
    assert.equal(await policyOf(writer, 'two'), 0);
    await set(writer, { automatically_unmute_topics_in_muted_streams_policy: 1 });
    await writer.send('looms', 'two', 'hi');
    assert.equal(await policyOf(writer, 'two'), 2);

    await set(writer, { automatically_follow_topics_where_mentioned: false });
    await other.send('looms', 'three', `@**|${writer.userId}**`);
    assert.equal(await policyOf(writer, 'three'), 0);
    await set(writer, { automatically_follow_topics_where_mentioned: true });
    await other.send('looms', 'three', `@**|${writer.userId}**`);
    assert.equal(await policyOf(writer, 'three'), 3);
  });

  // rules: user-settings-18
  test('resolved_topic_notice_auto_read_policy decides whether the resolve notice is read', async () => {
    const [always, never, follower] = [await server.user(), await server.user(), await server.user()];
    await set(always, { resolved_topic_notice_auto_read_policy: 'always' });
    await set(never, { resolved_topic_notice_auto_read_policy: 'never' });
    const readers = [always, never, follower, other];
    await owner.subscribe('notices', { principals: readers.map(({ userId }) => userId) });
    const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: 'notices' });
    const id = await owner.send('notices', 'lunch', 'hi');
    for (const client of [always, follower]) {
      await client.ok('POST', '/user_topics', { stream_id, topic: 'lunch', visibility_policy: 3 });
    }
    await owner.ok('PATCH', `/messages/${id}`, { topic: '✔ lunch', propagate_mode: 'change_all' });
    const isRead = async (client: TestClient) => {
      const narrow = [
        { operator: 'channel', operand: 'notices' },
        { operator: 'topic', operand: '✔ lunch' },
      ];
      const { messages } = await client.ok('GET', '/messages', {
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
        narrow,
      });
      assert.match(messages.at(-1).content, /marked this topic as resolved/);
      return messages.at(-1).flags.includes('read');
    };
    assert.deepEqual(await Promise.all(readers.map(isRead)), [true, false, false, true]);
  });

  // rules: user-settings-19
  test('translate_emoticons turns emoticons into emoji in the user’s own messages', async () => {
    const writer = await server.user();
    const content = async (id: number) => (await other.ok('GET', `/messages/${id}`)).message.content;
    const plain = await writer.direct([other.userId], 'hi :)');
    await set(writer, { translate_emoticons: true });
    const translated = await writer.direct([other.userId], 'hi :)');
    await writer.ok('PATCH', `/messages/${plain}`, { content: 'bye :(' });
    assert.match(await content(translated), /aria-label="smile"/);
    assert.match(await content(plain), /aria-label="frown"/);
    assert.doesNotMatch(await content(await other.direct([writer.userId], ':)')), /emoji/);
  });

  // rules: user-settings-20
  test('subscriptions contain the general notification settings for clients without notification_settings_null', async () => {
    const client = await server.user();
    await owner.subscribe('general settings', { principals: [client.userId] });
    const subscription = async (capabilities: Fields = {}) => {
      const { state } = await client.register({ event_types: ['subscription'], client_capabilities: capabilities });
      return state.subscriptions.find(({ name }: Json) => name === 'general settings');
    };
    assert.equal((await subscription()).push_notifications, false);
    await set(client, { enable_stream_push_notifications: true, wildcard_mentions_notify: false });
    const { push_notifications, email_notifications, wildcard_mentions_notify } = await subscription();
    assert.deepEqual([push_notifications, email_notifications, wildcard_mentions_notify], [true, false, false]);
    assert.equal((await subscription({ notification_settings_null: true })).push_notifications, null);
  });
});

function outsideOf(setting: string): string {
  return `Invalid ${setting}: Value error, Not in the list of possible values`;
}
