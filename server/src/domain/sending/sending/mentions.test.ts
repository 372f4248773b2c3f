import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { Role } from '../../../directory/records.ts';
import type { Fields, TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { changeOrganization } from '../../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let sender: TestClient;
let subscriber: TestClient;
let outsider: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  sender = await server.user({ name: 'Sandy Sender' });
  subscriber = await server.user({ name: 'Sue Scriber' });
  outsider = await server.user({ name: 'Otto Outsider' });
  await owner.subscribe('plain', { principals: [sender.userId, subscriber.userId] });
});
after(() => server.stop());
afterEach(() => changeOrganization(server, { can_mention_many_users_group: undefined }));

/** Returns the flags of the message event, after comparing them with those of the fetched message. */
async function flagsFor(reader: TestClient, send: () => Promise<number>): Promise<string[]> {
  const queue = await reader.register({ event_types: ['message'] });
  const id = await send();
  const [event] = await queue.take(1);
  const { message } = await reader.ok('GET', `/messages/${id}`);
  assert.deepEqual(event.flags, message.flags);
  return event.flags;
}

const say = (content: string, topic = 'a') => sender.send('plain', topic, content);

test('a mention by name or id flags the mentioned user, and no others', async () => {
  assert.deepEqual(await flagsFor(subscriber, () => say('hi @**Sue Scriber**')), ['mentioned']);
  assert.deepEqual(await flagsFor(subscriber, () => say(`hi @**Sue Scriber|${subscriber.userId}**`)), ['mentioned']);
  assert.deepEqual(await flagsFor(sender, () => say('hi @**Sue Scriber**')), []);
  assert.deepEqual(await flagsFor(sender, () => say('I am @**Sandy Sender**')), ['mentioned']);
});

test('silent mentions, quoted ones and unknown names flag no users', async () => {
  for (const content of ['@_**Sue Scriber**', '`@**Sue Scriber**`', '@**Sue**', '```quote\n@**Sue Scriber**\n```']) {
    assert.deepEqual(await flagsFor(subscriber, () => say(content)), [], content);
  }
});

test('a mention does not flag a user who is not subscribed, also not after subscribing', async () => {
  const id = await say('hi @**Otto Outsider**');
  const { message } = await outsider.ok('GET', `/messages/${id}`);
  assert.deepEqual(message.flags, ['read', 'historical']);
  assert.match(message.content, /class="user-mention"/);
});

// rules: message-fields-14
test('@all, @everyone, @channel and @stream flag every subscriber, the sender too', async () => {
  const flags = ['stream_wildcard_mentioned', 'wildcard_mentioned'];
  for (const word of ['all', 'everyone', 'channel', 'stream']) {
    assert.deepEqual(await flagsFor(subscriber, () => say(`@**${word}**`)), flags, word);
    assert.deepEqual(await flagsFor(sender, () => say(`@**${word}**`)), flags, word);
    assert.deepEqual(await flagsFor(subscriber, () => say(`@_**${word}**`)), [], word);
  }
  assert.deepEqual(await flagsFor(subscriber, () => say('@**all** and @**Sue Scriber**')), ['mentioned', ...flags]);
});

// rules: fetch-14
test('@**all** does not flag later subscribers', async () => {
  const id = await say('@**all**');
  const late = await server.user();
  await owner.subscribe('plain', { principals: [late.userId] });
  const { message } = await late.ok('GET', `/messages/${id}`);
  assert.deepEqual(message.flags, ['read', 'historical']);
});

// rules: message-fields-14
test('@**topic** flags users who have written in the topic, and its sender', async () => {
  const flags = ['topic_wildcard_mentioned', 'wildcard_mentioned'];
  assert.deepEqual(await flagsFor(sender, () => say('@**topic**', 'chat')), flags);
  assert.deepEqual(await flagsFor(subscriber, () => say('@**topic**', 'chat')), []);
  await subscriber.send('plain', 'Chat', 'me too');
  assert.deepEqual(await flagsFor(subscriber, () => say('@**topic**', 'chat')), flags);
  assert.deepEqual(await flagsFor(subscriber, () => say('@**topic**', 'another')), []);
});

test('direct messages flag only participants, by name or by @**all**, and @**topic** has no effect', async () => {
  const direct = (content: string) => () => sender.direct([subscriber.userId], content);
  assert.deepEqual(await flagsFor(subscriber, direct('@**Sue Scriber** and @**Otto Outsider**')), ['mentioned']);
  const flags = ['stream_wildcard_mentioned', 'wildcard_mentioned'];
  for (const reader of [subscriber, sender]) {
    assert.deepEqual(await flagsFor(reader, direct('@**all** @**topic**')), flags);
    assert.deepEqual(await flagsFor(reader, direct('@**topic** @_**all**')), []);
  }
});

test('@**all** in a direct message is found and counted as unread like other mentions', async () => {
  const [reader, stranger] = [await server.user(), await server.user()];
  const silent = await sender.direct([reader.userId], 'x');
  const mention = await sender.direct([reader.userId], '@**all**');
  const mentioned = async (client: TestClient, more: Json[] = []) => {
    const range = { anchor: 'newest', num_before: 100, num_after: 0 };
    const narrow = [['is', 'mentioned'], ...more];
    const { messages } = await client.ok('GET', '/messages', { ...range, narrow });
    return messages.map(({ id }: Json) => id);
  };
  assert.deepEqual(await mentioned(reader), [mention]);
  assert.deepEqual(await mentioned(reader, [['dm', sender.email]]), [mention]);
  assert.deepEqual(await mentioned(reader, [['dm', stranger.email]]), []);
  assert.deepEqual(await mentioned(stranger), []);
  const unread = async () =>
    (await reader.register({ event_types: ['message', 'update_message_flags'] })).state.unread_msgs.mentions;
  assert.deepEqual(await unread(), [mention]);
  const mark = (op: string) => reader.ok('POST', '/messages/flags', { messages: [silent, mention], op, flag: 'read' });
  await mark('add');
  assert.deepEqual(await unread(), []);
  const queue = await reader.register({ event_types: ['update_message_flags'] });
  await mark('remove');
  const [{ message_details }] = await queue.take(1);
  assert.deepEqual([message_details[silent].mentioned, message_details[mention].mentioned], [undefined, true]);
  assert.deepEqual(await unread(), [mention]);
});

/** Creates a channel with sixteen subscribers, the number from which mentioning all requires a permission. */
async function crowded(name: string, writers: boolean): Promise<void> {
  const users = await Promise.all(Array.from({ length: 16 }, () => server.user()));
  await owner.subscribe(name, { principals: users.map((client) => client.userId) });
  if (writers) await Promise.all(users.map((client) => client.send(name, 'busy', 'x')));
}

// rules: send-12, errors-5
test('STREAM_WILDCARD_MENTION_NOT_ALLOWED: mentioning all in a large channel requires can_mention_many_users_group', async () => {
  await crowded('crowd', false);
  const request = { type: 'channel', to: 'crowd', topic: 'a', content: '@**all**' };
  assert.equal((await sender.fails('POST', '/messages', request)).code, 'STREAM_WILDCARD_MENTION_NOT_ALLOWED');
  await sender.ok('POST', '/messages', { ...request, content: '@_**all** and `@**all**`' });
  await sender.ok('POST', '/messages', { ...request, to: 'plain' });
  await owner.ok('POST', '/messages', request);
  const allowed = { directMembers: [sender.userId], directSubgroups: [] };
  await changeOrganization(server, { can_mention_many_users_group: allowed });
  await sender.ok('POST', '/messages', request);
  assert.equal((await owner.fails('POST', '/messages', request)).code, 'STREAM_WILDCARD_MENTION_NOT_ALLOWED');
});

// rules: send-13, errors-6
test('TOPIC_WILDCARD_MENTION_NOT_ALLOWED: mentioning a topic with many participants requires it too', async () => {
  await crowded('busy crowd', true);
  const request = { type: 'channel', to: 'busy crowd', topic: 'busy', content: '@**topic**' };
  assert.equal((await sender.fails('POST', '/messages', request)).code, 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED');
  await sender.ok('POST', '/messages', { ...request, topic: 'calm' });
  await owner.ok('POST', '/messages', request);
});

// rules: fetch-14
test('mentions keep their flags after unsubscribing, and messages sent afterwards are historical', async () => {
  const reader = await server.user({ name: 'Ida Intermittent' });
  await owner.subscribe('plain', { principals: [reader.userId] });
  const mention = await say('@**Ida Intermittent** @**all**');
  await reader.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['plain'] });
  const missed = await say('@**all**');
  const flags = async (id: number) => (await reader.ok('GET', `/messages/${id}`)).message.flags;
  assert.deepEqual(await flags(mention), ['read', 'mentioned', 'stream_wildcard_mentioned', 'wildcard_mentioned']);
  assert.deepEqual(await flags(missed), ['read', 'historical']);
});

async function receivedIn(
  reader: TestClient,
  parameters: Fields,
  send: () => Promise<readonly number[]>,
): Promise<number[]> {
  const queue = await reader.register({ event_types: ['message'], ...parameters });
  const ids = await send();
  const events: Json[] = await queue.now();
  return events.map((event) => ids.indexOf(event.message.id));
}

// rules: register-11
test('narrow of POST /register filters message events, and unknown operands of is match all', async () => {
  const everything = async () => [
    await say('one', 'Weather'),
    await say('two', 'lunch'),
    await sender.direct([subscriber.userId], 'three'),
    await subscriber.send('plain', 'weather', 'four'),
    await say('@**Sue Scriber** five', '✔ lunch'),
    await subscriber.direct([sender.userId], 'six', { read_by_sender: true }),
    await say('seven', ''),
  ];
  const cases: [Json, number[]][] = [
    [[], [0, 1, 2, 3, 4, 5, 6]],
    [[['is', 'dm']], [2, 5]],
    [[['is', 'private']], [2, 5]],
    [[['channel', 'plain']], [0, 1, 3, 4, 6]],
    [[['stream', 'PLAIN']], [0, 1, 3, 4, 6]],
    [
      [
        ['stream', 'plain'],
        ['topic', 'weather'],
      ],
      [0, 3],
    ],
    [[['topic', '']], [6]],
    [[['subject', 'general chat']], [6]],
    [[['sender', sender.email]], [0, 1, 2, 4, 6]],
    [[['is', 'mentioned']], [4]],
    [[['is', 'unread']], [0, 1, 2, 3, 4, 6]],
    [[['is', 'resolved']], [4]],
    [[['is', 'starred']], []],
    [[['is', 'stream']], [0, 1, 2, 3, 4, 5, 6]],
    [[['is', 'constructor']], [0, 1, 2, 3, 4, 5, 6]],
    [
      [
        ['is', 'of-a-later-version'],
        ['is', 'dm'],
      ],
      [2, 5],
    ],
  ];
  for (const [narrow, expected] of cases) {
    assert.deepEqual(await receivedIn(subscriber, { narrow }, everything), expected, JSON.stringify(narrow));
  }
});

test('registration refuses narrows with unknown operators, and is:followed', async () => {
  const unknown = await subscriber.fails('POST', '/register', { narrow: [['colour', 'red']] });
  assert.deepEqual([unknown.code, unknown.msg], ['BAD_REQUEST', 'Operator colour not supported.']);
  await subscriber.fails('POST', '/register', { narrow: [['constructor', 'red']] });
  const followed = await subscriber.fails('POST', '/register', { narrow: [['is', 'followed']] });
  assert.deepEqual([followed.code, followed.msg], ['BAD_REQUEST', 'Operand followed not supported.']);
  await subscriber.fails('POST', '/register', { narrow: [['is']] });
});

// rules: register-10
test('all_public_streams adds messages of public but not private channels, and guests are refused', async () => {
  await owner.subscribe('hidden', { invite_only: true });
  const guest = await server.user({ role: Role.guest });
  const send = async () => [await say('public'), await owner.send('hidden', 'a', 'private')];
  assert.deepEqual(await receivedIn(outsider, { all_public_streams: true }, send), [0]);
  assert.deepEqual(await receivedIn(outsider, {}, send), []);
  const refused = await guest.fails('POST', '/register', { all_public_streams: true });
  assert.deepEqual([refused.code, refused.msg], ['BAD_REQUEST', 'User not authorized for this query']);
});

test('a queue of all public channels does not flag @**all** for users who are not subscribed', async () => {
  const parameters = { event_types: ['message'], all_public_streams: true };
  const queue = await outsider.register(parameters);
  const narrowed = await outsider.register({ ...parameters, narrow: [['is', 'mentioned']] });
  const subscribed = await subscriber.register(parameters);
  const id = await say('@**all** but not @**Otto Outsider**');
  const [event] = await queue.take(1);
  assert.deepEqual([event.message.id, event.flags], [id, []]);
  assert.deepEqual(await narrowed.now(), []);
  assert.deepEqual((await subscribed.take(1))[0].flags, ['stream_wildcard_mentioned', 'wildcard_mentioned']);
});
