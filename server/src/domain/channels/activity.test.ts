import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { Role } from '../../directory/records.ts';
import type { TestClient, TestQueue } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { age, passSilently } from '../../testing/operations/expiring.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
/** `other` is another process on the same database. */
let other: TestServer;
let owner: TestClient;
let member: TestClient;
let guest: TestClient;
before(async () => {
  server = await startTestServer();
  other = await startTestServer({ shared: server.shared });
  owner = server.owner;
  member = await server.user();
  guest = await server.user({ role: Role.guest });
});
after(async () => {
  await other.stop();
  await server.stop();
});
beforeEach(() => passSilently(server, { days: 400 }));

let made = 0;

/** Creates a channel of the owner without messages, which is not recently active. */
async function silent(more = {}) {
  const name = `silent ${++made}`;
  const id = await server.emptyChannel(owner, name, more);
  await passSilently(server, { days: 181 });
  return { id, name };
}

const isActive = async (id: number, client = owner) =>
  (await client.ok('GET', `/streams/${id}`)).stream.is_recently_active;

/** Applies all events in both processes. */
async function catchUp(): Promise<void> {
  for (const one of [server, other]) await (await one.app.organizations.bySubdomain(''))?.catchUp();
}

const stream = { event_types: ['stream'] };

/** Returns the properties of the channel that the queue’s events change, with their values. */
async function changesOf(queue: TestQueue, id: number): Promise<readonly (readonly [string, unknown])[]> {
  const events: readonly Json[] = await queue.now();
  return events.filter((event) => event.stream_id === id).map((event) => [event.property, event.value]);
}

const activity = (value: boolean) => ['is_recently_active', value];

// rules: channels-13
test('a channel older than 180 days is recently active only if it has recent messages', async () => {
  const empty = await server.emptyChannel(owner, `empty ${++made}`);
  const named = async (word: string) => {
    const name = `${word} ${++made}`;
    return { id: await server.emptyChannel(owner, name), name };
  };
  const [quiet, lively] = [await named('quiet'), await named('lively')];
  const sent = [await owner.send(quiet.name, 'a', 'old'), await owner.send(lively.name, 'a', 'old')];
  await age(server, sent, 100);
  await owner.send(lively.name, 'a', 'young');
  await passSilently(server, { days: 179 });
  const all = () => Promise.all([empty, quiet.id, lively.id].map((id) => isActive(id)));
  assert.deepEqual(await all(), [true, true, true], 'new channels are recently active');
  await age(server, sent, 80);
  await passSilently(server, { days: 179 });
  assert.deepEqual(await all(), [true, true, true], 'a new channel is recently active although its messages are old');
  const queue = await member.register(stream);
  await server.app.db
    .updateTable('channels')
    .set({ created_at: new Date(0), activity_due_at: new Date(0) })
    .where('id', 'in', [empty, quiet.id, lively.id])
    .execute();
  await passSilently(server, { days: 1 });
  assert.deepEqual(await all(), [false, false, true]);
  const { state } = await owner.register({ event_types: ['stream', 'subscription'] });
  for (const list of [state.streams, state.subscriptions]) {
    const shown = new Map(list.map((channel: Json) => [channel.stream_id, channel.is_recently_active]));
    assert.deepEqual(
      [empty, quiet.id, lively.id].map((id) => shown.get(id)),
      [false, false, true],
    );
  }
  const events: readonly Json[] = await queue.now();
  assert.deepEqual(
    events.map(({ id: _, ...event }) => event),
    [[empty, `empty ${made - 2}`] as const, [quiet.id, quiet.name] as const].map(([stream_id, name]) => {
      return { type: 'stream', op: 'update', stream_id, name, property: 'is_recently_active', value: false };
    }),
  );
});

test('the server looks at a channel again when its newest message is half a year old, and daily in a deactivated organization', async () => {
  const { db } = server.app;
  const name = `old ${++made}`;
  const id = await server.emptyChannel(owner, name);
  await age(server, [await owner.send(name, 'a', 'old'), await owner.send(name, 'a', 'newer')], 100);
  await server.organization('gone');
  await sql`UPDATE organizations SET deactivated_at = now() WHERE subdomain = 'gone'`.execute(db);
  await sql`UPDATE channels SET created_at = 'epoch', activity_due_at = 'epoch', is_recently_active = true`.execute(db);
  await passSilently(server, { days: 1 });
  const { rows } = await sql`
    SELECT activity_due_at = (SELECT max(sent_at) FROM messages WHERE channel_id = ${id}) + make_interval(days => 180) AS "isThen"
      FROM channels WHERE id = ${id}`.execute(db);
  assert.deepEqual(rows, [{ isThen: true }]);
  const { rows: days } = await sql<{ days: number }>`
    SELECT DISTINCT round(extract(epoch FROM activity_due_at - now()) / 86400)::integer AS days, is_recently_active AS "isActive"
      FROM channels JOIN organizations ON organizations.id = organization_id WHERE subdomain = 'gone'`.execute(db);
  assert.deepEqual(days, [{ days: 2, isActive: true }]);
});

test('a channel that loses its last message is looked at again', async () => {
  const name = `emptied ${++made}`;
  const id = await server.emptyChannel(owner, name);
  const message = await owner.send(name, 'a', 'only');
  await age(server, [message], 100);
  await sql`UPDATE channels SET created_at = 'epoch', activity_due_at = 'epoch' WHERE id = ${id}`.execute(
    server.app.db,
  );
  await passSilently(server, { days: 1 });
  assert.equal(await isActive(id), true);
  await owner.ok('DELETE', `/messages/${message}`);
  await passSilently(server, { days: 1 });
  assert.equal(await isActive(id), false);
});

// rules: channels-13
test('a message makes only its own channel recently active, and sends one event', async () => {
  const [channel, still] = [await silent(), await silent()];
  await owner.send(channel.name, 'a', 'first');
  await passSilently(server, { days: 181 });
  const queue = await member.register({ event_types: ['stream', 'message'], all_public_streams: true });
  await owner.send(channel.name, 'a', 'hello');
  await owner.send(channel.name, 'a', 'again');
  const events: readonly Json[] = await queue.now();
  assert.deepEqual(
    events.map((event) => [event.type, event.property ?? event.message.content, event.value]),
    [
      ['message', 'hello', undefined],
      ['stream', 'is_recently_active', true],
      ['message', 'again', undefined],
    ],
  );
  assert.equal(events[1]?.id, events[0]?.id + 1, 'the message and the activity event are in one commit');
  assert.deepEqual([await isActive(channel.id), await isActive(still.id)], [true, false]);
});

test('the first message of an inactive channel sends first_message_id and is_recently_active', async () => {
  const { id, name } = await silent();
  const queue = await member.register(stream);
  const messageId = await owner.send(name, 'a', 'at last');
  assert.deepEqual(await changesOf(queue, id), [['first_message_id', messageId], activity(true)]);
  const rows = await server.app.db.selectFrom('channels').selectAll().where('id', '=', id).execute();
  assert.deepEqual(
    rows.map((row) => [row.first_message_id, row.is_recently_active]),
    [[messageId, true]],
  );
});

// rules: channels-13
test('only users with metadata access receive a channel’s activity events', async () => {
  const hidden = await silent({ invite_only: true });
  const open = await silent();
  const queues = [await owner.register(stream), await member.register(stream), await guest.register(stream)];
  for (const { name } of [hidden, open]) await owner.send(name, 'a', 'hello');
  await passSilently(server, { days: 181 });
  const changes = (queue: TestQueue) =>
    queue
      .now()
      .then((events: readonly Json[]) =>
        events
          .filter((event) => event.property === 'is_recently_active')
          .map((event) => [event.stream_id, event.value]),
      );
  const both = [hidden.id, open.id];
  const [first, second, third] = await Promise.all(queues.map(changes));
  const changed = (ids: readonly number[]) => [true, false].flatMap((value) => ids.map((id) => [id, value]));
  assert.deepEqual(first, changed(both));
  assert.deepEqual(second, changed([open.id]));
  assert.deepEqual(third, []);
});

// rules: channels-13
test('concurrent messages through two processes send one activity event', async () => {
  const { id, name } = await silent();
  const queue = await member.register(stream);
  await catchUp();
  const elsewhere = await other.sameUser(owner);
  const senders = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? owner : elsewhere));
  await Promise.all(senders.map((sender, index) => sender.send(name, 'a', `hello ${index}`)));
  await catchUp();
  const changes = (await changesOf(queue, id)).filter(([property]) => property === 'is_recently_active');
  assert.deepEqual(changes, [activity(true)]);
  assert.equal(await isActive(id, elsewhere), true);
});

// rules: channels-13
test('concurrent activity checks in two processes send one event per inactive channel', async () => {
  const name = `watched ${++made}`;
  const id = await server.emptyChannel(owner, name);
  const queue = await member.register(stream);
  await Promise.all([server, other, server, other].map((one) => passSilently(one, { days: 181 })));
  // Either process may have sent the event.
  await catchUp();
  assert.deepEqual(await changesOf(queue, id), [activity(false)]);
  assert.equal(await isActive(id, await other.sameUser(owner)), false);
});

test('a notice makes its channel recently active, as other messages do', async () => {
  const { id } = await silent();
  const queue = await member.register(stream);
  await owner.ok('PATCH', `/streams/${id}`, { description: 'What it is for' });
  assert.deepEqual(
    (await changesOf(queue, id)).filter(([property]) => property === 'is_recently_active'),
    [activity(true)],
  );
  assert.equal(await isActive(id), true);
});

// rules: channels-13
test('recent messages moved to an inactive channel make it active, with or without notices', async () => {
  const from = `from ${++made}`;
  await server.emptyChannel(owner, from);
  const move = async (stream_id: number, days: number, notices: boolean) => {
    const messageId = await owner.send(from, 'a', 'hello');
    await age(server, [messageId], days);
    const queue = await member.register(stream);
    await owner.ok('PATCH', `/messages/${messageId}`, {
      ...{
        stream_id,
        propagate_mode: 'change_one',
        send_notification_to_new_thread: notices,
        send_notification_to_old_thread: false,
      },
    });
    return (await changesOf(queue, stream_id)).filter(([property]) => property === 'is_recently_active');
  };
  const [young, noticed, old] = [await silent(), await silent(), await silent()];
  assert.deepEqual(await move(young.id, 0, false), [activity(true)]);
  assert.deepEqual(await move(noticed.id, 0, true), [activity(true)]);
  assert.deepEqual(await move(old.id, 200, false), []);
  assert.deepEqual(await Promise.all([young, noticed, old].map(({ id }) => isActive(id))), [true, true, false]);
  assert.deepEqual(await move(old.id, 200, true), [activity(true)], 'the notice makes it active');
});

test('two notices of one move send one activity event', async () => {
  const { id, name } = await silent();
  await owner.send(name, 'a', 'stays');
  const messageId = await owner.send(name, 'a', 'goes');
  await passSilently(server, { days: 181 });
  const queue = await member.register(stream);
  await owner.ok('PATCH', `/messages/${messageId}`, {
    ...{ topic: 'b', propagate_mode: 'change_one' },
    ...{ send_notification_to_new_thread: true, send_notification_to_old_thread: true },
  });
  assert.deepEqual(await changesOf(queue, id), [activity(true)]);
});
