import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Role } from '../../../directory/records.ts';
import type { TestClient, TestQueue } from '../../../testing/clients/client.ts';
import { HiddenPeople, listed, watch } from '../../../testing/server/hidden-people.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let people: HiddenPeople;
before(async () => {
  server = await startTestServer();
  ({ owner } = server);
  people = new HiddenPeople(server);
  await people.hide(true);
});
after(() => server.stop());

describe('changes of a guest’s whole set of accessible users', () => {
  const isGone = async (queue: TestQueue, client: TestClient) => {
    const query = { queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: true };
    const { status, body } = await client.call('GET', '/events', query);
    return status === 400 && body.code === 'BAD_EVENT_QUEUE_ID';
  };

  // rules: guests-5
  test('changing the setting ends the event queues of guests, and of no other users', async () => {
    const [guest, stranger, writer] = [await people.guest(), await people.member(), await people.member()];
    await writer.direct([guest.userId], 'hello');
    for (const hides of [false, true]) {
      const [queue, other] = [await watch(guest), await watch(stranger, ['realm'])];
      const waiting = queue.next().catch(() => 'gone');
      await people.hide(hides);
      assert(await isGone(queue, guest));
      await waiting;
      assert.equal((await other.now()).length, 1);
      const { state } = await watch(guest);
      assert.equal(listed(state, stranger) === undefined, hides);
      assert.equal(listed(state, writer).full_name, writer.name);
    }
  });

  // rules: guests-5
  test('changing a user’s role to or from guest ends their event queues', async () => {
    const [user, stranger, writer] = [await people.member(), await people.guest(), await people.member()];
    await user.direct([writer.userId], 'hello');
    for (const role of [Role.guest, Role.member]) {
      const [queue, other] = [await watch(user), await watch(writer)];
      await owner.ok('PATCH', `/users/${user.userId}`, { role });
      assert(await isGone(queue, user));
      assert.equal((await other.now()).length, 1);
      const { state } = await watch(user);
      assert.equal(listed(state, stranger) === undefined, role === Role.guest);
      assert.equal(listed(state, writer).full_name, writer.name);
    }
  });

  // rules: guests-5
  test('a subscription that makes 251 users accessible at once ends the guest’s event queues', async () => {
    const guest = await people.guest();
    const users: TestClient[] = [];
    for (let i = 0; i < 251; i++) users.push(await people.member());
    const name = await people.channelOf(...users);
    const queue = await watch(guest);
    await people.join(name, guest);
    assert(await isGone(queue, guest));
    const { state } = await watch(guest);
    for (const one of users) assert(listed(state, one));
  });

  // rules: guests-5
  test('the first direct message among 52 guests ends their event queues', async () => {
    const users: TestClient[] = [];
    for (let i = 0; i < 52; i++) users.push(await people.guest());
    const [guest, other] = users as [TestClient, TestClient];
    const queue = await watch(guest);
    const ids = users.map(({ userId }) => userId);
    await owner.direct(ids, 'to you all');
    assert(await isGone(queue, guest));
    const { state } = await watch(guest);
    assert.equal(listed(state, other).full_name, other.name);
    const later = await watch(guest);
    await owner.direct(ids, 'once more');
    assert.deepEqual(await later.now(), []);
  });

  // rules: guests-5
  test('an ended event queue stays ended for a process that starts later', async () => {
    const [guest, stranger] = [await people.guest(), await people.member()];
    const queue = await watch(guest);
    await people.hide(false);
    await people.hide(true);
    const restarted = await startTestServer({ shared: server.shared });
    try {
      const there = await restarted.sameUser(guest);
      assert(await isGone(queue, there));
      assert.equal(listed((await watch(there)).state, stranger), undefined);
    } finally {
      await restarted.stop();
    }
  });
});

describe('PATCH /realm: can_access_all_users_group', () => {
  // rules: guests-1
  test('accepts only the groups role:everyone and role:members', async () => {
    for (const name of ['role:moderators', 'role:nobody', 'role:internet']) {
      const value = await people.groupId(name).catch(() => 0);
      await owner.fails('PATCH', '/realm', { can_access_all_users_group: { new: value } });
    }
    const named = { direct_members: [owner.userId], direct_subgroups: [] };
    const { code } = await owner.fails('PATCH', '/realm', { can_access_all_users_group: { new: named } });
    assert.equal(code, 'SYSTEM_GROUP_REQUIRED');
  });

  // rules: guests-1
  test('administrators change it, all users receive the change, and the initial state contains it', async () => {
    const user = await people.member();
    const members = await people.groupId('role:members');
    const everyone = await people.groupId('role:everyone');
    await user.fails('PATCH', '/realm', { can_access_all_users_group: { new: everyone } });
    const queue = await user.register({ event_types: ['realm'] });
    assert.equal(queue.state.realm_can_access_all_users_group, members);
    await people.hide(false);
    const [event] = await queue.now();
    assert.deepEqual(event.data, { can_access_all_users_group: everyone });
    await people.hide(true);
  });
});
