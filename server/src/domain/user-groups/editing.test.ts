import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { GROUP_PERMISSIONS } from '@heddle/api/permissions.ts';
import { Role } from '../../directory/records.ts';
import type { Fields, TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { changeOrganization, systemGroup } from '../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let ada: TestClient;
let bob: TestClient;
let guest: TestClient;
before(async () => {
  server = await startTestServer();
  ada = await server.user();
  bob = await server.user();
  guest = await server.user({ role: Role.guest });
});
after(() => server.stop());

let made = 0;
async function create(more: Fields = {}, client = ada): Promise<number> {
  const fields = { name: `group ${made++}`, description: 'as it was', members: [], ...more };
  return (await client.ok('POST', '/user_groups/create', fields)).group_id;
}
const edit = (client: TestClient, id: number, fields: Fields) => client.ok('PATCH', `/user_groups/${id}`, fields);
const refusal = (client: TestClient, id: number, fields: Fields): Promise<Json> =>
  client.fails('PATCH', `/user_groups/${id}`, fields);
const deactivate = (id: number) => server.owner.ok('POST', `/user_groups/${id}/deactivate`);
async function shown(id: number): Promise<Json> {
  const { user_groups } = await ada.ok('GET', '/user_groups', { include_deactivated_groups: true });
  return user_groups.find((group: Json) => group.id === id);
}
/** Registers queues of a client with include_deactivated_groups and of one without it. */
const listeners = () =>
  Promise.all(
    [true, false].map((include_deactivated_groups) =>
      guest.register({ event_types: ['user_group'], client_capabilities: { include_deactivated_groups } }),
    ),
  );
async function received(queues: Awaited<ReturnType<typeof listeners>>): Promise<[knowing: Json[], other: Json[]]> {
  const [knowing, other] = await Promise.all(queues.map((queue) => queue.now()));
  return [knowing ?? [], other ?? []];
}
const direct = (...direct_members: number[]) => ({ direct_members, direct_subgroups: [] });

describe('editing a group', () => {
  // rules: user-groups-14
  test('changes its name and description, and notifies all users, guests included', async () => {
    const id = await create();
    const queues = await listeners();
    await edit(ada, id, { name: ' spinners ', description: 'as it is' });
    for (const [event] of await received(queues)) {
      assert.deepEqual(event, {
        id: event.id,
        type: 'user_group',
        op: 'update',
        group_id: id,
        data: { name: 'spinners', description: 'as it is' },
      });
    }
    const { name, description } = await shown(id);
    assert.deepEqual([name, description], ['spinners', 'as it is']);
  });

  test('sends no event if nothing changes', async () => {
    const id = await create({ name: 'still' });
    const queues = await listeners();
    const { can_join_group } = await shown(id);
    await edit(ada, id, { name: 'still', description: 'as it was', can_join_group: { new: can_join_group } });
    await edit(ada, id, { deactivated: true });
    await edit(ada, id, { deactivated: false });
    assert.deepEqual(await received(queues), [[], []]);
  });

  test('refuses empty requests and invalid names', async () => {
    const id = await create({ name: 'carders' });
    await create({ name: 'combers' });
    const words = async (fields: Fields) => (await refusal(ada, id, fields)).msg;
    assert.equal(await words({}), 'No new data supplied');
    assert.equal(await words({ name: '' }), "User group name can't be empty!");
    assert.equal(await words({ name: 'role:carders' }), "User group name cannot start with 'role:'.");
    assert.equal(await words({ name: 'Combers' }), "User group 'Combers' already exists.");
    await edit(ada, id, { name: 'Carders' });
    assert.equal((await shown(id)).name, 'Carders');
    await create({ name: 'CARDERS once' });
  });

  // rules: user-groups-5
  test('changes each permission if `old` matches the current value', async () => {
    const moderators = await systemGroup(server, 'role:moderators');
    for (const name of Object.keys(GROUP_PERMISSIONS)) {
      const id = await create({ can_manage_group: moderators, [name]: moderators });
      const queues = await listeners();
      const value = direct(ada.userId, bob.userId);
      const { code, msg } = await refusal(server.owner, id, { [name]: { new: value, old: direct(ada.userId) } });
      assert.deepEqual([code, msg], ['EXPECTATION_MISMATCH', "'old' value does not match the expected value."]);
      const old = { direct_members: [], direct_subgroups: [moderators] };
      await edit(server.owner, id, { [name]: { new: direct(bob.userId, ada.userId), old } });
      for (const [event] of await received(queues)) assert.deepEqual(event.data, { [name]: value });
      assert.deepEqual((await shown(id))[name], value);
      await edit(server.owner, id, { [name]: { new: moderators, old: value } });
      assert.equal((await shown(id))[name], moderators);
    }
  });

  test('with one refused field changes nothing', async () => {
    const id = await create({ name: 'whole' });
    const queues = await listeners();
    await refusal(ada, id, { name: 'half', can_join_group: { new: 999_999 } });
    assert.equal((await shown(id)).name, 'whole');
    assert.deepEqual(await received(queues), [[], []]);
  });

  // rules: user-groups-6
  test('is allowed to managers of the group or of all groups', async () => {
    const id = await create({ can_manage_group: direct(bob.userId), can_add_members_group: direct(ada.userId) });
    const fields = { description: 'theirs' };
    assert.equal((await refusal(ada, id, fields)).msg, 'Insufficient permission');
    assert.equal((await refusal(guest, id, fields)).msg, 'Not allowed for guest users');
    await edit(bob, id, fields);
    await edit(server.owner, id, { description: "the owner's" });
    const moderator = await server.user({ role: Role.moderator });
    assert.equal((await refusal(moderator, id, fields)).msg, 'Insufficient permission');
    await changeOrganization(server, { can_manage_all_groups: await systemGroup(server, 'role:moderators') });
    await edit(moderator, id, fields);
    await changeOrganization(server, { can_manage_all_groups: undefined });
    assert.equal((await refusal(ada, 999_999, fields)).msg, 'Invalid user group');
  });

  // rules: user-groups-11
  test('is refused for system groups', async () => {
    const members = await systemGroup(server, 'role:members');
    for (const fields of [{ name: 'x' }, { description: 'x' }, { can_mention_group: { new: members } }]) {
      assert.equal((await refusal(server.owner, members, fields)).msg, 'Insufficient permission');
    }
    const { user_groups } = await ada.ok('GET', '/user_groups');
    const nobody = await systemGroup(server, 'role:nobody');
    const system = user_groups.filter((group: Json) => group.is_system_group);
    assert.equal(system.length, 8);
    for (const group of system) {
      for (const name of Object.keys(GROUP_PERMISSIONS)) assert.equal(group[name], nobody);
    }
  });
});

describe('a deactivated group', () => {
  // rules: register-18
  test('is sent as an update to clients with include_deactivated_groups, and as removed to others', async () => {
    const id = await create();
    const queues = await listeners();
    await deactivate(id);
    const [[update], [remove]] = await received(queues);
    assert.deepEqual([update.op, update.group_id, update.data], ['update', id, { deactivated: true }]);
    assert.deepEqual(remove, { id: remove.id, type: 'user_group', op: 'remove', group_id: id });
  });

  // rules: user-groups-17
  test('can be edited, and only clients with include_deactivated_groups receive the changes', async () => {
    const id = await create({ members: [bob.userId] });
    await deactivate(id);
    const queues = await listeners();
    await edit(ada, id, { name: 'former spinners', description: 'they were' });
    await edit(ada, id, { can_join_group: { new: direct(bob.userId) } });
    const inner = await create();
    await ada.ok('POST', `/user_groups/${id}/members`, {
      add: [ada.userId],
      delete: [bob.userId],
      add_subgroups: [inner],
    });
    await ada.ok('POST', `/user_groups/${id}/subgroups`, { delete: [inner] });
    const [all, some] = (await received(queues)).map((events) => events.map((event) => event.op));
    const changes = ['remove_members', 'add_members', 'add_subgroups', 'remove_subgroups'];
    assert.deepEqual(all, ['update', 'update', 'add', ...changes]);
    assert.deepEqual(some, ['add']);
    assert.deepEqual((await shown(id)).members, [ada.userId]);
  });

  test('keeps its name', async () => {
    const id = await create({ name: 'the first' });
    await deactivate(id);
    const fields = { name: 'The First', description: '', members: [] };
    const { msg } = await ada.fails('POST', '/user_groups/create', fields);
    assert.equal(msg, "User group 'The First' already exists.");
  });

  // rules: user-groups-16
  test('is sent on reactivation as an update to clients that know it, and as new to others', async () => {
    const id = await create({ members: [bob.userId] });
    await deactivate(id);
    const queues = await listeners();
    await edit(ada, id, { deactivated: false, description: 'once more' });
    const [[update], [add]] = await received(queues);
    assert.deepEqual([update.op, update.data], ['update', { description: 'once more', deactivated: false }]);
    assert.deepEqual([add.op, add.group], ['add', await shown(id)]);
    assert.deepEqual(add.group.members, [bob.userId]);
  });
});
