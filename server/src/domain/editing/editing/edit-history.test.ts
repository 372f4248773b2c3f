import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { isFromNow } from '../../../testing/clients/times.ts';
import { changeOrganization } from '../../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let channel: number;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  channel = await server.emptyChannel(owner, 'plain');
});
after(() => server.stop());
afterEach(() => changeOrganization(server, { message_edit_history_visibility_policy: undefined }));

const tell = (policy: 'all' | 'moves' | 'none') =>
  changeOrganization(server, { message_edit_history_visibility_policy: policy });
const edit = (id: number, content: string) => owner.ok('PATCH', `/messages/${id}`, { content });
const historyOf = async (id: number, more = {}): Promise<Json[]> =>
  (await owner.ok('GET', `/messages/${id}/history`, more)).message_history;
const fetched = async (id: number): Promise<Json> => (await owner.ok('GET', `/messages/${id}`)).message;

/** Sends a message and edits it twice. */
async function edited(): Promise<number> {
  const id = await owner.send(channel, '', 'one');
  await edit(id, 'two *words*');
  await edit(id, 'two **words**');
  return id;
}

/** Writes a move of the message to its rows. */
async function noteMove(id: number, from: string, to: string): Promise<void> {
  await sql`
    WITH moved AS (
      UPDATE messages SET topic = ${to}, edit_count = edit_count + 1, moved_at = to_timestamp(1700000000) WHERE id = ${id}
      RETURNING organization_id, id, edit_count
    )
    INSERT INTO message_edits (organization_id, message_id, number, user_id, edited_at, prev_topic, topic, prev_channel_id, channel_id)
    SELECT organization_id, id, edit_count, ${owner.userId}, to_timestamp(1700000000), ${from}, ${to}, 7, ${channel} FROM moved`.execute(
    server.app.db,
  );
}

const timeless = ({ timestamp, ...entry }: Json) => {
  assert(isFromNow(timestamp));
  return entry;
};

// rules: message-fields-15, message-fields-17
test('a fetched message contains its edit history, newest first', async () => {
  const id = await edited();
  const edit_history = [
    {
      user_id: owner.userId,
      prev_content: 'two *words*',
      prev_rendered_content: '<p>two <em>words</em></p>',
    },
    { user_id: owner.userId, prev_content: 'one', prev_rendered_content: '<p>one</p>' },
  ];
  const message = await fetched(id);
  assert.deepEqual(message.edit_history.map(timeless), edit_history);
  assert.equal(message.last_edit_timestamp, message.edit_history[0].timestamp);
  const { messages } = await owner.ok('GET', '/messages', { message_ids: [id] });
  assert.deepEqual(messages[0].edit_history.map(timeless), edit_history);
});

// rules: message-fields-15
test('a message that was never edited has no edit fields', async () => {
  const message = await fetched(await owner.send(channel, 'a', 'x'));
  for (const field of ['edit_history', 'last_edit_timestamp', 'last_moved_timestamp']) {
    assert(!Object.hasOwn(message, field), field);
  }
});

// rules: fetch-12
test('the history of a message lists its state after sending and after each change', async () => {
  const id = await edited();
  const common = { user_id: owner.userId, topic: 'general chat' };
  assert.deepEqual((await historyOf(id)).map(timeless), [
    { ...common, content: 'one', rendered_content: '<p>one</p>' },
    {
      ...common,
      content: 'two *words*',
      rendered_content: '<p>two <em>words</em></p>',
      prev_content: 'one',
      prev_rendered_content: '<p>one</p>',
      content_html_diff:
        '<div><p><span class="highlight_text_deleted">one</span><span class="highlight_text_inserted">two</span> ' +
        '<em><span class="highlight_text_inserted">words</span></em></p></div>',
    },
    {
      ...common,
      content: 'two **words**',
      rendered_content: '<p>two <strong>words</strong></p>',
      prev_content: 'two *words*',
      prev_rendered_content: '<p>two <em>words</em></p>',
      content_html_diff: '<div><p>two <strong>words</strong></p></div>',
    },
  ]);
  const [first] = await historyOf(id, { allow_empty_topic_name: true });
  assert.equal(first.topic, '');
});

// rules: conventions-10
test('a direct message has no topic in its history, messages, drafts or events', async () => {
  const queue = await owner.register({ event_types: ['message', 'scheduled_messages', 'drafts', 'update_message'] });
  const id = await owner.direct([owner.userId], 'one');
  await edit(id, 'two');
  const draft = { type: 'private', to: [owner.userId], topic: '', content: 'three' };
  await owner.ok('POST', '/drafts', { drafts: [draft] });
  const deliverAt = Math.floor(Date.now() / 1000) + 3600;
  const later = { type: 'direct', to: [owner.userId], content: 'four', scheduled_delivery_timestamp: deliverAt };
  await owner.ok('POST', '/scheduled_messages', later);
  for (const allow_empty_topic_name of [false, true]) {
    const topics = (await historyOf(id, { allow_empty_topic_name })).map(({ topic }) => topic);
    assert.deepEqual(topics, ['', '']);
    const { message } = await owner.ok('GET', `/messages/${id}`, { allow_empty_topic_name });
    assert.deepEqual([message.subject, message.edit_history.length], ['', 1]);
    assert(!JSON.stringify(message).includes('general chat'));
    const { messages } = await owner.ok('GET', '/messages', { message_ids: [id], allow_empty_topic_name });
    assert(!JSON.stringify(messages).includes('general chat'));
  }
  const responses = JSON.stringify([
    await queue.take(4),
    await owner.ok('GET', '/drafts'),
    await owner.ok('GET', '/scheduled_messages'),
    await owner.ok('POST', '/register', { fetch_event_types: ['drafts', 'scheduled_messages', 'message'] }),
  ]);
  assert(['two', 'three', 'four'].every((text) => responses.includes(text)));
  assert(!responses.includes('"topic":"general chat"') && !responses.includes('"subject":"general chat"'));
});

test('the history of a message that was never edited has one entry', async () => {
  const id = await owner.send(channel, 'a', 'x');
  const history = await historyOf(id);
  assert.deepEqual(history.map(timeless), [
    { user_id: owner.userId, topic: 'a', content: 'x', rendered_content: '<p>x</p>' },
  ]);
});

// rules: message-fields-17
test('the history contains moves beside edits, with the empty topic’s display name for older clients', async () => {
  const id = await edited();
  await noteMove(id, '', 'b');
  const move = { user_id: owner.userId, timestamp: 1_700_000_000, prev_topic: 'general chat', topic: 'b' };
  const places = { prev_stream: 7, stream: channel };
  const message = await fetched(id);
  assert.deepEqual(message.edit_history[0], { ...move, ...places });
  assert.equal(message.last_moved_timestamp, 1_700_000_000);
  const history = await historyOf(id);
  assert.deepEqual(history.at(-1), {
    ...move,
    ...places,
    content: 'two **words**',
    rendered_content: '<p>two <strong>words</strong></p>',
  });
  assert.deepEqual(
    history.map(({ topic }) => topic),
    ['general chat', 'general chat', 'general chat', 'b'],
  );
});

// rules: message-fields-18
test('with the policy "moves" no response contains former texts', async () => {
  const id = await edited();
  await noteMove(id, '', 'b');
  await tell('moves');
  const message = await fetched(id);
  assert.deepEqual(message.edit_history.length, 1);
  assert.equal(message.edit_history[0].prev_topic, 'general chat');
  assert.equal(typeof message.last_edit_timestamp, 'number');
  const history = await historyOf(id);
  assert.deepEqual(
    history.map(({ topic, prev_topic, content }) => [topic, prev_topic, content]),
    [
      ['general chat', undefined, 'two **words**'],
      ['b', 'general chat', 'two **words**'],
    ],
  );
  assert(!JSON.stringify([message, history]).includes('one'));
  assert.deepEqual((await fetched(await edited())).edit_history, []);
});

// rules: message-fields-18
test('with the policy "none" messages have edit and move timestamps but no history', async () => {
  const id = await edited();
  await noteMove(id, '', 'b');
  await tell('none');
  const message = await fetched(id);
  assert(!Object.hasOwn(message, 'edit_history'));
  assert.equal(typeof message.last_edit_timestamp, 'number');
  assert.equal(message.last_moved_timestamp, 1_700_000_000);
  const refused = await owner.fails('GET', `/messages/${id}/history`);
  assert.equal(refused.msg, 'Message edit history is disabled in this organization');
});

// rules: fetch-12
test('the history of an inaccessible message is refused like a missing one', async () => {
  const id = await owner.direct([owner.userId], 'mine');
  const stranger = await server.user();
  for (const hidden of [id, 99_999_999]) {
    assert.equal((await stranger.fails('GET', `/messages/${hidden}/history`)).msg, 'Invalid message(s)');
  }
});

test('the history of many edits returns the newest', async () => {
  const id = await owner.send(channel, 'a', '0');
  for (let number = 1; number <= 110; number++) await edit(id, `${number}`);
  const history = await historyOf(id);
  assert.deepEqual(
    history.map(({ content }) => content),
    Array.from({ length: 100 }, (_, index) => `${index + 11}`),
  );
  assert.equal(history[0].prev_content, '10');
  const { edit_history } = await fetched(id);
  assert.deepEqual(
    edit_history.map(({ prev_content }: Json) => prev_content),
    Array.from({ length: 20 }, (_, index) => `${109 - index}`),
  );
});

test('messages with long former texts can still be fetched, without their edit history', async () => {
  const ids: number[] = [];
  for (let index = 0; index < 30; index++) ids.push(await owner.send(channel, 'heavy', 'x'));
  for (const id of ids) await edit(id, 'y');
  await sql`UPDATE message_edits SET prev_rendered_content = repeat('x', 1000000) WHERE message_id = ANY (${ids}::bigint[])`.execute(
    server.app.db,
  );
  const { messages } = await owner.ok('GET', '/messages', { message_ids: ids });
  assert.equal(messages.length, 30);
  for (const message of messages) {
    assert(!Object.hasOwn(message, 'edit_history'));
    assert.equal(typeof message.last_edit_timestamp, 'number');
  }
  const history = await historyOf(ids[0] ?? 0);
  assert.equal(history.at(-1).prev_content, 'x');
});

test('deleting a message deletes its history', async () => {
  const id = await edited();
  await sql`DELETE FROM messages WHERE id = ${id}`.execute(server.app.db);
  const { rows } = await sql`SELECT FROM message_edits WHERE message_id = ${id}`.execute(server.app.db);
  assert.equal(rows.length, 0);
});
