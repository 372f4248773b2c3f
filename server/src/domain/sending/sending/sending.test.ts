import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { MAX_MESSAGE_LENGTH, MAX_TOPIC_LENGTH } from '../../../access/limits.ts';
import { Role } from '../../../directory/records.ts';
import type { Fields, TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { changeOrganization, systemGroup } from '../../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
let other: TestClient;
let generalId: number;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.user();
  other = await server.user();
  generalId = await channelOf(owner, 'plain', { principals: [owner.userId, member.userId] });
});
after(() => server.stop());
afterEach(() =>
  changeOrganization(server, {
    topics_policy: undefined,
    direct_message_permission_group: undefined,
    direct_message_initiator_group: undefined,
  }),
);

async function channelOf(client: TestClient, name: string, more: Fields = {}): Promise<number> {
  await client.subscribe(name, more);
  return (await client.ok('GET', '/get_stream_id', { stream: name })).stream_id;
}

async function read(client: TestClient, id: number, query: Fields = {}): Promise<Json> {
  return (await client.ok('GET', `/messages/${id}`, query)).message;
}

/** Returns the topic of the sent message, or null if it is refused. */
async function topicFor(channel: string | number, topic: string, client = member): Promise<string | null> {
  const request = { type: 'channel', to: channel, topic, content: 'x' };
  const { status, body } = await client.call('POST', '/messages', request);
  if (status !== 200) return null;
  return (await read(client, body.id, { allow_empty_topic_name: true })).subject;
}

// rules: conventions-8, send-4
test('the empty topic is valid, and its display name and "(no topic)" mean it too', async () => {
  for (const topic of ['', '   ', 'general chat', '(no topic)', ' general chat ']) {
    assert.equal(await topicFor('plain', topic), '', JSON.stringify(topic));
  }
  assert.equal(await topicFor('plain', 'General Chat'), 'General Chat');
  const state = (await member.register({ event_types: ['realm'] })).state;
  assert.equal(state.realm_empty_topic_display_name, 'general chat');
});

// rules: conventions-9, fetch-2, register-19
test('a client without empty_topic_name receives the display name', async () => {
  const events = ['message'];
  const plain = await member.register({ event_types: events });
  const knowing = await member.register({ event_types: events, client_capabilities: { empty_topic_name: true } });
  const id = await owner.send('plain', '', 'to nobody in particular');
  assert.equal((await plain.take(1))[0].message.subject, 'general chat');
  assert.equal((await knowing.take(1))[0].message.subject, '');
  assert.equal((await read(member, id)).subject, 'general chat');
  assert.equal((await read(member, id, { allow_empty_topic_name: true })).subject, '');
});

// rules: send-4, channels-9, organization-settings-13
test('topics_policy of the channel decides, and inherit uses the organization’s', async () => {
  const channels = Object.fromEntries(
    await Promise.all(
      ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'].map(async (policy) => {
        const name = `with ${policy}`;
        await owner.subscribe(name, { topics_policy: policy });
        return [policy, name];
      }),
    ),
  );
  const takes = async (policy: string) => [await topicFor(channels[policy], ''), await topicFor(channels[policy], 'a')];
  assert.deepEqual(await takes('inherit'), ['', 'a']);
  assert.deepEqual(await takes('allow_empty_topic'), ['', 'a']);
  assert.deepEqual(await takes('disable_empty_topic'), [null, 'a']);
  assert.deepEqual(await takes('empty_topic_only'), ['', null]);
  assert.equal(await topicFor(channels.disable_empty_topic, '(no topic)'), null);
  assert.equal(await topicFor(channels.disable_empty_topic, 'general chat'), null);
  await changeOrganization(server, { topics_policy: 'disable_empty_topic' });
  assert.deepEqual(await takes('inherit'), [null, 'a']);
  assert.deepEqual(await takes('allow_empty_topic'), ['', 'a']);
});

// rules: send-5, limits-4
test('a topic longer than max_topic_length is truncated with an ellipsis, counted in characters', async () => {
  const { state } = await member.register({ event_types: ['realm'] });
  assert.deepEqual([state.max_topic_length, state.max_message_length], [MAX_TOPIC_LENGTH, MAX_MESSAGE_LENGTH]);
  assert.equal(await topicFor('plain', '𝔱'.repeat(60)), '𝔱'.repeat(60));
  assert.equal(await topicFor('plain', '𝔱'.repeat(61)), `${'𝔱'.repeat(57)}...`);
});

// rules: send-5, limits-4
test('content longer than max_message_length is truncated with a note', async () => {
  const whole = 'ä'.repeat(MAX_MESSAGE_LENGTH);
  const id = await member.send('plain', 'a', whole);
  assert.equal((await read(member, id, { apply_markdown: false })).content, whole);
  const long = await member.send('plain', 'a', `${whole}ä`);
  const { content } = await read(member, long, { apply_markdown: false });
  assert.equal([...content].length, MAX_MESSAGE_LENGTH);
  assert.match(content, /ä\n\[message truncated\]$/);
});

test('empty messages, null bytes and control characters in topics are refused', async () => {
  const request = { type: 'channel', to: 'plain', topic: 'a', content: 'x' };
  for (const content of ['', ' \n\t ']) {
    const body = await member.fails('POST', '/messages', { ...request, content });
    assert.deepEqual([body.code, body.msg], ['BAD_REQUEST', 'Message must not be empty']);
  }
  for (const [fields, msg] of [
    [{ content: 'a\0b' }, 'Message must not contain null bytes'],
    [{ topic: ' 🧶a\0b' }, 'Invalid character in topic, at position 3!'],
  ] as const) {
    assert.equal((await member.fails('POST', '/messages', { ...request, ...fields })).msg, msg);
  }
  await member.fails('POST', '/messages', { ...request, to: 'a\0b' });
  const body = await member.fails('POST', '/messages', { ...request, topic: ' ab\u0007' });
  assert.equal(body.msg, 'Invalid character in topic, at position 3!');
});

test('blank lines at the start and white space at the end are removed', async () => {
  const id = await member.send('plain', 'a', '\n\n  indented \n\n');
  assert.equal((await read(member, id, { apply_markdown: false })).content, '  indented');
});

// rules: send-14
test('can_send_message_group decides who can post', async () => {
  const mine = { direct_members: [member.userId], direct_subgroups: [] };
  await owner.subscribe('quiet', { can_send_message_group: mine });
  await member.send('quiet', 'a', 'x');
  const refused = await other.fails('POST', '/messages', { type: 'channel', to: 'quiet', topic: 'a', content: 'x' });
  assert.deepEqual([refused.code, refused.msg], ['BAD_REQUEST', 'You do not have permission to post in this channel.']);
});

// rules: send-14
test('direct_message_permission_group: at least one participant must be a member, except in messages to oneself', async () => {
  const send = (to: TestClient) => member.call('POST', '/messages', { type: 'direct', to: [to.userId], content: 'x' });
  await changeOrganization(server, { direct_message_permission_group: await systemGroup(server, 'role:owners') });
  const body = (await send(other)).body;
  assert.equal(body.msg, 'This conversation does not include any users who can authorize it.');
  assert.equal((await send(owner)).status, 200);
  assert.equal((await send(member)).status, 200, 'to oneself');
  await changeOrganization(server, { direct_message_permission_group: await systemGroup(server, 'role:nobody') });
  assert.equal((await send(owner)).body.msg, 'Direct messages are disabled in this organization.');
  assert.equal((await send(member)).status, 200, 'to oneself');
});

// rules: send-14
test('direct_message_initiator_group: other users can only reply in existing conversations', async () => {
  const fresh = await server.user();
  await changeOrganization(server, { direct_message_initiator_group: await systemGroup(server, 'role:owners') });
  const body = await fresh.fails('POST', '/messages', { type: 'direct', to: [owner.userId], content: 'x' });
  assert.equal(body.msg, 'You do not have permission to initiate direct message conversations.');
  await owner.direct([fresh.userId], 'hello');
  await fresh.direct([owner.userId], 'hello yourself');
});

// rules: message-fields-10
test('a message names its client, by User-Agent or the older client parameter', async () => {
  const request = { type: 'channel', to: 'plain', topic: 'a', content: 'x' };
  const agent = { 'user-agent': 'ZulipFlutter/30.0 (Android 14)' };
  const { body } = await member.call('POST', '/messages', request, agent);
  assert.equal((await read(member, body.id)).client, 'ZulipFlutter');
  const named = await member.ok('POST', '/messages', { ...request, client: 'website' });
  assert.equal((await read(member, named.id)).client, 'website');
});

// rules: send-7
test('read_by_sender decides whether a message starts as read, and the client decides by default', async () => {
  const cases: [string, Fields, boolean][] = [
    ['ZulipFlutter/30.0', {}, true],
    ['ZulipMobile/27.1', {}, true],
    ['ZulipTerminal/0.7.0 Linux', {}, true],
    ['Mozilla/5.0', { client: 'website' }, true],
    ['ZulipPython/0.9.0', {}, false],
    ['zulip-js/2.1.0', {}, false],
    ['ZulipFlutter/30.0', { read_by_sender: false }, false],
    ['ZulipPython/0.9.0', { read_by_sender: true }, true],
  ];
  for (const address of [
    { type: 'channel', to: 'plain', topic: 'a' },
    { type: 'direct', to: [owner.userId] },
  ]) {
    for (const [agent, more, isRead] of cases) {
      const queue = await member.register({ event_types: ['message'] });
      const request = { ...address, content: 'x', ...more };
      const { body } = await member.call('POST', '/messages', request, { 'user-agent': agent });
      assert.deepEqual((await read(member, body.id)).flags, isRead ? ['read'] : [], agent);
      assert.deepEqual((await queue.take(1))[0].flags, isRead ? ['read'] : [], agent);
      assert.deepEqual((await read(owner, body.id)).flags, []);
    }
  }
});

// rules: send-6
test('local_id is returned only to the queue that the sender names', async () => {
  const queues = [
    await member.register({ event_types: ['message'] }),
    await member.register({ event_types: ['message'] }),
    await owner.register({ event_types: ['message'] }),
  ];
  const id = await member.send('plain', 'a', 'echo', { queue_id: queues[0]?.id, local_id: '173.01' });
  const events = await Promise.all(queues.map(async (queue) => (await queue.take(1))[0]));
  assert.deepEqual(
    events.map((event) => [event.message.id, event.local_message_id]),
    [
      [id, '173.01'],
      [id, undefined],
      [id, undefined],
    ],
  );
});

// rules: send-6
test('queue_id requires local_id, and local_id alone is not returned', async () => {
  const queue = await member.register({ event_types: ['message'] });
  const request = { type: 'channel', to: 'plain', topic: 'a', content: 'x' };
  const body = await member.fails('POST', '/messages', { ...request, queue_id: queue.id });
  assert.deepEqual([body.code, body.var_name], ['REQUEST_VARIABLE_MISSING', 'local_id']);
  await member.ok('POST', '/messages', { ...request, local_id: '1' });
  assert.equal('local_message_id' in (await queue.take(1))[0], false);
});

// rules: message-fields-13
test('/me makes a status message', async () => {
  const id = await member.send('plain', 'a', '/me *waves*');
  const message = await read(member, id);
  assert.equal(message.is_me_message, true);
  assert.match(message.content, /<em>waves<\/em>/);
  assert.equal((await read(member, await member.send('plain', 'a', 'me too'))).is_me_message, false);
});

test('the first message of a channel sends first_message_id, and later ones do not', async () => {
  const id = await server.emptyChannel(owner, 'fresh');
  const queue = await member.register({ event_types: ['stream'] });
  const first = await owner.send(id, 'a', 'first');
  const [event] = await queue.take(1);
  assert.deepEqual([event.op, event.stream_id, event.property, event.value], ['update', id, 'first_message_id', first]);
  await owner.send(id, 'a', 'second');
  assert.deepEqual(await queue.now(), []);
  assert.equal((await member.ok('GET', `/streams/${id}`)).stream.first_message_id, first);
});

// rules: message-fields-1
test('a subscribed guest can post, and the event has every field of a message', async () => {
  const guest = await server.user({ role: Role.guest });
  await owner.subscribe('plain', { principals: [guest.userId] });
  const queue = await member.register({ event_types: ['message'], apply_markdown: true });
  const id = await guest.send('plain', 'a', '**bold**');
  const [event] = await queue.take(1);
  const message = await read(member, id);
  assert.deepEqual({ ...event.message, flags: event.flags }, message);
  assert.equal(message.sender_id, guest.userId);
  assert.equal(message.sender_email, guest.email);
  assert.equal(message.sender_full_name, guest.name);
  assert.equal(message.stream_id, generalId);
  assert.equal(message.content, '<p><strong>bold</strong></p>');
  assert.equal(message.content_type, 'text/html');
});

test('an empty direct message creates no conversation', async () => {
  const [one, other] = [await server.user(), await server.user()];
  const conversations = async () =>
    (await server.app.db.selectFrom('direct_conversations').select('id').execute()).length;
  const before = await conversations();
  const { status } = await one.call('POST', '/messages', { type: 'direct', to: [other.userId], content: ' ' });
  assert.equal(status, 400);
  assert.equal(await conversations(), before);
});

test('a refused direct message creates no conversation', async () => {
  const sender = await server.user();
  const stranger = await server.user();
  const conversations = async () =>
    (await server.app.db.selectFrom('direct_conversations').select('id').execute()).length;
  const before = await conversations();
  await changeOrganization(server, { direct_message_initiator_group: await systemGroup(server, 'role:owners') });
  await sender.fails('POST', '/messages', { type: 'direct', to: [stranger.userId], content: 'hello' });
  await changeOrganization(server, { direct_message_permission_group: await systemGroup(server, 'role:nobody') });
  await sender.fails('POST', '/messages', { type: 'direct', to: [stranger.userId], content: 'hello' });
  assert.equal(await conversations(), before);
});

// rules: other-3
test('POST /messages/render renders a text and sends nothing', async () => {
  const render = async (content: string) => (await member.ok('POST', '/messages/render', { content })).rendered;
  const { max_message_id } = await member.ok('GET', '/users/me');
  assert.equal(
    await render('**bold** and :octopus:'),
    await read(member, await member.send('plain', 'a', '**bold** and :octopus:')).then(({ content }) => content),
  );
  assert.equal(await render(' '), '');
  assert((await member.ok('GET', '/users/me')).max_message_id === max_message_id + 1);
  assert((await member.fails('POST', '/messages/render')).code === 'REQUEST_VARIABLE_MISSING');
});

// rules: send-16
test('a request that a browser repeats sends one message', async () => {
  const queue = await member.register({ event_types: ['message'] });
  const request = {
    type: 'channel',
    to: 'plain',
    topic: 'repeated',
    content: 'once',
    queue_id: queue.id,
    local_id: '7.1',
  };
  const both = await Promise.all([member.ok('POST', '/messages', request), member.ok('POST', '/messages', request)]);
  const later = await member.ok('POST', '/messages', request);
  assert.equal(new Set([...both, later].map(({ id }) => id)).size, 1);
  const next = await member.ok('POST', '/messages', { ...request, content: 'another text' });
  const { queue_id: _, local_id: __, ...plain } = request;
  const unnamed = await member.ok('POST', '/messages', plain);
  const events = await queue.take(3);
  assert.deepEqual(
    events.map((event) => event.message.id),
    [later.id, next.id, unnamed.id],
  );
});

// rules: send-16
test('a message that was refused can be sent again with the same local_id', async () => {
  const queue = await member.register({ event_types: ['message'] });
  const request = { type: 'channel', topic: 'refused', content: 'x', queue_id: queue.id, local_id: '8.1' };
  await member.fails('POST', '/messages', { ...request, to: 'later founded' });
  await member.subscribe('later founded');
  await member.ok('POST', '/messages', { ...request, to: 'later founded' });
});
