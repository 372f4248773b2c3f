import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Fields, TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { archiveChannel } from '../../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let reader: TestClient;
let made = 0;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
});
after(() => server.stop());

/** Creates a channel for a new reader, whose only unread messages are in it. */
async function channelOf(settings: Fields = {}) {
  reader = await server.user();
  const name = `talk ${++made}`;
  const id = await server.emptyChannel(owner, name, { principals: [reader.userId], ...settings });
  return { name, id };
}

async function sent(channel: string, topics: readonly string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const topic of topics) ids.push(await owner.send(channel, topic, 'x'));
  return ids;
}

const channelTerm = (operand: number | string) => ({ operator: 'channel', operand });
const flagRange = (fields: Fields, client = reader): Promise<Json> =>
  client.ok('POST', '/messages/flags/narrow', { op: 'add', flag: 'read', ...fields });

async function unread(client = reader): Promise<number[]> {
  const narrow = [{ operator: 'is', operand: 'unread' }];
  const { messages } = await client.ok('GET', '/messages', {
    anchor: 'oldest',
    num_before: 0,
    num_after: 5000,
    narrow,
  });
  return messages.map(({ id }: Json) => id);
}

const rowsOf = ({ userId }: TestClient) =>
  server.app.db.selectFrom('message_flags').selectAll().where('user_id', '=', userId).execute();

const listen = (client = reader) => client.register({ event_types: ['update_message_flags'] });

/** Inserts the rows that this number of sends would leave. */
async function manyMessages(channelId: number, count: number): Promise<void> {
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  await organization.transact('server', 'exclusive', async ({ db, directory }) => {
    await sql`
      WITH taken AS (
        UPDATE logs SET message_head = message_head + ${count}::integer
         WHERE organization_id = ${directory.organization.id} RETURNING message_head - ${count}::integer AS base
      )
      INSERT INTO messages (organization_id, id, sender_id, channel_id, topic, content, rendered_content,
                            mentions_channel, is_me_message, client, sent_at)
      SELECT ${directory.organization.id}, base + n, ${owner.userId}, ${channelId}, 'many', 'x', '<p>x</p>',
             false, false, 'test', now()
        FROM taken, generate_series(1, ${count}::integer) AS n`.execute(db);
  });
  // PostgreSQL itself would do this during the minutes that so many sends take.
  await sql`ANALYZE messages`.execute(server.app.db);
}

// rules: reading-7
test('a client that asks for it learns which messages of a range have changed', async () => {
  const { name, id } = await channelOf();
  const ids = await sent(name, ['a', 'a', 'b', 'a']);
  await reader.ok('POST', '/messages/flags', { op: 'add', flag: 'read', messages: [ids[1]] });
  const range = { narrow: [channelTerm(id)], anchor: 'oldest', num_before: 0, num_after: 100 };
  const asked = await flagRange({ ...range, include_updated_ids: true });
  assert.deepEqual(asked.updated_ids, [ids[0], ids[2], ids[3]]);
  const again = await flagRange({ ...range, include_updated_ids: true });
  assert.deepEqual(again.updated_ids, []);
  assert.equal('updated_ids' in (await flagRange(range)), false);
});

// rules: reading-7, reading-8
test('a range around an anchor is flagged, and the response counts processed and changed messages', async () => {
  const { name, id } = await channelOf();
  const ids = await sent(name, ['a', 'a', 'a', 'a', 'a', 'a']);
  const [first, second, third, fourth, fifth] = ids;
  await reader.ok('POST', '/messages/flags', { op: 'add', flag: 'read', messages: [third] });
  const queue = await listen();
  const narrow = [channelTerm(id)];
  const answer = await flagRange({ anchor: third, num_before: 1, num_after: 2, narrow });
  const { result, msg, ...values } = answer;
  assert.deepEqual(values, {
    processed_count: 4,
    updated_count: 3,
    first_processed_id: second,
    last_processed_id: fifth,
    found_oldest: false,
    found_newest: false,
    ignored_because_not_subscribed_channels: [],
  });
  assert.deepEqual(
    (await queue.now()).map(({ op, flag, messages, all }) => [op, flag, messages, all]),
    [['add', 'read', [second, fourth, fifth], false]],
  );
  assert.deepEqual(await unread(), [first, ids[5]]);
  const rest = await flagRange({ anchor: second, include_anchor: false, num_before: 5, num_after: 0, narrow });
  assert.deepEqual([rest.processed_count, rest.first_processed_id, rest.found_oldest], [1, first, true]);
});

// rules: reading-8
test('anchors can be newest, oldest or first_unread', async () => {
  const { name, id } = await channelOf();
  const ids = await sent(name, ['a', 'a', 'a', 'a']);
  const narrow = [channelTerm(id)];
  const star = (fields: Fields) => flagRange({ ...fields, narrow, flag: 'starred' });
  const newest = await star({ anchor: 'newest', num_before: 1, num_after: 0 });
  assert.deepEqual([newest.first_processed_id, newest.found_newest, newest.found_oldest], [ids[3], true, false]);
  const oldest = await star({ anchor: 'oldest', num_before: 0, num_after: 1 });
  assert.deepEqual([oldest.first_processed_id, oldest.found_oldest, oldest.found_newest], [ids[0], true, false]);
  await reader.ok('POST', '/messages/flags', { op: 'add', flag: 'read', messages: ids.slice(0, 2) });
  const unreadFirst = await star({ anchor: 'first_unread', num_before: 0, num_after: 0 });
  assert.deepEqual([unreadFirst.first_processed_id, unreadFirst.processed_count], [ids[2], 1]);
  assert.equal((await star({ anchor: String(ids[1]), num_before: 0, num_after: 0 })).first_processed_id, ids[1]);
  const { starred_messages } = (await reader.register({ fetch_event_types: ['starred_messages'] })).state;
  assert.deepEqual(starred_messages, ids);
});

// rules: reading-7
test('an empty range processes no messages and sends no event', async () => {
  const { id } = await channelOf();
  const queue = await listen();
  const answer = await flagRange({ anchor: 'newest', num_before: 10, num_after: 10, narrow: [channelTerm(id)] });
  const { processed_count, updated_count, first_processed_id, last_processed_id, found_oldest, found_newest } = answer;
  assert.deepEqual([processed_count, updated_count, first_processed_id, last_processed_id], [0, 0, null, null]);
  assert.deepEqual([found_oldest, found_newest], [true, true]);
  assert.deepEqual(await queue.now(), []);
});

test('without a narrow the range covers all messages that the user received', async () => {
  const { name } = await channelOf();
  const [inChannel] = await sent(name, ['a']);
  const direct = await owner.direct([reader.userId], 'x');
  const answer = await flagRange({ anchor: 'oldest', num_before: 0, num_after: 100, narrow: [] });
  assert.equal(answer.last_processed_id, direct);
  assert((inChannel ?? 0) >= answer.first_processed_id);
  assert.deepEqual(await unread(), []);
});

// rules: reading-5
test('messages of an unsubscribed channel stay read, and the response lists the channel', async () => {
  const { name, id } = await channelOf();
  await sent(name, ['a', 'a']);
  await reader.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name] });
  const narrow = [channelTerm(id)];
  const answer = await flagRange({ anchor: 'oldest', num_before: 0, num_after: 9, narrow, op: 'remove' });
  assert.deepEqual(
    [answer.processed_count, answer.updated_count, answer.ignored_because_not_subscribed_channels],
    [2, 0, [id]],
  );
});

// rules: reading-8
test('uneditable flags, bad narrows, excluding an anchor inside the range and missing parameters are refused', async () => {
  const { id } = await channelOf();
  const all = { anchor: 'newest', num_before: 1, num_after: 1, narrow: [channelTerm(id)], op: 'add', flag: 'read' };
  const refused = async (fields: Fields) => {
    const { code, msg } = await reader.fails('POST', '/messages/flags/narrow', { ...all, ...fields });
    return [code, msg];
  };
  assert.deepEqual(await refused({ flag: 'mentioned' }), ['BAD_REQUEST', "Flag not editable: 'mentioned'"]);
  assert.deepEqual(await refused({ flag: 'shiny' }), ['BAD_REQUEST', "Invalid flag: 'shiny'"]);
  assert.deepEqual(await refused({ op: 'toggle' }), ['BAD_REQUEST', 'Invalid op']);
  assert.deepEqual(await refused({ include_anchor: false }), [
    'BAD_REQUEST',
    'The anchor can only be excluded at an end of the range',
  ]);
  assert.equal((await refused({ narrow: [{ operator: 'colour', operand: 'red' }] }))[0], 'BAD_NARROW');
  assert.equal((await refused({ num_before: -1 }))[0], 'BAD_REQUEST');
  assert.equal((await refused({ anchor: 'last week' }))[0], 'BAD_REQUEST');
  for (const name of ['anchor', 'num_before', 'num_after', 'narrow', 'op', 'flag']) {
    const body = await reader.fails('POST', '/messages/flags/narrow', { ...all, [name]: undefined });
    assert.deepEqual([body.code, body.var_name], ['REQUEST_VARIABLE_MISSING', name]);
  }
});

// rules: reading-9
test('a larger range is reduced to 5,000 messages, and the client continues where it ended', async () => {
  const { id } = await channelOf();
  await manyMessages(id, 7000);
  const narrow = [channelTerm(id)];
  const first = await flagRange({ anchor: 'oldest', num_before: 9000, num_after: 9000, narrow });
  assert.deepEqual(
    [first.processed_count, first.updated_count, first.found_newest],
    [2501, 2501, false].with(0, 2500).with(1, 2500),
  );
  const second = await flagRange({
    anchor: first.last_processed_id,
    num_before: 0,
    num_after: 1_000_000,
    narrow,
    include_anchor: false,
  });
  assert.deepEqual([second.processed_count, second.found_newest], [4500, true]);
  assert.deepEqual([await unread(), await rowsOf(reader)], [[], []]);
});

// rules: reading-11
test('mark_stream_as_read reads one channel and leaves no rows when the watermark advances', async () => {
  const { name, id } = await channelOf();
  const ids = await sent(name, ['a', 'b', 'a']);
  const direct = await owner.direct([reader.userId], 'x');
  const queue = await listen();
  await reader.ok('POST', '/mark_stream_as_read', { stream_id: id });
  await reader.ok('POST', '/mark_stream_as_read', { stream_id: id });
  assert.deepEqual(
    (await queue.now()).map(({ op, flag, messages, all }) => [op, flag, messages, all]),
    [['add', 'read', ids, false]],
  );
  assert.deepEqual([await unread(), await rowsOf(reader)], [[direct], []]);
  assert.equal((await reader.fails('POST', '/mark_stream_as_read', { stream_id: 999_999 })).msg, 'Invalid channel ID');
  await archiveChannel(server, id);
  assert.equal((await reader.fails('POST', '/mark_stream_as_read', { stream_id: id })).msg, 'Invalid channel ID');
  const { id: cellar } = await channelOf({ invite_only: true });
  const stranger = await server.user();
  assert.equal((await stranger.fails('POST', '/mark_stream_as_read', { stream_id: cellar })).msg, 'Invalid channel ID');
});

// rules: conventions-8, reading-10, versions-2
test('mark_topic_as_read reads one topic, in any case, and the empty topic also by its display name', async () => {
  const { name, id } = await channelOf();
  const [first, second, empty, third] = await sent(name, ['a', 'B', '', 'A']);
  const read = (topic_name: string) => reader.ok('POST', '/mark_topic_as_read', { stream_id: id, topic_name });
  const queue = await listen();
  await read('a');
  assert.deepEqual(await unread(), [second, empty]);
  await read('general chat');
  assert.deepEqual(await unread(), [second]);
  await reader.ok('POST', '/messages/flags', { op: 'remove', flag: 'read', messages: [empty] });
  await read('');
  assert.deepEqual(await unread(), [second]);
  const received = (await queue.now()).map(({ op, messages }) => [op, messages]);
  assert.deepEqual(received, [
    ['add', [first, third]],
    ['add', [empty]],
    ['remove', [empty]],
    ['add', [empty]],
  ]);
  await read('b');
  assert.deepEqual(await rowsOf(reader), []);
  const unknown = await reader.fails('POST', '/mark_topic_as_read', { stream_id: id, topic_name: 'c' });
  assert.deepEqual([unknown.code, unknown.msg], ['BAD_REQUEST', "No such topic 'c'"]);
  for (const name of ['stream_id', 'topic_name']) {
    const fields = { stream_id: id, topic_name: 'a', [name]: undefined };
    const missing = await reader.fails('POST', '/mark_topic_as_read', fields);
    assert.deepEqual([missing.code, missing.var_name], ['REQUEST_VARIABLE_MISSING', name]);
  }
});

// rules: reading-10
test('with protected history, a topic without received messages is not found', async () => {
  const { name, id } = await channelOf({ invite_only: true });
  const later = await server.user();
  await sent(name, ['before']);
  await owner.subscribe(name, { principals: [later.userId] });
  const body = await later.fails('POST', '/mark_topic_as_read', { stream_id: id, topic_name: 'before' });
  assert.equal(body.msg, "No such topic 'before'");
});

// rules: reading-13
test('reading fifty thousand messages of a channel stores no rows and sends events of 1,500', async () => {
  const { id } = await channelOf();
  await manyMessages(id, 50_000);
  const queue = await listen();
  await reader.ok('POST', '/mark_stream_as_read', { stream_id: id });
  const events = await queue.now();
  assert.deepEqual(
    events.map(({ messages }) => messages.length),
    [...Array(33).fill(1500), 500],
  );
  assert.deepEqual([await unread(), await rowsOf(reader)], [[], []]);
});

test('marking many messages by id sends events of at most 1,500, with details of those that became unread', async () => {
  const { id } = await channelOf();
  await manyMessages(id, 7000);
  const { messages } = await reader.ok('GET', '/messages', {
    anchor: 'newest',
    num_before: 5000,
    num_after: 0,
    narrow: [channelTerm(id)],
  });
  const ids = messages.map((message: Json) => message.id);
  const [newest] = ids.slice(-1);
  const all = Array.from({ length: 7000 }, (_, n) => newest - 6999 + n);
  const queue = await listen();
  for (const op of ['add', 'remove']) {
    assert.equal(
      (await reader.ok('POST', '/messages/flags', { op, flag: 'read', messages: all })).messages.length,
      7000,
    );
  }
  const events = await queue.now();
  assert.deepEqual(
    events.map(({ op, messages: named }) => [op, named.length]),
    [...Array(4).fill(['add', 1500]), ['add', 1000], ...Array(4).fill(['remove', 1500]), ['remove', 1000]],
  );
  for (const event of events.slice(5)) assert.deepEqual(Object.keys(event.message_details).map(Number), event.messages);
  const refused = { op: 'add', flag: 'starred', messages: [...all, newest + 1] };
  assert.equal((await reader.fails('POST', '/messages/flags', refused)).msg, 'Invalid message(s)');
  assert.deepEqual(await queue.now(), []);
});
