import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestClient } from '../../../testing/clients/client.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

const path = (user: TestClient) => `/users/me/muted_users/${user.userId}`;

test('read receipts list the users who have read a message', async () => {
  const [sender, reader, secretive, muting, muted, late] = await Promise.all(
    Array.from({ length: 6 }, () => server.user()),
  );
  assert(sender && reader && secretive && muting && muted && late);
  const readers = [reader, secretive, muting, muted];
  await server.owner.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'receipts' }],
    principals: [sender, ...readers].map(({ userId }) => userId),
  });
  const message = { type: 'channel', to: 'receipts', topic: 'talk', content: 'read this', read_by_sender: true };
  const { id } = await sender.ok('POST', '/messages', message);
  const receipts = async (user = sender) => (await user.ok('GET', `/messages/${id}/read_receipts`)).user_ids;
  assert.deepEqual(await receipts(), [], 'the sender is not listed');
  await secretive.ok('PATCH', '/settings', { send_read_receipts: false });
  for (const user of readers) await user.ok('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' });
  // A later subscriber can read the message as history, but did not receive it.
  await late.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'receipts' }] });
  const all = [reader, muting, muted].map(({ userId }) => userId).sort((a, b) => a - b);
  assert.deepEqual(await receipts(), all);
  await muting.ok('POST', path(sender));
  await sender.ok('POST', path(muted));
  assert.deepEqual(
    await receipts(),
    [reader.userId],
    'users whom the sender mutes, and users who mute the sender, are not listed',
  );
  assert.deepEqual(await receipts(late), all, 'mutes apply only between those two users');
  await reader.ok('POST', '/messages/flags', { messages: [id], op: 'remove', flag: 'read' });
  assert.deepEqual(await receipts(), []);
  await server.owner.ok('DELETE', `/users/${muted.userId}`);
  assert.deepEqual(await receipts(late), [muting.userId], 'deactivated users are not listed');
  const direct = await sender.direct([reader.userId], 'psst');
  const ofDirect = `/messages/${direct}/read_receipts`;
  assert.deepEqual((await sender.ok('GET', ofDirect)).user_ids, []);
  await reader.ok('POST', '/messages/flags', { messages: [direct], op: 'add', flag: 'read' });
  assert.deepEqual((await sender.ok('GET', ofDirect)).user_ids, [reader.userId]);
  assert.equal((await late.fails('GET', ofDirect)).msg, 'Invalid message(s)');
  await server.owner.ok('PATCH', '/realm', { enable_read_receipts: false });
  assert.equal((await sender.fails('GET', ofDirect)).msg, 'Read receipts are disabled in this organization.');
  await server.owner.ok('PATCH', '/realm', { enable_read_receipts: true });
});

test('read receipts of a moved message stay, and users who left its channel count as having read it', async () => {
  const { owner } = server;
  const [reader, other, leaving] = await Promise.all([server.user(), server.user(), server.user()]);
  assert(reader && other && leaving);
  const everybody = [owner, reader, other, leaving].map(({ userId }) => userId);
  for (const name of ['from', 'to']) {
    await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: everybody });
  }
  const id = await owner.send('from', 'moved', 'text');
  await reader.ok('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' });
  const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: 'to' });
  await owner.ok('PATCH', `/messages/${id}`, { stream_id, propagate_mode: 'change_all' });
  const receipts = async () => (await owner.ok('GET', `/messages/${id}/read_receipts`)).user_ids;
  assert.deepEqual(await receipts(), [reader.userId]);
  await leaving.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['to'] });
  assert.deepEqual(
    await receipts(),
    [reader.userId, leaving.userId].sort((a, b) => a - b),
  );
});
