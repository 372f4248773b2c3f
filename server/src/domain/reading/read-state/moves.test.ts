import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { deleteMessages, moveMessages } from '../../../testing/server/message-changes.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let reader: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  reader = await server.user();
});
after(() => server.stop());

let made = 0;

/** Creates a channel with the owner and these subscribers. */
async function channel(...subscribers: readonly TestClient[]) {
  const name = `place ${++made}`;
  const id = await server.emptyChannel(owner, name, { principals: subscribers.map((client) => client.userId) });
  return { id, name };
}

const leave = (name: string) => reader.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name] });
const join = (name: string) => reader.subscribe(name);
const mark = (op: 'add' | 'remove', messages: readonly number[]) =>
  reader.ok('POST', '/messages/flags', { messages, op, flag: 'read' });
const move = (ids: readonly number[], { id }: { readonly id: number }) => moveMessages(server, ids, id, 'moved');

async function isUnread(id: number): Promise<boolean> {
  return !(await reader.ok('GET', `/messages/${id}`)).message.flags.includes('read');
}

/** Returns the versions of all rows of the tables. */
async function versions(...tables: readonly string[]): Promise<unknown> {
  const found = await Promise.all(
    tables.map((table) => sql`SELECT ctid, xmin FROM ${sql.table(table)} ORDER BY ctid`.execute(server.app.db)),
  );
  return found.map(({ rows }) => rows);
}

test('a move writes only the rows of the messages, however many subscribers both channels have', async () => {
  const users = await Promise.all(Array.from({ length: 20 }, () => server.user()));
  const from = await channel(reader, ...users);
  const to = await channel(reader, ...users);
  const ids = [await owner.send(from.name, 'a', 'zero'), await owner.send(from.name, 'a', '@**all**')];
  const before = await versions('subscriptions', 'subscription_intervals', 'message_flags');
  await move(ids, to);
  assert.deepEqual(await versions('subscriptions', 'subscription_intervals', 'message_flags'), before);
  assert(await isUnread(ids[0] ?? 0));
});

test('a message moved to an unsubscribed channel and back is unread as before', async () => {
  const home = await channel(reader);
  const elsewhere = await channel();
  const ids = [await owner.send(home.name, 'a', 'unread'), await owner.send(home.name, 'a', 'read')];
  await mark('add', ids.slice(1));
  await move(ids, elsewhere);
  assert.deepEqual(await Promise.all(ids.map(isUnread)), [false, false]);
  const later = await owner.send(home.name, 'a', 'later');
  await mark('add', [later]);
  await move(ids, home);
  assert.deepEqual(await Promise.all([...ids, later].map(isUnread)), [true, false, false]);
});

test('subscribing marks earlier moved messages as read, also after another move', async () => {
  const home = await channel(reader);
  const elsewhere = await channel();
  const [before, after] = [await owner.send(home.name, 'a', 'zero'), await owner.send(home.name, 'a', 'one')];
  await move([before], elsewhere);
  await join(elsewhere.name);
  await move([after], elsewhere);
  assert.deepEqual([await isUnread(before), await isUnread(after)], [false, true]);
  await move([before, after], home);
  assert.deepEqual([await isUnread(before), await isUnread(after)], [false, true]);
});

test('leaving a channel marks its messages as read permanently, but not the messages moved away from it', async () => {
  const home = await channel(reader);
  const elsewhere = await channel(reader);
  const [stays, goes] = [await owner.send(home.name, 'a', 'zero'), await owner.send(home.name, 'a', 'one')];
  await move([goes], elsewhere);
  await leave(home.name);
  assert.deepEqual([await isUnread(stays), await isUnread(goes)], [false, true]);
  await move([stays], elsewhere);
  await join(home.name);
  assert.deepEqual([await isUnread(stays), await isUnread(goes)], [false, true]);
  await move([goes, stays], home);
  assert.deepEqual([await isUnread(stays), await isUnread(goes)], [false, true]);
});

test('the subscribers of their current channel can mark moved messages', async () => {
  const home = await channel();
  const elsewhere = await channel(reader);
  const id = await owner.send(home.name, 'a', 'before');
  await move([id], elsewhere);
  assert(!(await isUnread(id)));
  assert.deepEqual((await mark('remove', [id])).messages, [id]);
  assert(await isUnread(id));
  assert.deepEqual((await mark('add', [id])).messages, [id]);
  assert.deepEqual((await mark('add', [id])).messages, []);
});

test('unread moved messages are counted in their current channel', async () => {
  const home = await channel(reader);
  const elsewhere = await channel(reader);
  const ids = [await owner.send(home.name, 'a', 'zero'), await owner.send(home.name, 'a', 'one')];
  await move(ids.slice(1), elsewhere);
  const { unread_msgs } = await reader.ok('POST', '/register', { event_types: ['message', 'update_message_flags'] });
  const groups = unread_msgs.streams.filter((group: Json) => [home.id, elsewhere.id].includes(group.stream_id));
  assert.deepEqual(groups, [
    { stream_id: home.id, topic: 'a', unread_message_ids: ids.slice(0, 1) },
    { stream_id: elsewhere.id, topic: 'moved', unread_message_ids: ids.slice(1) },
  ]);
});

test('deleting a message deletes its flags, and the next message becomes the channel’s first', async () => {
  const home = await channel(reader);
  const ids = [await owner.send(home.name, 'a', 'zero'), await owner.send(home.name, 'a', 'one')];
  await reader.ok('POST', '/messages/flags', { messages: ids, op: 'add', flag: 'starred' });
  await deleteMessages(server, ids.slice(0, 1));
  const { db } = server.app;
  const rows = await db.selectFrom('message_flags').select('message_id').where('message_id', 'in', ids).execute();
  assert.deepEqual(
    rows.map((row) => row.message_id),
    ids.slice(1),
  );
  const first = async () => (await owner.ok('GET', `/streams/${home.id}`)).stream.first_message_id;
  assert.equal(await first(), ids[1]);
  await move(ids.slice(1), await channel());
  assert.equal(await first(), null);
});

test('marking messages during a concurrent subscription or unsubscription happens before or after it', async () => {
  const home = await channel(reader);
  const ids: number[] = [];
  for (let n = 0; n < 6; n++) ids.push(await owner.send(home.name, 'a', 'x'));
  for (let round = 0; round < 6; round++) {
    await Promise.all([mark('remove', ids), mark('add', ids.slice(3)), leave(home.name), mark('remove', ids.slice(2))]);
    const { rows } = await sql`
      SELECT FROM message_flags WHERE user_id = ${reader.userId} AND message_id = ANY (${ids}::bigint[])`.execute(
      server.app.db,
    );
    assert.equal(rows.length, 0, 'no message is marked unread in a channel without a subscription');
    await Promise.all([join(home.name), mark('remove', ids)]);
    await mark('add', ids);
  }
});

test('concurrent flag changes of many users are independent', async () => {
  const users = await Promise.all(Array.from({ length: 12 }, () => server.user()));
  const home = await channel(...users);
  const ids: number[] = [];
  for (let n = 0; n < 12; n++) ids.push(await owner.send(home.name, 'a', 'x'));
  const own = (index: number) => ids.filter((_, place) => place % (index + 1) === 0);
  const answers = await Promise.all(
    users.map((client, index) =>
      client.ok('POST', '/messages/flags', {
        messages: own(index),
        op: 'add',
        flag: index % 2 === 0 ? 'read' : 'starred',
      }),
    ),
  );
  for (const [index, client] of users.entries()) {
    assert.deepEqual(answers[index]?.messages, own(index));
    const { messages } = await client.ok('GET', '/messages', { message_ids: ids });
    const flag = index % 2 === 0 ? 'read' : 'starred';
    const flagged = messages.filter(({ flags }: Json) => flags.includes(flag)).map(({ id }: Json) => id);
    assert.deepEqual(flagged, own(index));
  }
});

test('an unread mention that was moved stays a mention after leaving its original channel and reading the rest', async () => {
  const client = await server.user({ name: 'Mention Me' });
  const home = await channel(client);
  const elsewhere = await channel(client);
  const id = await owner.send(home.name, 'a', '@**Mention Me**');
  const last = await owner.send(elsewhere.name, 'a', 'x');
  await client.ok('POST', '/messages/flags', { messages: [last], op: 'add', flag: 'read' });
  await move([id], elsewhere);
  await client.ok('DELETE', '/users/me/subscriptions', { subscriptions: [home.name] });
  const { unread_msgs } = (await client.register({ event_types: ['message', 'update_message_flags'] })).state;
  assert.deepEqual([unread_msgs.count, unread_msgs.mentions], [1, [id]]);
});
