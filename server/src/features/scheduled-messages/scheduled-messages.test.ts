import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { Role } from '../../directory/records.ts';
import type { Fields, TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { inSeconds } from '../../testing/server/due.ts';
import { archiveChannel } from '../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let member: TestClient;
let other: TestClient;
let channel: number;
before(async () => {
  server = await startTestServer();
  member = await server.user({ name: 'Mia Member' });
  other = await server.user({ name: 'Otto Other' });
  channel = await server.emptyChannel(server.owner, 'loom', { principals: [member.userId] });
});
after(() => server.stop());

const PATH = '/scheduled_messages';
const later = inSeconds(86_400);

async function schedule(client: TestClient, more: Fields = {}): Promise<number> {
  const fields = { type: 'channel', to: channel, topic: 'warp', content: 'hello', scheduled_delivery_timestamp: later };
  return (await client.ok('POST', PATH, { ...fields, ...more })).scheduled_message_id;
}

async function all(client: TestClient): Promise<readonly Json[]> {
  return (await client.ok('GET', PATH)).scheduled_messages;
}

async function one(client: TestClient, id: number): Promise<Json> {
  return (await all(client)).find((scheduled) => scheduled.scheduled_message_id === id);
}

// rules: scheduled-1, scheduled-4
test('a scheduled message is listed, in the initial state, and in an event to its sender only', async () => {
  const sender = await server.user();
  const queue = await sender.register({ event_types: ['scheduled_messages'] });
  const otherQueue = await other.register({ event_types: ['scheduled_messages'] });
  const id = await schedule(sender, { content: 'Hello, **world**\n' });
  const expected = {
    scheduled_message_id: id,
    type: 'stream',
    to: channel,
    topic: 'warp',
    content: 'Hello, **world**',
    rendered_content: '<p>Hello, <strong>world</strong></p>',
    scheduled_delivery_timestamp: later,
    failed: false,
  };
  assert.deepEqual(await all(sender), [expected]);
  const { state } = await sender.register({ event_types: ['scheduled_messages'] });
  assert.deepEqual(state.scheduled_messages, [expected]);
  const [event] = await queue.take(1);
  assert.deepEqual(
    { ...event, id: 0 },
    { id: 0, type: 'scheduled_messages', op: 'add', scheduled_messages: [expected] },
  );
  assert.deepEqual(await otherQueue.now(), []);
  assert.deepEqual(await all(other), []);
});

test('a direct message lists the other recipients, or its sender if there are none', async () => {
  const third = await server.user();
  const tos = [[other.userId], [third.userId, other.userId, member.userId], [member.userId]];
  const ids = [];
  for (const to of tos) ids.push(await schedule(member, { type: 'direct', to, topic: undefined }));
  const scheduled = await Promise.all(ids.map((id) => one(member, id)));
  assert.deepEqual(
    scheduled.map(({ type, to, topic }) => [type, to, topic]),
    [
      ['private', [other.userId], undefined],
      ['private', [other.userId, third.userId], undefined],
      ['private', [member.userId], undefined],
    ],
  );
});

// rules: scheduled-10, versions-2
test('POST and PATCH accept the older names of types and topics', async () => {
  const inChannel = await one(member, await schedule(member, { type: 'stream', topic: undefined, subject: 'old' }));
  assert.deepEqual([inChannel.type, inChannel.topic], ['stream', 'old']);
  const direct = await one(member, await schedule(member, { type: 'private', to: [other.userId] }));
  assert.deepEqual([direct.type, direct.to], ['private', [other.userId]]);
  const id = await schedule(member);
  const changed = async (fields: Fields) => {
    await member.ok('PATCH', `${PATH}/${id}`, fields);
    const { type, to, topic } = await one(member, id);
    return [type, to, topic];
  };
  assert.deepEqual(await changed({ type: 'private', to: [other.userId] }), ['private', [other.userId], undefined]);
  assert.deepEqual(await changed({ type: 'stream', to: channel, subject: 'older' }), ['stream', channel, 'older']);
});

// rules: scheduled-3
test('scheduled messages are listed by time', async () => {
  const sender = await server.user();
  const [last, first] = [
    await schedule(sender, { scheduled_delivery_timestamp: later + 60 }),
    await schedule(sender, { scheduled_delivery_timestamp: later - 60 }),
  ];
  assert.deepEqual(
    (await all(sender)).map((scheduled) => scheduled.scheduled_message_id),
    [first, last],
  );
});

// rules: conventions-8, scheduled-13
test('all names of the empty topic are accepted, and clients without empty_topic_name receive its display name', async () => {
  const sender = await server.user();
  const id = await schedule(sender, { topic: 'general chat' });
  for (const topic of ['', '(no topic)', 'general chat']) {
    await sender.ok('PATCH', `${PATH}/${id}`, { topic: 'named' });
    await sender.ok('PATCH', `${PATH}/${id}`, { topic });
    assert.equal((await one(sender, id)).topic, '');
  }
  const topicFor = async (empty_topic_name: boolean) => {
    const { state } = await sender.register({ client_capabilities: { empty_topic_name } });
    return state.scheduled_messages[0].topic;
  };
  assert.deepEqual([await topicFor(true), await topicFor(false)], ['', 'general chat']);
});

// rules: scheduled-2
test('a message that could not be sent now is refused', async () => {
  const closed = await server.emptyChannel(server.owner, 'closed', { invite_only: true });
  const refusal = async (more: Fields) => {
    const fields = { type: 'channel', to: channel, topic: 'x', content: 'x', scheduled_delivery_timestamp: later };
    const { code, msg, stream_id } = await member.fails('POST', PATH, { ...fields, ...more });
    return [code, msg, stream_id];
  };
  const missing = (id: number) => ['STREAM_DOES_NOT_EXIST', `Channel with ID '${id}' does not exist`, id];
  assert.deepEqual(await refusal({ to: closed }), missing(closed));
  assert.deepEqual(await refusal({ to: 123_456 }), missing(123_456));
  const bad = (msg: string) => ['BAD_REQUEST', msg, undefined];
  assert.deepEqual(await refusal({ type: 'direct', to: [123_456] }), bad('Invalid user ID 123456'));
  assert.deepEqual(
    await refusal({ type: 'shout' }),
    bad('Invalid type: Value error, Not in the list of possible values'),
  );
  assert.deepEqual(await refusal({ content: ' \n' }), bad('Message must not be empty'));
  assert.deepEqual(await refusal({ type: 'direct', to: [] }), bad('Message must have recipients'));
  assert.deepEqual(await refusal({ type: 'direct', to: 5 }), bad('Invalid data type for recipients'));
  assert.deepEqual(await refusal({ to: [channel] }), bad('Invalid data type for channel ID'));
  assert.deepEqual(await refusal({ topic: undefined }), bad('Missing topic'));
  assert.equal((await refusal({ topic: 'a\u0007b' }))[0], 'BAD_REQUEST');
});

// rules: scheduled-2
test('the time must be in the future and within ten years', async () => {
  const refusal = async (timestamp: number) => {
    const fields = { type: 'channel', to: channel, topic: 'x', content: 'x', scheduled_delivery_timestamp: timestamp };
    return (await member.fails('POST', PATH, fields)).msg;
  };
  for (const timestamp of [inSeconds(0), inSeconds(-86_400), 0, -1]) {
    assert.equal(await refusal(timestamp), 'Scheduled delivery time must be in the future.');
  }
  for (const timestamp of [inSeconds(11 * 366 * 86_400), Number.MAX_SAFE_INTEGER]) {
    assert.equal(await refusal(timestamp), 'Scheduled delivery time is too far in the future.');
  }
  await schedule(member, { scheduled_delivery_timestamp: inSeconds(9 * 365 * 86_400) });
});

// rules: scheduled-12
test('content and topic are truncated like those of sent messages', async () => {
  const long = { topic: 't'.repeat(70), content: 'c'.repeat(10_001) };
  const [made, edited] = [await schedule(member, long), await schedule(member)];
  await member.ok('PATCH', `${PATH}/${edited}`, long);
  for (const id of [made, edited]) {
    const { topic, content } = await one(member, id);
    assert.equal(topic, `${'t'.repeat(57)}...`);
    assert.equal(content.length, 10_000);
    assert(content.endsWith('\n[message truncated]'));
  }
});

test('a user has a bounded number of scheduled messages, also with concurrent requests', async () => {
  const hoarder = await server.user();
  await sql`
    INSERT INTO scheduled_messages (organization_id, user_id, channel_id, topic, content, rendered_content, client,
                                    read_by_sender, deliver_at)
    SELECT organization_id, id, ${channel}, 'x', 'x', 'x', 'x', true, now() + interval '1 day'
      FROM users, generate_series(1, 198) WHERE id = ${hoarder.userId}`.execute(server.app.db);
  const fields = { type: 'channel', to: channel, topic: 'x', content: 'x', scheduled_delivery_timestamp: later };
  const answers = await Promise.all(Array.from({ length: 10 }, () => hoarder.call('POST', PATH, fields)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 2);
  assert.equal((await hoarder.fails('POST', PATH, fields)).msg, 'Too many scheduled messages (limit: 200)');
});

// rules: scheduled-3, scheduled-4
test('PATCH changes the given fields, and its event contains the whole message', async () => {
  const id = await schedule(member);
  const queue = await member.register({ event_types: ['scheduled_messages'] });
  const path = `${PATH}/${id}`;
  await member.ok('PATCH', path, { content: 'second *text*' });
  await member.ok('PATCH', path, { topic: 'weft' });
  await member.ok('PATCH', path, { scheduled_delivery_timestamp: later + 5 });
  const events = await queue.take(3);
  assert(events.every(({ op }) => op === 'update'));
  assert.deepEqual(
    events.map(({ scheduled_message: updated }) => [
      updated.content,
      updated.topic,
      updated.scheduled_delivery_timestamp,
    ]),
    [
      ['second *text*', 'warp', later],
      ['second *text*', 'weft', later],
      ['second *text*', 'weft', later + 5],
    ],
  );
  assert.deepEqual(events.at(-1)?.scheduled_message, await one(member, id));
  assert.equal((await one(member, id)).rendered_content, '<p>second <em>text</em></p>');
});

// rules: scheduled-10, scheduled-11, scheduled-13
test('PATCH can change the type with its recipients, and the recipients alone', async () => {
  const id = await schedule(member);
  const path = `${PATH}/${id}`;
  await member.ok('PATCH', path, { type: 'direct', to: [other.userId], topic: 'ignored' });
  const direct = await one(member, id);
  assert.deepEqual(
    [direct.type, direct.to, direct.topic, direct.content],
    ['private', [other.userId], undefined, 'hello'],
  );
  await member.ok('PATCH', path, { topic: 'ignored' });
  await member.ok('PATCH', path, { to: [server.owner.userId] });
  assert.deepEqual((await one(member, id)).to, [server.owner.userId]);
  await member.ok('PATCH', path, { type: 'channel', to: channel, topic: 'back' });
  const back = await one(member, id);
  assert.deepEqual([back.type, back.to, back.topic], ['stream', channel, 'back']);
});

// rules: scheduled-10, scheduled-15, errors-4
test('PATCH is refused if a parameter is missing or the message could not be sent', async () => {
  const path = `${PATH}/${await schedule(member)}`;
  const refusal = async (fields: Fields) => {
    const { code, msg, stream_id } = await member.fails('PATCH', path, fields);
    return stream_id === undefined ? [code, msg] : [code, msg, stream_id];
  };
  const bad = (msg: string) => ['BAD_REQUEST', msg];
  assert.deepEqual(await refusal({}), bad('Nothing to change'));
  assert.deepEqual(
    await refusal({ type: 'direct' }),
    bad('Recipient required when updating type of scheduled message.'),
  );
  assert.deepEqual(
    await refusal({ type: 'channel', to: channel }),
    bad('Topic required when updating scheduled message type to channel.'),
  );
  assert.deepEqual(await refusal({ to: [other.userId] }), bad('Invalid data type for channel ID'));
  assert.deepEqual(await refusal({ type: 'direct', to: channel }), bad('Invalid data type for recipients'));
  assert.deepEqual(await refusal({ type: 'direct', to: [123_456] }), bad('Invalid user ID 123456'));
  assert.deepEqual(await refusal({ to: 123_456 }), [
    'STREAM_DOES_NOT_EXIST',
    "Channel with ID '123456' does not exist",
    123_456,
  ]);
  assert.deepEqual(await refusal({ content: '' }), bad('Message must not be empty'));
  assert.deepEqual(
    await refusal({ scheduled_delivery_timestamp: inSeconds(-5) }),
    bad('Scheduled delivery time must be in the future.'),
  );
});

// rules: scheduled-2
test('POST and PATCH refuse a topic that the channel’s policy does not allow, as sending does', async () => {
  const named = await server.emptyChannel(server.owner, 'named', { principals: [member.userId] });
  const empty = await server.emptyChannel(server.owner, 'empty', { principals: [member.userId] });
  await server.owner.ok('PATCH', `/streams/${named}`, { topics_policy: 'disable_empty_topic' });
  await server.owner.ok('PATCH', `/streams/${empty}`, { topics_policy: 'empty_topic_only' });
  for (const [to, taken, refused] of [
    [named, 'a', ''],
    [named, 'a', '(no topic)'],
    [empty, '', 'a'],
  ] as const) {
    const message = { type: 'channel', to, topic: refused, content: 'hello' };
    const { code, msg } = await member.fails('POST', '/messages', message);
    assert.equal(code, 'BAD_REQUEST');
    const later = inSeconds(86_400);
    const created = await member.fails('POST', PATH, { ...message, scheduled_delivery_timestamp: later });
    const id = await schedule(member, { to, topic: taken });
    const edited = await member.fails('PATCH', `${PATH}/${id}`, { topic: refused });
    for (const refusal of [created, edited]) assert.deepEqual([refusal.code, refusal.msg], [code, msg]);
    assert.equal((await one(member, id)).topic, taken);
  }
});

test('only the time can be changed if the message could no longer be sent', async () => {
  const doomed = await server.emptyChannel(member, 'doomed');
  const id = await schedule(member, { to: doomed });
  await archiveChannel(server, doomed);
  await member.fails('PATCH', `${PATH}/${id}`, { content: 'x' });
  await member.ok('PATCH', `${PATH}/${id}`, { scheduled_delivery_timestamp: later + 1 });
});

test('concurrent edits are all applied, one after another', async () => {
  const id = await schedule(member);
  await Promise.all([
    member.ok('PATCH', `${PATH}/${id}`, { content: 'together' }),
    member.ok('PATCH', `${PATH}/${id}`, { topic: 'at once' }),
    member.ok('PATCH', `${PATH}/${id}`, { scheduled_delivery_timestamp: later + 7 }),
  ]);
  const { content, topic, scheduled_delivery_timestamp } = await one(member, id);
  assert.deepEqual([content, topic, scheduled_delivery_timestamp], ['together', 'at once', later + 7]);
});

// rules: scheduled-3, scheduled-4
test('DELETE removes the message and sends an event', async () => {
  const id = await schedule(member);
  const queue = await member.register({ event_types: ['scheduled_messages'] });
  await member.ok('DELETE', `${PATH}/${id}`);
  const [event] = await queue.take(1);
  assert.deepEqual({ ...event, id: 0 }, { id: 0, type: 'scheduled_messages', op: 'remove', scheduled_message_id: id });
  assert.equal(await one(member, id), undefined);
});

// rules: scheduled-16
test('an unknown scheduled message and one of another user get the same refusal', async () => {
  const theirs = await schedule(other, { type: 'direct', to: [member.userId] });
  for (const id of [theirs, 1_000_000]) {
    for (const method of ['PATCH', 'DELETE']) {
      const { status, body } = await member.call(method, `${PATH}/${id}`, { content: 'x' });
      assert.deepEqual([status, body.code, body.msg], [404, 'BAD_REQUEST', 'Scheduled message does not exist']);
    }
  }
  assert.equal((await one(other, theirs)).content, 'hello');
});

test('guests can schedule messages in channels where they can post', async () => {
  const guest = await server.user({ role: Role.guest });
  const fields = { type: 'channel', to: channel, topic: 'x', content: 'x', scheduled_delivery_timestamp: later };
  assert.equal((await guest.fails('POST', PATH, fields)).code, 'STREAM_DOES_NOT_EXIST');
  const own = await server.emptyChannel(server.owner, 'for guests', { principals: [guest.userId] });
  await schedule(guest, { to: own });
});
