import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { SNAPSHOT_TIMEOUTS } from '../../db/timeouts.ts';
import { type ReadSnapshot, statePart } from '../../extension/initial-state.ts';
import type { Fields, TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { archiveChannel } from '../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { registerInTurn } from './in-turn.ts';
import { register as registerWith } from './register.ts';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
let other: TestClient;
let channelId: number;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.user();
  other = await server.user();
  channelId = await channelOf('plain', { principals: [owner.userId, member.userId] });
});
after(() => server.stop());

async function channelOf(name: string, more: Fields = {}): Promise<number> {
  await owner.subscribe(name, more);
  return (await owner.ok('GET', '/get_stream_id', { stream: name })).stream_id;
}

const register = (parameters: Fields = {}, client = member): Promise<Json> =>
  client.ok('POST', '/register', parameters);

/** The fields of the response beyond those that every response has. */
async function fieldsFor(parameters: Fields): Promise<string[]> {
  const always = new Set(Object.keys(await register({ fetch_event_types: [] })));
  return Object.keys(await register(parameters)).filter((name) => !always.has(name));
}

// rules: register-1, versions-1
test('register returns the queue id and the server version under both names, whatever the client fetches', async () => {
  const state = await register({ fetch_event_types: [] });
  assert.equal(typeof state.queue_id, 'string');
  assert.equal(Number.isInteger(state.last_event_id), true);
  assert.deepEqual([state.zulip_feature_level, state.service_feature_level], [421, 421]);
  assert.equal(state.zulip_version, state.service_version);
  assert.equal(state.zulip_merge_base, state.service_merge_base);
});

test('connections prepare a bounded number of statements for any choice of event types', async () => {
  const types = ['message', 'starred_messages', 'saved_snippets', 'subscription', 'recent_private_conversations'];
  for (let choice = 0; choice < 2 ** types.length; choice++) {
    const chosen = types.filter((_, index) => choice & (1 << index));
    const fields = await fieldsFor({ fetch_event_types: chosen });
    assert.equal(fields.includes('starred_messages'), chosen.includes('starred_messages'));
    assert.equal(fields.includes('subscriptions'), chosen.includes('subscription'));
  }
  const { rows } = await server.app.pool.query(
    `SELECT count(*) FROM pg_prepared_statements WHERE name LIKE 'initial state%'`,
  );
  assert.ok(rows[0].count <= 16);
});

// rules: register-8, register-9
test('event_types selects the events, and also the initial state unless fetch_event_types is given', async () => {
  assert.deepEqual(await fieldsFor({ event_types: ['message'] }), ['max_message_id']);
  assert.deepEqual(await fieldsFor({ event_types: ['message'], fetch_event_types: ['starred_messages'] }), [
    'starred_messages',
  ]);
  const all = new Set(await fieldsFor({}));
  for (const name of ['max_message_id', 'unread_msgs', 'streams', 'subscriptions', 'realm_users', 'max_topic_length']) {
    assert(all.has(name), name);
  }
  const none = await member.register({ event_types: [], fetch_event_types: ['message'] });
  const messages = await member.register({ event_types: ['message'], fetch_event_types: [] });
  const id = await owner.send('plain', 'a', 'x');
  assert.equal((await messages.take(1))[0].message.id, id);
  assert.deepEqual(await none.now(), []);
});

// rules: register-8
test('register ignores unknown event types and refuses event_types that is not a list of strings', async () => {
  assert.deepEqual(await fieldsFor({ event_types: ['colours', 'message', 'constructor'] }), ['max_message_id']);
  for (const event_types of ['message', '{"a":1}', [1]]) {
    const body = await member.fails('POST', '/register', { event_types });
    assert.equal(body.code, 'BAD_REQUEST');
  }
});

// rules: register-8
test('event_types=null means none given, as zulip-js sends it', async () => {
  const { body } = await member.call('POST', '/register', { event_types: null });
  assert('streams' in body && 'realm_users' in body);
});

// rules: register-9
test('each event type has its part of the state', async () => {
  const parts: [string, string[]][] = [
    ['message', ['max_message_id']],
    ['update_message_flags', []],
    ['starred_messages', ['starred_messages']],
    ['stream', ['streams']],
    ['subscription', ['subscriptions', 'unsubscribed', 'never_subscribed']],
    ['realm', ['realm_name', 'realm_empty_topic_display_name', 'max_message_length', 'max_topic_length']],
    ['realm', ['max_stream_name_length', 'max_stream_description_length', 'max_file_upload_size_mib']],
    ['giphy', ['giphy_api_key']],
    ['onboarding_steps', ['onboarding_steps', 'navigation_tour_video_url']],
    ['realm_billing', ['realm_billing']],
    ['stop_words', ['stop_words']],
    ['realm_user', ['realm_users', 'realm_non_active_users', 'cross_realm_bots', 'user_id', 'email']],
  ];
  for (const [type, names] of parts) {
    const fields = new Set(await fieldsFor({ event_types: [type] }));
    for (const name of names) assert(fields.has(name), `${type} has ${name}`);
  }
});

// rules: conventions-13, limits-3
test('register returns the limits in force', async () => {
  const { max_message_length, max_topic_length, max_stream_name_length, max_stream_description_length, ...state } =
    await register({ fetch_event_types: ['realm'] });
  assert.deepEqual(
    [max_message_length, max_topic_length, max_stream_name_length, max_stream_description_length],
    [10_000, 60, 60, 1024],
  );
  assert.deepEqual([state.max_channel_folder_name_length, state.max_channel_folder_description_length], [60, 1024]);
  const limits = {
    move_messages_within_stream_limit_seconds: 604_800,
    move_messages_between_streams_limit_seconds: 604_800,
    message_content_edit_limit_seconds: 600,
    message_content_delete_limit_seconds: 600,
  };
  for (const [name, seconds] of Object.entries(limits)) assert.equal(state[`realm_${name}`], seconds, name);
});

test('register returns unread_msgs only if the client fetches both messages and flags', async () => {
  const both = await fieldsFor({ event_types: ['message', 'update_message_flags'] });
  assert.deepEqual(both.sort(), ['max_message_id', 'unread_msgs']);
});

// rules: reading-14
test('unread_msgs groups by topic, by other user and by group; ids ascend', async () => {
  const reader = await server.user({ name: 'Una Read' });
  await owner.subscribe('plain', { principals: [reader.userId], send_new_subscription_messages: false });
  const lunch = [await owner.send('plain', 'lunch', 'a'), await owner.send('plain', 'LUNCH', '@**Una Read**')];
  const empty = await owner.send('plain', '', '@**all**');
  const direct = await owner.direct([reader.userId], 'a');
  const group = await owner.direct([reader.userId, other.userId], 'a');
  const self = await reader.direct([reader.userId], 'a');
  lunch.push(await owner.send('plain', 'lunch', 'b'));
  const types = { event_types: ['message', 'update_message_flags'] };
  const { unread_msgs, max_message_id } = await register(types, reader);
  const person = (id: number, ids: number[]) => ({ other_user_id: id, sender_id: id, unread_message_ids: ids });
  const ids = [reader.userId, owner.userId, other.userId].sort((a, b) => a - b);
  const expected = {
    count: 7,
    pms: [person(owner.userId, [direct]), person(reader.userId, [self])],
    streams: [
      { stream_id: channelId, topic: 'lunch', unread_message_ids: lunch },
      { stream_id: channelId, topic: 'general chat', unread_message_ids: [empty] },
    ],
    huddles: [{ user_ids_string: ids.join(','), unread_message_ids: [group] }],
    mentions: [lunch[1], empty],
    old_unreads_missing: false,
  };
  assert.deepEqual(unread_msgs, expected);
  assert.equal(max_message_id, lunch[2]);
  const capable = await register({ ...types, client_capabilities: { empty_topic_name: true } }, reader);
  assert.equal(capable.unread_msgs.streams[1].topic, '');
  await reader.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['plain'] });
  const left = (await register(types, reader)).unread_msgs;
  assert.deepEqual([left.count, left.streams, left.mentions], [3, [], []]);
});

// rules: reading-14
test('starred_messages lists the ids in ascending order', async () => {
  const ids = [await owner.send('plain', 'a', '1'), await owner.send('plain', 'a', '2')];
  await member.ok('POST', '/messages/flags', { messages: [ids[1]], op: 'add', flag: 'starred' });
  await member.ok('POST', '/messages/flags', { messages: [ids[0]], op: 'add', flag: 'starred' });
  assert.deepEqual((await register({ event_types: ['starred_messages'] })).starred_messages, ids);
});

test('max_message_id is the newest message that the user received, or -1', async () => {
  const fresh = await server.user();
  const newest = async () => (await register({ event_types: ['message'] }, fresh)).max_message_id;
  assert.equal(await newest(), -1);
  await owner.send('plain', 'a', 'not for them');
  assert.equal(await newest(), -1);
  const id = await owner.direct([fresh.userId], 'x');
  await owner.send('plain', 'a', 'nor this');
  assert.equal(await newest(), id);
});

test('max_message_id is found beyond many newer messages to others', async () => {
  const quiet = await server.user();
  await server.emptyChannel(owner, 'quiet corner', { principals: [quiet.userId] });
  const newest = async () => (await register({ event_types: ['message'] }, quiet)).max_message_id;
  const own = await owner.send('quiet corner', 'a', 'for them');
  for (let count = 0; count < 60; count++) await owner.send('plain', 'a', `not for them ${count}`);
  assert.equal(await newest(), own);
  const direct = await owner.direct([quiet.userId], 'for them');
  assert.equal(await newest(), direct);
});

test('recent_private_conversations omits the user themselves and sorts newest first', async () => {
  const fresh = await server.user();
  const own = await fresh.direct([fresh.userId], 'x');
  const group = await owner.direct([fresh.userId, other.userId], 'x');
  await owner.direct([fresh.userId], 'older');
  const pair = await fresh.direct([owner.userId], 'x');
  const state = await register({ event_types: ['recent_private_conversations'] }, fresh);
  assert.deepEqual(state.recent_private_conversations, [
    { max_message_id: pair, user_ids: [owner.userId] },
    { max_message_id: group, user_ids: [owner.userId, other.userId].sort((a, b) => a - b) },
    { max_message_id: own, user_ids: [] },
  ]);
});

// rules: register-2
test('apply_markdown selects HTML or Markdown in message events; the default is Markdown', async () => {
  const queues = [
    await member.register({ event_types: ['message'] }),
    await member.register({ event_types: ['message'], apply_markdown: false }),
    await member.register({ event_types: ['message'], apply_markdown: true }),
  ];
  await owner.send('plain', 'a', '*slanted*');
  const events = await Promise.all(queues.map(async (queue) => (await queue.take(1))[0].message));
  assert.deepEqual(
    events.map(({ content, content_type }) => [content, content_type]),
    [
      ['*slanted*', 'text/x-markdown'],
      ['*slanted*', 'text/x-markdown'],
      ['<p><em>slanted</em></p>', 'text/html'],
    ],
  );
});

// rules: message-fields-9, register-3
test('client_gravatar leaves gravatar URLs to the client, in the state and in events; it is the default', async () => {
  for (const [parameters, isNull] of [
    [{}, true],
    [{ client_gravatar: true }, true],
    [{ client_gravatar: false }, false],
  ] as const) {
    const queue = await member.register({ event_types: ['message', 'realm_user'], ...parameters });
    const isLeft = (value: Json) => {
      assert(value === null || /^https:\/\/secure\.gravatar\.com\//.test(value));
      return value === null;
    };
    await owner.send('plain', 'a', 'x');
    const [event] = await queue.take(1);
    const { realm_users, avatar_url, avatar_url_medium } = queue.state;
    assert.deepEqual([isLeft(event.message.avatar_url), isLeft(realm_users[0].avatar_url)], [isNull, isNull]);
    assert(!isLeft(avatar_url) && !isLeft(avatar_url_medium), 'the user’s own avatar URL is always set');
  }
});

// rules: register-4, register-5
test('include_subscribers accepts true, false (the default) and partial', async () => {
  const subscribersIn = async (parameters: Fields) => {
    const { subscriptions } = await register({ event_types: ['subscription'], ...parameters });
    return subscriptions.find((subscription: Json) => subscription.stream_id === channelId).subscribers;
  };
  assert.equal(await subscribersIn({}), undefined);
  assert.equal(await subscribersIn({ include_subscribers: false }), undefined);
  const { subscribers } = await owner.ok('GET', `/streams/${channelId}/members`);
  assert(subscribers.includes(member.userId) && subscribers.includes(owner.userId));
  for (const value of [true, 'partial', '"partial"']) {
    const listed = await subscribersIn({ include_subscribers: value });
    assert.deepEqual(listed.toSorted(), subscribers.toSorted(), `${value}`);
  }
  await member.fails('POST', '/register', { include_subscribers: 'some' });
});

// rules: register-17
test('register includes archived channels only for clients with the capability archived_channels', async () => {
  const id = await channelOf('archived', { principals: [member.userId] });
  await archiveChannel(server, id);
  const has = async (capabilities: Fields) => {
    const state = await register({ event_types: ['stream', 'subscription'], client_capabilities: capabilities });
    const all = [...state.streams, ...state.subscriptions, ...state.unsubscribed, ...state.never_subscribed];
    return all.some((channel) => channel.stream_id === id);
  };
  assert.equal(await has({}), false);
  assert.equal(await has({ archived_channels: false }), false);
  assert.equal(await has({ archived_channels: true }), true);
});

// rules: register-13
test('inherited notification settings of a subscription are null only with notification_settings_null', async () => {
  const setting = async (capabilities: Fields) => {
    const state = await register({ event_types: ['subscription'], client_capabilities: capabilities });
    return state.subscriptions.find((one: Json) => one.stream_id === channelId).push_notifications;
  };
  assert.equal(await setting({ notification_settings_null: true }), null);
  assert.equal(typeof (await setting({})), 'boolean');
});

// rules: register-12
test('register accepts unknown client_capabilities and refuses malformed ones', async () => {
  await register({ fetch_event_types: [], client_capabilities: { telepathy: true } });
  for (const client_capabilities of [{ empty_topic_name: 'yes' }, [], 'true']) {
    const body = await member.fails('POST', '/register', { client_capabilities });
    assert.equal(body.code, 'BAD_REQUEST');
  }
});

test('realm_user_settings_defaults contains the defaults of new users, all settings but the time zone', async () => {
  const state = await register({ fetch_event_types: ['realm_user_settings_defaults', 'user_settings'] });
  const { timezone, ...settings } = state.user_settings;
  assert.equal(typeof timezone, 'string');
  assert.deepEqual(state.realm_user_settings_defaults, settings);
  assert.equal(settings.automatically_follow_topics_policy, 3, 'topics that the user starts');
  assert.equal('realm_user_settings_defaults' in (await register({ fetch_event_types: ['user_settings'] })), false);
});

// rules: register-6
test('register accepts slim_presence and refuses values of boolean parameters that are not booleans', async () => {
  const state = await register({ fetch_event_types: ['presence'], slim_presence: true });
  assert.equal('ignored_parameters_unsupported' in state, false);
  for (const name of ['slim_presence', 'apply_markdown', 'client_gravatar', 'all_public_streams']) {
    const body = await member.fails('POST', '/register', { [name]: 'yes' });
    assert.deepEqual([body.code, body.msg], ['BAD_REQUEST', `${name} is not valid JSON`]);
  }
});

test('each registration creates its own queue, which begins where its state was read', async () => {
  const first = await member.register({ event_types: ['message'] });
  const before = await owner.send('plain', 'a', 'before');
  const second = await member.register({ event_types: ['message'] });
  const after = await owner.send('plain', 'a', 'after');
  assert.notEqual(first.id, second.id);
  assert.equal(second.state.max_message_id, before);
  const messageIds = (events: Json[]) => events.map((event) => event.message.id);
  assert.deepEqual(messageIds(await first.take(2)), [before, after]);
  assert.deepEqual(messageIds(await second.take(1)), [after]);
});

test('I7: the unread state matches the start of the queue while messages arrive, and each registration leaves one queue', async () => {
  const reader = await server.user();
  const rushing = await channelOf('rushing', { principals: [owner.userId, reader.userId] });
  const sent = [await owner.send('rushing', 'a', 'x')];
  const states: Json[] = [];
  for (let round = 0; round < 5; round++) {
    const sending = Array.from({ length: 8 }, () => owner.send('rushing', 'a', 'x'));
    const registering = Array.from({ length: 4 }, () => register({}, reader));
    states.push(...(await Promise.all(registering)));
    sent.push(...(await Promise.all(sending)));
  }
  for (const { unread_msgs, queue_id, last_event_id } of states) {
    const { events } = await reader.ok('GET', '/events', { queue_id, last_event_id, dont_block: true });
    const later = events.filter(({ type }: Json) => type === 'message').map(({ message }: Json) => message.id);
    const unread = unread_msgs.streams
      .filter(({ stream_id, topic }: Json) => stream_id === rushing && topic === 'a')
      .flatMap(({ unread_message_ids }: Json) => unread_message_ids);
    assert.deepEqual(
      [...unread, ...later],
      sent.toSorted((a, b) => a - b),
    );
  }
  const { rows } = await server.app.pool.query('SELECT id FROM queues WHERE user_id = $1', [reader.userId]);
  assert.deepEqual(rows.map(({ id }) => id).sort(), states.map(({ queue_id }) => queue_id).sort());
});

/** Registers the owner of a new, quiet organization, with a state of one part that runs this query. */
async function registerAsking(subdomain: string, query: (read: ReadSnapshot) => Promise<unknown>) {
  const { pool, queues, organizations } = server.app;
  const client = await server.organization(subdomain);
  const organization = await organizations.bySubdomain(subdomain);
  const user = organization?.directory.user(client.userId);
  const like = await client.register();
  const settings = organization && queues.inMemory(organization.id, like.id)?.settings;
  await client.ok('DELETE', '/events', { queue_id: like.id });
  assert(organization !== undefined && user !== undefined && settings !== undefined);
  const stateParts = [statePart({ types: [], query, build: (_, rows) => ({ asked: rows }) })];
  return registerWith({ pool, queues, organization, user, client: 'tests', settings, types: null, stateParts });
}

async function queuesAt(subdomain: string): Promise<readonly string[]> {
  const organization = await server.app.organizations.bySubdomain(subdomain);
  const { rows } = await server.app.pool.query('SELECT id FROM queues WHERE organization_id = $1', [organization?.id]);
  return rows.map(({ id }) => id);
}

test('registration has a longer statement timeout than other requests', async () => {
  const { queue, state } = await registerAsking('slow', (read) =>
    read(
      async (snapshot) =>
        (
          await sql<{ setting: string }>`
      SELECT setting FROM pg_settings WHERE name = 'statement_timeout'`.execute(snapshot)
        ).rows[0]?.setting,
    ),
  );
  assert.deepEqual(state, { asked: `${SNAPSHOT_TIMEOUTS.statement}` });
  assert.deepEqual(await queuesAt('slow'), [queue.id]);
});

test('the registration query selects its own state parts, not those of an earlier registration', async () => {
  const { pool, queues, organizations } = server.app;
  const organization = await organizations.bySubdomain('');
  const user = organization?.directory.user(owner.userId);
  const like = await owner.register();
  const settings = organization && queues.inMemory(organization.id, like.id)?.settings;
  assert(organization !== undefined && user !== undefined && settings !== undefined);
  for (const value of [1, 2]) {
    const select = () => sql<number>`SELECT ${sql.lit(value)}::integer`;
    const stateParts = [statePart<number>({ types: [], select, build: (_, selected) => ({ selected }) })];
    const { state } = await registerWith({
      pool,
      queues,
      organization,
      user,
      client: 'tests',
      settings,
      types: null,
      stateParts,
    });
    assert.deepEqual(state, { selected: value });
  }
});

test('registrations of one user wait for each other, and those of other users do not', async () => {
  const { pool, queues, organizations } = server.app;
  const organization = await organizations.bySubdomain('');
  const like = await owner.register();
  const settings = organization && queues.inMemory(organization.id, like.id)?.settings;
  assert(organization !== undefined && settings !== undefined);
  const asked: number[] = [];
  const { promise: begun, resolve: begins } = Promise.withResolvers<void>();
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
  const registering = ({ userId }: TestClient) => {
    const user = organization.directory.user(userId);
    assert(user !== undefined);
    const query = async () => {
      asked.push(userId);
      if (userId !== member.userId) return;
      begins();
      await mayGoOn;
    };
    const stateParts = [statePart({ types: [], query, build: () => ({}) })];
    const registration = { pool, queues, organization, user, client: 'tests', settings, types: null, stateParts };
    return registerInTurn(registration, 0);
  };
  const both = [registering(member), registering(member)];
  await begun;
  await registering(owner);
  await registering(other);
  assert.deepEqual(
    asked.filter((userId) => userId === member.userId),
    [member.userId],
  );
  goOn();
  const [one, two] = await Promise.all(both);
  assert.notEqual(one?.queue.id, two?.queue.id);
  assert.equal(asked.length, 4);
});

test('a failed registration leaves no queue', async () => {
  const failing = registerAsking('failing', (read) => read((snapshot) => sql`SELECT 1 / 0`.execute(snapshot)));
  await assert.rejects(failing, { code: '22012' });
  assert.deepEqual(await queuesAt('failing'), []);
});

test('a refused registration does not affect those that arrive with it', async () => {
  const answers = await Promise.all([
    register({ event_types: ['message'] }),
    member.fails('POST', '/register', { narrow: [['is', 'nothing-like-it', 'x']] }),
    register({ event_types: ['message'] }, owner),
    register({ event_types: ['message'] }, other),
  ]);
  assert.equal(answers[1].code, 'BAD_REQUEST');
  const id = await owner.send('plain', 'a', 'y');
  for (const [client, { queue_id, last_event_id }] of [
    [member, answers[0]],
    [owner, answers[2]],
  ] as const) {
    const { events } = await client.ok('GET', '/events', { queue_id, last_event_id, dont_block: true });
    assert.deepEqual(
      events.map(({ message }: Json) => message.id),
      [id],
    );
  }
});
