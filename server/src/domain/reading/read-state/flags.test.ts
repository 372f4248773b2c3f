import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { holding } from '../../../testing/database/lock-waits.ts';
import { moveMessages } from '../../../testing/server/message-changes.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let reader: TestClient;
let channelId: number;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  reader = await server.user({ name: 'Rita Reader' });
  await owner.subscribe('plain', { principals: [owner.userId, reader.userId] });
  channelId = (await owner.ok('GET', '/get_stream_id', { stream: 'plain' })).stream_id;
});
after(() => server.stop());

const PATH = '/messages/flags';
type Op = 'add' | 'remove';

const mark = (op: Op, flag: string, messages: readonly number[], client = reader): Promise<Json> =>
  client.ok('POST', PATH, { op, flag, messages });

async function flagsOf(id: number, client = reader): Promise<string[]> {
  return (await client.ok('GET', `/messages/${id}`)).message.flags;
}

const listen = (more: Json = {}) => reader.register({ event_types: ['update_message_flags'], ...more });

/** Returns the reader's stored rows and the watermark of the channel. */
async function stored(messages: readonly number[]) {
  const { db } = server.app;
  const rows = await db
    .selectFrom('message_flags')
    .select(['message_id', 'flags'])
    .where('user_id', '=', reader.userId)
    .where('message_id', 'in', [...messages])
    .orderBy('message_id')
    .execute();
  const { read_through } = await db
    .selectFrom('subscriptions')
    .select('read_through')
    .where('user_id', '=', reader.userId)
    .where('channel_id', '=', channelId)
    .executeTakeFirstOrThrow();
  return { rows: rows.map((row) => [messages.indexOf(row.message_id), row.flags]), read_through };
}

async function sent(count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < count; n++) ids.push(await owner.send('plain', 'a', `message ${n}`));
  return ids;
}

// rules: reading-1
test('read, starred and collapsed are added and removed, and response and event list the changed messages', async () => {
  const ids = await sent(2);
  const [first = 0, second = 0] = ids;
  for (const flag of ['read', 'starred', 'collapsed']) {
    const queue = await listen();
    assert.deepEqual((await mark('add', flag, [first])).messages, [first]);
    assert((await flagsOf(first)).includes(flag));
    assert(!(await flagsOf(second)).includes(flag));
    assert.deepEqual((await mark('add', flag, [second, first, second])).messages, [second]);
    assert.deepEqual((await mark('remove', flag, ids)).messages, ids);
    assert(!(await flagsOf(first)).includes(flag));
    const events = await queue.take(3);
    assert.deepEqual(
      events.map(({ op, operation, flag: of, messages, all }) => [op, operation, of, messages, all]),
      [
        ['add', 'add', flag, [first], false],
        ['add', 'add', flag, [second], false],
        ['remove', 'remove', flag, ids, false],
      ],
    );
  }
});

// rules: reading-6
test('a concurrently deleted message is refused, and a concurrently moved one is sent with its new topic', async () => {
  const [going = 0, moving = 0] = await sent(2);
  await mark('add', 'read', [going, moving]);
  const queue = await listen();
  const held = await holding(server.shared.url);
  try {
    const gone = await held.during(
      (db) => db.query('DELETE FROM messages WHERE id = $1', [going]),
      () => reader.fails('POST', PATH, { op: 'add', flag: 'starred', messages: [going] }),
    );
    assert.equal(gone.msg, 'Invalid message(s)');
    await held.during(
      (db) => db.query("UPDATE messages SET topic = 'elsewhere' WHERE id = $1", [moving]),
      () => mark('remove', 'read', [moving]),
    );
  } finally {
    await held.end();
  }
  const events = await queue.now();
  assert.deepEqual(
    events.map(({ op, flag, messages }: Json) => [op, flag, messages]),
    [['remove', 'read', [moving]]],
  );
  assert.equal(events[0].message_details[moving].topic, 'elsewhere');
});

// rules: reading-4
test('deleting a message moved away unread does not block its original channel from being read', async () => {
  await owner.subscribe('elsewhere', { principals: [reader.userId] });
  const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: 'elsewhere' });
  await reader.ok('POST', '/mark_stream_as_read', { stream_id: channelId });
  const [moved = 0, newest = 0] = await sent(2);
  await moveMessages(server, [moved], stream_id, 'moved');
  const held = await holding(server.shared.url);
  try {
    await held.during(
      (db) => db.query('DELETE FROM messages WHERE id = $1', [moved]),
      () => mark('add', 'read', [newest]),
    );
  } finally {
    await held.end();
  }
  assert.deepEqual(await stored([moved]), { rows: [], read_through: newest });
});

test('a message moved concurrently to another channel is marked read there', async () => {
  const elsewhere = await server.emptyChannel(owner, 'another place', { principals: [reader.userId] });
  await reader.ok('POST', '/mark_stream_as_read', { stream_id: channelId });
  const [moved = 0, , later = 0] = await sent(3);
  const held = await holding(server.shared.url);
  try {
    await held.during(
      async (db) => {
        // The later message needs a row, because an earlier one stays unread. The request waits here after it has read
        // both.
        await db.query('SELECT FROM messages WHERE id = $1 FOR UPDATE', [later]);
        await db.query(
          `UPDATE messages SET channel_id = $2, home_channel_id = channel_id, stay_channels = ARRAY[channel_id, $2],
                               stay_since = ARRAY[0::bigint, (SELECT max(head) FROM logs)]
            WHERE id = $1`,
          [moved, elsewhere],
        );
      },
      () => mark('add', 'read', [moved, later]),
    );
  } finally {
    await held.end();
  }
  for (const id of [moved, later]) assert((await flagsOf(id)).includes('read'));
});

// rules: reading-1
test('the response omits unchanged messages, and a request without changes sends no event', async () => {
  const [id = 0] = await sent(1);
  const queue = await listen();
  await mark('add', 'starred', [id]);
  for (const flag of ['starred', 'read']) {
    await mark('add', flag, [id]);
    assert.deepEqual((await mark('add', flag, [id])).messages, []);
  }
  assert.deepEqual((await mark('remove', 'collapsed', [id])).messages, []);
  assert.equal((await queue.now()).length, 2);
});

// rules: message-fields-14, reading-6
test('flags belong to one user, and other users do not receive them', async () => {
  const [id = 0] = await sent(1);
  const queue = await owner.register({ event_types: ['update_message_flags'] });
  await mark('add', 'starred', [id]);
  assert.deepEqual(await queue.now(), []);
  assert(!(await flagsOf(id, owner)).includes('starred'));
});

// rules: reading-3
test('inaccessible, missing and foreign messages refuse the whole change, but adding read skips them', async () => {
  await owner.subscribe('hidden', { invite_only: true });
  const [seen = 0] = await sent(1);
  const hidden = await owner.send('hidden', 'a', 'x');
  const direct = await owner.direct([owner.userId], 'x');
  const stranger = await server.organization('faraway');
  await stranger.subscribe('far');
  let foreign = 0;
  for (let count = 0; count <= direct; count++) foreign = await stranger.send('far', 'a', 'x');
  const unreadable = [hidden, direct, foreign, 99_999_999, -1];
  assert.deepEqual((await mark('add', 'read', [...unreadable, seen])).messages, [seen]);
  await mark('add', 'starred', [seen]);
  const queue = await listen();
  const changes = [
    ['add', 'collapsed'],
    ['remove', 'starred'],
    ['remove', 'collapsed'],
    ['remove', 'read'],
  ] as const;
  for (const [op, flag] of changes) {
    for (const id of unreadable) {
      const body = await reader.fails('POST', PATH, { op, flag, messages: [seen, id] });
      assert.deepEqual([body.code, body.msg], ['BAD_REQUEST', 'Invalid message(s)'], `${op} ${flag} ${id}`);
    }
  }
  assert.deepEqual(await flagsOf(seen), ['read', 'starred']);
  assert.deepEqual(await queue.now(), []);
});

// rules: reading-2
test('derived flags are not editable, unknown flags are invalid, and op is add or remove', async () => {
  const [id] = await sent(1);
  const given = ['mentioned', 'wildcard_mentioned', 'has_alert_word', 'historical'];
  for (const flag of [...given, 'stream_wildcard_mentioned', 'topic_wildcard_mentioned']) {
    const body = await reader.fails('POST', PATH, { messages: [id], op: 'add', flag });
    assert.deepEqual([body.code, body.msg], ['BAD_REQUEST', `Flag not editable: '${flag}'`]);
  }
  for (const flag of ['important', 'toString', '']) {
    const body = await reader.fails('POST', PATH, { messages: [id], op: 'add', flag });
    assert.deepEqual([body.code, body.msg], ['BAD_REQUEST', `Invalid flag: '${flag}'`]);
  }
  const op = await reader.fails('POST', PATH, { messages: [id], op: 'toggle', flag: 'read' });
  assert.deepEqual([op.code, op.msg], ['BAD_REQUEST', 'Invalid op']);
  for (const name of ['messages', 'op', 'flag']) {
    const body = await reader.fails('POST', PATH, { messages: [id], op: 'add', flag: 'read', [name]: undefined });
    assert.deepEqual([body.code, body.var_name], ['REQUEST_VARIABLE_MISSING', name]);
  }
  await reader.fails('POST', PATH, { messages: ['one'], op: 'add', flag: 'read' });
  assert.deepEqual((await mark('add', 'read', [])).messages, []);
});

// rules: reading-6
test('removing read sends the messages’ channels, topics and users, so that clients can count them', async () => {
  const other = await server.user();
  const channel = await owner.send('plain', '', `for @**${reader.name}**`);
  const direct = await other.direct([reader.userId], 'x');
  const group = await other.direct([reader.userId, owner.userId], 'x');
  const own = await reader.direct([reader.userId], 'x');
  const ids = [channel, direct, group, own];
  await mark('add', 'read', ids);
  const queue = await listen();
  const knowing = await listen({ client_capabilities: { empty_topic_name: true } });
  await mark('remove', 'read', ids);
  const [event] = await queue.take(1);
  const inChannel = { type: 'stream', mentioned: true, stream_id: channelId, unmuted_stream_msg: true };
  assert.deepEqual(event.message_details, {
    [channel]: { ...inChannel, topic: 'general chat' },
    [direct]: { type: 'private', user_ids: [other.userId] },
    [group]: { type: 'private', user_ids: [owner.userId, other.userId].sort((a, b) => a - b) },
    [own]: { type: 'private', user_ids: [] },
  });
  assert.deepEqual((await knowing.take(1))[0].message_details[channel], { ...inChannel, topic: '' });
  await mark('add', 'read', ids);
  assert.equal('message_details' in (await queue.take(1))[0], false);
});

test('unmuted_stream_msg is false in a muted channel', async () => {
  const [id = 0] = await sent(1);
  const setMuted = (value: boolean) =>
    reader.ok('POST', '/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: channelId, property: 'is_muted', value }],
    });
  await mark('add', 'read', [id]);
  await setMuted(true);
  const queue = await listen();
  await mark('remove', 'read', [id]);
  await setMuted(false);
  assert.equal((await queue.take(1))[0].message_details[id].unmuted_stream_msg, false);
});

// rules: reading-5
test('messages of channels without a subscription stay read, and the response lists these channels', async () => {
  await owner.subscribe('open');
  const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: 'open' });
  const outside = await owner.send('open', 'a', 'x');
  const [inside = 0] = await sent(1);
  await mark('add', 'read', [inside]);
  const queue = await listen();
  const answer = await mark('remove', 'read', [outside, inside]);
  assert.deepEqual([answer.messages, answer.ignored_because_not_subscribed_channels], [[inside], [stream_id]]);
  assert.deepEqual((await queue.take(1))[0].messages, [inside]);
  assert.deepEqual(await flagsOf(outside), ['read', 'historical']);
  const starred = await mark('add', 'starred', [outside]);
  assert.deepEqual([starred.messages, starred.ignored_because_not_subscribed_channels], [[outside], []]);
});

test('reading advances the watermark and deletes redundant rows', async () => {
  const ids = await sent(5);
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0] = ids;
  const { messages } = await reader.ok('GET', '/messages', { message_ids: Array.from({ length: first }, (_, n) => n) });
  await mark(
    'add',
    'read',
    messages.map((message: Json) => message.id),
  );
  assert.deepEqual(await stored(ids), { rows: [], read_through: first - 1 });

  await mark('add', 'read', [third]);
  assert.deepEqual(await stored(ids), { rows: [[2, 1]], read_through: first - 1 });
  await mark('add', 'read', [first, second]);
  assert.deepEqual(await stored(ids), { rows: [], read_through: fourth - 1 });
  await mark('add', 'starred', [fifth]);
  await mark('add', 'read', [fourth, fifth]);
  const last = await owner.send('plain', 'a', 'one more');
  assert.deepEqual(await stored(ids), { rows: [[4, 4]], read_through: last - 1 });

  await mark('remove', 'read', [second]);
  const unread = await stored(ids);
  assert.deepEqual([unread.rows[0], unread.rows[1], unread.rows.length], [[1, 2], [4, 4], 2]);
  assert.equal(unread.read_through, last - 1);
  await mark('add', 'read', [second]);
  await mark('remove', 'starred', [fifth]);
  assert.deepEqual(await stored(ids), { rows: [], read_through: last - 1 });
});

test('each channel and the direct messages have separate watermarks', async () => {
  const [inChannel = 0] = await sent(1);
  const direct = await owner.direct([reader.userId], 'x');
  await mark('add', 'read', [direct]);
  assert.deepEqual([await flagsOf(inChannel), await flagsOf(direct)], [[], ['read']]);
  const later = await owner.direct([reader.userId], 'y');
  assert.deepEqual(await flagsOf(later), []);
});

test('sending stores one row for the sender who read it and for each mentioned user, and none for others', async () => {
  const { db } = server.app;
  const id = await owner.send('plain', 'a', `@**${reader.name}** and @**all**`, { read_by_sender: true });
  const rows = await db
    .selectFrom('message_flags')
    .select(['user_id', 'flags'])
    .where('message_id', '=', id)
    .orderBy('user_id')
    .execute();
  assert.deepEqual(
    rows.map(({ user_id, flags }) => [user_id, flags]),
    [
      [owner.userId, 1],
      [reader.userId, 8],
    ],
  );
});

test('a sender who is not subscribed has no row, because no message there is unread for them', async () => {
  const outsider = await server.user();
  const id = await outsider.send('plain', 'a', 'x', { read_by_sender: true });
  const { db } = server.app;
  const rows = await db.selectFrom('message_flags').selectAll().where('message_id', '=', id).execute();
  assert.deepEqual(rows, []);
  assert.deepEqual(await flagsOf(id, outsider), ['read', 'historical']);
});

test('one request marks thousands of messages as read', async () => {
  const ids = await sent(3);
  const many = [...ids, ...Array.from({ length: 20_000 }, (_, n) => 1_000_000 + n)];
  assert.deepEqual((await mark('add', 'read', many)).messages, ids);
  assert.deepEqual((await mark('remove', 'read', ids)).messages, ids);
});

test('one request marks at most 50,000 messages, because other requests wait for it', async () => {
  const ids = Array.from({ length: 50_001 }, (_, index) => index + 1_000_000);
  const { status, body } = await reader.call('POST', PATH, { op: 'add', flag: 'read', messages: ids });
  assert.equal(status, 400);
  assert.equal(body.msg, 'messages is too long (limit: 50000 items)');
  assert.deepEqual((await mark('add', 'read', ids.slice(1))).messages, []);
});
