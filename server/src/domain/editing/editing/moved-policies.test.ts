import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Role } from '../../../directory/records.ts';
import type { Fields, TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { newPlace, type Place } from '../../../testing/server/moves.ts';
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

const [NONE, MUTED, UNMUTED, FOLLOWED] = [0, 1, 2, 3];
const place = (people: readonly TestClient[] = [reader]) => newPlace(server, people);

const see = (client: TestClient, { id }: Place, topic: string, policy = NONE) =>
  client.ok('POST', '/user_topics', { stream_id: id, topic, visibility_policy: policy });
const move = (id: number, fields: Fields) =>
  owner.ok('PATCH', `/messages/${id}`, {
    propagate_mode: 'change_all',
    send_notification_to_new_thread: false,
    ...fields,
  });

async function policies(client: TestClient, ...places: readonly Place[]): Promise<Json> {
  const { user_topics } = await client.ok('POST', '/register', {
    event_types: ['user_topic'],
    client_capabilities: { empty_topic_name: true },
  });
  const of = user_topics.filter((one: Json) => places.some(({ id }) => one.stream_id === id));
  return Object.fromEntries(of.map((one: Json) => [`${one.stream_id} ${one.topic_name}`, one.visibility_policy]));
}

// rules: topics-8
test('visibility policies move with their topic', async () => {
  const [from, to] = [await place(), await place()];
  const id = await owner.send(from.name, 'a', 'x');
  await see(reader, from, 'a', MUTED);
  const queue = await reader.register({ event_types: ['user_topic', 'update_message'] });
  await move(id, { topic: 'b' });
  assert.deepEqual(await policies(reader, from, to), { [`${from.id} b`]: MUTED });
  const events = (await queue.take(3)).map((event) => [event.type, event.topic_name, event.visibility_policy]);
  assert.deepEqual(events, [
    ['update_message', undefined, undefined],
    ['user_topic', 'a', NONE],
    ['user_topic', 'b', MUTED],
  ]);
  await move(id, { stream_id: to.id });
  assert.deepEqual(await policies(reader, from, to), { [`${to.id} b`]: MUTED });
});

// rules: topics-8
test('when two topics merge, the more visible policy wins', async () => {
  const channel = await place();
  const cases = [
    [MUTED, NONE, NONE],
    [MUTED, MUTED, MUTED],
    [NONE, MUTED, NONE],
    [MUTED, UNMUTED, UNMUTED],
    [UNMUTED, FOLLOWED, FOLLOWED],
    [FOLLOWED, MUTED, FOLLOWED],
  ] as const;
  for (const [index, [old, next, expected]] of cases.entries()) {
    const [from, to] = [`old ${index}`, `new ${index}`];
    const id = await owner.send(channel.name, from, 'x');
    await owner.send(channel.name, to, 'x');
    if (old !== NONE) await see(reader, channel, from, old);
    if (next !== NONE) await see(reader, channel, to, next);
    await move(id, { topic: to });
    const found = await policies(reader, channel);
    assert.deepEqual([found[`${channel.id} ${from}`] ?? NONE, found[`${channel.id} ${to}`] ?? NONE], [NONE, expected]);
  }
});

test('the policy of a topic without messages is replaced by that of the moved topic', async () => {
  const channel = await place();
  const id = await owner.send(channel.name, 'a', 'x');
  await see(reader, channel, 'b', MUTED);
  await move(id, { topic: 'b' });
  assert.deepEqual(await policies(reader, channel), {});
});

test('older clients receive all muted topics', async () => {
  const channel = await place();
  const id = await owner.send(channel.name, 'a', 'x');
  await see(reader, channel, 'a', MUTED);
  const queue = await reader.register({ event_types: ['muted_topics'] });
  await move(id, { topic: 'b' });
  const [event] = await queue.take(1);
  const own = event.muted_topics.filter(([name]: [string]) => name === channel.name);
  assert.deepEqual(
    own.map(([, topic]: [string, string]) => topic),
    ['b'],
  );
});

test('a topic that becomes inaccessible loses its policy', async () => {
  const guest = await server.user({ role: Role.guest });
  const [from, to] = [await place([guest]), await place([])];
  const id = await owner.send(from.name, 'a', 'x');
  await see(guest, from, 'a', FOLLOWED);
  const queue = await guest.register({ event_types: ['user_topic'] });
  await move(id, { stream_id: to.id });
  assert.deepEqual(await policies(guest, from, to), {});
  assert.deepEqual(
    (await queue.take(1)).map((event) => [event.stream_id, event.visibility_policy]),
    [[from.id, NONE]],
  );
});

test('moving a part of a topic keeps its policies', async () => {
  const channel = await place();
  const id = await owner.send(channel.name, 'a', 'x');
  await owner.send(channel.name, 'a', 'x');
  await see(reader, channel, 'a', FOLLOWED);
  await move(id, { topic: 'b', propagate_mode: 'change_one' });
  assert.deepEqual(await policies(reader, channel), { [`${channel.id} a`]: FOLLOWED });
});

test('the sender of a topic’s first message follows it after a move, as if they had started it', async () => {
  const channel = await place();
  await owner.send(channel.name, 'a', 'x');
  const id = await reader.send(channel.name, 'a', 'x');
  await move(id, { topic: 'b', propagate_mode: 'change_one' });
  assert.deepEqual(await policies(reader, channel), { [`${channel.id} b`]: FOLLOWED });
  await owner.send(channel.name, 'c', 'x');
  const later = await reader.send(channel.name, 'a', 'x');
  await move(later, { topic: 'c', propagate_mode: 'change_one' });
  assert.deepEqual(await policies(reader, channel), { [`${channel.id} b`]: FOLLOWED });
});

test('a follower of a topic receives its resolve notice as unread', async () => {
  const other = await server.user();
  const channel = await place([reader, other]);
  const id = await owner.send(channel.name, 'a', 'x');
  await see(reader, channel, 'a', FOLLOWED);
  const queues = [
    await reader.register({ event_types: ['message'] }),
    await other.register({ event_types: ['message'] }),
  ];
  await move(id, { topic: '✔ a' });
  const flags = await Promise.all(queues.map(async (queue) => (await queue.take(1))[0].flags));
  assert.deepEqual(flags, [[], ['read']]);
  assert.deepEqual(await policies(reader, channel), { [`${channel.id} ✔ a`]: FOLLOWED });
});
