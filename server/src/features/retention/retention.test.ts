import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import type { TestClient, TestQueue } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { age, expire, letPoliciesStand } from '../../testing/operations/expiring.ts';
import { inSeconds } from '../../testing/server/due.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { deleteExpired } from './expiring.ts';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.user();
});
after(() => server.stop());
afterEach(() => keep('unlimited'));

let made = 0;

/** Creates a channel with the member and the owner that keeps its messages for so many days. */
async function channel(days: number | 'unlimited' | 'realm_default', more = {}) {
  const name = `kept ${++made}`;
  const id = await server.emptyChannel(owner, name, { principals: [member.userId], ...more });
  if (days !== 'realm_default') await keepIn(id, days);
  return { id, name };
}

/** Deletes the notice at once, because tests count messages. */
async function keepIn(id: number, days: unknown): Promise<void> {
  await owner.ok('PATCH', `/streams/${id}`, { message_retention_days: days });
  await owner.ok('POST', `/streams/${id}/delete_topic`, { topic_name: 'channel events' });
}

const keep = (days: unknown) => owner.ok('PATCH', '/realm', { message_retention_days: days });

/** Returns which of the messages still exist. */
async function left(ids: readonly number[]): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM messages WHERE id = ANY (${ids}::bigint[]) ORDER BY id`.execute(server.app.db);
  return rows.map(({ id }) => id);
}

const bulk = { client_capabilities: { bulk_message_deletion: true, empty_topic_name: true } };

async function deletions(queue: TestQueue): Promise<readonly Json[]> {
  return (await queue.now()).filter((event: Json) => event.type === 'delete_message');
}

// rules: channels-7
test('messages of a channel are deleted when they reach its retention time, and no others are', async () => {
  const [short, long, forever] = [await channel(3), await channel(30), await channel('unlimited')];
  const old: number[] = [];
  for (const { name } of [short, long, forever]) old.push(await member.send(name, 'a', 'old'));
  const young = await member.send(short.name, 'a', 'young');
  const direct = await member.direct([owner.userId], 'old');
  await age(server, [...old, direct], 10);
  await expire(server, { daysFromNow: 0 });
  assert.deepEqual(await left([...old, young, direct]), [...old.slice(1), young, direct]);
});

// rules: channels-6
test('the organization’s retention time applies to channels without their own, and to direct messages', async () => {
  const [own, inherited, forever] = [await channel(30), await channel('realm_default'), await channel('unlimited')];
  const ids: number[] = [];
  for (const { name } of [own, inherited, forever]) ids.push(await member.send(name, 'a', 'old'));
  ids.push(await member.direct([owner.userId], 'old'), await member.direct([member.userId], 'to myself'));
  await age(server, ids, 10);
  const young = [await member.direct([owner.userId], 'young'), await member.send(inherited.name, 'a', 'young')];
  await expire(server, { daysFromNow: 0 });
  assert.deepEqual(await left(ids), ids, 'the organization keeps messages forever');
  await keep(5);
  await letPoliciesStand(server.app.db);
  await expire(server, { daysFromNow: 0 });
  assert.deepEqual(await left([...ids, ...young]), [ids[0], ids[2], ...young]);
  await expire(server, { daysFromNow: 6 });
  assert.deepEqual(await left([...ids, ...young]), [ids[0], ids[2]]);
});

test('a policy deletes nothing on its first day, and nothing at all if it is reverted on that day', async () => {
  const [inChannel, inherited] = [await channel('unlimited'), await channel('realm_default')];
  const ids = [
    await member.send(inChannel.name, 'a', 'old'),
    await member.send(inherited.name, 'a', 'old'),
    await member.direct([owner.userId], 'old'),
  ];
  await age(server, ids, 10);
  const mistaken = async () => {
    await keepIn(inChannel.id, 1);
    await keep(1);
  };
  await mistaken();
  await expire(server, { daysFromNow: 0.99 });
  assert.deepEqual(await left(ids), ids);
  await keepIn(inChannel.id, 'unlimited');
  await keep('unlimited');
  await expire(server, { daysFromNow: 1.01 });
  assert.deepEqual(await left(ids), ids);
  await mistaken();
  await expire(server, { daysFromNow: 1.01 });
  assert.deepEqual(await left(ids), []);
});

// rules: channels-7
test('users receive deletion events for their messages, one per message for clients without bulk_message_deletion', async () => {
  const outsider = await server.user();
  const { id, name } = await channel(3);
  const ids = [await member.send(name, 'a', 'one'), await member.send(name, 'a', 'two')];
  await keep(3);
  const direct = await member.direct([owner.userId], 'direct');
  await age(server, [...ids, direct], 10);
  const queues = [await owner.register(bulk), await owner.register(), await outsider.register(bulk)];
  await expire(server, { daysFromNow: 0 });
  const deleted = (await Promise.all(queues.map(deletions))).map((events) =>
    events.map((event) => [event.stream_id, event.topic, event.message_ids ?? event.message_id]),
  );
  assert.deepEqual(deleted, [
    [
      [id, 'a', ids],
      [undefined, undefined, [direct]],
    ],
    [
      [id, 'a', ids[0]],
      [id, 'a', ids[1]],
      [undefined, undefined, direct],
    ],
    [],
  ]);
});

// rules: channels-7
test('an expired message leaves no trace in responses, flags, reminders or the log', async () => {
  const { id, name } = await channel(3);
  const gone = await owner.send(name, 'gone', '@**all** the expired word');
  const kept = await owner.send(name, 'kept', 'kept');
  await member.ok('POST', '/messages/flags', { messages: [gone], op: 'add', flag: 'starred' });
  await member.ok('POST', `/messages/${gone}/reactions`, { emoji_name: 'tada' });
  await owner.ok('PATCH', `/messages/${gone}`, { content: 'the other expired word' });
  await member.ok('POST', '/reminders', { message_id: gone, scheduled_delivery_timestamp: inSeconds(86_400) });
  const late = await member.register(bulk);
  await owner.ok('PATCH', `/messages/${gone}`, { content: 'the last expired word' });
  await age(server, [gone], 10);
  await expire(server, { daysFromNow: 0 });
  assert(!JSON.stringify(await late.now()).includes('expired word'));
  const { state } = await member.register();
  assert(!JSON.stringify(state).includes('expired word'));
  assert(!state.starred_messages.includes(gone));
  const unread = state.unread_msgs.streams.filter((one: Json) => one.stream_id === id);
  assert.deepEqual(
    unread.map((one: Json) => [one.topic, one.unread_message_ids]),
    [['kept', [kept]]],
  );
  assert.equal((await member.ok('GET', `/streams/${id}`)).stream.first_message_id, kept);
  assert.deepEqual((await member.ok('GET', `/users/me/${id}/topics`)).topics, [{ name: 'kept', max_id: kept }]);
  const { messages } = await member.ok('GET', '/messages', { anchor: 'newest', num_before: 100, num_after: 0 });
  assert(!JSON.stringify(messages).includes('expired word'));
  for (const path of [`/messages/${gone}`, `/messages/${gone}/history`]) {
    assert.equal((await member.fails('GET', path)).msg, 'Invalid message(s)');
  }
  for (const table of ['message_flags', 'message_edits', 'reactions']) {
    const { rows } = await sql`SELECT FROM ${sql.table(table)} WHERE message_id = ${gone}`.execute(server.app.db);
    assert.equal(rows.length, 0, table);
  }
  const { rows } = await sql`SELECT FROM events WHERE body LIKE '%expired word%'`.execute(server.app.db);
  assert.equal(rows.length, 0);
});

test('a moved message follows the policy of its current channel', async () => {
  const [short, long] = [await channel(3), await channel(30)];
  const [out, into] = [await owner.send(short.name, 'a', 'out'), await owner.send(long.name, 'b', 'into')];
  const younger = await owner.send(short.name, 'a', 'younger');
  const quiet = { send_notification_to_old_thread: false, send_notification_to_new_thread: false };
  await owner.ok('PATCH', `/messages/${out}`, { stream_id: long.id, propagate_mode: 'change_one', ...quiet });
  await owner.ok('PATCH', `/messages/${into}`, { stream_id: short.id, propagate_mode: 'change_one', ...quiet });
  await age(server, [out, into, younger], 10);
  await expire(server, { daysFromNow: 0 });
  assert.deepEqual(await left([out, into, younger]), [out]);
});

test('messages of archived channels expire, too', async () => {
  const { id, name } = await channel(3);
  const old = await member.send(name, 'a', 'old');
  await owner.ok('DELETE', `/streams/${id}`);
  await age(server, [old], 10);
  await expire(server, { daysFromNow: 0 });
  assert.deepEqual(await left([old]), []);
});

/** Inserts this many copies of a message, right after it. */
async function multiply(id: number, count: number): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    WITH taken AS (
      UPDATE logs SET message_head = message_head + ${count}
       WHERE organization_id = (SELECT organization_id FROM messages WHERE id = ${id} LIMIT 1)
      RETURNING organization_id, message_head - ${count} AS base
    )
    INSERT INTO messages (organization_id, id, sender_id, channel_id, conversation_id, topic, content, rendered_content,
                          mentions_channel, is_me_message, client, sent_at)
    SELECT taken.organization_id, base + n, sender_id, channel_id, conversation_id, topic, content, rendered_content,
           mentions_channel, is_me_message, client, sent_at
      FROM taken JOIN messages USING (organization_id), generate_series(1, ${count}) AS n
     WHERE messages.id = ${id}
    RETURNING id`.execute(server.app.db);
  return [id, ...rows.map((row) => row.id)];
}

test('many deletions take several commits, and after an abort between two the next run deletes the rest', async () => {
  const { name } = await channel(3);
  const first = [await member.send(name, 'a', 'many'), await member.direct([owner.userId], 'many')];
  await keep(3);
  await age(server, first, 10);
  const ids = (await Promise.all(first.map((id) => multiply(id, 1200)))).flat();
  const stop = new AbortController();
  const queue = await owner.register(bulk);
  const home = await server.app.organizations.bySubdomain('');
  home?.onEvent(({ type }) => type === 'delete_message' && stop.abort());
  await deleteExpired(server.app, { at: new Date(), signal: stop.signal });
  const rest = (await left(ids)).length;
  assert(rest > 0 && rest < ids.length, `${rest} messages are left of ${ids.length}`);
  await expire(server, { daysFromNow: 0 });
  assert.deepEqual(await left(ids), []);
  const deletedIds = (await deletions(queue)).flatMap((event) => event.message_ids);
  assert.deepEqual(
    deletedIds.toSorted((a, b) => a - b),
    ids.toSorted((a, b) => a - b),
    'each deletion is sent once',
  );
});

test('several processes that delete concurrently delete each message once', async (t) => {
  const other = await startTestServer({ shared: server.shared });
  t.after(() => other.stop());
  const { name } = await channel(3);
  const first = [await member.send(name, 'a', 'many'), await member.direct([owner.userId], 'many')];
  await keep(3);
  await age(server, first, 10);
  const ids = (await Promise.all(first.map((id) => multiply(id, 1200)))).flat();
  const queue = await owner.register(bulk);
  await Promise.all([server, other, server, other].map((one) => expire(one, { daysFromNow: 0 })));
  assert.deepEqual(await left(ids), []);
  await (await server.app.organizations.bySubdomain(''))?.catchUp();
  const deletedIds = (await deletions(queue)).flatMap((event) => event.message_ids);
  assert.deepEqual(
    deletedIds.toSorted((a, b) => a - b),
    ids.toSorted((a, b) => a - b),
  );
});

test('a process that does not know a channel yet deletes its expired messages, and sends its new first_message_id', async (t) => {
  // Without this clock, the other process would look for events after two seconds, and would know the channel on a slow machine.
  t.mock.timers.enable({ apis: ['setInterval'] });
  const other = await startTestServer({ shared: server.shared });
  t.mock.timers.reset();
  t.after(() => other.stop());
  const behind = (await other.app.organizations.bySubdomain(''))?.directory;
  const kept = async () => {
    const { id, name } = await channel(3);
    const [old, young] = [await member.send(name, 'a', 'old'), await member.send(name, 'a', 'young')];
    await age(server, [old], 10);
    return { id, old, young };
  };
  // The background work of the other process can make it look for events.
  let { id, old, young } = await kept();
  for (let made = 1; behind?.channel(id) !== undefined; made += 1) {
    assert(made < 10, 'the process already knows the channel');
    ({ id, old, young } = await kept());
  }
  const queue = await owner.register({ event_types: ['stream'] });
  await expire(other, { daysFromNow: 0 });
  assert.deepEqual(await left([old]), []);
  await (await server.app.organizations.bySubdomain(''))?.catchUp();
  // The earlier channels of the loop lose their expired messages too, and have an event each.
  const events = await queue.now();
  const ours = events.filter((event) => event.stream_id === id);
  assert.deepEqual(
    ours.map(({ property, value }) => [property, value]),
    [['first_message_id', young]],
  );
});

test('the server deletes expired messages by itself, also in organizations without activity', async (t) => {
  const { name } = await channel(3);
  const elsewhere = await server.organization('archive');
  await elsewhere.ok('PATCH', '/realm', { message_retention_days: 3 });
  const [here, there] = [await member.send(name, 'a', 'old'), await elsewhere.direct([elsewhere.userId], 'old')];
  const { rows } = await sql<{ id: number }>`SELECT id FROM organizations WHERE subdomain = 'archive'`.execute(
    server.app.db,
  );
  await age(server, [here, there], 10);
  const other = await startTestServer({ shared: server.shared, recurringJobs: ['delete-expired'] });
  t.after(() => other.stop());
  await sql`UPDATE jobs SET due_at = now() WHERE kind = 'delete-expired'`.execute(server.app.db);
  await other.app.jobs.settled();
  assert.deepEqual(await left([here]), []);
  const { rows: theirs } = await sql`
    SELECT FROM messages WHERE organization_id = ${rows[0]?.id ?? 0} AND id = ${there}`.execute(server.app.db);
  assert.equal(theirs.length, 0);
});
