import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Role } from '../../directory/records.ts';
import type { Fields, TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { systemGroup } from '../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { deactivateUser } from '../accounts/accounts/actions.ts';

let server: TestServer;
let ada: TestClient;
let bob: TestClient;
let cleo: TestClient;
let guest: TestClient;
let inner: number;
let outer: number;
before(async () => {
  server = await startTestServer();
  ada = await server.user();
  bob = await server.user();
  cleo = await server.user();
  guest = await server.user({ role: Role.guest });
  inner = await create('inner', { members: [bob.userId, cleo.userId] });
  outer = await create('outer', { members: [ada.userId], subgroups: [inner] });
});
after(() => server.stop());

async function create(name: string, more: Fields = {}): Promise<number> {
  return (await ada.ok('POST', '/user_groups/create', { name, description: '', members: [], ...more })).group_id;
}
const members = async (id: number, fields: Fields = {}) =>
  (await ada.ok('GET', `/user_groups/${id}/members`, fields)).members;
const subgroups = async (id: number, fields: Fields = {}) =>
  (await ada.ok('GET', `/user_groups/${id}/subgroups`, fields)).subgroups;
const isMember = async (id: number, userId: number, fields: Fields = {}) =>
  (await ada.ok('GET', `/user_groups/${id}/members/${userId}`, fields)).is_user_group_member;

describe('reading groups', () => {
  // rules: user-groups-13
  test('GET /user_groups returns the same list as the initial state', async () => {
    const { user_groups } = await ada.ok('GET', '/user_groups');
    const { state } = await ada.register({ fetch_event_types: ['realm_user_groups'], event_types: [] });
    assert.deepEqual(user_groups, state.realm_user_groups);
  });

  // rules: user-groups-17, register-18
  test('deactivated groups are listed on request, and in the initial state for clients with the capability', async () => {
    const id = await create('closed');
    await ada.ok('POST', `/user_groups/${id}/deactivate`);
    const has = (groups: Json[]) => groups.some((group) => group.id === id && group.deactivated);
    for (const knows of [false, true]) {
      const { user_groups } = await ada.ok('GET', '/user_groups', { include_deactivated_groups: knows });
      assert.equal(has(user_groups), knows);
      const client_capabilities = { include_deactivated_groups: knows };
      for (const fetch_event_types of [['realm_user_groups'], ['user_group']]) {
        const { state } = await ada.register({ fetch_event_types, event_types: [], client_capabilities });
        assert.equal(has(state.realm_user_groups), knows);
      }
    }
  });

  // rules: user-groups-13
  test('membership is returned with or without subgroups', async () => {
    assert.deepEqual(await members(outer), [ada.userId, bob.userId, cleo.userId]);
    assert.deepEqual(await members(outer, { direct_member_only: true }), [ada.userId]);
    assert.equal(await isMember(outer, bob.userId), true);
    assert.equal(await isMember(outer, bob.userId, { direct_member_only: true }), false);
    assert.equal(await isMember(inner, bob.userId, { direct_member_only: true }), true);
    assert.equal(await isMember(inner, ada.userId), false);
  });

  // rules: user-groups-13
  test('subgroups are returned recursively or only direct ones', async () => {
    const outermost = await create('outermost', { subgroups: [outer] });
    assert.deepEqual(await subgroups(outermost), [inner, outer]);
    assert.deepEqual(await subgroups(outermost, { direct_subgroup_only: true }), [outer]);
    assert.deepEqual(await subgroups(inner), []);
  });

  test('members of system groups follow from their roles', async () => {
    const [owners, everyone] = [await systemGroup(server, 'role:owners'), await systemGroup(server, 'role:everyone')];
    assert.deepEqual(await members(owners), [server.owner.userId]);
    assert.deepEqual(await members(everyone, { direct_member_only: true }), [guest.userId]);
    assert((await members(everyone)).includes(ada.userId));
    assert.equal(await isMember(owners, server.owner.userId, { direct_member_only: true }), true);
    assert.equal(await isMember(everyone, server.owner.userId, { direct_member_only: true }), false);
    assert.equal((await subgroups(everyone)).length, 5);
  });

  // rules: user-groups-18
  test('deactivated users are omitted from members and permissions', async () => {
    const dan = await server.user();
    const both = { direct_members: [ada.userId, dan.userId], direct_subgroups: [] };
    const id = await create('past', { members: [ada.userId, dan.userId], can_mention_group: both });
    const organization = await server.app.organizations.bySubdomain('');
    assert(organization !== undefined);
    await deactivateUser(server.app, organization, dan.userId);
    assert.deepEqual(await members(id), [ada.userId]);
    assert.equal((await ada.fails('GET', `/user_groups/${id}/members/${dan.userId}`)).msg, 'User is deactivated');
    const { user_groups } = await ada.ok('GET', '/user_groups');
    const group = user_groups.find((one: Json) => one.id === id);
    assert.deepEqual([group.members, group.can_mention_group.direct_members], [[ada.userId], [ada.userId]]);
  });

  test('unknown groups and users, deactivated groups and guests are refused', async () => {
    const id = await create('over');
    await ada.ok('POST', `/user_groups/${id}/deactivate`);
    for (const path of ['members', `members/${ada.userId}`, 'subgroups']) {
      const words = async (client: TestClient, group: number) =>
        (await client.fails('GET', `/user_groups/${group}/${path}`)).msg;
      assert.equal(await words(ada, 999_999), 'Invalid user group');
      assert.equal(await words(ada, 99_999_999_999), 'Invalid user group');
      assert.equal(await words(ada, id), 'User group is deactivated.');
      assert.equal(await words(guest, inner), 'Not allowed for guest users');
    }
    const everyone = await systemGroup(server, 'role:everyone');
    const { state } = await ada.register({ fetch_event_types: ['realm_user'], event_types: [] });
    for (const user of [999_999, state.cross_realm_bots[0].user_id]) {
      for (const direct_member_only of [false, true]) {
        const { msg } = await ada.fails('GET', `/user_groups/${everyone}/members/${user}`, { direct_member_only });
        assert.equal(msg, 'No such user');
      }
    }
    assert.equal((await guest.fails('GET', '/user_groups')).msg, 'Not allowed for guest users');
  });
});
