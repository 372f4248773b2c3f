import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Role } from '../../../directory/records.ts';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { becomeBot } from '../../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { deactivateUser } from '../../accounts/accounts/actions.ts';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
let guest: TestClient;
let stranger: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.user();
  guest = await server.user({ role: Role.guest });
  stranger = await server.organization('elsewhere');
});
after(() => server.stop());

let made = 0;
/** Returns a channel name that no other test uses. */
const newName = (word: string) => `${word} ${++made}`;

async function create(client: TestClient, name: string, more: Record<string, unknown> = {}): Promise<number> {
  return (await client.ok('POST', '/channels/create', { name, subscribers: [client.userId], ...more })).id;
}

async function listed(client: TestClient, query: Record<string, unknown> = {}): Promise<string[]> {
  const { streams } = await client.ok('GET', '/streams', query);
  return streams.map((channel: { name: string }) => channel.name);
}

// rules: channels-8
test('POST /channels/create creates a channel with its subscribers', async () => {
  const name = newName('music');
  const id = await create(member, name, { description: 'For **loud** things', subscribers: [owner.userId] });
  const { stream } = await member.ok('GET', `/streams/${id}`);
  assert.equal(stream.name, name);
  assert.equal(stream.description, 'For **loud** things');
  assert.equal(stream.rendered_description, '<p>For <strong>loud</strong> things</p>');
  assert.equal(stream.creator_id, member.userId);
  assert.equal(stream.subscriber_count, 1);
  assert.equal(stream.topics_policy, 'inherit');
  assert.equal(stream.history_public_to_subscribers, true);
  const { messages } = await member.ok('GET', '/messages', {
    ...{ anchor: 'newest', num_before: 5, num_after: 0, narrow: [{ operator: 'channel', operand: id }] },
  });
  assert.deepEqual(
    [stream.first_message_id],
    messages.map((message: { id: number }) => message.id),
  );
  assert.equal(stream.is_recently_active, true);
  assert.deepEqual(stream.can_administer_channel_group, { direct_members: [member.userId], direct_subgroups: [] });
  assert.deepEqual((await member.ok('GET', `/streams/${id}/members`)).subscribers, [owner.userId]);
});

// rules: subscriptions-12
test('the permissions of a channel name no deactivated accounts', async () => {
  const [gone, stays] = [await server.user(), await server.user()];
  const both = { direct_members: [gone.userId, stays.userId], direct_subgroups: [] };
  const only = { ...both, direct_members: [stays.userId] };
  const id = await create(gone, newName('abandoned'), { can_send_message_group: both, subscribers: [owner.userId] });
  const channelsSeen = async () => {
    const { subscriptions, unsubscribed, never_subscribed } = (await owner.register()).state;
    const lists = [subscriptions, unsubscribed, never_subscribed, (await owner.ok('GET', '/streams')).streams];
    return [
      ...lists.flat().filter(({ stream_id }) => stream_id === id),
      (await owner.ok('GET', `/streams/${id}`)).stream,
    ];
  };
  const before = await channelsSeen();
  assert.equal(before.length, 3);
  for (const channel of before) assert.deepEqual(channel.can_send_message_group, both);
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  await deactivateUser(server.app, organization, gone.userId);
  for (const channel of await channelsSeen()) {
    assert.deepEqual(channel.can_send_message_group, only);
    assert.deepEqual(channel.can_administer_channel_group, { direct_members: [], direct_subgroups: [] });
  }
});

test('a name that is taken, in any case, is refused with CHANNEL_ALREADY_EXISTS', async () => {
  const name = newName('taken');
  await create(member, name);
  const body = await member.fails('POST', '/channels/create', { name: name.toUpperCase(), subscribers: [] }, 409);
  assert.equal(body.code, 'CHANNEL_ALREADY_EXISTS');
  assert.equal(body.channel_name, name.toUpperCase());
});

test('names that only PostgreSQL considers equal do not cause a server error', async () => {
  await create(member, 'ΑΣ');
  const { status, body } = await member.call('POST', '/channels/create', { name: 'ασ', subscribers: [] });
  // The database's locale decides whether they are equal. Either way the server must respond without a server error.
  assert(status === 200 || body.code === 'CHANNEL_ALREADY_EXISTS');
});

// rules: subscriptions-2, limits-1
test('names are trimmed, not empty, at most 60 characters, and without control characters', async () => {
  const refused = async (name: string) =>
    (await member.fails('POST', '/channels/create', { name, subscribers: [] })).msg;
  assert.equal(await refused('   '), "Channel name can't be empty.");
  assert.equal(await refused('x'.repeat(61)), 'Channel name too long (limit: 60 characters).');
  assert.equal(await refused('ab\u0007c'), 'Invalid character in channel name, at position 3.');
  const id = await create(member, `  ${'🙂'.repeat(60)}  `);
  assert.equal((await member.ok('GET', `/streams/${id}`)).stream.name, '🙂'.repeat(60));
});

// rules: subscriptions-2, limits-1
test('a description is at most 1024 characters, on one line', async () => {
  const id = await create(member, newName('described'), { description: 'one\ntwo' });
  assert.equal((await member.ok('GET', `/streams/${id}`)).stream.description, 'one two');
  const breaks = await create(member, newName('broken'), { description: 'a\r\nb\rc\u2028d\u0085e' });
  assert.equal((await member.ok('GET', `/streams/${breaks}`)).stream.description, 'a b c d e');
  const long = { name: newName('long'), description: 'x'.repeat(1025), subscribers: [] };
  assert.match((await member.fails('POST', '/channels/create', long)).msg, /description is too long/);
});

test('guests cannot create channels', async () => {
  const body = await guest.fails('POST', '/channels/create', { name: newName('guests'), subscribers: [] });
  assert.equal(body.msg, 'Not allowed for guest users');
});

// rules: channels-6, subscriptions-11
test('message_retention_days accepts days, realm_default and unlimited, only from owners', async () => {
  const daysOf = async (value: unknown) => {
    const id = await create(owner, newName('kept'), { message_retention_days: value });
    return (await owner.ok('GET', `/streams/${id}`)).stream.message_retention_days;
  };
  assert.equal(await daysOf('unlimited'), -1);
  assert.equal(await daysOf('realm_default'), null);
  for (const days of [30, '30']) assert.equal(await daysOf(days), 30);
  const refused = async (client: TestClient, value: unknown) =>
    client.fails('POST', '/channels/create', { name: newName('kept'), subscribers: [], message_retention_days: value });
  for (const value of ['forever', 0, -1, 2 ** 31]) {
    const { code, msg } = await refused(owner, value);
    assert.deepEqual([code, msg], ['REQUEST_VARIABLE_INVALID', `Bad value for 'message_retention_days': ${value}`]);
  }
  assert.equal((await refused(member, 30)).code, 'UNAUTHORIZED_PRINCIPAL');
});

// rules: channels-8, subscriptions-13
test('topics_policy must be a known value and defaults to inherit', async () => {
  const id = await create(member, newName('policy'), { topics_policy: 'empty_topic_only' });
  assert.equal((await member.ok('GET', `/streams/${id}`)).stream.topics_policy, 'empty_topic_only');
  const wrong = { name: newName('policy'), subscribers: [], topics_policy: 'none' };
  assert.equal((await member.fails('POST', '/channels/create', wrong)).msg, 'Invalid topics_policy');
});

// rules: conventions-11, subscriptions-12
test('group settings are a group, or users and groups, stored in their shortest form', async () => {
  const administrators = (await owner.ok('GET', `/streams/${await create(owner, newName('any'))}`)).stream
    .can_remove_subscribers_group;
  const id = await create(member, newName('groups'), {
    can_send_message_group: administrators,
    can_add_subscribers_group: { direct_members: [], direct_subgroups: [administrators] },
    can_subscribe_group: { direct_members: [owner.userId, owner.userId], direct_subgroups: [administrators] },
  });
  const { stream } = await member.ok('GET', `/streams/${id}`);
  assert.equal(stream.can_send_message_group, administrators);
  assert.equal(stream.stream_post_policy, 2);
  assert.equal(stream.is_announcement_only, true);
  assert.equal(stream.can_add_subscribers_group, administrators);
  assert.deepEqual(stream.can_subscribe_group, { direct_members: [owner.userId], direct_subgroups: [administrators] });

  const everyone = (await owner.ok('GET', `/streams/${await create(owner, newName('any'))}`)).stream
    .can_send_message_group;
  const refused = async (settings: Record<string, unknown>) =>
    (await member.fails('POST', '/channels/create', { name: newName('groups'), subscribers: [], ...settings })).msg;
  assert.equal(await refused({ can_send_message_group: 987654 }), 'Invalid user group');
  assert.equal(
    await refused({ can_subscribe_group: everyone }),
    "'can_subscribe_group' setting cannot be set to 'role:everyone' group.",
  );
  const strangers = { direct_members: [stranger.userId], direct_subgroups: [] };
  assert.equal(await refused({ can_send_message_group: strangers }), `Invalid user ID: ${stranger.userId}`);
  assert.equal(await refused({ can_delete_any_message_group: administrators }), 'Insufficient permission');
});

// rules: subscriptions-12
test('a permission equal to its default needs no authorization, because clients send all of them', async () => {
  const { stream } = await member.ok('GET', `/streams/${await create(member, newName('any'))}`);
  const settings = Object.fromEntries(Object.entries(stream).filter(([name]) => name.startsWith('can_')));
  const nobody = { direct_members: [], direct_subgroups: [] };
  await create(member, newName('like any'), settings);
  await create(member, newName('like any'), { ...settings, can_delete_any_message_group: nobody });
});

// rules: subscriptions-9
test('only administrators create default channels, which must be public', async () => {
  const name = newName('default');
  const id = await create(owner, name, { is_default_stream: true });
  const { streams } = await owner.ok('GET', '/streams', { include_default: true });
  assert.equal(streams.find((channel: { stream_id: number }) => channel.stream_id === id).is_default, true);
  const newcomer = await server.user();
  assert((await owner.ok('GET', `/streams/${id}/members`)).subscribers.includes(newcomer.userId));
  const refused = async (client: TestClient, more: Record<string, unknown>) =>
    (await client.fails('POST', '/channels/create', { name: newName('default'), subscribers: [], ...more })).msg;
  assert.equal(await refused(member, { is_default_stream: true }), 'Insufficient permission');
  assert.equal(
    await refused(owner, { is_default_stream: true, invite_only: true }),
    'A default channel cannot be private.',
  );
});

test('all users except guests receive a new default channel', async () => {
  const queue = await member.register({ event_types: ['default_streams'] });
  const guestQueue = await guest.register({ event_types: ['default_streams'] });
  assert.deepEqual(guestQueue.state.realm_default_streams, []);
  const id = await create(owner, newName('default'), { is_default_stream: true });
  const [event] = await queue.now();
  assert.deepEqual(event.default_streams, [...queue.state.realm_default_streams, id]);
  assert.deepEqual(await guestQueue.now(), []);
});

test('web-public channels, folders and unknown subscribers are refused', async () => {
  const refused = async (more: Record<string, unknown>) =>
    (await owner.fails('POST', '/channels/create', { name: newName('refused'), subscribers: [], ...more })).msg;
  assert.equal(await refused({ is_web_public: true }), 'Web-public channels are not enabled.');
  assert.equal(await refused({ folder_id: 1 }), 'Invalid channel folder ID');
  assert.equal(await refused({ subscribers: [stranger.userId] }), 'No such user');
});

test('a refused creation leaves nothing behind', async () => {
  const name = newName('half');
  await member.fails('POST', '/channels/create', { name, subscribers: [stranger.userId] });
  assert(!(await listed(member)).includes(name));
  await create(member, name);
});

// rules: channels-1, channels-15, channels-17, versions-2
test('GET /streams returns public and subscribed channels by default, and others as its parameters say', async () => {
  const open = newName('open');
  const joined = newName('joined');
  const hidden = newName('hidden');
  await create(owner, open);
  await create(owner, joined, { invite_only: true, subscribers: [owner.userId, member.userId] });
  await create(member, hidden, { invite_only: true });

  const ours = [hidden, joined, open];
  const shown = async (client: TestClient, query: Record<string, unknown>) =>
    (await listed(client, query)).filter((name) => ours.includes(name));
  assert.deepEqual(await shown(member, {}), [hidden, joined, open]);
  assert.deepEqual(await shown(member, { include_public: false }), [hidden, joined]);
  assert.deepEqual(await shown(member, { include_subscribed: false }), [open]);
  assert.deepEqual(await shown(member, { include_public: false, include_subscribed: false }), []);
  assert.deepEqual(
    await shown(member, { include_public: false, include_subscribed: false, include_can_access_content: true }),
    ours,
  );
  assert.deepEqual(await shown(owner, {}), [joined, open]);
  assert.deepEqual(await shown(owner, { include_all: true }), ours);
  assert.deepEqual(await shown(owner, { include_all_active: true }), ours);
  assert.deepEqual(await shown(owner, { include_public: false, include_can_access_content: true }), [joined, open]);
  assert.deepEqual(await shown(guest, { include_all: true }), []);
  assert.equal(
    (await member.fails('GET', '/streams', { include_all_active: true })).msg,
    'User not authorized for this query',
  );
});

// rules: channels-15
test('GET /streams lists channels in the order of their names', async () => {
  const word = newName('order');
  for (const name of ['b', 'B', 'ä', 'a']) await create(member, `${word} ${name === 'B' ? 'C' : name}`);
  const names = (await listed(member, {})).filter((name) => name.startsWith(word));
  assert.deepEqual(
    names.map((name) => name.slice(word.length + 1)),
    ['C', 'a', 'b', 'ä'],
  );
});

// rules: channels-15
test('GET /streams returns is_default only with include_default', async () => {
  const [plain, chosen] = [newName('plain'), newName('chosen')];
  await create(owner, plain);
  await create(owner, chosen, { is_default_stream: true });
  const defaults = async (query: Record<string, unknown>) => {
    const { streams } = await member.ok('GET', '/streams', query);
    const byName = new Map(streams.map((channel: Json) => [channel.name, channel.is_default]));
    return [byName.get(plain), byName.get(chosen)];
  };
  assert.deepEqual(await defaults({}), [undefined, undefined]);
  assert.deepEqual(await defaults({ include_default: true }), [false, true]);
});

// rules: channels-16
test('include_owner_subscribed lists for a bot the channels that its owner is subscribed to', async () => {
  const bot = await server.user();
  await becomeBot(server, bot.userId, member.userId);
  const [owners, hidden] = [newName('of its owner'), newName('of others')];
  await create(member, owners, { invite_only: true });
  await create(owner, hidden, { invite_only: true });
  const shown = async (client: TestClient, query: Record<string, unknown>) =>
    (await listed(client, query)).filter((name) => name === owners || name === hidden);
  assert.deepEqual(await shown(bot, {}), []);
  assert.deepEqual(await shown(bot, { include_owner_subscribed: true }), [owners]);
  const person = await server.user();
  assert.deepEqual(await shown(person, { include_owner_subscribed: true }), []);
});

// rules: channels-2
test('creator_id is the user who created the channel, or null', async () => {
  const name = newName('made');
  await create(member, name);
  const { streams } = await owner.ok('GET', '/streams');
  const creator = (of: string) => streams.find((channel: Json) => channel.name === of).creator_id;
  assert.deepEqual([creator(name), creator('general')], [member.userId, null]);
});

test('guests see only the channels that they are subscribed to', async () => {
  const name = newName('for guests');
  const id = await create(owner, name);
  assert.equal((await guest.fails('GET', `/streams/${id}`)).msg, 'Invalid channel ID');
  await owner.subscribe(name, { principals: [guest.userId] });
  assert((await listed(guest)).includes(name));
  assert.equal((await guest.ok('GET', `/streams/${id}`)).stream.name, name);
});

test('GET /get_stream_id finds a channel by its name in any case', async () => {
  const name = newName('Findable');
  const id = await create(member, name);
  assert.equal((await member.ok('GET', '/get_stream_id', { stream: name.toLowerCase() })).stream_id, id);
  assert.equal((await member.fails('GET', '/get_stream_id', { stream: 'x' })).msg, "Invalid channel name 'x'");
});

test('every endpoint hides private channels from members who are not subscribed', async () => {
  const name = newName('secret');
  const id = await create(owner, name, { invite_only: true });
  assert.equal((await member.fails('GET', `/streams/${id}`)).msg, 'Invalid channel ID');
  assert.equal((await member.fails('GET', `/streams/${id}/members`)).msg, 'Invalid channel ID');
  assert.equal((await member.fails('GET', `/users/me/${id}/topics`)).msg, 'Invalid channel ID');
  assert.equal((await member.fails('GET', '/get_stream_id', { stream: name })).msg, `Invalid channel name '${name}'`);
  assert(!(await listed(member, { include_all: true })).includes(name));
});

test('channels of another organization are not found', async () => {
  const { streams } = await stranger.ok('GET', '/streams');
  const [theirs] = streams;
  const ours = new Set(
    (await owner.ok('GET', '/streams')).streams.map((channel: { stream_id: number }) => channel.stream_id),
  );
  assert(!ours.has(theirs.stream_id));
  assert.equal((await owner.fails('GET', `/streams/${theirs.stream_id}`)).msg, 'Invalid channel ID');
  assert.equal((await owner.fails('GET', `/streams/${theirs.stream_id}/members`)).msg, 'Invalid channel ID');
  assert.equal((await owner.fails('GET', `/users/me/${theirs.stream_id}/topics`)).msg, 'Invalid channel ID');
});

test('only users with metadata access receive the event of a new channel', async () => {
  const memberQueue = await member.register({ event_types: ['stream'] });
  const ownerQueue = await owner.register({ event_types: ['stream'] });
  const guestQueue = await guest.register({ event_types: ['stream'] });
  const open = await create(owner, newName('announced'));
  const hidden = await create(owner, newName('announced'), { invite_only: true });
  const created = async (queue: { now(): Promise<{ op: string; streams: { stream_id: number }[] }[]> }) =>
    (await queue.now())
      .filter((event) => event.op !== 'update')
      .map((event) => [event.op, ...event.streams.map((channel) => channel.stream_id)]);
  assert.deepEqual(await created(memberQueue), [['create', open]]);
  assert.deepEqual(await created(ownerQueue), [
    ['create', open],
    ['create', hidden],
  ]);
  assert.deepEqual(await created(guestQueue), []);
});

// rules: channels-11, register-26
test('the first message of a channel sends an event with first_message_id', async () => {
  const name = newName('first');
  const id = await server.emptyChannel(owner, name, { principals: [member.userId] });
  const queue = await member.register({ event_types: ['stream'] });
  const messageId = await owner.send(name, 'a', 'Hello');
  await owner.send(name, 'a', 'again');
  const events = await queue.now();
  assert.equal(events.length, 1);
  const [{ op, stream_id, property, value }] = events as [Record<string, unknown>];
  assert.deepEqual(
    { op, stream_id, property, value },
    {
      op: 'update',
      stream_id: id,
      property: 'first_message_id',
      value: messageId,
    },
  );
  assert.equal((await member.ok('GET', `/streams/${id}`)).stream.first_message_id, messageId);
});
