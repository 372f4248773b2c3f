import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Fields, TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { deleteMessages } from '../../testing/server/message-changes.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { When } from '../users/user-settings/queries.ts';
import { policyAfterSending } from './automatic.ts';
import { Policy } from './policies.ts';

let server: TestServer;
let other: TestServer;
let owner: TestClient;
let member: TestClient;
before(async () => {
  server = await startTestServer();
  other = await startTestServer({ shared: server.shared });
  owner = server.owner;
  member = await server.user({ name: 'Mia Member' });
});
after(async () => {
  await other.stop();
  await server.stop();
});

let made = 0;

async function channelOf(subscribers: readonly TestClient[], settings: Fields = {}) {
  const name = `talk ${++made}`;
  const principals = subscribers.map((client) => client.userId);
  return { name, id: await server.emptyChannel(subscribers[0] ?? owner, name, { principals, ...settings }) };
}

/** Sends a message and returns the automatic policy of the response. */
async function write(client: TestClient, to: string, topic: string, content = 'x'): Promise<number | undefined> {
  const answer = await client.ok('POST', '/messages', { type: 'channel', to, topic, content });
  return answer.automatic_new_visibility_policy;
}

const see = (client: TestClient, stream_id: number, topic: string, visibility_policy: number) =>
  client.ok('POST', '/user_topics', { stream_id, topic, visibility_policy });

const listen = (client: TestClient) => client.register({ event_types: ['user_topic', 'message'] });
const shown = (events: readonly Json[]) =>
  events.map((event) => (event.type === 'message' ? 'message' : [event.topic_name, event.visibility_policy]));

const mute = (client: TestClient, stream_id: number, value: boolean) =>
  client.ok('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id, property: 'is_muted', value }],
  });

// rules: send-8, send-9, topics-7
test('a user who starts a topic follows it, in the response and in an event before the message', async () => {
  const { name } = await channelOf([owner, member]);
  const queue = await listen(member);
  const others = await listen(owner);
  assert.equal(await write(member, name, 'new'), 3);
  assert.equal(await write(member, name, 'NEW'), undefined);
  assert.equal(await write(owner, name, 'new'), undefined);
  assert.deepEqual(shown(await queue.now()), [['new', 3], 'message', 'message', 'message']);
  assert.deepEqual(shown(await others.now()), ['message', 'message', 'message']);
});

// rules: send-8
test('the response contains the id of its own message, also with concurrent sends', async () => {
  const { name } = await channelOf([owner, member]);
  const ids = await Promise.all(
    Array.from({ length: 12 }, (_, n) => member.send(name, `topic ${n % 4}`, `number ${n}`)),
  );
  for (const [n, id] of ids.entries()) {
    const { message } = await member.ok('GET', `/messages/${id}`, { apply_markdown: false });
    assert.equal(message.content, `number ${n}`);
  }
});

test('a user who removed a policy does not start the topic again by writing in it', async () => {
  const { name, id } = await channelOf([owner, member]);
  assert.equal(await write(member, name, 'a'), 3);
  await see(member, id, 'a', 0);
  assert.equal(await write(member, name, 'a'), undefined);
});

test('a topic that lost its messages can be started again', async () => {
  const { name, id } = await channelOf([owner, member]);
  await write(owner, name, 'a');
  assert.equal(await write(member, name, 'a'), undefined);
  const { messages } = await owner.ok('GET', '/messages', {
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
    narrow: [{ operator: 'channel', operand: id }],
  });
  await deleteMessages(
    server,
    messages.map((message: Json) => message.id),
  );
  assert.equal(await write(member, name, 'a'), 3);
});

test('with protected history, a topic without received messages counts as started by the user', async () => {
  const { name } = await channelOf([owner], { invite_only: true });
  await write(owner, name, 'a');
  await owner.subscribe(name, { principals: [member.userId] });
  assert.equal(await write(member, name, 'a'), 3);
  const shared = await channelOf([owner], { invite_only: true, history_public_to_subscribers: true });
  await write(owner, shared.name, 'a');
  await owner.subscribe(shared.name, { principals: [member.userId] });
  assert.equal(await write(member, shared.name, 'a'), undefined);
});

// rules: send-8, topics-7
test('writing in a muted channel unmutes the topic, also a muted one, until the channel is unmuted', async () => {
  const { name, id } = await channelOf([owner, member]);
  for (const topic of ['a', 'b', 'c']) await write(owner, name, topic);
  assert.equal(await write(member, name, 'a'), undefined);
  await mute(member, id, true);
  assert.equal(await write(member, name, 'a'), 2);
  assert.equal(await write(member, name, 'a'), undefined);
  await see(member, id, 'b', 1);
  assert.equal(await write(member, name, 'b'), 2);
  await see(member, id, 'c', 3);
  assert.equal(await write(member, name, 'c'), undefined);
  await see(member, id, 'c', 0);
  await mute(member, id, false);
  assert.equal(await write(member, name, 'c'), undefined);
});

test('starting a topic in a muted channel follows it', async () => {
  const { name, id } = await channelOf([owner, member]);
  await mute(member, id, true);
  assert.equal(await write(member, name, 'new'), 3);
});

test('resubscribing to a muted channel keeps it muted for automatic policies', async () => {
  const { name, id } = await channelOf([owner, member]);
  await write(owner, name, 'a');
  await mute(member, id, true);
  await member.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name] });
  assert.equal(await write(member, name, 'a'), undefined);
  await member.subscribe(name);
  assert.equal(await write(member, name, 'a'), 2);
});

// rules: topics-7
test('mentioned users follow the topic unless they muted it; silent and wildcard mentions do not count', async () => {
  const [named, muting, silent] = await Promise.all(['Nora', 'Mute', 'Sile'].map((name) => server.user({ name })));
  assert(named !== undefined && muting !== undefined && silent !== undefined);
  const stranger = await server.user({ name: 'Stran' });
  const { name, id } = await channelOf([owner, named, muting, silent]);
  await write(owner, name, 'a');
  await see(muting, id, 'a', 1);
  const readers = [named, muting, silent, stranger];
  const queues = await Promise.all(readers.map((reader) => reader.register({ event_types: ['user_topic'] })));
  const mention = '@**Nora** @**Mute** @_**Sile** @**Stran** @**all** @**topic**';
  assert.equal(await write(owner, name, 'a', mention), undefined);
  await write(owner, name, 'A', '@**Nora** again');
  const received = await Promise.all(queues.map(async (queue) => shown(await queue.now())));
  assert.deepEqual(received, [[['a', 3]], [], [], []]);
  await see(named, id, 'a', 2);
  await write(owner, name, 'a', '@**Nora**');
  assert.deepEqual(shown((await queues[0]?.now()) ?? []), [
    ['a', 2],
    ['a', 3],
  ]);
});

test('starting a topic with a mention follows it for both users in one commit, and the response contains the sender’s policy', async () => {
  const { name } = await channelOf([owner, member]);
  const [queue, others] = [await listen(owner), await listen(member)];
  assert.equal(await write(owner, name, 'both', '@**Mia Member**'), 3);
  assert.deepEqual(shown(await queue.now()), [['both', 3], 'message']);
  assert.deepEqual(shown(await others.now()), [['both', 3], 'message']);
});

test('direct messages change no topic policies', async () => {
  const queue = await member.register({ event_types: ['user_topic'] });
  const answer = await member.ok('POST', '/messages', {
    type: 'direct',
    to: [owner.userId],
    content: '@**Mia Member**',
  });
  assert.equal('automatic_new_visibility_policy' in answer, false);
  assert.deepEqual(await queue.now(), []);
});

test('a refused message changes no policy', async () => {
  const { name } = await channelOf([owner, member]);
  const queue = await member.register({ event_types: ['user_topic'] });
  await member.fails('POST', '/messages', { type: 'channel', to: name, topic: 'a', content: ' ' });
  await member.fails('POST', '/messages', { type: 'channel', to: name, topic: 'a', content: 'x', queue_id: queue.id });
  assert.deepEqual(await queue.now(), []);
});

test('changes of another process apply after this process has received them', async () => {
  const { name, id } = await channelOf([owner, member]);
  await write(owner, name, 'a');
  assert.equal(await write(member, name, 'a'), undefined);
  const there = await other.app.organizations.bySubdomain('');
  await there?.catchUp();
  await mute(await other.sameUser(member), id, true);
  await (await server.app.organizations.bySubdomain(''))?.catchUp();
  assert.equal(await write(member, name, 'a'), 2);
});

test('the settings apply on every message, on sending, on starting, or never; following precedes unmuting', () => {
  const state = { policy: Policy.none, inMutedChannel: true, hasMessages: true };
  const { participating, sending, beginning, never } = When;
  const decide = (follow: When, unmute: When, more: Partial<Parameters<typeof policyAfterSending>[1]> = {}) =>
    policyAfterSending({ follow, unmute }, { ...state, ...more });
  for (const always of [participating, sending]) {
    assert.equal(decide(always, never), Policy.followed);
    assert.equal(decide(always, always), Policy.followed);
    assert.equal(decide(always, never, { policy: Policy.muted }), Policy.followed);
    assert.equal(decide(beginning, always), Policy.unmuted);
    assert.equal(decide(beginning, always, { hasMessages: false }), Policy.followed);
    assert.equal(decide(never, always, { inMutedChannel: false }), undefined);
    assert.equal(decide(never, always, { policy: Policy.muted }), Policy.unmuted);
    assert.equal(decide(never, always, { policy: Policy.unmuted }), undefined);
  }
  assert.equal(decide(never, beginning, { hasMessages: false }), Policy.unmuted);
  assert.equal(decide(never, beginning), undefined);
  assert.equal(decide(beginning, never, { hasMessages: false, policy: Policy.muted }), undefined);
  assert.equal(decide(never, never, { hasMessages: false }), undefined);
  assert.equal(decide(participating, participating, { policy: Policy.followed }), undefined);
});
