import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestClient, TestQueue } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { moveMessages } from '../../../testing/server/message-changes.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let reader: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  reader = await server.user();
});
after(() => server.stop());

let made = 0;

async function channelOf(...subscribers: readonly TestClient[]): Promise<string> {
  const name = `left ${++made}`;
  await server.emptyChannel(owner, name, { principals: subscribers.map((client) => client.userId) });
  return name;
}

async function say(channel: string, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < count; n++) ids.push(await owner.send(channel, 'a', `message ${n}`));
  return ids;
}

const mark = (client: TestClient, op: 'add' | 'remove', messages: readonly number[]) =>
  client.ok('POST', '/messages/flags', { messages, op, flag: 'read' });
const leave = (client: TestClient, ...subscriptions: string[]) =>
  client.ok('DELETE', '/users/me/subscriptions', { subscriptions });
const listen = (client: TestClient) => client.register({ event_types: ['subscription', 'update_message_flags'] });

/**
 * Returns the messages of each new read event of the queue. Each event must contain its messages once and in ascending
 * order.
 */
async function toldRead(queue: TestQueue): Promise<number[][]> {
  const events = (await queue.now()).filter((event: Json) => event.type === 'update_message_flags');
  return events.map(({ op, operation, flag, all, messages }: Json) => {
    assert.deepEqual([op, operation, flag, all], ['add', 'add', 'read', false]);
    assert.deepEqual(
      messages,
      [...new Set<number>(messages)].sort((a, b) => a - b),
    );
    return messages;
  });
}

test('a user who leaves a channel then receives which of its messages became read', async () => {
  const name = await channelOf(reader);
  await mark(reader, 'add', await say(name, 3));
  const ids = await say(name, 4);
  const queue = await listen(reader);
  await leave(reader, name);
  const events = await queue.now();
  assert.deepEqual(
    events.map(({ type, op }: Json) => `${type} ${op}`),
    ['subscription remove', 'update_message_flags add'],
  );
  assert.deepEqual(events[1].messages, ids);
});

test('a user removed by another user receives the same event, and no other users do', async () => {
  const name = await channelOf(reader);
  const ids = await say(name, 2);
  const [queue, others] = [await listen(reader), await listen(owner)];
  const removal = { subscriptions: [name], principals: [reader.userId] };
  await owner.ok('DELETE', '/users/me/subscriptions', removal);
  assert.deepEqual(await toldRead(queue), [ids]);
  assert.deepEqual(await toldRead(others), []);
});

test('leaving a channel without unread messages sends no read event', async () => {
  const [name, empty] = [await channelOf(reader), await channelOf(reader)];
  await mark(reader, 'add', await say(name, 3));
  const queue = await listen(reader);
  await leave(reader, name, empty);
  assert.deepEqual(await toldRead(queue), []);
});

test('the read event includes messages marked unread and messages moved to the channel', async () => {
  const [name, elsewhere] = [await channelOf(reader), await channelOf(reader)];
  const [moved] = (await say(elsewhere, 1)) as [number];
  const ids = await say(name, 3);
  await mark(reader, 'add', ids);
  await mark(reader, 'remove', ids.slice(0, 1));
  const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: name });
  await moveMessages(server, [moved], stream_id, 'moved');
  const queue = await listen(reader);
  await leave(reader, name);
  assert.deepEqual(await toldRead(queue), [[moved, ...ids.slice(0, 1)]]);
});

test('when many users leave together, each receives all their unread messages, and at most twice as many', async () => {
  const users = await Promise.all(Array.from({ length: 12 }, () => server.user()));
  const name = await channelOf(...users);
  const ids = await say(name, 24);
  const unread = (index: number) => ids.slice(2 * index + 1);
  for (const [index, client] of users.entries()) await mark(client, 'add', ids.slice(0, 2 * index + 1));
  const queues = await Promise.all(users.map(listen));
  const before = (await server.app.organizations.bySubdomain(''))?.position ?? 0;
  const principals = users.map((client) => client.userId);
  await owner.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name], principals });
  for (const [index, queue] of queues.entries()) {
    const [told = [], ...more] = await toldRead(queue);
    assert.deepEqual(more, []);
    for (const id of unread(index)) assert(told.includes(id));
    assert(told.length <= 2 * unread(index).length && told.every((id) => ids.includes(id)));
  }
  const { rows } = await server.app.pool.query(
    "SELECT FROM events WHERE id > $1 AND type = 'update_message_flags' AND organization_id = 1",
    [before],
  );
  assert(rows.length <= 6, `${rows.length} events`);
});

test('leaving several channels together sends a read event for each', async () => {
  const names = [await channelOf(reader), await channelOf(reader)];
  const ids = [await say(names[0] ?? '', 2), await say(names[1] ?? '', 1)];
  const queue = await listen(reader);
  await leave(reader, ...names);
  assert.deepEqual(await toldRead(queue), ids);
});
