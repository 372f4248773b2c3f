import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { MAX_MENTIONS_BY_ROWS } from '../../../access/mass-mentions.ts';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { deleteMessages, moveMessages } from '../../../testing/server/message-changes.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

/** The number of users in one group, all but the last of whom are subscribed to one channel. */
const PEOPLE = MAX_MENTIONS_BY_ROWS + 3;

let seeding: TestServer;
let server: TestServer;
let owner: TestClient;
let first: TestClient;
let second: TestClient;
let third: TestClient;
let unsubscribed: TestClient;
/** `other` receives the messages and is in no group. */
let other: TestClient;
let hall: number;
before(async () => {
  seeding = await startTestServer();
  const before = await seeding.user();
  const { rows } = await sql<{ id: number; email: string }>`
    INSERT INTO users (organization_id, email, delivery_email, full_name, role)
    SELECT organization_id, 'p' || n || '@example.com', 'p' || n || '@example.com', 'Person ' || n, 400
      FROM (SELECT organization_id FROM users WHERE id = ${seeding.owner.userId}) one, generate_series(1, ${PEOPLE}) n
    RETURNING id, email`.execute(seeding.app.db);
  const people = rows.sort((a, b) => a.id - b.id);
  // This server loads its directory with these users.
  server = await startTestServer({ shared: seeding.shared });
  owner = await server.sameUser(seeding.owner);
  other = await server.sameUser(before);
  const clientOf = (place: number) => server.sameUser({ ...owner, email: people.at(place)?.email ?? '' } as TestClient);
  [first, second, third, unsubscribed] = await Promise.all([clientOf(0), clientOf(1), clientOf(2), clientOf(-1)]);
  const principals = [other.userId, ...people.slice(0, -1).map(({ id }) => id)];
  hall = await server.emptyChannel(owner, 'hall', { principals });
  const fields = { name: 'crowd', description: '', members: people.map(({ id }) => id) };
  await owner.ok('POST', '/user_groups/create', fields);
});
after(async () => {
  await server.stop();
  await seeding.stop();
});

const call = (topic: string) => owner.send('hall', topic, '@*crowd*');
const flags = async (client: TestClient, id: number): Promise<string[]> =>
  (await client.ok('GET', `/messages/${id}`)).message.flags;
const unreadMentions = async (client: TestClient): Promise<number[]> =>
  (await client.register({ event_types: ['message', 'update_message_flags'] })).state.unread_msgs.mentions;
const found = async (client: TestClient, narrow: readonly Json[]): Promise<number[]> => {
  const { messages } = await client.ok('GET', '/messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow });
  return messages.map(({ id }: Json) => id);
};
const isMentioned = { operator: 'is', operand: 'mentioned' };
const rowsOf = async (table: 'message_flags' | 'mass_mentions', id: number) =>
  (await server.app.db.selectFrom(table).selectAll().where('message_id', '=', id).execute()).length;

test('a mass mention stores no row per user, and flags its users as if it did', async () => {
  const narrow = [['is', 'mentioned']];
  const register = (client: TestClient) => client.register({ event_types: ['message'], narrow });
  const queues = await Promise.all([first, other].map(register));
  const id = await call('told');
  assert.deepEqual([await rowsOf('message_flags', id), await rowsOf('mass_mentions', id)], [0, 1]);
  const received = await Promise.all(queues.map((queue) => queue.now()));
  const receivedFlags = received.map((events) => events.map((event) => event.flags));
  assert.deepEqual(receivedFlags, [[['mentioned']], []]);
  assert.deepEqual(await flags(first, id), ['mentioned']);
  assert.deepEqual(await flags(second, id), ['mentioned']);
  assert.deepEqual(await flags(other, id), []);
  assert.deepEqual(await flags(unsubscribed, id), ['read', 'historical']);
  assert.deepEqual([await unreadMentions(first), await unreadMentions(other)], [[id], []]);
});

test('is:mentioned finds a mass mention for the mentioned users, and its negation for the others', async () => {
  const id = await call('narrow');
  const within = [{ operator: 'topic', operand: 'narrow' }];
  const not = { ...isMentioned, negated: true };
  const everybody = [first, second, other, unsubscribed];
  assert.deepEqual(await Promise.all(everybody.map((client) => found(client, [...within, isMentioned]))), [
    [id],
    [id],
    [],
    [],
  ]);
  const inHall = [{ operator: 'channel', operand: 'hall' }, ...within, not];
  assert.deepEqual(await Promise.all(everybody.map((client) => found(client, inHall))), [[], [], [id], [id]]);
  // The first two of several in order of their ids, with a wildcard mention in between.
  const ids = [await call('many'), await owner.send('hall', 'many', '@**all**'), await call('many')];
  assert.deepEqual((await found(first, [isMentioned])).slice(-3), ids);
  const oldest = { anchor: 'oldest', num_before: 0, num_after: 2, narrow: [isMentioned] };
  const page = (await first.ok('GET', '/messages', oldest)).messages.map((message: Json) => message.id);
  assert.deepEqual(page, (await found(first, [isMentioned])).slice(0, 2));
});

test('marking as read, starred and unread keeps a mass mention, also in events', async () => {
  const id = await call('marks');
  const mark = (op: string, flag: string) => first.ok('POST', '/messages/flags', { messages: [id], op, flag });
  await mark('add', 'read');
  assert(!(await unreadMentions(first)).includes(id));
  await mark('add', 'starred');
  assert.deepEqual((await flags(first, id)).sort(), ['mentioned', 'read', 'starred']);
  await mark('remove', 'starred');
  const queue = await first.register({ event_types: ['update_message_flags'] });
  await mark('remove', 'read');
  const [event] = await queue.now();
  assert.equal(event?.message_details[id].mentioned, true);
  assert.deepEqual(await flags(first, id), ['mentioned']);
  assert((await unreadMentions(first)).includes(id));
  await mark('add', 'read');
  assert.deepEqual((await flags(first, id)).sort(), ['mentioned', 'read']);
});

test('a mass mention survives moves and unsubscribing, and is deleted with the message', async () => {
  const elsewhere = await server.emptyChannel(owner, 'annex', { principals: [first.userId, second.userId] });
  const id = await call('moves');
  await moveMessages(server, [id], elsewhere, 'moved');
  assert.deepEqual(await flags(first, id), ['mentioned']);
  assert((await unreadMentions(first)).includes(id));
  assert((await found(first, [isMentioned])).includes(id));
  assert(!(await found(other, [isMentioned])).includes(id));
  await second.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['hall'] });
  assert.deepEqual((await flags(second, id)).sort(), ['mentioned']);
  await moveMessages(server, [id], hall, 'back');
  assert.deepEqual((await flags(second, id)).sort(), ['mentioned', 'read']);
  assert((await found(second, [isMentioned])).includes(id));
  await deleteMessages(server, [id]);
  assert.equal(await rowsOf('mass_mentions', id), 0);
  assert(!(await found(first, [isMentioned])).includes(id));
});

/** Returns mentions of this number of users by name. */
async function names(count: number): Promise<string> {
  const { rows } = await sql<{ id: number; name: string }>`
    SELECT id, full_name AS name FROM users WHERE full_name LIKE 'Person %' ORDER BY id LIMIT ${count}`.execute(
    server.app.db,
  );
  return rows.map(({ id, name }) => `@**${name}|${id}**`).join(' ');
}

test('many users mentioned by name are a mass mention, and few users have rows', async () => {
  // One of them is no longer subscribed.
  const few = await owner.send('hall', 'names', await names(MAX_MENTIONS_BY_ROWS + 1));
  assert.deepEqual([await rowsOf('message_flags', few), await rowsOf('mass_mentions', few)], [MAX_MENTIONS_BY_ROWS, 0]);
  const many = await owner.send('hall', 'names', await names(PEOPLE));
  assert.deepEqual([await rowsOf('message_flags', many), await rowsOf('mass_mentions', many)], [0, 1]);
  assert.deepEqual(await flags(first, many), ['mentioned']);
});

test('the event of an edit keeps the mention of a user who left the channel and reacted', async () => {
  const text = await names(PEOPLE);
  const id = await owner.send('hall', 'left', text);
  await third.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['hall'] });
  await third.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' });
  const queue = await third.register({ event_types: ['update_message'] });
  await owner.ok('PATCH', `/messages/${id}`, { content: `${text} again` });
  const [event] = await queue.now();
  assert.deepEqual(event?.flags, ['read', 'mentioned']);
  assert.deepEqual(await flags(third, id), ['read', 'mentioned']);
});
