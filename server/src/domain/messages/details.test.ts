import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readerOf } from '../../access/readable-messages.ts';
import type { ReadMore } from '../../directory/reading.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import type { FetchedMessage } from './fetched-message.ts';
import { completeMessages, type MessageRow, messageWithId, selectMessages } from './queries.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

/** A message that was edited once, so that there is more to read of it. */
async function editedMessage(): Promise<number> {
  await server.owner.subscribe('plans');
  const id = await server.owner.send('plans', 'before', 'first');
  await server.owner.ok('PATCH', `/messages/${id}`, { content: 'second' });
  return id;
}

/** The message as somebody reads it, the owner if not said, while `meanwhile` happens between its row and what else there is to read of it; and how often it was read. */
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

test('what else there is of a message is read of it as it was, in one more exchange', async () => {
  const [[message], times] = await readWhile(await editedMessage(), async () => undefined);
  assert.equal(times, 1);
  assert.equal(message?.edits?.length, 1);
});

test('of a message that is moved meanwhile nothing is told that does not go with the place it is told at', async () => {
  const id = await editedMessage();
  const [[message], times] = await readWhile(id, () =>
    server.owner.ok('PATCH', `/messages/${id}`, { topic: 'secret', send_notification_to_new_thread: false }),
  );
  assert.equal(times, 2);
  assert.deepEqual([message?.content.topic, message?.edits?.length], ['secret', 2]);
});

test('a message that is deleted meanwhile is not told', async () => {
  const id = await editedMessage();
  const [messages, times] = await readWhile(id, () => server.owner.ok('DELETE', `/messages/${id}`));
  assert.deepEqual([messages, times], [[], 2]);
});

test('reactions that come meanwhile are told, as they would have been a moment later', async () => {
  const id = await editedMessage();
  const react = (name: string) => server.owner.ok('POST', `/messages/${id}/reactions`, { emoji_name: name });
  await react('tada');
  const [[message], times] = await readWhile(id, () => react('heart'));
  assert.deepEqual([message?.reactions.length, times], [2, 1]);
});

test('a moved message that stays unread as the channel it came from is read is not told as read', async () => {
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
