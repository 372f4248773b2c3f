import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { readValue } from '../../../db/prepared.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { selectMarks } from './queries.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

// rules: reading-15
test('unread_msgs.count excludes muted channels, whose messages are still listed', async () => {
  const { owner } = server;
  const reader = await server.user();
  await server.emptyChannel(owner, 'heard', { principals: [reader.userId] });
  const stream_id = await server.emptyChannel(owner, 'muted', { principals: [reader.userId] });
  await owner.send('heard', 'a', 'counts');
  await owner.direct([reader.userId], 'counts');
  const hushed = [await owner.send('muted', 'a', 'does not'), await owner.send('muted', 'b', '@**all**')];
  const unread = async () =>
    (await reader.register({ event_types: ['message', 'update_message_flags'] })).state.unread_msgs;
  const setMuted = (value: boolean) =>
    reader.ok('POST', '/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id, property: 'is_muted', value }],
    });
  assert.equal((await unread()).count, 4);
  await setMuted(true);
  const { count, streams, mentions } = await unread();
  assert.equal(count, 2);
  const groups = streams.filter((group: Json) => group.stream_id === stream_id);
  assert.deepEqual(
    groups.flatMap((group: Json) => group.unread_message_ids),
    hushed,
  );
  assert.deepEqual(mentions, hushed.slice(1));
  await setMuted(false);
  assert.equal((await unread()).count, 4);
});

test('after reading everything, only a new direct, channel, marked or moved message is unread', async () => {
  const { owner } = server;
  const reader = await server.user();
  await server.emptyChannel(owner, 'home', { principals: [reader.userId] });
  const elsewhere = await server.emptyChannel(owner, 'elsewhere', { principals: [reader.userId] });
  const unread = async () => {
    const { state } = await reader.register({ event_types: ['message', 'update_message_flags'] });
    const { count, streams, pms } = state.unread_msgs;
    const ids = [...streams, ...pms].flatMap((group: Json) => group.unread_message_ids);
    assert.equal(count, ids.length);
    return ids;
  };
  const read = () => reader.ok('POST', '/mark_all_as_read');
  await read();
  assert.deepEqual(await unread(), []);
  const direct = await owner.direct([reader.userId], 'for you');
  assert.deepEqual(await unread(), [direct]);
  await read();
  const sent = await owner.send('home', 'a', 'for all');
  assert.deepEqual(await unread(), [sent]);
  await read();
  assert.deepEqual(await unread(), []);
  await reader.ok('POST', '/messages/flags', { messages: [sent], op: 'remove', flag: 'read' });
  assert.deepEqual(await unread(), [sent]);
  await read();
  const moved = await owner.send('home', 'a', 'on its way');
  const move = { stream_id: elsewhere, send_notification_to_old_thread: false, send_notification_to_new_thread: false };
  await owner.ok('PATCH', `/messages/${moved}`, move);
  assert.deepEqual(await unread(), [moved]);
});

/** What the statement of a registration reads of the user's unread messages: their number, or null if it leaves them to another statement. */
async function readAtOnce(userId: number): Promise<number | null> {
  const { db, organizations } = server.app;
  const organizationId = (await organizations.bySubdomain(''))?.id ?? 0;
  const marks = await readValue(db, selectMarks({ organizationId: sql.lit(organizationId), userId: sql.lit(userId) }));
  return marks.groups?.reduce((sum, { ids }) => sum + ids.split(',').length, 0) ?? null;
}

test('few unread messages are read at once, unless some were moved or marked as unread', async () => {
  const { owner } = server;
  const reader = await server.user();
  await server.emptyChannel(owner, 'here', { principals: [reader.userId] });
  const there = await server.emptyChannel(owner, 'there', { principals: [reader.userId] });
  assert.equal(await readAtOnce(reader.userId), 0);
  await owner.direct([reader.userId], 'one');
  const sent = [await owner.send('here', 'a', 'two'), await owner.send('here', 'b', '@**all** three')];
  assert.equal(await readAtOnce(reader.userId), 3);
  // Out of order, so that the last read id stays.
  const [first, second] = sent;
  await reader.ok('POST', '/messages/flags', { messages: [second], op: 'add', flag: 'read' });
  assert.equal(await readAtOnce(reader.userId), 2);
  await reader.ok('POST', '/mark_all_as_read');
  await reader.ok('POST', '/messages/flags', { messages: [first], op: 'remove', flag: 'read' });
  assert.equal(await readAtOnce(reader.userId), null);
  await reader.ok('POST', '/mark_all_as_read');
  assert.equal(await readAtOnce(reader.userId), 0);
  const moved = await owner.send('here', 'a', 'on its way');
  const move = { stream_id: there, send_notification_to_old_thread: false, send_notification_to_new_thread: false };
  await owner.ok('PATCH', `/messages/${moved}`, move);
  assert.equal(await readAtOnce(reader.userId), null);
});

// rules: reading-14
test('unread_msgs contains the newest 50,000 messages, and old_unreads_missing tells that there are more', async () => {
  const { owner, app } = server;
  const reader = await server.user();
  const channelId = await server.emptyChannel(owner, 'loud', { principals: [reader.userId] });
  const absent = await server.user();
  await server.emptyChannel(owner, 'hushed', { principals: [absent.userId] });
  await owner.send('hushed', 'a', 'waits for a long time');
  const mention = await owner.send('loud', 'first', '@**all**');
  const organization = await app.organizations.bySubdomain('');
  assert(organization !== undefined);
  // Fifty thousand requests would take minutes. These are the rows that they would leave.
  await organization.transact('server', 'exclusive', async ({ db, directory }) => {
    await sql`
      WITH taken AS (
        UPDATE logs SET message_head = message_head + 49999 WHERE organization_id = ${directory.organization.id}
        RETURNING message_head - 49999 AS base
      )
      INSERT INTO messages (organization_id, id, sender_id, channel_id, topic, content, rendered_content,
                            mentions_channel, is_me_message, client, sent_at)
      SELECT ${directory.organization.id}, base + n, ${owner.userId}, ${channelId}, 'second', 'x', '<p>x</p>',
             false, false, 'test', now()
        FROM taken, generate_series(1, 49999) AS n`.execute(db);
  });
  const unread = async (client = reader) => {
    const { unread_msgs } = await client.ok('POST', '/register', { event_types: ['message', 'update_message_flags'] });
    const { count, mentions, old_unreads_missing, streams } = unread_msgs;
    const topics = streams.map((group: { topic: string; unread_message_ids: number[] }) => [
      group.topic,
      group.unread_message_ids.length,
    ]);
    return { count, mentions, old_unreads_missing, topics };
  };
  const whole = [
    ['first', 1],
    ['second', 49_999],
  ];
  assert.deepEqual(await unread(), { count: 50_000, mentions: [mention], old_unreads_missing: false, topics: whole });
  assert.equal(await readAtOnce(reader.userId), null);
  await owner.send('loud', 'second', 'one too many');
  const newest = { count: 50_000, mentions: [], old_unreads_missing: true, topics: [['second', 50_000]] };
  assert.deepEqual(await unread(), newest);
  const one = { count: 1, mentions: [], old_unreads_missing: false, topics: [['a', 1]] };
  assert.deepEqual(await unread(absent), one);
});
