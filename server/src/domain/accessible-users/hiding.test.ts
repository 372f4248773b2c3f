import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Role } from '../../directory/records.ts';
import type { TestClient, TestQueue } from '../../testing/client.ts';
import { HiddenPeople, listed, watch } from '../../testing/hidden-people.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

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

describe('when a guest’s sight changes altogether', () => {
  const isGone = async (queue: TestQueue, client: TestClient) => {
    const query = { queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: true };
    const { status, body } = await client.call('GET', '/events', query);
    return status === 400 && body.code === 'BAD_EVENT_QUEUE_ID';
  };

  // rules: guests-5
  test('the setting ends the queues of guests, who register anew, and of nobody else', async () => {
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
  test('becoming a guest, and no more being one, ends the user’s queues', async () => {
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
  test('a guest who comes to see very many at once begins anew', async () => {
    const guest = await people.guest();
    const crowd: TestClient[] = [];
    for (let i = 0; i < 251; i++) crowd.push(await people.member());
    const name = await people.channelOf(...crowd);
    const queue = await watch(guest);
    await people.join(name, guest);
    assert(await isGone(queue, guest));
    const { state } = await watch(guest);
    for (const one of crowd) assert(listed(state, one));
  });

  // rules: guests-5
  test('guests who meet very many in one conversation begin anew', async () => {
    const crowd: TestClient[] = [];
    for (let i = 0; i < 52; i++) crowd.push(await people.guest());
    const [guest, other] = crowd as [TestClient, TestClient];
    const queue = await watch(guest);
    const ids = crowd.map(({ userId }) => userId);
    await owner.direct(ids, 'to you all');
    assert(await isGone(queue, guest));
    const { state } = await watch(guest);
    assert.equal(listed(state, other).full_name, other.name);
    const later = await watch(guest);
    await owner.direct(ids, 'once more');
    assert.deepEqual(await later.now(), []);
  });

  // rules: guests-5
  test('what was ended stays so for a process that was started since', async () => {
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
  test('takes the groups of everyone and of members alone', async () => {
    for (const name of ['role:moderators', 'role:nobody', 'role:internet']) {
      const value = await people.groupId(name).catch(() => 0);
      await owner.fails('PATCH', '/realm', { can_access_all_users_group: { new: value } });
    }
    const named = { direct_members: [owner.userId], direct_subgroups: [] };
    const { code } = await owner.fails('PATCH', '/realm', { can_access_all_users_group: { new: named } });
    assert.equal(code, 'SYSTEM_GROUP_REQUIRED');
  });

  // rules: guests-1
  test('is changed by administrators, told to everybody, and part of the initial state', async () => {
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
