import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Role } from '../../directory/records.ts';
import { deactivateUser } from '../../domain/accounts/accounts/actions.ts';
import type { TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { archiveChannel } from '../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let writer: TestClient;
let reader: TestClient;
let outsider: TestClient;
let channelId: number;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  writer = await server.user();
  reader = await server.user();
  outsider = await server.user();
  channelId = await channelOf('plain', [owner, writer, reader]);
});
after(() => server.stop());

async function channelOf(name: string, subscribers: readonly TestClient[], more: Json = {}): Promise<number> {
  await owner.subscribe(name, { principals: subscribers.map((client) => client.userId), ...more });
  return (await owner.ok('GET', '/get_stream_id', { stream: name })).stream_id;
}

const knowing = { event_types: ['typing'], client_capabilities: { stream_typing_notifications: true } };
const type = (fields: Json, client = writer) => client.ok('POST', '/typing', fields);
const person = ({ userId, email }: TestClient) => ({ user_id: userId, email });
const withoutId = ({ id, ...event }: Json) => event;

/** Returns the events of the queue so far. Typing events arrive in order, so a marker event follows them. */
async function eventsUntilMarker(queue: Awaited<ReturnType<TestClient['register']>>, to: TestClient): Promise<Json[]> {
  await type({ type: 'direct', op: 'stop', to: [to.userId] }, owner);
  const isMarker = (event: Json) =>
    event.message_type === 'direct' && event.op === 'stop' && event.sender.user_id === owner.userId;
  const events = await queue.upTo(isMarker);
  return events.slice(0, events.findIndex(isMarker)).map(withoutId);
}

test('direct typing notifications reach the participants, in every format of the recipients; direct is the default type', async () => {
  const requests = [
    { type: 'direct', op: 'start', to: [reader.userId] },
    { type: 'private', op: 'stop', to: [reader.userId] },
    { op: 'start', to: [reader.userId] },
    { op: 'start', to: reader.userId },
    { op: 'start', to: [reader.userId, writer.userId, reader.userId] },
  ];
  const queue = await reader.register({ event_types: ['typing'] });
  for (const request of requests) await type(request);
  const events = await queue.take(requests.length);
  assert.deepEqual(
    events.map(withoutId),
    requests.map(({ op }) => ({
      type: 'typing',
      op,
      message_type: 'direct',
      sender: person(writer),
      recipients: [writer, reader].map(person),
    })),
  );
});

test('a deactivated participant does not prevent typing notifications to others', async () => {
  const gone = await server.user();
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  await deactivateUser(server.app, organization, gone.userId);
  const queue = await reader.register(knowing);
  await type({ op: 'start', to: [gone.userId] });
  await type({ op: 'start', to: [reader.userId, gone.userId] });
  const [event, ...more] = await eventsUntilMarker(queue, reader);
  assert.deepEqual(more, []);
  const recipients = [writer, reader, gone].map(person).sort((a, b) => a.user_id - b.user_id);
  assert.deepEqual([event.op, event.sender, event.recipients], ['start', person(writer), recipients]);
});

test('direct typing notifications reach only the participants', async () => {
  const queue = await outsider.register({ event_types: ['typing'] });
  await type({ op: 'start', to: [reader.userId] });
  assert.deepEqual(await eventsUntilMarker(queue, outsider), []);
});

// rules: register-16
test('channel typing notifications reach only subscribers’ clients with stream_typing_notifications', async () => {
  const knows = await reader.register(knowing);
  const plain = await reader.register({ event_types: ['typing'] });
  const outside = await outsider.register(knowing);
  for (const word of ['channel', 'stream']) {
    await type({ type: word, op: 'start', stream_id: channelId, topic: 'lunch' });
    const expected = {
      type: 'typing',
      op: 'start',
      message_type: 'stream',
      sender: person(writer),
      stream_id: channelId,
      topic: 'lunch',
    };
    assert.deepEqual(withoutId((await knows.take(1))[0]), expected);
  }
  assert.deepEqual(await eventsUntilMarker(plain, reader), []);
  assert.deepEqual(await eventsUntilMarker(outside, outsider), []);
});

// rules: conventions-8
test('all names of the empty topic are accepted, and each client receives the name that it supports', async () => {
  const capabilities = { stream_typing_notifications: true, empty_topic_name: true };
  const plain = await reader.register(knowing);
  const empty = await reader.register({ ...knowing, client_capabilities: capabilities });
  for (const topic of ['', 'general chat', '(no topic)']) {
    await type({ type: 'channel', op: 'stop', stream_id: channelId, topic });
    assert.equal((await plain.take(1))[0].topic, 'general chat');
    assert.equal((await empty.take(1))[0].topic, '');
  }
});

test('only queues for typing events receive them', async () => {
  const queue = await reader.register({ event_types: ['message'] });
  await type({ op: 'start', to: [reader.userId] });
  const id = await writer.direct([reader.userId], 'done');
  const events = await queue.take(1);
  assert.deepEqual(
    events.map((event) => event.message?.id),
    [id],
  );
});

test('in a channel of more than a hundred subscribers, nobody receives typing notifications', async () => {
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  const crowd: number[] = [];
  for (let n = 0; n < 101; n++) crowd.push((await server.user()).userId);
  const id = await channelOf('crowd', []);
  await owner.subscribe('crowd', { principals: [...crowd, writer.userId, reader.userId] });
  const queue = await reader.register(knowing);
  await type({ type: 'channel', op: 'start', stream_id: id, topic: 'a' });
  assert.deepEqual(await eventsUntilMarker(queue, reader), []);
});

test('missing, empty and unknown op, type, recipients, channel and topic are refused', async () => {
  const outsider = await server.organization('faraway');
  const direct = { type: 'direct', op: 'start', to: [reader.userId] };
  const channel = { type: 'channel', op: 'start', stream_id: channelId, topic: 'a' };
  const cases: [Json, string, string][] = [
    [{ ...direct, op: undefined }, 'REQUEST_VARIABLE_MISSING', "Missing 'op' argument"],
    [{ ...direct, op: 'pause' }, 'BAD_REQUEST', 'Invalid op'],
    [{ ...direct, type: 'shout' }, 'BAD_REQUEST', 'Invalid type'],
    [{ ...direct, to: undefined }, 'BAD_REQUEST', "Missing 'to' argument"],
    [{ ...direct, to: [] }, 'BAD_REQUEST', "Empty 'to' list"],
    [{ ...direct, to: [987_654] }, 'BAD_REQUEST', 'Invalid user ID 987654'],
    [{ ...direct, to: [outsider.userId] }, 'BAD_REQUEST', `Invalid user ID ${outsider.userId}`],
    [{ ...channel, stream_id: undefined }, 'BAD_REQUEST', "Missing 'stream_id' argument"],
    [{ ...channel, topic: undefined }, 'BAD_REQUEST', 'Missing topic'],
    [{ ...channel, stream_id: 987_654 }, 'BAD_REQUEST', 'Invalid channel ID'],
    [{ ...channel, topic: 'a\u0007' }, 'BAD_REQUEST', 'Invalid character in topic, at position 2!'],
  ];
  for (const [fields, code, msg] of cases) {
    const body = await writer.fails('POST', '/typing', fields);
    assert.deepEqual([body.code, body.msg], [code, msg], JSON.stringify(fields));
  }
  await writer.fails('POST', '/typing', { ...direct, to: reader.email });
});

test('users cannot send typing notifications in channels where they cannot post', async () => {
  const hidden = await channelOf('hidden', [owner], { invite_only: true });
  const quiet = await channelOf('quiet', [writer], {
    can_send_message_group: { direct_members: [owner.userId], direct_subgroups: [] },
  });
  const archived = await channelOf('archived', [owner, writer]);
  await archiveChannel(server, archived);
  const guest = await server.user({ role: Role.guest });
  const unknown = 'Invalid channel ID';
  const refusals: [TestClient, number, string][] = [
    [writer, hidden, unknown],
    [writer, quiet, 'You do not have permission to post in this channel.'],
    [writer, archived, unknown],
    [guest, channelId, unknown],
  ];
  for (const [client, stream_id, msg] of refusals) {
    const body = await client.fails('POST', '/typing', { type: 'channel', op: 'start', stream_id, topic: 'a' });
    assert.deepEqual([body.code, body.msg], ['BAD_REQUEST', msg]);
  }
});
