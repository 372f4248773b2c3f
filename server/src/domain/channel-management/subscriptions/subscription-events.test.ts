import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { userRecord } from '../../../directory/load.ts';
import { Role } from '../../../directory/records.ts';
import type { TestClient, TestQueue } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { addSubscribers } from './actions.ts';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
let other: TestClient;
let guest: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.user();
  other = await server.user();
  guest = await server.user({ role: Role.guest });
});
after(() => server.stop());

let made = 0;
const PATH = '/users/me/subscriptions';
const BOTH = ['stream', 'subscription'];

async function makeChannel(creator: TestClient, subscribers: TestClient[], settings: Record<string, unknown> = {}) {
  const name = `channel ${++made}`;
  const userIds = subscribers.map((client) => client.userId);
  const { id } = await creator.ok('POST', '/channels/create', { name, subscribers: userIds, ...settings });
  return { name, id: id as number };
}

const listen = (client: TestClient, more: Record<string, unknown> = {}) =>
  client.register({ event_types: BOTH, ...more });

/** Returns the received events as `type op` with their user ids. */
async function receivedBy(queue: TestQueue): Promise<unknown[]> {
  return (await queue.now()).map((event) => {
    const name = `${event.type} ${event.op}`;
    return event.user_ids === undefined ? name : [name, ...event.user_ids];
  });
}

// rules: subscriptions-17
test('a user who joins a public channel receives the subscription, and other subscribers receive peer_add', async () => {
  const { name, id } = await makeChannel(owner, [owner]);
  const [own, peer, outsider] = [await listen(member), await listen(owner), await listen(guest)];
  await member.subscribe(name);
  const [event] = await own.now();
  assert.deepEqual([event.type, event.op], ['subscription', 'add']);
  const [added] = event.subscriptions;
  assert.deepEqual([added.stream_id, added.name, added.subscriber_count], [id, name, 2]);
  assert.equal(added.subscribers, undefined);
  const [peerEvent] = await peer.now();
  assert.deepEqual([peerEvent.op, peerEvent.stream_ids, peerEvent.user_ids], ['peer_add', [id], [member.userId]]);
  assert.deepEqual(await receivedBy(outsider), []);
});

test('a user who joins a hidden channel receives the channel before the subscription', async () => {
  const hidden = await makeChannel(owner, [owner], { invite_only: true });
  const open = await makeChannel(owner, [owner]);
  const [memberQueue, guestQueue, otherQueue] = [await listen(member), await listen(guest), await listen(other)];
  for (const { name } of [hidden, open]) {
    await owner.subscribe(name, { principals: [member.userId, guest.userId] });
  }
  assert.deepEqual(await receivedBy(memberQueue), ['stream create', 'subscription add', 'subscription add']);
  assert.deepEqual(await receivedBy(guestQueue), [
    'stream create',
    'subscription add',
    'stream create',
    'subscription add',
  ]);
  assert.deepEqual(await receivedBy(otherQueue), [['subscription peer_add', member.userId, guest.userId]]);
});

test('a user who leaves a channel and loses metadata access receives its deletion after the unsubscription', async () => {
  const { name, id } = await makeChannel(owner, [owner, member, guest], { invite_only: true });
  const [memberQueue, ownerQueue] = [await listen(member), await listen(owner)];
  await member.ok('DELETE', PATH, { subscriptions: [name] });
  const events = await memberQueue.now();
  assert.deepEqual(
    events.map(({ type, op }) => `${type} ${op}`),
    ['subscription remove', 'stream delete'],
  );
  assert.deepEqual(events[0].subscriptions, [{ stream_id: id, name }]);
  assert.deepEqual([events[1].stream_ids, events[1].streams], [[id], [{ stream_id: id }]]);
  assert.deepEqual(await receivedBy(ownerQueue), [['subscription peer_remove', member.userId]]);
});

// rules: subscriptions-17
test('a user who leaves a public channel still receives its subscription events', async () => {
  const { name } = await makeChannel(owner, [owner, member, other]);
  const queue = await listen(member);
  await owner.ok('DELETE', PATH, { subscriptions: [name], principals: [member.userId, other.userId] });
  assert.deepEqual(await receivedBy(queue), ['subscription remove', ['subscription peer_remove', other.userId]]);
  await other.subscribe(name);
  assert.deepEqual(await receivedBy(queue), [['subscription peer_add', other.userId]]);
});

test('clients with include_subscribers receive the subscribers as of the event', async () => {
  const { name } = await makeChannel(owner, [owner]);
  const queue = await listen(member, { include_subscribers: true });
  await owner.subscribe(name, { principals: [member.userId, other.userId] });
  await other.ok('DELETE', PATH, { subscriptions: [name] });
  await owner.subscribe(name, { principals: [guest.userId] });
  const [added, left, joined] = await queue.now();
  assert.deepEqual(
    added.subscriptions[0].subscribers,
    [owner.userId, member.userId, other.userId].toSorted((a, b) => a - b),
  );
  assert.deepEqual([left.op, left.user_ids], ['peer_remove', [other.userId]]);
  assert.deepEqual([joined.op, joined.user_ids], ['peer_add', [guest.userId]]);
});

test('clients without notification_settings_null receive the general notification settings', async () => {
  const knowing = await listen(member, { client_capabilities: { notification_settings_null: true } });
  const older = await listen(member);
  const { id } = await makeChannel(owner, [member]);
  const added = async (queue: TestQueue) => (await queue.now()).find((event) => event.op === 'add').subscriptions[0];
  const [modern, old] = [await added(knowing), await added(older)];
  assert.equal(modern.desktop_notifications, null);
  assert.equal(modern.wildcard_mentions_notify, null);
  assert.equal(old.desktop_notifications, false);
  assert.equal(old.wildcard_mentions_notify, true);
  const { state } = await listen(member);
  const shown = state.subscriptions.find((one: Json) => one.stream_id === id);
  assert.deepEqual([shown.push_notifications, shown.wildcard_mentions_notify], [false, true]);
});

test('only clients with archived_channels receive an archived channel in the initial state and events', async () => {
  const { name, id } = await makeChannel(owner, [owner, member]);
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  await organization.transact('server', 'exclusive', async ({ db, directory, append }) => {
    const channel = directory.channel(id);
    assert(channel !== undefined);
    await db
      .updateTable('channels')
      .set({ is_archived: true })
      .where('organization_id', '=', organization.id)
      .where('id', '=', id)
      .execute();
    append({
      type: 'stream',
      audience: { to: 'nobody' },
      body: null,
      deltas: [{ delta: 'channel', channel: { ...channel, isArchived: true } }],
    });
  });
  const knowing = await listen(member, { client_capabilities: { archived_channels: true } });
  const older = await listen(member);
  const shows = ({ state }: TestQueue) => [
    state.streams.some((one: Json) => one.stream_id === id),
    state.subscriptions.some((one: Json) => one.stream_id === id),
  ];
  assert.deepEqual(
    [shows(knowing), shows(older)],
    [
      [true, true],
      [false, false],
    ],
  );
  await owner.subscribe(name, { principals: [other.userId] });
  await member.ok('DELETE', PATH, { subscriptions: [name] });
  assert.deepEqual(await receivedBy(knowing), [['subscription peer_add', other.userId], 'subscription remove']);
  assert.deepEqual(await receivedBy(older), []);
});

test('two thousand users join with two events and three statements', async () => {
  const { id } = await makeChannel(owner, [owner]);
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  const userIds = await organization.transact('server', 'exclusive', async ({ db, append }) => {
    const inserted = await db
      .insertInto('users')
      .values(
        Array.from({ length: 2000 }, (_, index) => ({
          organization_id: organization.id,
          email: `crowd${index}@example.com`,
          delivery_email: `crowd${index}@example.com`,
          full_name: `Crowd ${index}`,
          role: Role.member,
          bot_type: null,
          bot_owner_id: null,
          password_hash: null,
        })),
      )
      .returningAll()
      .execute();
    const deltas = inserted.map((row) => ({ delta: 'user', user: userRecord(row) }));
    append({ type: 'realm_user', audience: { to: 'nobody' }, body: null, deltas });
    return inserted.map((row) => row.id);
  });
  const before = organization.position;
  let statements = 0;
  await organization.transact('server', 'exclusive', (change) => {
    const channel = change.directory.channel(id);
    assert(channel !== undefined);
    const db = change.db.withPlugin({
      transformQuery({ node }) {
        statements += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    return addSubscribers({ ...change, db }, [{ channel, userIds }]);
  });
  assert.equal(organization.position, before + 2);
  assert.equal(statements, 3);
  assert.equal((await owner.ok('GET', `/streams/${id}`)).stream.subscriber_count, 2001);
});
