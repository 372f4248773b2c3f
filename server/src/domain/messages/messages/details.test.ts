import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readerOf } from '../../../access/readable-messages.ts';
import type { ReadMore } from '../../../directory/reading.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import type { FetchedMessage } from './fetched-message.ts';
import { completeMessages, type MessageRow, messageWithId, selectMessages } from './queries.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

/** Sends a message and edits it once, so that reading it needs a second query. */
async function editedMessage(): Promise<number> {
  await server.owner.subscribe('plans');
  const id = await server.owner.send('plans', 'before', 'first');
  await server.owner.ok('PATCH', `/messages/${id}`, { content: 'second' });
  return id;
}

/**
 * Reads the message as the user, by default the owner, and runs `meanwhile` between the first query and the second.
 * Returns the messages and how often it read them.
 */
async function readWhile(
  id: number,
  meanwhile: () => Promise<unknown>,
  { userId } = server.owner,
): Promise<[readonly FetchedMessage[], number]> {
  const organization = await server.app.organizations.bySubdomain('');
  const caller = organization?.directory.user(userId);
  assert(organization !== undefined && caller !== undefined);
  let times = 0;
  const found = await organization.readAtOnce(caller, async ({ directory }) => {
    const reader = readerOf(directory, caller);
    return {
      statement: selectMessages(reader, messageWithId(id), 'both'),
      async result(rows: readonly MessageRow[], read: ReadMore) {
        times += 1;
        if (times === 1) await meanwhile();
        return completeMessages(read, directory, reader, rows);
      },
    };
  });
  return [found, times];
}

test('the details of an unchanged message are read in one attempt', async () => {
  const [[message], times] = await readWhile(await editedMessage(), async () => undefined);
  assert.equal(times, 1);
  assert.equal(message?.edits?.length, 1);
});

test('a message moved during the read is read again, so that its details match its topic', async () => {
  const id = await editedMessage();
  const [[message], times] = await readWhile(id, () =>
    server.owner.ok('PATCH', `/messages/${id}`, { topic: 'secret', send_notification_to_new_thread: false }),
  );
  assert.equal(times, 2);
  assert.deepEqual([message?.content.topic, message?.edits?.length], ['secret', 2]);
});

test('a message deleted during the read is not returned', async () => {
  const id = await editedMessage();
  const [messages, times] = await readWhile(id, () => server.owner.ok('DELETE', `/messages/${id}`));
  assert.deepEqual([messages, times], [[], 2]);
});

test('a reaction added during the read is returned without reading again', async () => {
  const id = await editedMessage();
  const react = (name: string) => server.owner.ok('POST', `/messages/${id}/reactions`, { emoji_name: name });
  await react('tada');
  const [[message], times] = await readWhile(id, () => react('heart'));
  assert.deepEqual([message?.reactions.length, times], [2, 1]);
});

test('a moved message that stays unread while its original channel is read is returned as unread', async () => {
  const { owner } = server;
  const reader = await server.user();
  for (const channel of ['former', 'present']) await owner.subscribe(channel, { principals: [reader.userId] });
  const id = await owner.send('former', 'topic', 'is moved');
  await owner.send('former', 'other', 'stays');
  const { stream_id: present } = await owner.ok('GET', '/get_stream_id', { stream: 'present' });
  await owner.ok('PATCH', `/messages/${id}`, { stream_id: present });
  const all = { anchor: 'oldest', num_before: 0, num_after: 100, narrow: [['channel', 'former']] };
  const read = () => reader.ok('POST', '/messages/flags/narrow', { ...all, op: 'add', flag: 'read' });
  const [[message]] = await readWhile(id, read, reader);
  assert.deepEqual(message?.flags, []);
});
