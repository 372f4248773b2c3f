import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

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

const PATH = '/users/me/subscriptions';
const subscribe = (client: TestClient, subscriptions: readonly Json[], more: Json = {}) =>
  client.ok('POST', PATH, { subscriptions, ...more });

async function subscriptionOf(client: TestClient, name: string): Promise<Json> {
  const { subscriptions } = await client.ok('GET', PATH);
  return subscriptions.find((one: Json) => one.name === name);
}

// rules: subscriptions-14
test('a color can be chosen for users who join for the first time, in new and existing channels', async () => {
  const queue = await other.register({ event_types: ['subscription'] });
  const wanted = [{ name: 'dyed', color: '#AbC' }, { name: 'plain' }];
  await subscribe(member, wanted, { principals: [member.userId, other.userId] });
  for (const client of [member, other]) {
    assert.equal((await subscriptionOf(client, 'dyed')).color, '#aabbcc');
    assert.match((await subscriptionOf(client, 'plain')).color, /^#[0-9a-f]{6}$/);
  }
  const added = (await queue.now()).flatMap(({ subscriptions = [] }) => subscriptions);
  assert.equal(added.find(({ name }: Json) => name === 'dyed').color, '#aabbcc');

  // A user who already has a color keeps it, when subscribed and when subscribing again.
  await subscribe(other, [{ name: 'DYED', color: '#123456' }]);
  await other.ok('DELETE', PATH, { subscriptions: ['dyed'] });
  await subscribe(other, [{ name: 'dyed', color: '#123456' }]);
  assert.equal((await subscriptionOf(other, 'dyed')).color, '#aabbcc');
  await subscribe(owner, [{ name: ' Dyed ', color: '#123456' }]);
  assert.equal((await subscriptionOf(owner, 'dyed')).color, '#123456');
});

test('PATCH accepts a color for added channels', async () => {
  await member.ok('PATCH', PATH, { add: [{ name: 'patched', color: '#010203' }] });
  assert.equal((await subscriptionOf(member, 'patched')).color, '#010203');
});

test('an invalid color is refused, and the request changes nothing', async () => {
  for (const color of ['red', '#12345', '123456', '']) {
    const body = await member.fails('POST', PATH, { subscriptions: [{ name: 'colourless', color }] });
    const words = 'Invalid subscriptions[0]: Value error, color is not a valid hex color code';
    assert.deepEqual([body.code, body.msg], ['BAD_REQUEST', words]);
  }
  await member.fails('GET', '/get_stream_id', { stream: 'colourless' });
});

// rules: subscriptions-13
test('settings of a new channel are accepted as plain text and as JSON', async () => {
  await subscribe(owner, [{ name: 'bare' }], {
    topics_policy: 'allow_empty_topic',
    message_retention_days: 'unlimited',
  });
  const quoted = { topics_policy: '"allow_empty_topic"', message_retention_days: '"unlimited"' };
  await subscribe(owner, [{ name: 'quoted' }], quoted);
  for (const name of ['bare', 'quoted']) {
    const { topics_policy, message_retention_days } = await subscriptionOf(owner, name);
    assert.deepEqual([topics_policy, message_retention_days], ['allow_empty_topic', -1]);
  }
});

test('GET lists subscriptions in the order of their names', async () => {
  const client = await server.user();
  await subscribe(
    client,
    ['b', 'C', 'a'].map((letter) => ({ name: `ordered ${letter}` })),
  );
  const { subscriptions } = await client.ok('GET', PATH);
  const names = subscriptions.map(({ name }: Json) => name).filter((name: string) => name.startsWith('ordered'));
  assert.deepEqual(names, ['ordered C', 'ordered a', 'ordered b']);
});

test('a user who could join a private channel can post there only if its history is shared', async () => {
  const group = { direct_members: [member.userId], direct_subgroups: [] };
  const open = { invite_only: true, can_subscribe_group: group };
  await subscribe(owner, [{ name: 'shared' }], { ...open, history_public_to_subscribers: true });
  await subscribe(owner, [{ name: 'protected' }], open);
  await member.send('shared', 'topic', 'I am not subscribed');
  const message = { type: 'channel', to: 'protected', topic: 'topic', content: 'I would not read this' };
  const body = await member.fails('POST', '/messages', message);
  assert.equal(body.msg, "Not authorized to send to channel 'protected'");
  await subscribe(member, [{ name: 'protected' }]);
  await member.send('protected', 'topic', 'I read this');
});

test('a channel name cannot inject markup into messages of the notification bot', async () => {
  const name = 'a** [click](/evil) `b';
  const announcements = await server.emptyChannel(owner, 'announcements', { principals: [other.userId] });
  await owner.ok('PATCH', '/realm', { new_stream_announcements_stream_id: announcements });
  const queue = await other.register({
    event_types: ['message'],
    apply_markdown: true,
    // The last message is about the archived channel.
    client_capabilities: { archived_channels: true },
  });
  await subscribe(owner, [{ name }], { announce: true });
  await subscribe(owner, [{ name }], { principals: [other.userId] });
  const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: name });
  await owner.ok('DELETE', `/streams/${stream_id}`);
  const said = (await queue.now()).map(({ message }) => message.content);
  assert.equal(said.length, 3);
  for (const content of said) {
    assert.doesNotMatch(content, /<a|<code/);
    assert.match(content, /<strong>a +click \(\/evil\) +b<\/strong>/);
  }
});
