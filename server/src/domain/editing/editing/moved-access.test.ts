import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Role } from '../../../directory/records.ts';
import type { Fields, TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { newPlace } from '../../../testing/server/moves.ts';
import { type NewChannelFields, startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
});
after(() => server.stop());

const place = (people: readonly TestClient[], fields?: NewChannelFields) => newPlace(server, people, fields);

const PRIVATE = { invite_only: true };
const TYPES = ['update_message', 'update_message_flags', 'delete_message'];
const BULK = { bulk_message_deletion: true };
const listen = (client: TestClient, more: Fields = {}) =>
  client.register({ event_types: TYPES, client_capabilities: BULK, ...more });
const move = (ids: readonly [number, ...number[]], channel: { readonly id: number }) =>
  owner.ok('PATCH', `/messages/${ids[0]}`, {
    stream_id: channel.id,
    propagate_mode: 'change_all',
    send_notification_to_new_thread: false,
  });
const typesOf = (events: readonly Json[]) => events.map(({ type, op }) => (op === undefined ? type : `${type} ${op}`));

async function say(channel: { readonly name: string }, count = 2): Promise<[number, ...number[]]> {
  const first = await owner.send(channel.name, 'a', '0');
  const others: number[] = [];
  for (let n = 1; n < count; n++) others.push(await owner.send(channel.name, 'a', `${n}`));
  return [first, ...others];
}

test('a subscriber of both channels receives only the move event', async () => {
  const reader = await server.user();
  const [from, to] = [await place([reader]), await place([reader], PRIVATE)];
  const ids = await say(from);
  const queue = await listen(reader);
  await move(ids, to);
  const events = await queue.now();
  assert.deepEqual(typesOf(events), ['update_message']);
  assert.deepEqual([events[0].message_ids, events[0].flags], [ids, []]);
});

test('moved messages are deleted for users who cannot read them in the new channel, and only for them', async () => {
  const [reader, guest] = [await server.user(), await server.user({ role: Role.guest })];
  const from = await place([reader, guest]);
  const [open, closed] = [await place([]), await place([], PRIVATE)];
  const queues = [await listen(reader), await listen(guest), await listen(owner)];
  const ids = await say(from);
  await move(ids, open);
  const [member, away, own] = await Promise.all(queues.map((queue) => queue.now()));
  assert.deepEqual(typesOf(member ?? []), ['update_message_flags add', 'update_message']);
  assert.deepEqual(typesOf(own ?? []), ['update_message']);
  assert.deepEqual(
    (away ?? []).map(({ id: _, ...event }) => event),
    [{ type: 'delete_message', message_ids: ids, message_type: 'stream', stream_id: from.id, topic: 'a' }],
  );
  const more = await say(from);
  await move(more, closed);
  for (const queue of queues.slice(0, 2)) {
    const events = (await queue.now()).filter(({ type }) => type !== 'message');
    assert.deepEqual(
      events.map(({ type, message_ids }) => [type, message_ids]),
      [['delete_message', more]],
    );
  }
  assert.equal((await reader.fails('GET', `/messages/${more[0]}`)).msg, 'Invalid message(s)');
});

test('older clients receive one deletion event per message that became inaccessible', async () => {
  const reader = await server.user();
  const [from, to] = [await place([reader]), await place([], PRIVATE)];
  const ids = await say(from, 3);
  const queue = await listen(reader, { client_capabilities: {} });
  await move(ids, to);
  assert.deepEqual(
    (await queue.now()).map(({ type, message_id }) => [type, message_id]),
    ids.map((id) => ['delete_message', id]),
  );
});

test('messages that become inaccessible lose their stars, and other messages keep theirs', async () => {
  const [reader, keeper] = [await server.user(), await server.user()];
  const [from, to] = [await place([reader, keeper]), await place([keeper], PRIVATE)];
  const ids = await say(from);
  const other = await say(from, 1);
  for (const client of [reader, keeper]) {
    await client.ok('POST', '/messages/flags', { messages: [...ids, ...other], op: 'add', flag: 'starred' });
  }
  for (const id of ids) {
    const place = { stream_id: to.id, send_notification_to_new_thread: false };
    await owner.ok('PATCH', `/messages/${id}`, place);
  }
  const starred = async (client: TestClient) =>
    (await client.ok('POST', '/register', { event_types: ['starred_messages'] })).starred_messages;
  assert.deepEqual(await starred(reader), other);
  assert.deepEqual(await starred(keeper), [...ids, ...other]);
});

test('messages moved to an unsubscribed channel become read, before the move event', async () => {
  const reader = await server.user();
  const [from, to] = [await place([reader]), await place([])];
  const ids = await say(from);
  const queue = await listen(reader);
  await move(ids, to);
  const [read, moved] = await queue.now();
  assert.deepEqual([read.type, read.op, read.flag, read.messages], ['update_message_flags', 'add', 'read', ids]);
  assert.deepEqual([moved.type, moved.flags], ['update_message', ['read']]);
  assert.deepEqual((await reader.ok('GET', `/messages/${ids[0]}`)).message.flags, ['read']);
});

test('messages moved back become unread again, and the event contains their details', async () => {
  const reader = await server.user();
  const [from, to] = [await place([reader]), await place([])];
  const ids = await say(from);
  await reader.ok('POST', '/messages/flags', { messages: ids.slice(0, 1), op: 'add', flag: 'read' });
  await move(ids, to);
  const queue = await listen(reader);
  await move(ids, from);
  const events = await queue.now();
  assert.deepEqual(typesOf(events), ['update_message', 'update_message_flags remove']);
  assert.deepEqual(events[1].messages, ids.slice(1));
  assert.deepEqual(events[1].message_details, {
    [ids[1] ?? 0]: { type: 'stream', stream_id: from.id, topic: 'a', unmuted_stream_msg: true },
  });
  assert.deepEqual(events[0].flags, ['read']);
});

test('new readers of moved messages receive the move event if they can access the original channel', async () => {
  const [reader, guest] = [await server.user(), await server.user({ role: Role.guest })];
  const to = await place([reader, guest]);
  const queues = [await listen(reader), await listen(guest)];
  const open = await place([]);
  const ids = await say(open);
  await move(ids, to);
  const [membersEvents, guestsEvents] = await Promise.all(queues.map((queue) => queue.now()));
  assert.deepEqual(typesOf(membersEvents ?? []), ['update_message']);
  assert.deepEqual(membersEvents?.[0].flags, ['read', 'historical']);
  assert.deepEqual((await reader.ok('GET', `/messages/${ids[0]}`)).message.flags, ['read', 'historical']);
  assert.deepEqual(guestsEvents, []);
  const closed = await place([], PRIVATE);
  await move(await say(closed), to);
  for (const queue of queues) assert.deepEqual(await queue.now(), []);
});

test('messages moved to protected history are readable for current subscribers, but not for later ones', async () => {
  const [reader, late] = [await server.user(), await server.user()];
  const from = await place([]);
  const vault = await place([reader], { invite_only: true, history_public_to_subscribers: false });
  const ids = await say(from);
  await move(ids, vault);
  await owner.subscribe(vault.name, { principals: [late.userId] });
  assert.equal((await reader.ok('GET', `/messages/${ids[0]}`)).message.stream_id, vault.id);
  assert.equal((await late.fails('GET', `/messages/${ids[0]}`)).msg, 'Invalid message(s)');
});

test('users who have some of the messages receive moves within protected history', async () => {
  const vault = await place([], { invite_only: true, history_public_to_subscribers: false });
  const before = await say(vault);
  const late = await server.user();
  await owner.subscribe(vault.name, { principals: [late.userId] });
  const queue = await listen(late);
  const topic = async (id: number, name: string, propagate_mode: string) =>
    owner.ok('PATCH', `/messages/${id}`, { topic: name, propagate_mode, send_notification_to_new_thread: false });
  await topic(before[0], 'b', 'change_all');
  assert.deepEqual(await queue.now(), []);
  const after = await owner.send(vault.name, 'b', 'x');
  await queue.now();
  await topic(before[0], 'c', 'change_all');
  const [event] = await queue.now();
  assert.deepEqual(event.message_ids, [...before, after]);
  const elsewhere = await place([], PRIVATE);
  await move([before[0]], elsewhere);
  assert.deepEqual(typesOf(await queue.now()), ['delete_message']);
});

test('a user who is not subscribed receives moves of flagged messages, and loses those they cannot read', async () => {
  const outsider = await server.user();
  const [from, open, closed] = [await place([]), await place([]), await place([], PRIVATE)];
  const ids = await say(from);
  await outsider.ok('POST', '/messages/flags', { messages: ids.slice(1), op: 'add', flag: 'starred' });
  const queues = [await listen(outsider), await listen(outsider, { all_public_streams: true })];
  await move(ids, open);
  for (const queue of queues) {
    const [event, ...more] = await queue.now();
    assert.deepEqual([event.type, event.flags, more], ['update_message', ['read', 'historical'], []]);
  }
  await move(ids, closed);
  for (const queue of queues) assert.deepEqual(typesOf(await queue.now()), ['delete_message']);
  const state = await outsider.ok('POST', '/register', { event_types: ['starred_messages'] });
  assert.deepEqual(state.starred_messages, []);
});

test('queues with all_public_streams receive moves only of messages that their user has', async () => {
  const outsider = await server.user();
  const [from, to] = [await place([]), await place([])];
  const ids = await say(from);
  const queue = await listen(outsider, { all_public_streams: true });
  await move(ids, to);
  await owner.ok('PATCH', `/messages/${ids[0]}`, { topic: 'b' });
  assert.deepEqual(await queue.now(), []);
});

test('queues with all_public_streams receive the same read and move events in a pending or a later poll', async () => {
  const reader = await server.user();
  const [from, to] = [await place([reader]), await place([])];
  const ids = await say(from);
  const [held, late] = [
    await listen(reader, { all_public_streams: true }),
    await listen(reader, { all_public_streams: true }),
  ];
  const next = held.next();
  await move(ids, to);
  const expected = ['update_message_flags add', 'update_message'];
  assert.deepEqual(typesOf([...(await next), ...(await held.now())]), expected);
  assert.deepEqual(typesOf(await late.now()), expected);
});

test('deleting a moved message keeps the move event of the messages moved with it', async () => {
  const reader = await server.user();
  const [from, to] = [await place([reader]), await place([reader])];
  const ids = await say(from);
  const late = await listen(reader);
  await move(ids, to);
  await owner.ok('DELETE', `/messages/${ids[0]}`);
  const events = await late.now();
  assert.deepEqual(typesOf(events), ['update_message', 'delete_message']);
  assert.deepEqual((await reader.ok('GET', `/messages/${ids[1]}`)).message.stream_id, to.id);
});
