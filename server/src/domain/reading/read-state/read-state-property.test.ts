import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Json } from '../../../testing/clients/json.ts';
import type { MessageModel, ModelReader } from '../../../testing/model/message-model.ts';
import { emptyModel, restlessStep, type Step, step, take } from '../../../testing/model/message-scenario.ts';
import { fc } from '../../../testing/random/property.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

let runs = 0;

/** Compares the reader's flags, unread counts, is:unread and first_unread anchor with the model. */
async function compare(model: MessageModel, reader: ModelReader): Promise<void> {
  const { client } = reader;
  const readable = model.messages.filter((message) => reader.mayRead(message));
  const { messages } = await client.ok('GET', '/messages', { message_ids: model.messages.map(({ id }) => id) });
  assert.deepEqual(
    messages.map(({ id, flags }: Json) => ({ id, flags })),
    readable.map((message) => ({ id: message.id, flags: reader.flags(message) })),
  );

  const { unread_msgs, starred_messages } = await client.ok('POST', '/register', {
    event_types: ['message', 'update_message_flags', 'starred_messages'],
    client_capabilities: { empty_topic_name: true },
  });
  assert.deepEqual(unread_msgs, model.unreadMessages(reader));
  assert.deepEqual(
    starred_messages,
    model.messages.map(({ id }) => id).filter((id) => reader.starred.has(id)),
  );

  const unread = { num_before: 0, num_after: 1000, narrow: [{ operator: 'is', operand: 'unread' }] };
  const listed = await client.ok('GET', '/messages', { ...unread, anchor: 'oldest' });
  const expected = model.messages.filter((message) => reader.isUnread(message)).map(({ id }) => id);
  assert.deepEqual(
    listed.messages.map(({ id }: Json) => id),
    expected,
  );
  const first = await client.ok('GET', '/messages', { num_before: 0, num_after: 0, anchor: 'first_unread' });
  assert.equal(first.anchor, expected[0] ?? 10_000_000_000_000_000);
}

/** Compares the read receipts of the messages that the owner can read with the model. */
async function compareReceipts(model: MessageModel): Promise<void> {
  const owner = model.reader(0);
  for (const message of model.messages.filter((one) => owner.mayRead(one))) {
    const { user_ids } = await owner.client.ok('GET', `/messages/${message.id}/read_receipts`);
    const readers = model.readers.filter(
      (reader) => reader.received(message) && !reader.isUnread(message) && reader.id !== message.senderId,
    );
    assert.deepEqual(
      user_ids,
      readers.map(({ id }) => id).sort((a, b) => a - b),
      `message ${message.id}`,
    );
  }
}

/**
 * Checks that no row repeats the watermark, and that the watermark is as high as possible after everything was read.
 */
async function checkSparse(model: MessageModel, reader: ModelReader): Promise<void> {
  const { db } = server.app;
  const memberships = await db
    .selectFrom('subscriptions')
    .select(['channel_id', 'read_through'])
    .where('user_id', '=', reader.id)
    .where('is_active', '=', true)
    .execute();
  const through = new Map(memberships.map((row) => [row.channel_id, row.read_through]));
  const rows = await db.selectFrom('message_flags').selectAll().where('user_id', '=', reader.id).execute();
  const ofMoved = await db.selectFrom('messages').select('id').where('home_channel_id', 'is not', null).execute();
  const moved = new Set(ofMoved.map((row) => row.id));
  for (const { message_id: id, flags } of rows) {
    const message = model.messages.find((one) => one.id === id);
    assert.notEqual(flags, 0, 'a row has a flag');
    if (message === undefined || message.channel === null) continue;
    // A moved message stores its state in a row once it is marked.
    assert.notEqual(flags & 3, 3, 'a message is read or unread, not both');
    if (moved.has(id)) continue;
    const lastReadId = through.get(message.channel.id);
    if (lastReadId === undefined) assert.equal(flags & 3, 0, 'messages are read where the reader is not subscribed');
    else checkRow(id, flags, lastReadId);
  }
}

function checkRow(id: number, flags: number, lastReadId: number): void {
  assert(!((flags & 1) !== 0 && id <= lastReadId), `message ${id} is read by the watermark ${lastReadId}`);
  assert(!((flags & 2) !== 0 && id > lastReadId), `message ${id} is unread by the watermark ${lastReadId}`);
}

/** Takes the steps and compares after each `every` steps, at the end, and after everything was read. */
async function hold(steps: readonly Step[], every: number): Promise<void> {
  runs += 1;
  const model = await emptyModel(server, runs);
  for (const [at, happening] of steps.entries()) {
    await take(server, model, happening);
    // The owner takes part in every run. The other readers belong to this run only.
    if (at % every === 0) await compare(model, model.reader(1 + ((at / every) % 2)));
  }
  await compareReceipts(model);
  for (const reader of [model.reader(1), model.reader(2)]) {
    await compare(model, reader);
    await checkSparse(model, reader);
    await model.mark(reader, 'read', 'add', model.messages);
    await compare(model, reader);
    await checkSparse(model, reader);
  }
  await compareReceipts(model);
}

test('read state: flags, unread_msgs, is:unread and first_unread match a plain model after every change', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 50, size: 'max' }), (steps) => hold(steps, 1)),
    { numRuns: 4, endOnFailure: true },
  );
});

test('read state: the same with moves between channels and concurrent subscriptions', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(restlessStep, { minLength: 60, maxLength: 80, size: 'max' }), (steps) => hold(steps, 4)),
    { numRuns: 6, endOnFailure: true },
  );
});

test('read state: marking messages read while others arrive marks only the named ones', async () => {
  const { owner } = server;
  const reader = await server.user();
  await owner.subscribe('busy', { principals: [owner.userId, reader.userId] });
  const sent: number[] = [];
  const marked = new Set<number>();
  const send = async () => {
    for (let n = 0; n < 40; n++) sent.push(await owner.send('busy', 'a', 'x'));
  };
  const markEveryOther = async () => {
    // timing: it marks until the two senders end
    while (sent.length < 80) {
      const messages = sent.filter((id) => id % 2 === 0 && !marked.has(id));
      const answer = await reader.ok('POST', '/messages/flags', { messages, op: 'add', flag: 'read' });
      for (const id of answer.messages) marked.add(id);
    }
  };
  await Promise.all([send(), send(), markEveryOther(), markEveryOther()]);
  const { messages } = await reader.ok('GET', '/messages', { message_ids: sent });
  for (const { id, flags } of messages) assert.deepEqual(flags, marked.has(id) ? ['read'] : [], `message ${id}`);
});
