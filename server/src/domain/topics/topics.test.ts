import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestClient } from '../../testing/clients/client.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.user();
});
after(() => server.stop());

let made = 0;

async function channelOf(...subscribers: TestClient[]): Promise<{ name: string; id: number }> {
  return makeChannel(subscribers, {});
}

async function makeChannel(subscribers: TestClient[], settings: Record<string, unknown>) {
  const name = `talk ${++made}`;
  const [creator] = subscribers;
  assert(creator !== undefined);
  const principals = subscribers.map((client) => client.userId);
  return { name, id: await server.emptyChannel(creator, name, { principals, ...settings }) };
}

async function topics(client: TestClient, channelId: number, query: Record<string, unknown> = {}) {
  return (await client.ok('GET', `/users/me/${channelId}/topics`, query)).topics;
}

// rules: topics-10
test('topics are listed newest first, each with its newest message id', async () => {
  const { name, id } = await channelOf(owner);
  const first = await owner.send(name, 'lunch', 'a');
  const second = await owner.send(name, 'zebra', 'b');
  const third = await owner.send(name, 'apple', 'c');
  assert.deepEqual(await topics(owner, id), [
    { name: 'apple', max_id: third },
    { name: 'zebra', max_id: second },
    { name: 'lunch', max_id: first },
  ]);
  const later = await owner.send(name, 'lunch', 'd');
  assert.deepEqual((await topics(owner, id))[0], { name: 'lunch', max_id: later });
});

test('names that differ only in case are one topic, with the spelling of its newest message', async () => {
  const { name, id } = await channelOf(owner);
  await owner.send(name, 'Lunch', 'a');
  const newest = await owner.send(name, 'LUNCH', 'b');
  assert.deepEqual(await topics(owner, id), [{ name: 'LUNCH', max_id: newest }]);
});

// rules: conventions-9
test('the empty topic has its display name unless the client sets allow_empty_topic_name', async () => {
  const { name, id } = await channelOf(owner);
  const message = await owner.send(name, '', 'a');
  assert.deepEqual(await topics(owner, id), [{ name: 'general chat', max_id: message }]);
  assert.deepEqual(await topics(owner, id, { allow_empty_topic_name: true }), [{ name: '', max_id: message }]);
});

test('a channel without messages has no topics', async () => {
  const { id } = await channelOf(owner);
  assert.deepEqual(await topics(owner, id), []);
});

test('members can list topics of public channels that they are not subscribed to', async () => {
  const { name, id } = await channelOf(owner);
  const message = await owner.send(name, 'open', 'a');
  assert.deepEqual(await topics(member, id), [{ name: 'open', max_id: message }]);
});

test('administrators have metadata access to private channels but cannot list their topics', async () => {
  const { name, id } = await makeChannel([member], { invite_only: true });
  await member.send(name, 'secret', 'a');
  assert.equal((await owner.ok('GET', `/streams/${id}`)).stream.name, name);
  assert.equal((await owner.fails('GET', `/users/me/${id}/topics`)).msg, 'Invalid channel ID');
});

test('a later subscriber can list the topics of a private channel with shared history', async () => {
  const { name, id } = await makeChannel([owner], { invite_only: true, history_public_to_subscribers: true });
  const message = await owner.send(name, 'before', 'a');
  await owner.subscribe(name, { principals: [member.userId] });
  assert.deepEqual(await topics(member, id), [{ name: 'before', max_id: message }]);
});

// rules: topics-10
test('with protected history, a subscriber lists only topics of messages sent during their subscriptions', async () => {
  const { name, id } = await makeChannel([owner], { invite_only: true });
  await owner.send(name, 'before', 'a');
  await owner.subscribe(name, { principals: [member.userId] });
  const during = await owner.send(name, 'during', 'b');
  await owner.send(name, 'both', 'c');
  await member.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name] });
  await owner.send(name, 'between', 'd');
  await owner.send(name, 'during', 'e');
  await owner.subscribe(name, { principals: [member.userId] });
  const again = await owner.send(name, 'both', 'f');
  assert.deepEqual(await topics(member, id), [
    { name: 'both', max_id: again },
    { name: 'during', max_id: during },
  ]);
});
