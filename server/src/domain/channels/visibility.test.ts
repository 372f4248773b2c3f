import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Role } from '../../directory/records.ts';
import type { Fields, TestClient, TestQueue } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { changeVisibility } from '../../testing/server/channel-visibility.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import type { ChannelVisibility } from './visibility.ts';

let server: TestServer;
let subscriber: TestClient;
let member: TestClient;
let guest: TestClient;
before(async () => {
  server = await startTestServer();
  subscriber = await server.user();
  member = await server.user();
  guest = await server.user({ role: Role.guest });
});
after(() => server.stop());

async function show(name: string, visibility: ChannelVisibility): Promise<void> {
  const organization = await server.app.organizations.bySubdomain('');
  await organization?.transact('server', 'exclusive', async (change) => {
    const channel = change.directory.channelByName(name);
    assert(channel !== undefined);
    await changeVisibility(change, channel, visibility);
  });
}

async function queues(): Promise<Record<'owner' | 'subscriber' | 'member' | 'guest', TestQueue>> {
  const parameters = { event_types: ['stream', 'subscription'] };
  return {
    owner: await server.owner.register(parameters),
    subscriber: await subscriber.register(parameters),
    member: await member.register(parameters),
    guest: await guest.register(parameters),
  };
}

/** Returns the types and operations of the events that each queue received. */
async function received(all: Record<string, TestQueue>): Promise<Record<string, string[]>> {
  const entries = Object.entries(all).map(async ([who, queue]) => {
    const events: Json[] = await queue.now();
    return [who, events.map(({ type, op }) => `${type} ${op}`)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

test('a channel that becomes private is deleted for users who lose metadata access, and updated for others', async () => {
  await subscriber.subscribe('to hide');
  const all = await queues();
  await show('to hide', 'protected');
  assert.deepEqual(await received(all), {
    owner: ['stream update'],
    subscriber: ['stream update'],
    member: ['stream delete'],
    guest: [],
  });
  await member.fails('GET', '/get_stream_id', { stream: 'to hide' });
});

// rules: channels-4
test('a channel that becomes public is created, with its subscribers, for users who gain metadata access', async () => {
  await subscriber.subscribe('to show', { invite_only: true });
  const all = await queues();
  await show('to show', 'public');
  assert.deepEqual(await received(all), {
    owner: ['stream update'],
    subscriber: ['stream update'],
    member: ['stream create', 'subscription peer_add'],
    guest: [],
  });
});

test('guests can access a web-public channel', async () => {
  await subscriber.subscribe('to everyone');
  const all = await queues();
  await show('to everyone', 'web-public');
  assert.deepEqual((await received(all)).guest, ['stream create', 'subscription peer_add']);
  const listed = async (query: Fields) =>
    (await guest.ok('GET', '/streams', query)).streams.some(({ name }: Json) => name === 'to everyone');
  assert.deepEqual([await listed({}), await listed({ include_web_public: true })], [false, true]);
  assert.equal(await listed({ include_can_access_content: true }), true);
  // Guests can read it, but only others can subscribe them.
  const joining = { subscriptions: [{ name: 'to everyone' }] };
  assert.equal((await guest.fails('POST', '/users/me/subscriptions', joining)).msg, 'Not allowed for guest users');
  await show('to everyone', 'public');
  assert.deepEqual((await received(all)).guest, ['stream delete']);
});

// rules: channels-3
test('one event contains privacy, history and web access, also when only the history becomes shared', async () => {
  await subscriber.subscribe('with history', { invite_only: true, history_public_to_subscribers: false });
  const queue = await subscriber.register({ event_types: ['stream'] });
  await show('with history', 'private');
  const [event, ...more] = await queue.now();
  const { stream_id } = await subscriber.ok('GET', '/get_stream_id', { stream: 'with history' });
  const { id: _, ...told } = event;
  assert.deepEqual(told, {
    type: 'stream',
    op: 'update',
    stream_id,
    name: 'with history',
    property: 'invite_only',
    value: true,
    history_public_to_subscribers: true,
    is_web_public: false,
  });
  assert.deepEqual(more, []);
  await show('with history', 'private');
  assert.deepEqual(await queue.now(), [], 'an unchanged visibility sends no event');
});

test('once protected history is shared, all subscribers can read its earlier messages', async () => {
  await server.emptyChannel(subscriber, 'opening', { invite_only: true, history_public_to_subscribers: false });
  const messageId = await subscriber.send('opening', 'topic', 'before');
  await subscriber.subscribe('opening', { principals: [member.userId] });
  const narrow = [{ operator: 'channel', operand: 'opening' }];
  const query = { anchor: 'newest', num_before: 10, num_after: 0, narrow };
  assert.deepEqual((await member.ok('GET', '/messages', query)).messages, []);
  await show('opening', 'private');
  const { messages } = await member.ok('GET', '/messages', query);
  assert.deepEqual(
    messages.map((message: Json) => message.id),
    [messageId],
  );
});
