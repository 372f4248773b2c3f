import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Organization } from '../../../directory/organization.ts';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { moveMessages } from '../../../testing/server/message-changes.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { markEverythingRead, placesWithUnread } from './everything.ts';

let server: TestServer;
let owner: TestClient;
let organization: Organization;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  const found = await server.app.organizations.bySubdomain('');
  assert(found !== undefined);
  organization = found;
});
after(() => server.stop());

const markAll = async (client: TestClient) => (await client.ok('POST', '/mark_all_as_read')).complete;
const listen = (client: TestClient) => client.register({ event_types: ['update_message_flags'] });
const summaries = (events: readonly Json[]) =>
  events.map(({ op, flag, messages, all }) => [op, flag, messages.length, all]);
const rowsOf = ({ userId }: TestClient) =>
  server.app.db.selectFrom('message_flags').selectAll().where('user_id', '=', userId).execute();

async function unread(client: TestClient): Promise<Json> {
  const { unread_msgs } = (await client.register({ event_types: ['message', 'update_message_flags'] })).state;
  const narrow = [{ operator: 'is', operand: 'unread' }];
  const { messages } = await client.ok('GET', '/messages', {
    anchor: 'oldest',
    num_before: 0,
    num_after: 5000,
    narrow,
  });
  return [unread_msgs.count, messages.length];
}

// rules: reading-12
test('mark_all_as_read reads channels, conversations, messages marked unread and moved ones, and keeps other flags', async () => {
  const reader = await server.user({ name: 'Rea Reader' });
  const places = ['one', 'two'];
  const ids: number[] = [];
  for (const name of places) {
    await server.emptyChannel(owner, name, { principals: [reader.userId] });
    for (let n = 0; n < 4; n++) ids.push(await owner.send(name, 'a', n === 2 ? '@**Rea Reader**' : 'x'));
  }
  const direct = await owner.direct([reader.userId], 'x');
  const [first = 0, second = 0, , fourth = 0] = ids;
  await reader.ok('POST', '/messages/flags', { op: 'add', flag: 'read', messages: [first, second] });
  await reader.ok('POST', '/messages/flags', { op: 'remove', flag: 'read', messages: [first] });
  await reader.ok('POST', '/messages/flags', { op: 'add', flag: 'starred', messages: [first, fourth] });
  const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: 'two' });
  await moveMessages(server, [second, fourth], stream_id, 'b');
  const queue = await listen(reader);
  assert.equal(await markAll(reader), true);
  assert.deepEqual(await unread(reader), [0, 0]);
  assert.deepEqual(summaries(await queue.now()), [['add', 'read', 0, true]]);
  const flags = await reader.ok('GET', '/messages', { message_ids: [first, fourth, direct] });
  assert.deepEqual(
    flags.messages.map((message: Json) => message.flags),
    [['read', 'starred'], ['read', 'starred'], ['read']],
  );
  assert(!(await rowsOf(reader)).some((row) => (row.flags & 3) === 2));
});

test('other users are unaffected, and a second call sends no event', async () => {
  const reader = await server.user();
  await server.emptyChannel(owner, 'three', { principals: [reader.userId] });
  await owner.send('three', 'a', 'x', { read_by_sender: false });
  const others = await unread(owner);
  await markAll(reader);
  const queue = await listen(reader);
  assert.equal(await markAll(reader), true);
  assert.deepEqual(await queue.now(), []);
  assert.deepEqual(await unread(owner), others);
  assert(others[0] > 0);
});

test('messages sent afterwards are unread, also with concurrent sends', async () => {
  const reader = await server.user();
  await server.emptyChannel(owner, 'four', { principals: [reader.userId] });
  const queue = await reader.register({ event_types: ['message', 'update_message_flags'] });
  const sending = Promise.all(Array.from({ length: 60 }, (_, n) => owner.send('four', `topic ${n % 3}`, 'x')));
  await Promise.all([sending, markAll(reader), markAll(reader)]);
  const last = await owner.send('four', 'a', 'last');
  const open = new Set<number>();
  for (const event of await queue.now()) {
    if (event.type === 'message') open.add(event.message.id);
    else if (event.all) open.clear();
    else for (const id of event.messages) open.delete(id);
  }
  assert(open.has(last));
  assert.deepEqual(await unread(reader), [open.size, open.size]);
});

test('rows that the watermarks make redundant are deleted', async () => {
  const reader = await server.user();
  await server.emptyChannel(owner, 'five', { principals: [reader.userId] });
  const ids: number[] = [];
  for (let n = 0; n < 6; n++) ids.push(await owner.send('five', 'a', 'x'));
  const messages = ids.filter((_, n) => n % 2 === 1);
  await reader.ok('POST', '/messages/flags', { op: 'add', flag: 'read', messages });
  await reader.ok('POST', '/messages/flags', { op: 'add', flag: 'starred', messages: messages.slice(0, 1) });
  assert.equal((await rowsOf(reader)).length, 3);
  await markAll(reader);
  assert.deepEqual(
    (await rowsOf(reader)).map(({ flags }) => flags),
    [4],
  );
});

// rules: reading-12
test('rows marked unread are read in batches of 5,000, and a timeout returns complete=false for the next call to continue', async () => {
  const reader = await server.user();
  const channelId = await server.emptyChannel(owner, 'six', { principals: [reader.userId] });
  await organization.transact('server', 'exclusive', async ({ db, directory }) => {
    await sql`
      WITH taken AS (
        UPDATE logs SET message_head = message_head + 12000
         WHERE organization_id = ${directory.organization.id} RETURNING message_head - 12000 AS base
      ), sent AS (
        INSERT INTO messages (organization_id, id, sender_id, channel_id, topic, content, rendered_content,
                              mentions_channel, is_me_message, client, sent_at)
        SELECT ${directory.organization.id}, base + n, ${owner.userId}, ${channelId}, 'many', 'x', '<p>x</p>',
               false, false, 'test', now()
          FROM taken, generate_series(1, 12000) AS n
        RETURNING organization_id, id
      )
      INSERT INTO message_flags (organization_id, user_id, message_id, flags)
      SELECT organization_id, ${reader.userId}, id, 2 FROM sent`.execute(db);
    await sql`
      UPDATE subscriptions SET read_through = (SELECT max(id) FROM messages)
       WHERE user_id = ${reader.userId} AND channel_id = ${channelId}`.execute(db);
  });
  const caller = organization.directory.user(reader.userId);
  assert(caller !== undefined);
  const queue = await listen(reader);
  assert.equal(await markEverythingRead(organization, caller, 0), false);
  const left = async () => (await reader.register()).state.unread_msgs.count;
  assert.equal(await left(), 7000);
  assert.equal(await markAll(reader), true);
  assert.equal(await left(), 0);
  assert.deepEqual(await rowsOf(reader), []);
  assert.deepEqual(summaries(await queue.now()), [
    ['add', 'read', 5000, false],
    ['add', 'read', 5000, false],
    ['add', 'read', 0, true],
  ]);
});

test('the query uses the channel index instead of scanning all messages when one channel has nearly all of them', async () => {
  await owner.subscribe('crowded');
  const { stream_id: channelId } = await owner.ok('GET', '/get_stream_id', { stream: 'crowded' });
  const plan = await server.app.db.connection().execute(async (db) => {
    await sql`BEGIN`.execute(db);
    await sql`SET LOCAL statement_timeout = 0`.execute(db);
    await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(db);
    await sql`
      INSERT INTO messages (organization_id, id, sender_id, channel_id, topic, content, rendered_content, mentions_channel,
                            is_me_message, client, sent_at)
      SELECT ${organization.id}, 1000000 + number, ${owner.userId}, ${channelId}, '', 'a', 'a', false, false, 'test', now()
        FROM generate_series(1, 20000) AS number`.execute(db);
    await sql`ANALYZE messages`.execute(db);
    const places = placesWithUnread(organization.id, owner.userId, 2_000_000);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`EXPLAIN WITH ${places} SELECT FROM channel`.execute(db);
    await sql`ROLLBACK`.execute(db);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  assert.match(plan, /using messages_by_channel/);
  assert.doesNotMatch(plan, /Seq Scan on messages/);
});
