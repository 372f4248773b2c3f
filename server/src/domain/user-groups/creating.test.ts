import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { GROUP_PERMISSIONS } from '@heddle/api/permissions.ts';
import { Role } from '../../directory/records.ts';
import type { Fields, TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { changeOrganization, systemGroup } from '../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let ada: TestClient;
let bob: TestClient;
let guest: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  ada = await server.user();
  bob = await server.user();
  guest = await server.user({ role: Role.guest });
});
after(() => server.stop());

let made = 0;
const fields = (more: Fields = {}): Fields => ({ name: `group ${made++}`, description: '', members: [], ...more });
const create = (client: TestClient, more: Fields = {}) => client.ok('POST', '/user_groups/create', fields(more));
const refusal = async (client: TestClient, more: Fields = {}): Promise<Json> =>
  client.fails('POST', '/user_groups/create', fields(more));

async function shown(id: number, client = ada): Promise<Json> {
  const { user_groups } = await client.ok('GET', '/user_groups');
  return user_groups.find((group: Json) => group.id === id);
}

describe('creating a group', () => {
  // rules: user-groups-1
  test('returns its id, and all users receive and list it with members, subgroups and creator', async () => {
    const { group_id: inner } = await create(ada);
    const queue = await guest.register({ event_types: ['user_group'] });
    const texts = { name: ' weavers ', description: 'Who weaves.' };
    const { group_id } = await create(ada, { ...texts, members: [bob.userId, bob.userId], subgroups: [inner] });
    const group = await shown(group_id);
    const [event] = await queue.now();
    assert.deepEqual(event, { id: event.id, type: 'user_group', op: 'add', group });
    const { name, description, members, direct_subgroup_ids, creator_id, is_system_group, deactivated } = group;
    assert.deepEqual(
      { name, description, members, direct_subgroup_ids, creator_id, is_system_group, deactivated },
      {
        name: 'weavers',
        description: 'Who weaves.',
        members: [bob.userId],
        direct_subgroup_ids: [inner],
        creator_id: ada.userId,
        is_system_group: false,
        deactivated: false,
      },
    );
  });

  // rules: user-groups-4
  test('by default, the creator manages and adds, everyone leaves and mentions, and nobody has the other permissions', async () => {
    const group = await shown((await create(ada)).group_id);
    const [nobody, everyone] = [await systemGroup(server, 'role:nobody'), await systemGroup(server, 'role:everyone')];
    const maker = { direct_members: [ada.userId], direct_subgroups: [] };
    const permissions = Object.keys(GROUP_PERMISSIONS).map((name) => [name, group[name]]);
    assert.deepEqual(Object.fromEntries(permissions), {
      can_add_members_group: maker,
      can_join_group: nobody,
      can_leave_group: everyone,
      can_manage_group: maker,
      can_mention_group: everyone,
      can_remove_members_group: nobody,
    });
  });

  // rules: conventions-11, user-groups-4
  test('accepts every permission as a group or as users and groups', async () => {
    const moderators = await systemGroup(server, 'role:moderators');
    for (const name of Object.keys(GROUP_PERMISSIONS)) {
      const direct = { direct_members: [bob.userId], direct_subgroups: [moderators] };
      for (const value of [moderators, direct]) {
        assert.deepEqual((await shown((await create(ada, { [name]: value })).group_id))[name], value);
      }
      const alone = { direct_members: [], direct_subgroups: [moderators] };
      assert.equal((await shown((await create(ada, { [name]: alone })).group_id))[name], moderators);
    }
  });

  // rules: user-groups-4
  test('refuses values that a permission does not allow', async () => {
    const internet = await systemGroup(server, 'role:internet');
    const everyone = await systemGroup(server, 'role:everyone');
    for (const [name, { allowsEveryone }] of Object.entries(GROUP_PERMISSIONS)) {
      const { msg } = await refusal(ada, { [name]: internet });
      assert.equal(msg, `'${name}' setting cannot be set to 'role:internet' group.`);
      if (allowsEveryone) await create(ada, { [name]: everyone });
      else {
        const { msg } = await refusal(ada, { [name]: everyone });
        assert.equal(msg, `'${name}' setting cannot be set to 'role:everyone' group.`);
      }
    }
    assert.equal((await refusal(ada, { can_join_group: 999_999 })).msg, 'Invalid user group');
    const unknown = { direct_members: [999_999], direct_subgroups: [] };
    assert.equal((await refusal(ada, { can_join_group: unknown })).msg, 'Invalid user ID: 999999');
  });

  // rules: user-groups-1
  test('requires a name, a description and members', async () => {
    for (const name of ['name', 'description', 'members']) {
      const { code, var_name } = await refusal(ada, { [name]: undefined });
      assert.deepEqual([code, var_name], ['REQUEST_VARIABLE_MISSING', name]);
    }
  });

  // rules: user-groups-3
  test('refuses names that are empty, too long, taken or look like another kind of mention', async () => {
    const name = async (text: string) => (await refusal(ada, { name: text })).msg;
    await create(ada, { name: 'Dyers' });
    assert.equal(await name(' '), "User group name can't be empty!");
    assert.equal(await name('d'.repeat(101)), 'User group name cannot exceed 100 characters.');
    assert.equal(await name('dyers '), "User group 'dyers' already exists.");
    for (const prefix of ['@', 'role:', 'user:', 'stream:', 'channel:']) {
      assert.equal(await name(`${prefix}dyers`), `User group name cannot start with '${prefix}'.`);
    }
    for (const character of ['\n', '\u0007']) {
      assert.equal(await name(`d${character}d`), 'Invalid character in user group name, at position 2.');
    }
    await create(ada, { name: '🧵'.repeat(100) });
  });

  test('refuses unknown or deactivated members and subgroups, and creates no group', async () => {
    const { user_groups } = await ada.ok('GET', '/user_groups');
    assert.equal((await refusal(ada, { members: [ada.userId, 999_999] })).msg, 'Invalid user ID: 999999');
    assert.equal((await refusal(ada, { subgroups: [999_999] })).msg, 'Invalid user group ID: 999999');
    assert.deepEqual((await ada.ok('GET', '/user_groups')).user_groups, user_groups);
    const { group_id } = await create(ada);
    await ada.ok('POST', `/user_groups/${group_id}/deactivate`);
    assert.equal((await refusal(ada, { subgroups: [group_id] })).msg, 'User group is deactivated.');
    assert.equal((await refusal(ada, { can_join_group: group_id })).msg, 'User group is deactivated.');
  });

  test('with concurrent requests for one name succeeds once', async () => {
    const asked = ['Once', 'once', 'ONCE'].map((name) => ada.call('POST', '/user_groups/create', fields({ name })));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [200, 400, 400]);
  });

  // rules: user-groups-2
  test('requires the organization’s permission', async () => {
    assert.equal((await refusal(guest)).msg, 'Not allowed for guest users');
    await changeOrganization(server, { can_create_groups: await systemGroup(server, 'role:moderators') });
    assert.equal((await refusal(ada)).msg, 'Insufficient permission');
    await create(await server.user({ role: Role.moderator }));
    await changeOrganization(server, { can_create_groups: { directMembers: [ada.userId], directSubgroups: [] } });
    await create(ada);
    assert.equal((await refusal(owner)).msg, 'Insufficient permission');
    await changeOrganization(server, { can_create_groups: undefined });
  });
});
