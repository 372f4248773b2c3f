import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { archiveChannel } from '../../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
let announcements: number;

before(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.user({ name: 'Mia' });
  announcements = await server.emptyChannel(owner, 'announcements', { principals: [member.userId] });
});
beforeEach(() => announceIn(announcements));
after(() => server.stop());

const announceIn = (id: number) => owner.ok('PATCH', '/realm', { new_stream_announcements_stream_id: id });

/** Performs the action and returns the events of messages that the owner receives in the channel. */
async function announced(act: () => Promise<unknown>, channelId = announcements): Promise<Json[]> {
  const queue = await owner.register({
    event_types: ['message'],
    apply_markdown: true,
    client_capabilities: { empty_topic_name: true },
  });
  await act();
  const events = await queue.now();
  return events.filter(({ message }) => message.stream_id === channelId);
}

const subscribe = (names: readonly string[], more: Json) =>
  member.ok('POST', '/users/me/subscriptions', { subscriptions: names.map((name) => ({ name })), ...more });

// rules: subscriptions-6
test('with announce=true the notification bot announces a new channel in the announcement channel', async () => {
  const [event, ...others] = await announced(() => subscribe(['wool'], { announce: true }));
  assert.deepEqual(others, []);
  assert.deepEqual(
    [event.message.sender_full_name, event.message.subject, event.flags],
    ['Notification Bot', 'new channels', []],
  );
  const { message } = await owner.ok('GET', `/messages/${event.message.id}`, { apply_markdown: false });
  assert.equal(message.content, `@_**Mia|${member.userId}** created a new channel #**wool**.`);
  const read = await member.ok('GET', `/messages/${event.message.id}`);
  assert(read.message.flags.includes('read'), 'the creator has read the announcement');
  assert.deepEqual(await announced(() => subscribe(['silk'], {})), []);
});

test('one message announces all new channels of a request, and existing channels are not announced', async () => {
  const [event] = await announced(() => subscribe(['wool', 'linen', 'hemp'], { announce: true }));
  const { message } = await owner.ok('GET', `/messages/${event.message.id}`, { apply_markdown: false });
  assert.equal(message.content, `@_**Mia|${member.userId}** created the following channels: #**linen**, #**hemp**.`);
  assert.deepEqual(await announced(() => subscribe(['wool', 'linen'], { announce: true })), []);
});

test('channels created in several commits are announced in one message', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `thread ${index}`);
  const [event, ...others] = await announced(() => subscribe(names, { announce: true }));
  assert.deepEqual(others, []);
  for (const name of names) assert(event.message.content.includes(`#${name}</a>`), name);
});

test('POST /channels/create announces a channel with announce=true', async () => {
  const create = (fields: Json) => member.ok('POST', '/channels/create', { subscribers: [member.userId], ...fields });
  const [event] = await announced(() => create({ name: 'cotton', announce: true }));
  assert.match(event.message.content, /created a new channel <a .*>#cotton<\/a>\./);
  assert.deepEqual(await announced(() => create({ name: 'nylon' })), []);
});

test('a creator subscribed to the announcement channel by the same request receives the announcement as read', async () => {
  const newcomer = await server.user();
  const queue = await newcomer.register({ event_types: ['message'] });
  await newcomer.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'announcements' }, { name: 'jute' }],
    announce: true,
  });
  const events = (await queue.now()).filter(({ message }) => message.subject === 'new channels');
  assert.deepEqual(
    events.map(({ flags }) => flags),
    [['read']],
  );
});

test('in a channel with empty_topic_only the announcement has the empty topic', async () => {
  const fields = { subscribers: [owner.userId], topics_policy: 'empty_topic_only' };
  const { id } = await owner.ok('POST', '/channels/create', { name: 'plain announcements', ...fields });
  await announceIn(id);
  const [event] = await announced(() => subscribe(['felt'], { announce: true }), id);
  assert.equal(event.message.subject, '');
});

// rules: organization-settings-12
test('nothing is announced without an announcement channel, or if it is archived', async () => {
  await announceIn(-1);
  assert.deepEqual(await announced(() => subscribe(['rope'], { announce: true })), []);
  const id = await server.emptyChannel(owner, 'former announcements');
  await announceIn(id);
  await archiveChannel(server, id);
  assert.deepEqual(await announced(() => subscribe(['twine'], { announce: true }), id), []);
});
