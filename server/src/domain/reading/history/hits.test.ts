import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MAX_COUNTED_HITS } from '@heddle/api/endpoints/messages.ts';
import { sql } from 'kysely';
import type { Fields, TestClient } from '../../../testing/clients/client.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { indexMessages } from './indexing.ts';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.user();
  await server.emptyChannel(owner, 'loom', { principals: [member.userId] });
});
after(() => server.stop());

const index = () => indexMessages(server.app, new AbortController().signal);
const words = (operand: string) => [{ operator: 'search', operand }];
const hits = (client: TestClient, parameters: Fields) => client.ok('GET', '/messages/hits', parameters);

// rules: fetch-17
test('hits are the messages that GET /messages finds with the same narrow', async () => {
  const ids = [
    await owner.send('loom', 'dyes', 'madder is red'),
    await member.send('loom', 'dyes', 'madder roots'),
    await owner.direct([member.userId], 'madder again'),
  ];
  const secret = await server.emptyChannel(owner, 'secret', { invite_only: true });
  await owner.send(secret, 'dyes', 'madder for nobody else');
  for (const narrow of [words('madder'), [...words('madder'), { operator: 'sender', operand: owner.userId }], []]) {
    const page = { anchor: 'newest', num_before: 100, num_after: 0, narrow };
    const { messages } = await member.ok('GET', '/messages', page);
    const found = await hits(member, { narrow, num_relevant: 100 });
    assert.equal(found.count, messages.length);
    assert.equal(found.is_complete, true);
    assert.deepEqual(
      [...found.message_ids].sort((a, b) => a - b),
      messages.map(({ id }: { id: number }) => id),
    );
  }
  const found = await hits(member, { narrow: words('madder') });
  assert.deepEqual([found.count, found.message_ids], [ids.length, []]);
});

// rules: fetch-17
test('words in the topic count more than those in the text, and more of them more than few, indexed or not', async () => {
  const once = await owner.send('loom', 'plants', 'weld is one of many words that are in this text');
  const often = await owner.send('loom', 'plants', 'weld weld weld');
  const named = await owner.send('loom', 'weld', 'a yellow one');
  const newest = await owner.send('loom', 'plants', 'weld is one of many words that are in this text');
  const best = async () => (await hits(member, { narrow: words('weld'), num_relevant: 10 })).message_ids;
  await sql`TRUNCATE message_words, indexed_messages`.execute(server.app.db);
  assert.deepEqual(await best(), [named, often, newest, once]);
  await index();
  assert.deepEqual(await best(), [named, often, newest, once]);
  assert.deepEqual((await hits(member, { narrow: words('weld'), num_relevant: 1 })).message_ids, [named]);
});

// rules: fetch-17
test('more hits than the limit are not counted', async () => {
  const { rows } = await sql<{ id: number }>`SELECT max(id) AS id FROM messages`.execute(server.app.db);
  await owner.send('loom', 'many', 'woad');
  // The same message again and again, which no request would do in a reasonable time.
  await sql`
    INSERT INTO messages SELECT (jsonb_populate_record(m, jsonb_build_object('id', m.id + step))).*
      FROM messages m, generate_series(1, ${MAX_COUNTED_HITS - 1}) AS step WHERE m.id > ${rows[0]?.id}`.execute(
    server.app.db,
  );
  await sql`UPDATE logs SET message_head = message_head + ${MAX_COUNTED_HITS}`.execute(server.app.db);
  await index();
  const channel = [...words('woad'), { operator: 'channel', operand: 'loom' }];
  const exact = await hits(member, { narrow: channel, num_relevant: 5 });
  assert.deepEqual([exact.count, exact.is_complete, exact.message_ids.length], [MAX_COUNTED_HITS, true, 5]);
  await owner.send('loom', 'many', 'woad');
  await index();
  const found = await hits(member, { narrow: channel, num_relevant: 5 });
  assert.deepEqual([found.count, found.is_complete, found.message_ids.length], [MAX_COUNTED_HITS, false, 5]);
});

// rules: fetch-17
test('an invalid narrow and an empty search are refused as for a page', async () => {
  const { code } = await member.fails('GET', '/messages/hits', { narrow: [{ operator: 'nothing', operand: 'x' }] });
  assert.equal(code, 'BAD_NARROW');
  await member.fails('GET', '/messages/hits', { narrow: words(' ') });
});
