import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Role } from '../../../directory/records.ts';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { systemGroup } from '../../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { deactivateUser } from '../../accounts/accounts/actions.ts';
import { SUBSCRIPTION_COLORS } from './colors.ts';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
let other: TestClient;
let guest: TestClient;
let stranger: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.user();
  other = await server.user();
  guest = await server.user({ role: Role.guest });
  stranger = await server.organization('elsewhere');
});
after(() => server.stop());

let made = 0;
const newName = (word: string) => `${word} ${++made}`;
const PATH = '/users/me/subscriptions';

async function channelOf(client: TestClient, word: string, more: Record<string, unknown> = {}) {
  const name = newName(word);
  await client.subscribe(name, more);
  return { name, id: (await client.ok('GET', '/get_stream_id', { stream: name })).stream_id as number };
}

const unsubscribe = (client: TestClient, name: string, more: Record<string, unknown> = {}) =>
  client.ok('DELETE', PATH, { subscriptions: [name], ...more });

async function subscriptionOf(client: TestClient, id: number, query: Record<string, unknown> = {}): Promise<Json> {
  const { subscriptions } = await client.ok('GET', PATH, query);
  return subscriptions.find((one: Json) => one.stream_id === id);
}

// rules: subscriptions-1
test('subscribing to a channel that does not exist creates it', async () => {
  const name = newName('new');
  const answer = await member.ok('POST', PATH, { subscriptions: [{ name, description: 'Fresh' }] });
  assert.deepEqual(answer.subscribed, { [member.userId]: [name] });
  assert.deepEqual(answer.already_subscribed, {});
  assert.equal(answer.unauthorized, undefined);
  const { subscriptions } = await member.ok('GET', PATH);
  const created = subscriptions.find((one: Json) => one.name === name);
  assert.equal(created.description, 'Fresh');
  assert.equal(created.creator_id, member.userId);
  assert.equal(created.subscriber_count, 1);
});

test('subscribing again returns already_subscribed once per channel, in any case of the name', async () => {
  const { name } = await channelOf(member, 'again');
  const again = { subscriptions: [{ name: name.toUpperCase() }, { name: ` ${name} ` }] };
  const answer = await member.ok('POST', PATH, again);
  assert.deepEqual(answer.subscribed, {});
  assert.deepEqual(answer.already_subscribed, { [member.userId]: [name] });
});

// rules: subscriptions-3
test('principals are user ids or email addresses, and the response is keyed by user id', async () => {
  const { name, id } = await channelOf(member, 'principals');
  const byId = await member.ok('POST', PATH, { subscriptions: [{ name }], principals: [other.userId, member.userId] });
  assert.deepEqual(byId.subscribed, { [other.userId]: [name] });
  assert.deepEqual(byId.already_subscribed, { [member.userId]: [name] });
  const byEmail = await member.ok('POST', PATH, { subscriptions: [{ name }], principals: [guest.email] });
  assert.deepEqual(byEmail.subscribed, { [guest.userId]: [name] });
  const { subscribers } = await member.ok('GET', `/streams/${id}/members`);
  assert.deepEqual(subscribers.toSorted(), [member.userId, other.userId, guest.userId].toSorted());
});

// rules: subscriptions-4, errors-13
test('a deactivated or nonexistent principal is BAD_REQUEST with status 400, and the request changes nothing', async () => {
  const gone = await server.user();
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  await deactivateUser(server.app, organization, gone.userId);
  const name = newName('nobody');
  for (const principals of [[gone.userId], [987654], [stranger.userId], ['nobody@example.com']]) {
    const body = await member.fails('POST', PATH, { subscriptions: [{ name }], principals });
    assert.equal(body.code, 'BAD_REQUEST');
  }
  await member.fails('GET', '/get_stream_id', { stream: name });
});

// rules: subscriptions-5, errors-13
test('a channel that the caller cannot join fails the request, or is listed in unauthorized', async () => {
  const { name: hidden } = await channelOf(owner, 'hidden', { invite_only: true });
  const { name: open } = await channelOf(owner, 'open');
  const subscriptions = [{ name: hidden }, { name: open }];
  const body = await member.fails('POST', PATH, { subscriptions });
  assert.equal(body.msg, `Unable to access channel (${hidden}).`);
  const answer = await member.ok('POST', PATH, { subscriptions, authorization_errors_fatal: false });
  assert.deepEqual(answer.unauthorized, [hidden]);
  assert.deepEqual(answer.subscribed, { [member.userId]: [open] });
});

test('a guessed channel name does not reveal the exact spelling of a hidden channel', async () => {
  const { name } = await channelOf(owner, 'Hidden', { invite_only: true });
  const guessed = name.toUpperCase();
  assert.notEqual(guessed, name);
  const subscriptions = [{ name: guessed }];
  assert.equal((await member.fails('POST', PATH, { subscriptions })).msg, `Unable to access channel (${guessed}).`);
  const answer = await member.ok('POST', PATH, { subscriptions, authorization_errors_fatal: false });
  assert.deepEqual(answer.unauthorized, [guessed]);
});

// rules: subscriptions-15
test('guests cannot join public channels, create channels or add users', async () => {
  const { name } = await channelOf(member, 'not for guests');
  const joining = { subscriptions: [{ name }] };
  const creating = { subscriptions: [{ name: newName('guest') }] };
  assert.equal((await guest.fails('POST', PATH, joining)).msg, 'Not allowed for guest users');
  assert.equal((await guest.fails('POST', PATH, creating)).msg, 'Not allowed for guest users');
  assert.equal((await guest.fails('PATCH', PATH, { add: [{ name }] })).msg, 'Not allowed for guest users');
  await member.subscribe(name, { principals: [guest.userId] });
  const adding = { subscriptions: [{ name }], principals: [other.userId] };
  assert.equal((await guest.fails('POST', PATH, adding)).msg, 'Not allowed for guest users');
});

test('a request creates at most 500 channels', async () => {
  const named = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `${index}` }));
  const founder = await server.organization('crowd');
  const answer = await founder.ok('POST', PATH, { subscriptions: named(500) });
  assert.equal(answer.subscribed[founder.userId].length, 500);
  const body = await founder.fails('POST', PATH, { subscriptions: named(501) });
  assert.equal(body.msg, 'subscriptions is too long (limit: 500 items)');
});

// rules: subscriptions-7
test('settings of new channels are ignored for existing channels', async () => {
  const { name, id } = await channelOf(member, 'as it is');
  const settings = { invite_only: true, message_retention_days: 3, topics_policy: 'disable_empty_topic' };
  const { stream: before } = await member.ok('GET', `/streams/${id}`);
  // The creator of the channel would be allowed to set all of them.
  for (const client of [other, member]) {
    await client.ok('POST', PATH, { subscriptions: [{ name, description: 'Something else' }], ...settings });
  }
  const { stream } = await member.ok('GET', `/streams/${id}`);
  assert.deepEqual([stream.invite_only, stream.message_retention_days, stream.topics_policy], [false, null, 'inherit']);
  assert.deepEqual([stream.description, stream.rendered_description], ['', '']);
  assert.deepEqual(stream, { ...before, subscriber_count: 2 });
});

test('a new subscription has the first palette color that the user has not used', async () => {
  const painter = await server.user();
  const before = (await painter.ok('GET', PATH)).subscriptions.map((one: Json) => one.color);
  const names = [newName('colour'), newName('colour'), newName('colour')];
  await painter.ok('POST', PATH, { subscriptions: names.map((name) => ({ name })) });
  const { subscriptions } = await painter.ok('GET', PATH);
  const byAge = subscriptions.toSorted((a: Json, b: Json) => a.stream_id - b.stream_id);
  const colors = byAge.map((one: Json) => one.color);
  assert.deepEqual(colors, SUBSCRIPTION_COLORS.slice(0, before.length + 3));
  assert.equal(subscriptions.length, before.length + 3);
});

// rules: subscriptions-16
test('unsubscribing returns which channels were removed and which were not', async () => {
  const { name, id } = await channelOf(member, 'leaving');
  const { name: never } = await channelOf(other, 'never there');
  const answer = await member.ok('DELETE', PATH, { subscriptions: [name, never] });
  assert.deepEqual([answer.removed, answer.not_removed], [[name], [never]]);
  assert.equal(await subscriptionOf(member, id), undefined);
  assert.deepEqual((await other.ok('GET', `/streams/${id}/members`)).subscribers, []);
  const missing = newName('missing');
  assert.equal(
    (await member.fails('DELETE', PATH, { subscriptions: [missing] })).msg,
    `Channel(s) (${missing}) do not exist`,
  );
  assert.equal((await member.fails('DELETE', PATH, { subscriptions: [''] })).msg, "Channel name can't be empty.");
});

// rules: channels-14
test('a channel’s permission lets users add subscribers without administering it', async () => {
  const mayAddAnywhere = async (group: `role:${string}`) =>
    owner.ok('PATCH', '/realm', { can_add_subscribers_group: { new: await systemGroup(server, group) } });
  await mayAddAnywhere('role:administrators');
  const by = ({ userId }: TestClient) => ({ direct_members: [userId], direct_subgroups: [] });
  const { name, id } = await channelOf(owner, 'by invitation', {
    ...{ invite_only: true, principals: [owner.userId, member.userId], can_add_subscribers_group: by(member) },
  });
  const adding = { subscriptions: [{ name }], principals: [guest.userId] };
  assert.deepEqual((await member.ok('POST', PATH, adding)).subscribed, { [guest.userId]: [name] });
  const renaming = { new_name: newName('mine') };
  assert.equal((await member.fails('PATCH', `/streams/${id}`, renaming)).code, 'CANNOT_ADMINISTER_CHANNEL');
  await unsubscribe(owner, name, { principals: [guest.userId] });
  await owner.ok('PATCH', `/streams/${id}`, { can_add_subscribers_group: { new: by(other) } });
  assert.equal((await member.fails('POST', PATH, adding)).msg, 'Insufficient permission');
  assert.deepEqual((await other.ok('POST', PATH, adding)).subscribed, { [guest.userId]: [name] });
  await mayAddAnywhere('role:members');
});

// rules: subscriptions-2
test('names of new channels are limited as when creating a channel', async () => {
  const refused = async (name: string) => (await member.fails('POST', PATH, { subscriptions: [{ name }] })).msg;
  assert.equal(await refused('   '), "Channel name can't be empty.");
  assert.equal(await refused('x'.repeat(61)), 'Channel name too long (limit: 60 characters).');
  assert.equal(await refused('ab\u0007c'), 'Invalid character in channel name, at position 3.');
  const longest = '🙂'.repeat(60);
  assert.deepEqual((await member.subscribe(`  ${longest} `)).subscribed, { [member.userId]: [longest] });
});

// rules: channels-14, subscriptions-16
test('administrators, channel administrators and users with the channel’s permission can remove others', async () => {
  const { name } = await channelOf(owner, 'crowd', { principals: [owner.userId, member.userId, other.userId] });
  const removal = { subscriptions: [name], principals: [other.userId] };
  assert.equal((await member.fails('DELETE', PATH, removal)).msg, 'Insufficient permission');
  assert.deepEqual((await owner.ok('DELETE', PATH, removal)).removed, [name]);
  const { name: own } = await channelOf(member, 'own crowd', { principals: [member.userId, other.userId] });
  assert.deepEqual((await unsubscribe(member, own, { principals: [other.userId] })).removed, [own]);
});

// rules: subscriptions-16
test('guests cannot remove others, even if the channel allows everyone', async () => {
  const guest = await server.user({ role: Role.guest });
  const { name } = await channelOf(owner, 'open door', {
    principals: [owner.userId, member.userId, guest.userId],
    can_remove_subscribers_group: await systemGroup(server, 'role:everyone'),
  });
  const removal = { subscriptions: [name], principals: [member.userId] };
  assert.equal((await guest.fails('DELETE', PATH, removal)).msg, 'Insufficient permission');
  assert.deepEqual((await other.ok('DELETE', PATH, removal)).removed, [name]);
  assert.deepEqual((await unsubscribe(guest, name)).removed, [name]);
});

test('subscribing again restores the earlier settings', async () => {
  const { name, id } = await channelOf(member, 'coming back');
  const data = [
    { stream_id: id, property: 'color', value: '#ABCDEF' },
    { stream_id: id, property: 'is_muted', value: true },
  ];
  await member.ok('POST', `${PATH}/properties`, { subscription_data: data });
  await unsubscribe(member, name);
  await member.subscribe(name);
  const again = await subscriptionOf(member, id);
  assert.deepEqual([again.color, again.is_muted, again.in_home_view], ['#abcdef', true, false]);
});

test('ending and beginning a subscription mark all its messages as read', async () => {
  const name = newName('reading');
  await server.emptyChannel(member, name, { principals: [other.userId] });
  const unread = async () => (await other.register()).state.unread_msgs.count;
  const before = await unread();
  const [first] = [await member.send(name, 'a', 'one'), await member.send(name, 'a', 'two')];
  assert.equal(await unread(), before + 2);
  await other.ok('POST', '/messages/flags', { messages: [first], op: 'add', flag: 'read' });
  await other.ok('POST', '/messages/flags', { messages: [first], op: 'remove', flag: 'read' });
  assert.equal(await unread(), before + 2);
  await unsubscribe(other, name);
  assert.equal(await unread(), before);
  await member.send(name, 'a', 'three');
  await other.subscribe(name);
  assert.equal(await unread(), before);
  await member.send(name, 'a', 'four');
  assert.equal(await unread(), before + 1);
});

test('PATCH adds and deletes in one request, and refuses an empty request', async () => {
  const { name } = await channelOf(member, 'patched away');
  const added = newName('patched in');
  const answer = await member.ok('PATCH', PATH, { add: [{ name: added }], delete: [name] });
  assert.deepEqual([answer.subscribed, answer.removed], [{ [member.userId]: [added] }, [name]]);
  const nothing = await member.fails('PATCH', PATH, {});
  assert.equal(nothing.msg, 'Nothing to do. Specify at least one of "add" or "delete".');
});

test('properties: every setting is stored, returned and sent only to the user', async () => {
  const { id } = await channelOf(member, 'settings', { principals: [member.userId, other.userId] });
  const queue = await member.register({ event_types: ['subscription'] });
  const peer = await other.register({ event_types: ['subscription'] });
  const settings: Record<string, boolean> = {
    pin_to_top: true,
    desktop_notifications: true,
    audible_notifications: false,
    push_notifications: true,
    email_notifications: false,
    wildcard_mentions_notify: false,
  };
  const data = Object.entries(settings).map(([property, value]) => ({ stream_id: id, property, value }));
  await member.ok('POST', `${PATH}/properties`, { subscription_data: data });
  const shown = await subscriptionOf(member, id);
  for (const [property, value] of Object.entries(settings)) assert.equal(shown[property], value, property);
  const events = await queue.now();
  assert.deepEqual(
    events.map(({ op, stream_id, property, value }) => [op, stream_id, property, value]),
    Object.entries(settings).map(([property, value]) => ['update', id, property, value]),
  );
  assert.deepEqual(await peer.now(), []);
});

test('properties: muting is sent under its older name too, and can be set by it', async () => {
  const { id } = await channelOf(member, 'muted');
  const queue = await member.register({ event_types: ['subscription'] });
  const mute = (property: string, value: boolean) =>
    member.ok('POST', `${PATH}/properties`, { subscription_data: [{ stream_id: id, property, value }] });
  await mute('is_muted', true);
  await mute('in_home_view', true);
  const events = await queue.now();
  assert.deepEqual(
    events.map(({ property, value }) => [property, value]),
    [
      ['in_home_view', false],
      ['is_muted', true],
      ['in_home_view', true],
      ['is_muted', false],
    ],
  );
  assert.equal((await subscriptionOf(member, id)).is_muted, false);
});

test('properties: an invalid change is refused, and the request changes nothing', async () => {
  const { id } = await channelOf(member, 'refused');
  const { id: elsewhere } = await channelOf(other, 'not subscribed');
  const refused = async (data: unknown[]) =>
    (await member.fails('POST', `${PATH}/properties`, { subscription_data: data })).msg;
  const pin = { stream_id: id, property: 'pin_to_top', value: true };
  assert.equal(
    await refused([pin, { stream_id: elsewhere, property: 'is_muted', value: true }]),
    `Not subscribed to channel ID ${elsewhere}`,
  );
  assert.equal(
    await refused([{ stream_id: id, property: 'size', value: true }]),
    'Unknown subscription property: size',
  );
  assert.equal(
    await refused([{ stream_id: id, property: 'toString', value: true }]),
    'Unknown subscription property: toString',
  );
  assert.equal(await refused([{ stream_id: id, property: 'is_muted', value: 'yes' }]), 'is_muted is not a boolean');
  assert.equal(
    await refused([pin, { stream_id: id, property: 'color', value: 'red' }]),
    'Invalid subscription_data[1]: Value error, color is not a valid hex color code',
  );
  const { id: hidden } = await channelOf(other, 'hidden', { invite_only: true });
  for (const stream_id of [hidden, 999_999]) {
    assert.equal(await refused([{ stream_id, property: 'is_muted', value: true }]), 'Invalid channel ID');
  }
  assert.equal((await subscriptionOf(member, id)).pin_to_top, false);
});

test('GET /users/{user_id}/subscriptions/{stream_id} returns whether the user is subscribed', async () => {
  const { id } = await channelOf(member, 'status');
  const status = async (userId: number) =>
    (await owner.ok('GET', `/users/${userId}/subscriptions/${id}`)).is_subscribed;
  assert.equal(await status(member.userId), true);
  assert.equal(await status(other.userId), false);
  assert.equal((await owner.fails('GET', `/users/${stranger.userId}/subscriptions/${id}`)).msg, 'No such user');
  const { id: hidden } = await channelOf(owner, 'status', { invite_only: true });
  assert.equal((await member.fails('GET', `/users/${owner.userId}/subscriptions/${hidden}`)).msg, 'Invalid channel ID');
});

test('include_subscribers adds the subscribers, without deactivated users', async () => {
  const gone = await server.user();
  const { id } = await channelOf(member, 'counted', { principals: [member.userId, gone.userId] });
  const queue = await other.register({ event_types: ['subscription'] });
  assert.equal((await subscriptionOf(member, id)).subscribers, undefined);
  assert.equal((await subscriptionOf(member, id)).subscriber_count, 2);
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  await deactivateUser(server.app, organization, gone.userId);
  for (const include of [true, 'partial']) {
    const shown = await subscriptionOf(member, id, { include_subscribers: include });
    assert.deepEqual([shown.subscribers, shown.subscriber_count], [[member.userId], 1]);
  }
  const events = (await queue.now()).filter((event) => event.stream_ids.includes(id));
  assert.deepEqual(
    events.map(({ op, user_ids }) => [op, user_ids]),
    [['peer_remove', [gone.userId]]],
  );
});

test('a list of subscribers that was given before is not given again after they changed', async () => {
  const [first, second] = [await server.user(), await server.user()];
  const { id, name } = await channelOf(member, 'changing', { principals: [member.userId, first.userId] });
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  const listed = async () =>
    new Set((await subscriptionOf(member, id, { include_subscribers: true })).subscribers as number[]);
  assert.deepEqual(await listed(), new Set([member.userId, first.userId]));
  await second.subscribe(name);
  await first.ok('DELETE', PATH, { subscriptions: [name] });
  assert.deepEqual(await listed(), new Set([member.userId, second.userId]));
  await deactivateUser(server.app, organization, second.userId);
  assert.deepEqual(await listed(), new Set([member.userId]));
  await first.subscribe(name);
  assert.deepEqual(await listed(), new Set([member.userId, first.userId]));
});

test('users and channels of another organization cannot be subscribed or changed', async () => {
  const { name, id } = await channelOf(owner, 'ours');
  const adding = { subscriptions: [{ name }], principals: [stranger.userId] };
  assert.equal((await owner.fails('POST', PATH, adding)).msg, 'No such user');
  await stranger.subscribe(name);
  const theirs = (await stranger.ok('GET', '/get_stream_id', { stream: name })).stream_id;
  assert.notEqual(theirs, id);
  assert.deepEqual((await owner.ok('GET', `/streams/${id}/members`)).subscribers, [owner.userId]);
  const mute = [{ stream_id: theirs, property: 'is_muted', value: true }];
  const { msg } = await owner.fails('POST', `${PATH}/properties`, { subscription_data: mute });
  assert.equal(msg, 'Invalid channel ID');
});
