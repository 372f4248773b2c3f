import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { MAX_USERS_PER_EVENT } from './batches.ts';

/** A request that names this number of users takes three batches. */
const PEOPLE = 2 * MAX_USERS_PER_EVENT + 10;

let seeding: TestServer;
let server: TestServer;
let owner: TestClient;
let people: readonly number[];
before(async () => {
  seeding = await startTestServer();
  const { rows } = await sql<{ id: number }>`
    INSERT INTO users (organization_id, email, delivery_email, full_name, role)
    SELECT organization_id, 'p' || n || '@example.com', 'p' || n || '@example.com', 'Person ' || n, 400
      FROM (SELECT organization_id FROM users WHERE id = ${seeding.owner.userId}) one, generate_series(1, ${PEOPLE}) n
    RETURNING id`.execute(seeding.app.db);
  people = rows.map(({ id }) => id).sort((a, b) => a - b);
  // This server loads its directory with these users.
  server = await startTestServer({ shared: seeding.shared });
  owner = await server.sameUser(seeding.owner);
});
after(async () => {
  await server.stop();
  await seeding.stop();
});

const members = async (id: number) => (await owner.ok('GET', `/user_groups/${id}/members`)).members;
const listen = () => owner.register({ event_types: ['user_group'] });
const sizes = (events: readonly Json[]) =>
  events.map(({ op, user_ids, group }) => [op, (user_ids ?? group.members).length]);
const batches = (op: string) => [
  [op, MAX_USERS_PER_EVENT],
  [op, MAX_USERS_PER_EVENT],
  [op, 10],
];

test('a group is created with the first batch of members, and the rest join in later batches', async () => {
  const queue = await listen();
  const fields = { name: 'crowd', description: '', members: people };
  const { group_id } = await owner.ok('POST', '/user_groups/create', fields);
  assert.deepEqual(sizes(await queue.now()), [['add', MAX_USERS_PER_EVENT], ...batches('add_members').slice(1)]);
  assert.deepEqual(await members(group_id), people);
});

test('one request adds and removes any number of members, in batches with one event each', async () => {
  const { group_id } = await owner.ok('POST', '/user_groups/create', { name: 'tide', description: '', members: [] });
  const queue = await listen();
  await owner.ok('POST', `/user_groups/${group_id}/members`, { add: people });
  assert.deepEqual(sizes(await queue.now()), batches('add_members'));
  assert.deepEqual(await members(group_id), people);
  const more = { delete: people, add: [owner.userId] };
  await owner.ok('POST', `/user_groups/${group_id}/members`, more);
  assert.deepEqual(sizes(await queue.now()), [...batches('remove_members'), ['add_members', 1]]);
  assert.deepEqual(await members(group_id), [owner.userId]);
});

test('an error anywhere in a large request is refused before its first batch', async () => {
  const { group_id } = await owner.ok('POST', '/user_groups/create', { name: 'calm', description: '', members: [] });
  const queue = await listen();
  const { msg } = await owner.fails('POST', `/user_groups/${group_id}/members`, { add: [...people, 999_999] });
  assert.equal(msg, 'Invalid user ID: 999999');
  await owner.fails('POST', '/user_groups/create', { name: 'storm', description: '', members: [...people, 999_999] });
  await owner.fails('POST', `/user_groups/${group_id}/members`, { add: people, delete: [owner.userId] });
  assert.deepEqual(await members(group_id), []);
  assert.deepEqual(await queue.now(), []);
});
