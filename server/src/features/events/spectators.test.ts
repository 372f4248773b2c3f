import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PROFILE_FIELD_TYPES } from '@heddle/api/objects/profile-field.ts';
import type { Fields, TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
let spectator: TestClient;
let shownId: number;
let hiddenId: number;
let openFolder: number;

before(async () => {
  server = await startTestServer();
  ({ owner, spectator } = server);
  member = await server.user({ name: 'Mary Member' });
  const folder = async (name: string) =>
    (await owner.ok('POST', '/channel_folders/create', { name, description: '' })).channel_folder_id;
  openFolder = await folder('open folder');
  const secretFolder = await folder('secret folder');
  shownId = await server.emptyChannel(owner, 'shown', { principals: [member.userId] });
  hiddenId = await server.emptyChannel(owner, 'secret channel', { invite_only: true });
  await owner.ok('PATCH', '/realm', { enable_spectator_access: true });
  await owner.ok('PATCH', `/streams/${shownId}`, { is_web_public: true, folder_id: openFolder });
  await owner.ok('PATCH', `/streams/${hiddenId}`, { folder_id: secretFolder });
  await owner.ok('PATCH', '/realm', { moderation_request_channel_id: hiddenId });
  const archived = await server.emptyChannel(owner, 'secret archive');
  await owner.ok('PATCH', `/streams/${archived}`, { is_web_public: true });
  await owner.ok('DELETE', `/streams/${archived}`);
  await owner.send('secret channel', 'secret topic', 'secret words');
  await owner.ok('POST', '/saved_snippets', { title: 'secret', content: 'secret' });
});
after(() => server.stop());

const register = (fields: Fields = {}): Promise<Json> => spectator.ok('POST', '/register', fields);

// rules: spectators-7
test('register without credentials returns no queue, and such a client cannot poll events', async () => {
  const state = await register();
  assert.equal(state.queue_id, null);
  assert.equal('last_event_id' in state, false);
  assert.deepEqual([state.zulip_feature_level, state.service_feature_level], [421, 421]);
  for (const fields of [{ queue_id: 'null', last_event_id: -1 }, {}]) {
    assert.equal((await spectator.fails('GET', '/events', fields, 401)).code, 'UNAUTHORIZED');
  }
});

// rules: spectators-7
test("the initial state of spectators has every field of a member's, except streams and the event cursor", async () => {
  const client_capabilities = { notification_settings_null: true };
  const own = Object.keys((await member.register({ client_capabilities })).state);
  const theirs = new Set(Object.keys(await register({ client_capabilities })));
  assert.deepEqual(own.filter((name) => !theirs.has(name)).toSorted(), ['last_event_id', 'streams']);
});

// rules: spectators-7
test('personal fields are empty for spectators, who appear as a guest with an anonymous name', async () => {
  const state = await register({ client_capabilities: { user_settings_object: true } });
  const { user_id, email, full_name, is_guest, is_admin, is_owner, is_moderator } = state;
  assert.deepEqual(
    { user_id, email, full_name, is_guest, is_admin, is_owner, is_moderator },
    {
      ...{ user_id: 0, email: 'username@example.com', full_name: 'Anonymous User' },
      ...{ is_guest: true, is_admin: false, is_owner: false, is_moderator: false },
    },
  );
  for (const name of [
    'drafts',
    'saved_snippets',
    'navigation_views',
    'starred_messages',
    'user_topics',
    'scheduled_messages',
    'reminders',
  ]) {
    assert.deepEqual(state[name], [], name);
  }
  for (const name of ['unsubscribed', 'never_subscribed', 'realm_default_streams', 'recent_private_conversations']) {
    assert.deepEqual(state[name], [], name);
  }
  assert.deepEqual(state.unread_msgs.count, 0);
  assert.equal(state.max_message_id, -1);
  assert.equal(state.user_settings.web_home_view, 'recent_topics');
  for (const name of Object.keys(state).filter((key) => key.startsWith('can_'))) assert.equal(state[name], false, name);
  assert.deepEqual([state.realm_allow_message_editing, state.realm_presence_disabled], [false, true]);
});

// rules: spectators-7
test('spectators receive the types of profile fields, but no fields', async () => {
  await owner.ok('POST', '/realm/profile_fields', { name: 'Secret', field_type: 1 });
  const state = await register({ fetch_event_types: ['custom_profile_fields'] });
  assert.deepEqual(state.custom_profile_fields, []);
  assert.deepEqual(state.custom_profile_field_types, PROFILE_FIELD_TYPES);
});

// rules: spectators-7
test('spectators receive web-public channels as subscriptions, and nothing of other channels', async () => {
  const state = await register();
  assert.deepEqual(
    state.subscriptions.map(({ stream_id, name, is_web_public, is_muted }: Json) => [
      stream_id,
      name,
      is_web_public,
      is_muted,
    ]),
    [[shownId, 'shown', true, false]],
  );
  assert.equal('subscribers' in state.subscriptions[0], false);
  assert.deepEqual(
    state.channel_folders.map(({ id }: Json) => id),
    [openFolder],
  );
  assert.equal(state.realm_moderation_request_channel_id, -1);
  const capable = { client_capabilities: { archived_channels: true, include_deactivated_groups: true } };
  for (const text of [JSON.stringify(state), JSON.stringify(await register(capable))]) {
    assert(!text.includes('secret'), 'the state contains data of another channel');
  }
});

// rules: spectators-7
test('spectators receive users without email addresses, time zones and exact join dates', async () => {
  const state = await register();
  const user = state.realm_users.find(({ user_id }: Json) => user_id === member.userId);
  assert.deepEqual(
    [user.full_name, user.email, user.delivery_email, 'timezone' in user, 'profile_data' in user, 'is_active' in user],
    ['Mary Member', `user${member.userId}@localhost`, null, false, false, false],
  );
  assert.match(user.date_joined, /^\d{4}-\d\d-\d\d$/);
  assert.match(user.avatar_url, /^https:/);
  const text = JSON.stringify({ ...state, email: '', delivery_email: '' });
  for (const { email } of [owner, member]) assert(!text.includes(email));
  const own = (await member.register({ client_gravatar: false })).state;
  const pictures = own.realm_users.map(({ avatar_url }: Json) => avatar_url);
  for (const { avatar_url } of state.realm_users) assert(!pictures.includes(avatar_url));
});

// rules: spectators-8
test('register without credentials refuses client_gravatar and include_subscribers', async () => {
  await register({ client_gravatar: false, include_subscribers: false });
  for (const [name, values] of [
    ['client_gravatar', [true]],
    ['include_subscribers', [true, 'partial']],
  ] as const) {
    for (const value of values) {
      const { code, msg } = await spectator.fails('POST', '/register', { [name]: value });
      assert.deepEqual([code, msg], ['BAD_REQUEST', `Invalid '${name}' parameter for anonymous request`]);
    }
  }
});

// rules: spectators-7
test('fetch_event_types and event_types select the state for spectators', async () => {
  const always = Object.keys(await register({ fetch_event_types: [] }));
  const more = Object.keys(await register({ event_types: ['subscription'] })).filter((name) => !always.includes(name));
  assert.deepEqual(more.sort(), ['never_subscribed', 'subscriptions', 'unsubscribed']);
  assert(!always.includes('realm_users'));
});

// rules: spectators-10
test('register without credentials refuses a large request body', async () => {
  const large = { client_capabilities: {}, event_types: ['x'.repeat(70_000)] };
  assert.equal((await spectator.call('POST', '/register', large)).status, 413);
});

// rules: spectators-9
test('register without credentials requires a web-public channel, the realm setting and the server setting', async () => {
  const settings = async () => (await spectator.ok('GET', '/server_settings')).realm_web_public_access_enabled;
  const isRefused = async () => {
    const { code, msg } = await spectator.fails('POST', '/register', {}, 401);
    assert.deepEqual([code, msg], ['UNAUTHORIZED', 'Not logged in: API authentication or user session required']);
    assert.equal(await settings(), false);
  };
  assert.equal(await settings(), true);
  await owner.ok('PATCH', `/streams/${shownId}`, { is_web_public: false });
  await isRefused();
  await owner.ok('PATCH', `/streams/${shownId}`, { is_web_public: true });
  await owner.ok('PATCH', '/realm', { enable_spectator_access: false });
  await isRefused();
  await owner.ok('PATCH', '/realm', { enable_spectator_access: true });
  assert.equal((await register()).server_web_public_streams_enabled, true);
  const closed = await startTestServer({ environment: { HEDDLE_WEB_PUBLIC_CHANNELS: 'off' }, shared: server.shared });
  try {
    await closed.spectator.fails('POST', '/register', {}, 401);
    const { state } = await closed.owner.register();
    assert.deepEqual([state.server_web_public_streams_enabled, state.can_create_web_public_streams], [false, false]);
  } finally {
    await closed.stop();
  }
});
