/** The fields of a message (interface document, "Message (returned by fetch single message)"). */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { isFromNow } from '../../../testing/clients/times.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let author: TestClient;
let reader: TestClient;
before(async () => {
  server = await startTestServer();
  author = await server.user({ name: 'Aud Author' });
  reader = await server.user({ name: 'Rita Reader' });
});
after(() => server.stop());

/** Returns the message without its ids and timestamp, after checking their types. */
function plain(message: Json): Json {
  const { id, timestamp, recipient_id, ...fields } = message;
  assert(Number.isSafeInteger(id) && Number.isSafeInteger(recipient_id));
  assert(Number.isSafeInteger(timestamp) && isFromNow(timestamp));
  return fields;
}

const common = () => ({
  content: '<p><em>hello</em></p>',
  content_type: 'text/html',
  sender_id: author.userId,
  sender_email: author.email,
  sender_full_name: 'Aud Author',
  sender_realm_str: '',
  avatar_url: null,
  client: 'HeddleTest',
  is_me_message: false,
  flags: [],
  reactions: [],
  submessages: [],
  topic_links: [],
});

// rules: conventions-7, message-fields-1, message-fields-3, message-fields-4
test('a channel message has exactly these fields until it is edited or moved', async () => {
  const channel = await server.emptyChannel(author, 'loom', { principals: [reader.userId] });
  const id = await author.send(channel, 'warp', '*hello*');
  const { message } = await reader.ok('GET', `/messages/${id}`);
  assert.equal(message.id, id);
  const place = { type: 'stream', stream_id: channel, subject: 'warp', display_recipient: 'loom' };
  assert.deepEqual(plain(message), { ...common(), ...place });
});

// rules: message-fields-1
test('a direct message has no channel, an empty topic, and the records of its participants', async () => {
  const id = await author.direct([reader.userId], '*hello*');
  const { message } = await reader.ok('GET', `/messages/${id}`);
  const people = [author, reader].map(({ userId, email, name }) => {
    return { id: userId, email, full_name: name, is_mirror_dummy: false };
  });
  assert.deepEqual(plain(message), { ...common(), type: 'private', subject: '', display_recipient: people });
});

// rules: message-fields-3
test('sender_realm_str is the subdomain of the sender’s organization', async () => {
  const elsewhere = await server.organization('elsewhere');
  const id = await elsewhere.direct([elsewhere.userId], 'x');
  assert.equal((await elsewhere.ok('GET', `/messages/${id}`)).message.sender_realm_str, 'elsewhere');
});

// rules: message-fields-2
test('message ids ascend across channels and direct messages, and messages are listed in their order', async () => {
  const channel = await server.emptyChannel(author, 'in order', { principals: [reader.userId] });
  const ids = [
    await author.send(channel, 'a', 'x'),
    await reader.direct([author.userId], 'x'),
    await reader.send(channel, 'b', 'x'),
    await author.direct([author.userId], 'x'),
    await author.send(channel, 'a', 'x'),
  ];
  assert.deepEqual(
    ids,
    [...new Set(ids)].toSorted((a, b) => a - b),
  );
  const { messages } = await author.ok('GET', '/messages', { anchor: ids[2], num_before: 2, num_after: 2 });
  assert.deepEqual(
    messages.map((message: Json) => message.id),
    ids,
  );
});
