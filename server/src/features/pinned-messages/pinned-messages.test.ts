import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MAX_PINNED_MESSAGES } from '@heddle/api/objects/pinned-message.ts';
import { Role } from '../../directory/records.ts';
import type { TestClient, TestQueue } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let ada: TestClient;
let bo: TestClient;
before(async () => {
  server = await startTestServer();
  ada = await server.user({ name: 'Ada' });
  bo = await server.user({ name: 'Bo' });
});
after(() => server.stop());

let made = 0;

/** A channel of the owner with Ada and Bo. */
function channel(fields = {}): Promise<number> {
  made += 1;
  return server.emptyChannel(server.owner, `loom ${made}`, { principals: [ada.userId, bo.userId], ...fields });
}

const pin = (client: TestClient, id: number, place: 'channel' | 'topic' = 'topic') =>
  client.call('POST', `/messages/${id}/pin`, { place });
const unpin = (client: TestClient, id: number) => client.call('DELETE', `/messages/${id}/pin`);

async function pinned(client: TestClient, channelId: number): Promise<readonly (readonly [number, string, string])[]> {
  const { pinned_messages } = await client.ok('GET', `/streams/${channelId}/pinned_messages`);
  return pinned_messages.map((one: Json) => [one.message_id, one.topic, one.place]);
}

const KNOWING = { client_capabilities: { pinned_messages: true } };
const listening = (client: TestClient): Promise<TestQueue> =>
  client.register({ ...KNOWING, event_types: ['pinned_messages'] });
const channelsOf = (events: readonly Json[]) => events.map(({ type, stream_id }) => [type, stream_id]);

// rules: pins-1, pins-2, pins-3
test('a message is pinned in its topic or its channel, and who can see the channel is told to fetch the list', async () => {
  const id = await channel();
  const [first, second] = [await bo.send(id, 'warp', 'one'), await bo.send(id, 'weft', 'two')];
  const queue = await listening(bo);
  await ada.ok('POST', `/messages/${first}/pin`, { place: 'topic' });
  assert.deepEqual(channelsOf(await queue.now()), [['pinned_messages', id]]);
  await ada.ok('POST', `/messages/${second}/pin`, { place: 'channel' });
  assert.deepEqual(await pinned(bo, id), [
    [second, 'weft', 'channel'],
    [first, 'warp', 'topic'],
  ]);
  const { pinned_messages } = await bo.ok('GET', `/streams/${id}/pinned_messages`);
  assert.equal(pinned_messages[0].pinned_by, ada.userId);
  await queue.now();

  // Again is no change, and another place moves the pin.
  await ada.ok('POST', `/messages/${first}/pin`, { place: 'topic' });
  assert.deepEqual(await queue.now(), []);
  await bo.ok('POST', `/messages/${first}/pin`, { place: 'channel' });
  assert.deepEqual(await pinned(ada, id), [
    [first, 'warp', 'channel'],
    [second, 'weft', 'channel'],
  ]);
  await queue.now();
  await bo.ok('DELETE', `/messages/${first}/pin`);
  await bo.ok('DELETE', `/messages/${first}/pin`);
  assert.deepEqual(await pinned(ada, id), [[second, 'weft', 'channel']]);
  assert.deepEqual(channelsOf(await queue.now()), [['pinned_messages', id]]);
});

// rules: pins-4
test('clients that do not know pinned messages get no field and no event about them', async () => {
  const id = await channel();
  const message = await bo.send(id, 'warp', 'one');
  const plain = await bo.register();
  const knowing = await bo.register(KNOWING);
  // It knows another setting that only Heddle has.
  const knowingGifs = await bo.register({ client_capabilities: { gif_picker: true } });
  const names = (queue: TestQueue) => Object.keys(queue.state);
  const own = ['max_pinned_messages', 'realm_can_pin_messages_group', 'server_own_permission_settings'];
  assert.deepEqual(
    names(knowing)
      .filter((name) => !names(plain).includes(name))
      .sort(),
    own,
  );
  assert.deepEqual(
    names(knowingGifs).filter((name) => !names(plain).includes(name)),
    ['realm_gif_picker'],
  );
  assert.equal(knowing.state.max_pinned_messages, MAX_PINNED_MESSAGES);
  assert.equal('can_pin_messages_group' in plain.state.server_supported_permission_settings.realm, false);
  await pin(ada, message);
  await setWhoPins(await groupOf('role:everyone'));
  await setWhoPins(await groupOf('role:members'));
  for (const queue of [plain, knowingGifs]) assert.deepEqual(await queue.now(), []);
  assert.deepEqual(
    (await knowing.now()).map(({ type, data }) => data ?? type),
    [
      'pinned_messages',
      { can_pin_messages_group: await groupOf('role:everyone') },
      { can_pin_messages_group: await groupOf('role:members') },
    ],
  );
});

// rules: pins-5
test('members pin where they can post; the organization chooses who may, and administrators of the channel always may', async () => {
  const id = await channel();
  const guest = await server.user({ name: 'Gus', role: Role.guest });
  await server.owner.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: `loom ${made}` }],
    principals: [guest.userId],
  });
  const message = await bo.send(id, 'warp', 'one');
  const refused = async (client: TestClient) => {
    assert.equal((await pin(client, message)).body.msg, 'Insufficient permission');
    assert.equal((await unpin(client, message)).body.msg, 'Insufficient permission');
  };
  await refused(guest);
  await setWhoPins(await groupOf('role:everyone'));
  assert.equal((await pin(guest, message)).status, 200);
  await setWhoPins(await groupOf('role:nobody'));
  await refused(ada);
  const named = { direct_members: [ada.userId], direct_subgroups: [] };
  await server.owner.ok('PATCH', `/streams/${id}`, { can_administer_channel_group: { new: named } });
  assert.equal((await unpin(ada, message)).status, 200);
  await setWhoPins(await groupOf('role:members'));
  await server.owner.ok('PATCH', `/streams/${id}`, {
    can_send_message_group: { new: await groupOf('role:administrators') },
  });
  await refused(bo);
  assert.equal((await pin(ada, message)).status, 200);
});

// rules: pins-6
test('with protected history, new subscribers see only pinned messages that they received', async () => {
  const id = await channel({ invite_only: true, history_public_to_subscribers: false });
  const early = await ada.send(id, 'warp', 'early');
  await pin(ada, early);
  const late = await server.user({ name: 'Late' });
  assert.equal((await late.call('GET', `/streams/${id}/pinned_messages`)).body.msg, 'Invalid channel ID');
  assert.equal((await pin(late, early)).body.msg, 'Invalid message(s)');
  await server.owner.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: `loom ${made}` }],
    principals: [late.userId],
  });
  assert.deepEqual(await pinned(late, id), []);
  const seen = await ada.send(id, 'warp', 'seen');
  const queue = await listening(late);
  await pin(ada, seen, 'channel');
  assert.deepEqual(channelsOf(await queue.now()), [['pinned_messages', id]]);
  assert.deepEqual(await pinned(late, id), [[seen, 'warp', 'channel']]);
  assert.equal((await unpin(late, early)).body.msg, 'Invalid message(s)');
});

// rules: pins-7
test('a pin of a topic goes with its message, and a pin of a channel ends when the message leaves the channel', async () => {
  const [from, to] = [await channel(), await channel()];
  const [inTopic, inChannel] = [await ada.send(from, 'warp', 'one'), await ada.send(from, 'warp', 'two')];
  await pin(ada, inTopic);
  await pin(ada, inChannel, 'channel');
  const queue = await listening(bo);
  const move = (fields: object) =>
    server.owner.ok('PATCH', `/messages/${inTopic}`, { propagate_mode: 'change_all', ...fields });
  await move({ topic: 'weft' });
  assert.deepEqual(await pinned(bo, from), [
    [inChannel, 'weft', 'channel'],
    [inTopic, 'weft', 'topic'],
  ]);
  assert.deepEqual(channelsOf(await queue.now()), [['pinned_messages', from]]);
  await move({ stream_id: to });
  assert.deepEqual(await pinned(bo, from), []);
  assert.deepEqual(await pinned(bo, to), [[inTopic, 'weft', 'topic']]);
  assert.deepEqual(channelsOf(await queue.now()).sort(), [
    ['pinned_messages', from],
    ['pinned_messages', to],
  ]);
});

// rules: pins-8
test('a deleted message is no longer pinned, and in an archived channel nothing changes', async () => {
  const id = await channel();
  const [gone, stays] = [await ada.send(id, 'warp', 'one'), await ada.send(id, 'warp', 'two')];
  await pin(ada, gone);
  await pin(ada, stays);
  const queue = await listening(bo);
  await server.owner.ok('DELETE', `/messages/${gone}`);
  assert.deepEqual(await pinned(bo, id), [[stays, 'warp', 'topic']]);
  assert.deepEqual(channelsOf(await queue.now()), [['pinned_messages', id]]);
  await server.owner.ok('DELETE', `/streams/${id}`);
  assert.equal((await unpin(server.owner, stays)).body.msg, 'Invalid message(s)');
  assert.deepEqual(await pinned(bo, id), [[stays, 'warp', 'topic']]);
});

// rules: pins-9
test('a channel and a topic have at most fifty pinned messages, also after a move and at the same time', async () => {
  const id = await channel();
  const send = (topic: string) => Promise.all(Array.from({ length: 3 }, (_, at) => ada.send(id, topic, `${at}`)));
  const many = await Promise.all(
    Array.from({ length: MAX_PINNED_MESSAGES - 1 }, (_, at) => ada.send(id, 'warp', `text ${at}`)),
  );
  for (const message of many) assert.equal((await pin(ada, message)).status, 200);
  const more = await send('warp');
  const answers = await Promise.all(more.map((message) => pin(ada, message)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400]);
  assert.match(answers.find(({ status }) => status === 400)?.body.msg, /There are 50 pinned messages here already/);
  // The channel and other topics have their own.
  const [own = 0, moved = 0] = await send('weft');
  assert.equal((await pin(ada, own, 'channel')).status, 200);
  assert.equal((await pin(ada, moved)).status, 200);
  await ada.ok('PATCH', `/messages/${moved}`, { topic: 'warp', propagate_mode: 'change_one' });
  const list = await pinned(ada, id);
  assert.equal(list.filter(([, , place]) => place === 'topic').length, MAX_PINNED_MESSAGES);
  assert.deepEqual(list[0], [moved, 'warp', 'topic']);
  assert.equal(
    list.some(([message]) => message === many[0]),
    false,
    'the first pinned one made room',
  );
});

test('direct messages cannot be pinned', async () => {
  const direct = await ada.direct([bo.userId], 'hello');
  assert.equal((await pin(ada, direct)).body.msg, 'Only messages of channels can be pinned.');
});

async function groupOf(name: string): Promise<number> {
  const { user_groups } = await server.owner.ok('GET', '/user_groups');
  return user_groups.find((group: Json) => group.name === name).id;
}

async function setWhoPins(group: number): Promise<void> {
  await server.owner.ok('PATCH', '/realm', { can_pin_messages_group: { new: group } });
}
