import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import type { Fields, TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { isFromNow } from '../../testing/clients/times.ts';
import { isWaitedFor } from '../../testing/database/lock-waits.ts';
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

async function channelOf(subscribers: readonly TestClient[], settings: Fields = {}) {
  const name = `talk ${++made}`;
  const principals = subscribers.map((client) => client.userId);
  return { name, id: await server.emptyChannel(subscribers[0] ?? owner, name, { principals, ...settings }) };
}

const see = (client: TestClient, stream_id: number, topic: string, visibility_policy: number) =>
  client.ok('POST', '/user_topics', { stream_id, topic, visibility_policy });

const refuse = (client: TestClient, stream_id: number, topic: string, visibility_policy: unknown) =>
  client.fails('POST', '/user_topics', { stream_id, topic, visibility_policy });

const listen = (client: TestClient, more: Fields = {}) =>
  client.register({ event_types: ['user_topic'], client_capabilities: { empty_topic_name: true }, ...more });

async function topicsOf(client: TestClient, more: Fields = {}): Promise<Json[]> {
  return (await listen(client, more)).state.user_topics;
}

/** Returns topics and policies without their times. */
const plain = (topics: readonly Json[]) =>
  topics.map(({ topic_name, visibility_policy }) => [topic_name, visibility_policy]);

// rules: topics-1, topics-4
test('each policy is stored and sent to its user, the last one applies, and none removes it', async () => {
  const { id } = await channelOf([owner, member]);
  const queue = await listen(member);
  const others = await listen(owner);
  const seen: Json[] = [];
  for (const policy of [1, 2, 3, 0]) {
    await see(member, id, 'news', policy);
    const [event] = await queue.take(1);
    assert(isFromNow(event.last_updated));
    assert.deepEqual(
      { ...event, id: 0, last_updated: 0 },
      {
        id: 0,
        type: 'user_topic',
        stream_id: id,
        topic_name: 'news',
        last_updated: 0,
        visibility_policy: policy,
      },
    );
    const stored = (await topicsOf(member)).filter(({ stream_id }) => stream_id === id);
    const { id: _, type, ...topic } = event;
    assert.deepEqual(stored, policy === 0 ? [] : [topic]);
    seen.push(stored);
  }
  assert.equal(seen.length, 4);
  assert.deepEqual(await others.now(), []);
});

test('an equal policy sends no event, in any case of the topic, and the newest spelling stays', async () => {
  const { id } = await channelOf([owner, member]);
  const queue = await listen(member);
  await see(member, id, 'Lunch', 1);
  await see(member, id, 'LUNCH', 1);
  await see(member, id, 'breakfast', 0);
  assert.deepEqual(plain(await queue.now()), [['Lunch', 1]]);
  await see(member, id, 'lunch', 3);
  assert.deepEqual(plain((await topicsOf(member)).filter(({ stream_id }) => stream_id === id)), [['lunch', 3]]);
});

// rules: conventions-8, topics-2
test('the topic can be without messages, and can be the empty topic or its display name', async () => {
  const { id } = await channelOf([owner, member]);
  await see(member, id, 'general chat', 2);
  await see(member, id, '', 1);
  await see(member, id, '(no topic)', 3);
  const of = (topics: Json[]) => plain(topics.filter(({ stream_id }) => stream_id === id));
  assert.deepEqual(of(await topicsOf(member)), [['', 3]]);
  assert.deepEqual(of(await topicsOf(member, { client_capabilities: {} })), [['general chat', 3]]);
  const older = await listen(member, { client_capabilities: {} });
  await see(member, id, '', 0);
  assert.deepEqual(plain(await older.take(1)), [['general chat', 0]]);
});

// rules: topics-3
test('invalid topics, unknown policies and missing parameters are refused', async () => {
  const { id } = await channelOf([owner, member]);
  await see(member, id, '✔'.repeat(60), 1);
  assert.equal((await refuse(member, id, 'x'.repeat(61), 1)).msg, 'topic is too long (limit: 60 characters)');
  assert.equal((await refuse(member, id, 'a\u0007b', 1)).msg, 'Invalid character in topic, at position 2!');
  for (const policy of [4, -1, 1.5]) {
    const body = await refuse(member, id, 'a', policy);
    assert.deepEqual(
      [body.code, body.msg],
      ['BAD_REQUEST', 'Invalid visibility_policy: Value error, Not in the list of possible values'],
    );
  }
  const all = { stream_id: id, topic: 'a', visibility_policy: 1 };
  for (const name of Object.keys(all)) {
    const body = await member.fails('POST', '/user_topics', { ...all, [name]: undefined });
    assert.deepEqual([body.code, body.var_name], ['REQUEST_VARIABLE_MISSING', name]);
  }
});

// rules: topics-6
test('missing, hidden and inaccessible channels are refused with the same error', async () => {
  const guest = await server.user({ role: 600 });
  const { id: hidden } = await channelOf([owner], { invite_only: true });
  const { id: open } = await channelOf([owner]);
  for (const [client, id] of [
    [member, hidden],
    [member, 999_999],
    [guest, open],
  ] as const) {
    for (const policy of [0, 1, 2, 3]) assert.equal((await refuse(client, id, 'a', policy)).msg, 'Invalid channel ID');
  }
  await see(member, open, 'a', 1);
  // Administrators have metadata access to private channels but cannot read them.
  const { id: theirs } = await channelOf([member], { invite_only: true });
  assert.equal((await refuse(owner, theirs, 'a', 1)).msg, 'Invalid channel ID');
});

// rules: topics-6
test('a policy can be removed after losing access to the channel', async () => {
  const { id, name } = await channelOf([owner, member], { invite_only: true });
  await see(member, id, 'a', 1);
  await member.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name] });
  assert.equal((await refuse(member, id, 'a', 3)).msg, 'Invalid channel ID');
  await see(member, id, 'a', 0);
  assert.equal((await refuse(member, id, 'a', 0)).msg, 'Invalid channel ID');
});

// rules: topics-9
test('older clients mute and unmute with PATCH muted_topics, by channel name or id', async () => {
  const { id, name } = await channelOf([owner, member]);
  const patch = '/users/me/subscriptions/muted_topics';
  const queue = await listen(member);
  await member.ok('PATCH', patch, { stream: name, topic: 'a', op: 'add' });
  await member.ok('PATCH', patch, { stream_id: id, topic: 'b', op: 'add' });
  await member.ok('PATCH', patch, { stream_id: id, topic: 'b', op: 'add' });
  await member.ok('PATCH', patch, { stream: name.toUpperCase(), topic: 'a', op: 'remove' });
  assert.deepEqual(plain(await queue.now()), [
    ['a', 1],
    ['b', 1],
    ['a', 0],
  ]);
  const both = await member.fails('PATCH', patch, { stream: name, stream_id: id, topic: 'a', op: 'add' });
  assert.equal(both.msg, 'Unsupported parameter combination: stream_id, stream');
  const neither = await member.fails('PATCH', patch, { topic: 'a', op: 'add' });
  assert.deepEqual([neither.code, neither.var_name], ['REQUEST_VARIABLE_MISSING', 'stream_id']);
  assert.equal(
    (await member.fails('PATCH', patch, { stream: 'nowhere', topic: 'a', op: 'add' })).msg,
    "Invalid channel name 'nowhere'",
  );
  const { id: hidden, name: hiddenName } = await channelOf([owner], { invite_only: true });
  for (const unknown of [
    { stream: 'nowhere' },
    { stream_id: 999_999 },
    { stream: hiddenName },
    { stream_id: hidden },
  ]) {
    const { msg } = await member.fails('PATCH', patch, { ...unknown, topic: 'a', op: 'remove' });
    assert.equal(msg, 'Topic is not muted');
  }
  assert.equal((await member.fails('PATCH', patch, { stream_id: id, topic: 'a', op: 'toggle' })).msg, 'Invalid op');
});

// rules: topics-9
test('older clients receive all muted topics by name on each change, unless they support user_topic', async () => {
  const reader = await server.user();
  const { id, name } = await channelOf([owner, reader]);
  const older = await reader.register({ event_types: ['muted_topics'] });
  const knowing = await reader.register({ event_types: ['muted_topics', 'user_topic'] });
  const everything = await reader.register();
  assert.deepEqual(older.state.muted_topics, []);
  assert.equal('muted_topics' in knowing.state, false);
  assert.deepEqual([everything.state.muted_topics, everything.state.user_topics], [[], []]);
  for (const [topic, policy] of [
    ['b', 1],
    ['', 1],
    ['c', 3],
    ['b', 2],
  ] as const) {
    await see(reader, id, topic, policy);
  }
  const lists = (await older.now()).map(({ muted_topics }) => muted_topics.map(([of, topic]: Json) => [of, topic]));
  assert.deepEqual(lists, [
    [[name, 'b']],
    [
      [name, 'general chat'],
      [name, 'b'],
    ],
    [[name, 'general chat']],
  ]);
  assert.deepEqual(
    (await knowing.now()).map(({ type }) => type),
    Array(4).fill('user_topic'),
  );
  const types = (await everything.now()).map(({ type }) => type);
  assert.deepEqual(types, [
    'user_topic',
    'muted_topics',
    'user_topic',
    'muted_topics',
    'user_topic',
    'user_topic',
    'muted_topics',
  ]);
  const { state } = await reader.register({ fetch_event_types: ['muted_topics'] });
  assert.deepEqual(
    state.muted_topics.map(([of, topic]: Json) => [of, topic]),
    [[name, 'general chat']],
  );
});

test('older clients that poll late receive the channel names as of the event', async () => {
  const reader = await server.user();
  const { id, name } = await channelOf([owner, reader]);
  const older = await reader.register({ event_types: ['muted_topics'] });
  await see(reader, id, 'a', 1);
  await owner.ok('PATCH', `/streams/${id}`, { new_name: `${name}, renamed` });
  await see(reader, id, 'b', 1);
  const lists = (await older.now()).map(({ muted_topics }) => muted_topics.map(([of]: Json) => of));
  assert.deepEqual(lists, [[name], [`${name}, renamed`, `${name}, renamed`]]);
});

test('muted_topics omits channels that became inaccessible', async () => {
  const reader = await server.user();
  const { id, name } = await channelOf([owner, reader], { invite_only: true });
  await see(reader, id, 'a', 1);
  await reader.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name] });
  const { state } = await reader.register();
  assert.deepEqual([state.muted_topics, plain(state.user_topics)], [[], [['a', 1]]]);
});

// rules: topics-5, reading-15
test('unread_msgs.count and unmuted_stream_msg exclude muted topics, and muted channels except unmuted or followed topics', async () => {
  const reader = await server.user();
  const { id, name } = await channelOf([owner, reader]);
  const sent: Record<string, number> = {};
  for (const topic of ['Plain', 'muted', 'unmuted', 'followed']) sent[topic] = await owner.send(name, topic, 'x');
  await owner.send(name, 'plain', 'the same topic');
  for (const [policy, topic] of ['none', 'MUTED', 'Unmuted', 'FOLLOWED'].entries())
    await see(reader, id, topic, policy);
  const count = async () => (await reader.register()).state.unread_msgs.count;
  const setMuted = (value: boolean) =>
    reader.ok('POST', '/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: id, property: 'is_muted', value }],
    });
  const unmutedTopics = async () => {
    const messages = Object.values(sent);
    await reader.ok('POST', '/messages/flags', { op: 'add', flag: 'read', messages });
    const queue = await reader.register({ event_types: ['update_message_flags'] });
    await reader.ok('POST', '/messages/flags', { op: 'remove', flag: 'read', messages });
    const [{ message_details }] = await queue.take(1);
    return Object.entries(sent).flatMap(([topic, message]) =>
      message_details[message].unmuted_stream_msg ? topic : [],
    );
  };
  assert.equal(await count(), 4);
  assert.deepEqual(await unmutedTopics(), ['Plain', 'unmuted', 'followed']);
  await setMuted(true);
  assert.equal(await count(), 2);
  assert.deepEqual(await unmutedTopics(), ['unmuted', 'followed']);
});

test('a user has at most 20,000 topic policies, of which 2,000 are mutes', async () => {
  const reader = await server.user();
  const { id, name } = await channelOf([owner, reader]);
  const fill = (count: number, policy: number) =>
    sql`
    INSERT INTO user_topics (organization_id, channel_id, topic, user_id, policy, updated_at)
    SELECT organization_id, ${id}, ${`topic ${policy} `} || n, id, ${policy}, now()
      FROM users, generate_series(1, ${count}::integer) AS n WHERE id = ${reader.userId}`.execute(server.app.db);
  await fill(2000, 1);
  assert.equal((await refuse(reader, id, 'one more', 1)).msg, 'Too many muted topics (limit: 2000)');
  await see(reader, id, 'one more', 2);
  await fill(17_999, 3);
  assert.equal(
    (await refuse(reader, id, 'too many', 2)).msg,
    'Too many topics with a visibility policy (limit: 20000)',
  );
  const answer = await reader.ok('POST', '/messages', { type: 'channel', to: name, topic: 'begun', content: 'x' });
  assert.equal(answer.automatic_new_visibility_policy, undefined);
  await see(reader, id, 'topic 1 7', 0);
  await see(reader, id, 'room again', 3);
});

test('concurrent changes of several users apply, and the last policy of a topic wins', async () => {
  const readers = await Promise.all([1, 2, 3].map(() => server.user()));
  const { id } = await channelOf([owner, ...readers]);
  const queues = await Promise.all(readers.map((reader) => listen(reader)));
  await Promise.all(readers.flatMap((reader) => [1, 2, 3, 1, 0, 2].map((policy) => see(reader, id, 'busy', policy))));
  for (const [index, reader] of readers.entries()) {
    const events = (await queues[index]?.now()) ?? [];
    const stored = plain(await topicsOf(reader)).map(([, policy]) => policy);
    assert.deepEqual(
      stored,
      [events.at(-1)?.visibility_policy].filter((policy) => policy !== 0),
    );
  }
});

// Otherwise a change of the user meanwhile could send the policy that the move has sent before.
test('a move locks also the users who set a policy while it waited for others', async (t) => {
  const [third, { id }] = [await server.user(), await channelOf([owner, member])];
  const message = await owner.send(id, 'before', 'hello');
  await see(third, id, 'before', 2);
  const organization = await server.app.organizations.bySubdomain('');
  /** Holds the lock of the user. */
  const holderOf = async ({ userId }: TestClient) => {
    const holder = new pg.Client({ connectionString: server.shared.url });
    await holder.connect();
    t.after(() => holder.end());
    await holder.query('BEGIN');
    await holder.query('SELECT pg_advisory_xact_lock($1, $2)', [organization?.id, userId]);
    return holder;
  };
  const ofThird = await holderOf(third);
  const move = owner.ok('PATCH', `/messages/${message}`, { topic: 'after', propagate_mode: 'change_all' });
  await isWaitedFor(ofThird);
  await see(member, id, 'before', 3);
  const ofMember = await holderOf(member);
  await ofThird.query('ROLLBACK');
  const isWaiting = isWaitedFor(ofMember).then(() => true);
  assert(await Promise.race([isWaiting, move.then(() => false)]));
  await ofMember.query('ROLLBACK');
  await move;
  const ofChannel = (await topicsOf(member)).filter(({ stream_id }) => stream_id === id);
  assert.deepEqual(plain(ofChannel), [['after', 3]]);
});
