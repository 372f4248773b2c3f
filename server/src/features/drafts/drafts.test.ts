import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { deactivateUser } from '../../domain/accounts/accounts/actions.ts';
import type { Fields, TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let member: TestClient;
let other: TestClient;
let third: TestClient;
let channel: number;
before(async () => {
  server = await startTestServer();
  member = await server.user();
  other = await server.user();
  third = await server.user();
  channel = (await member.ok('POST', '/channels/create', { name: 'weaving', subscribers: [member.userId] })).id;
});
after(() => server.stop());

const PATH = '/drafts';
const TIME = 1_595_479_019;

const toChannel = (more: Fields = {}) => {
  return { type: 'stream', to: [channel], topic: 'looms', content: 'a **draft**', timestamp: TIME, ...more };
};
const toUsers = (to: readonly number[], more: Fields = {}) => {
  return { type: 'private', to, topic: '', content: 'psst', timestamp: TIME, ...more };
};
const unaddressed = (more: Fields = {}) => ({ type: '', to: [], topic: '', content: 'hm', timestamp: TIME, ...more });

async function create(client: TestClient, ...drafts: readonly Json[]): Promise<number[]> {
  return (await client.ok('POST', PATH, { drafts })).ids;
}

async function all(client: TestClient): Promise<Json[]> {
  const { count, drafts } = await client.ok('GET', PATH);
  assert.equal(count, drafts.length);
  return drafts;
}

async function refusal(client: TestClient, ...drafts: readonly Json[]): Promise<string> {
  const { code, msg } = await client.fails('POST', PATH, { drafts });
  assert.equal(code, 'BAD_REQUEST');
  return msg;
}

// rules: drafts-1, drafts-2, drafts-8
test('drafts are returned in the order of the request, and only their user receives them, in one event', async () => {
  const [writer, otherUser] = [await server.user(), await server.user()];
  const queue = await writer.register({ event_types: ['drafts'] });
  const otherQueue = await otherUser.register({ event_types: ['drafts'] });
  const sent = [toChannel(), toUsers([other.userId]), unaddressed()];
  const ids = await create(writer, ...sent);
  const expected = sent.map((draft, index) => ({ id: ids[index], ...draft }));
  const [event] = await queue.take(1);
  assert.deepEqual({ ...event, id: 0 }, { id: 0, type: 'drafts', op: 'add', drafts: expected });
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => a - b),
  );
  assert.deepEqual(await otherQueue.now(), []);
  assert.deepEqual(await all(otherUser), []);
});

// rules: drafts-9
test('the list has the last edited draft last, the initial state has it first', async () => {
  const writer = await server.user();
  const ids = await create(
    writer,
    unaddressed({ timestamp: TIME + 2 }),
    unaddressed({ timestamp: TIME }),
    unaddressed({ timestamp: TIME + 1 }),
  );
  const listed = (await all(writer)).map(({ id }) => id);
  assert.deepEqual(listed, [ids[1], ids[2], ids[0]]);
  const { state } = await writer.register({ event_types: ['drafts'] });
  assert.deepEqual(
    state.drafts.map(({ id }: Json) => id),
    listed.toReversed(),
  );
});

// rules: drafts-8
test('PATCH replaces a draft, including its timestamp', async () => {
  const [id] = await create(member, toChannel());
  const queue = await member.register({ event_types: ['drafts'] });
  const written = toUsers([third.userId, other.userId], { timestamp: TIME + 60 });
  await member.ok('PATCH', `${PATH}/${id}`, { draft: written });
  const [event] = await queue.take(1);
  const draft = { id, ...written, to: [other.userId, third.userId] };
  assert.deepEqual({ ...event, id: 0 }, { id: 0, type: 'drafts', op: 'update', draft });
  assert.deepEqual(
    (await all(member)).find((one) => one.id === id),
    draft,
  );
});

// rules: drafts-8
test('DELETE removes a draft and sends an event', async () => {
  const [id] = await create(member, toChannel());
  const queue = await member.register({ event_types: ['drafts'] });
  await member.ok('DELETE', `${PATH}/${id}`);
  const [event] = await queue.take(1);
  assert.deepEqual({ ...event, id: 0 }, { id: 0, type: 'drafts', op: 'remove', draft_id: id });
  assert(!(await all(member)).some((one) => one.id === id));
});

// rules: drafts-10
test('an unknown draft and one of another user get the same refusal, whatever the new content', async () => {
  const [theirs] = await create(other, unaddressed());
  for (const id of [theirs, 1_000_000_000_000]) {
    for (const [method, fields] of [
      ['PATCH', { draft: unaddressed() }],
      ['PATCH', { draft: toChannel({ to: [999_999] }) }],
      ['DELETE', {}],
    ] as const) {
      const { status, body } = await member.call(method, `${PATH}/${id}`, fields);
      assert.deepEqual([status, body.code, body.msg], [404, 'BAD_REQUEST', 'Draft does not exist']);
    }
  }
  assert((await all(other)).some(({ id }) => id === theirs));
});

// rules: drafts-3
test('a draft for a channel names exactly one channel, which its author can read', async () => {
  const count = 'Must specify exactly 1 channel ID for channel messages';
  assert.equal(await refusal(member, toChannel({ to: [] })), count);
  assert.equal(await refusal(member, toChannel({ to: [channel, channel] })), count);
  const create = async (name: string, more: Fields) => {
    const fields = { name, subscribers: [other.userId], ...more };
    return (await other.ok('POST', '/channels/create', fields)).id;
  };
  const hidden = await create('cellar', { invite_only: true });
  const archived = await create('attic', {});
  await server.owner.ok('DELETE', `/streams/${archived}`);
  for (const id of [hidden, archived, 999_999, 99_999_999_999_999]) {
    assert.equal(await refusal(member, toChannel({ to: [id] })), 'Invalid channel ID');
  }
  // Administrators have metadata access to it, but cannot read it.
  assert.equal(await refusal(server.owner, toChannel({ to: [hidden] })), 'Invalid channel ID');
});

// rules: drafts-4
test('a draft for users names active users, and its author only if alone', async () => {
  assert.equal(await refusal(member, toUsers([99_999_999_999])), 'Invalid user ID 99999999999');
  const gone = await server.user();
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  await deactivateUser(server.app, organization, gone.userId);
  assert.equal(await refusal(member, toUsers([gone.userId])), `'${gone.email}' is no longer using Zulip.`);
  const [together, alone] = await create(
    member,
    toUsers([third.userId, member.userId, other.userId, third.userId]),
    toUsers([member.userId]),
  );
  const drafts = new Map((await all(member)).map((draft) => [draft.id, draft.to]));
  assert.deepEqual(drafts.get(together), [other.userId, third.userId]);
  assert.deepEqual(drafts.get(alone), [member.userId]);
});

// rules: drafts-5
test('a draft without recipients is unaddressed, and only channel drafts have a topic', async () => {
  const writer = await server.user();
  await create(
    writer,
    toUsers([], { topic: 'lost' }),
    unaddressed({ to: [999_999], topic: 'lost' }),
    toUsers([other.userId], { topic: 'lost' }),
  );
  assert.deepEqual(
    (await all(writer)).map(({ type, to, topic }) => ({ type, to, topic })),
    [
      { type: '', to: [], topic: '' },
      { type: '', to: [], topic: '' },
      { type: 'private', to: [other.userId], topic: '' },
    ],
  );
});

// rules: drafts-2
test('a request creates all of its drafts or none', async () => {
  const writer = await server.user();
  const queue = await writer.register({ event_types: ['drafts'] });
  assert.equal(await refusal(writer, toChannel(), unaddressed(), toChannel({ to: [999_999] })), 'Invalid channel ID');
  assert.equal(
    await refusal(writer, unaddressed(), unaddressed({ content: '' })),
    'drafts[1]["content"] cannot be blank',
  );
  assert.deepEqual(await all(writer), []);
  assert.deepEqual(await queue.now(), []);
});

// rules: drafts-2
test('a request without drafts creates none and sends no event', async () => {
  const queue = await member.register({ event_types: ['drafts'] });
  assert.deepEqual((await member.ok('POST', PATH)).ids, []);
  assert.deepEqual(await create(member), []);
  assert.deepEqual(await queue.now(), []);
});

// rules: drafts-7
test('timestamps are whole seconds since 1970, and default to now', async () => {
  assert.equal(await refusal(member, unaddressed({ timestamp: -10.1 })), 'Timestamp must not be negative.');
  assert.equal(await refusal(member, unaddressed({ timestamp: 1e12 })), 'drafts[0]["timestamp"] is too large');
  const before = Math.floor(Date.now() / 1000);
  const { timestamp: _, ...timeless } = unaddressed();
  const writer = await server.user();
  await create(
    writer,
    timeless,
    { ...timeless, timestamp: null },
    unaddressed({ timestamp: 1.75 }),
    unaddressed({ timestamp: 15_954_790_199 }),
  );
  const [first, second, third, last] = (await all(writer)).map(({ timestamp }) => timestamp);
  assert.deepEqual([first, last], [1, 15_954_790_199]);
  assert(second >= before && third >= before);
});

// rules: limits-5
test('topics and contents are truncated like those of messages, and blank content is refused', async () => {
  const [id] = await create(member, toChannel({ topic: 't'.repeat(61), content: `\n  code\n\n${'c'.repeat(10_000)}` }));
  const draft = (await all(member)).find((one) => one.id === id);
  assert.equal(draft.topic, `${'t'.repeat(57)}...`);
  assert.match(draft.content, /^ {2}code\n\nc+\n\[message truncated\]$/);
  assert.equal(draft.content.length, 10_000);
  assert.equal(await refusal(member, unaddressed({ content: ' \n ' })), 'Message must not be empty');
});

// rules: drafts-6
test('null bytes are refused in topics and contents', async () => {
  assert.match(await refusal(member, unaddressed({ content: 'a \0 b' })), /null byte/);
  assert.match(await refusal(member, toChannel({ topic: 'a \0 b' })), /null byte/);
});

// rules: drafts-1
test('unknown fields of a draft are refused, including its id', async () => {
  const words = /^Argument "id" at drafts\[0\]\["id"\] is unexpected$/;
  assert.match(await refusal(member, unaddressed({ id: 1 })), words);
  assert.equal(await refusal(member, unaddressed({ type: 'direct' })), 'Invalid drafts[0]["type"]');
  assert.equal(
    await refusal(member, { type: '', to: [], topic: '' }),
    'drafts[0]["content"] field is missing: Field required',
  );
  const { code } = await member.fails('PATCH', `${PATH}/1`);
  assert.equal(code, 'REQUEST_VARIABLE_MISSING');
});

// rules: conventions-8
test('the empty topic is sent by its display name to clients without empty_topic_name', async () => {
  const writer = await server.user();
  const queue = await writer.register({ event_types: ['drafts'] });
  const modern = await writer.register({
    event_types: ['drafts'],
    client_capabilities: { empty_topic_name: true, notification_settings_null: true },
  });
  await create(writer, toChannel({ topic: 'general chat' }));
  const topicIn = async (from: typeof queue) => (await from.take(1))[0].drafts[0].topic;
  assert.deepEqual([await topicIn(queue), await topicIn(modern)], ['general chat', '']);
  assert.equal((await writer.register({ event_types: ['drafts'] })).state.drafts[0].topic, 'general chat');
  assert.equal((await all(writer))[0].topic, '');
});

// rules: limits-5
test('a request has a bounded number of drafts, and a draft a bounded number of users', async () => {
  const many = Array.from({ length: 101 }, () => unaddressed());
  assert.equal(await refusal(member, ...many), 'drafts is too long (limit: 100 items)');
  assert.match(await refusal(member, toUsers(Array.from({ length: 501 }, (_, id) => id))), /is too long/);
});

// rules: limits-5
test('a user has a bounded number of drafts, also with concurrent requests', async () => {
  const hoarder = await server.user();
  await sql`
    INSERT INTO drafts (organization_id, user_id, recipients, topic, content, edited_at)
    SELECT organization_id, id, '{}', '', 'x', now() FROM users, generate_series(1, 490)
     WHERE id = ${hoarder.userId}`.execute(server.app.db);
  const five = Array.from({ length: 5 }, () => unaddressed());
  const answers = await Promise.all(Array.from({ length: 8 }, () => hoarder.call('POST', PATH, { drafts: five })));
  assert.equal(answers.filter(({ status }) => status === 200).length, 2);
  assert.equal(await refusal(hoarder, unaddressed()), 'Too many drafts (limit: 500)');
  assert.equal((await all(hoarder)).length, 500);
});
