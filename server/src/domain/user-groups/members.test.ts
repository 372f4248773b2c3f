import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Role } from '../../directory/records.ts';
import type { Fields, TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { systemGroup } from '../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { deactivateUser } from '../accounts/accounts/actions.ts';
import { storeMembers } from './membership.ts';

let server: TestServer;
let ada: TestClient;
let bob: TestClient;
let cleo: TestClient;
let guest: TestClient;
before(async () => {
  server = await startTestServer();
  ada = await server.user({ name: 'Ada' });
  bob = await server.user();
  cleo = await server.user();
  guest = await server.user({ role: Role.guest });
});
after(() => server.stop());

let made = 0;
async function create(more: Fields = {}): Promise<number> {
  const fields = { name: `group ${made++}`, description: '', members: [], ...more };
  return (await ada.ok('POST', '/user_groups/create', fields)).group_id;
}
const change = (client: TestClient, id: number, fields: Fields) =>
  client.ok('POST', `/user_groups/${id}/members`, fields);
const refusal = (client: TestClient, id: number, fields: Fields): Promise<Json> =>
  client.fails('POST', `/user_groups/${id}/members`, fields);
const nest = (id: number, fields: Fields) => ada.ok('POST', `/user_groups/${id}/subgroups`, fields);
const unnestable = (client: TestClient, id: number, fields: Fields): Promise<Json> =>
  client.fails('POST', `/user_groups/${id}/subgroups`, fields);
const members = async (id: number) => (await ada.ok('GET', `/user_groups/${id}/members`)).members;
const direct = (...clients: TestClient[]) => ({
  direct_members: clients.map((client) => client.userId),
  direct_subgroups: [],
});
const refused = 'Insufficient permission';

describe('the members of a group', () => {
  // rules: user-groups-14
  test('are added and removed in one request, with one event per kind of change', async () => {
    const [inner, other] = [await create(), await create()];
    const id = await create({ members: [bob.userId], subgroups: [inner] });
    const queue = await guest.register({ event_types: ['user_group'] });
    await change(ada, id, {
      add: [cleo.userId, ada.userId],
      delete: [bob.userId],
      add_subgroups: [other],
      delete_subgroups: [inner],
    });
    const events = (await queue.now()).map(({ op, group_id, user_ids, direct_subgroup_ids }) => {
      assert.equal(group_id, id);
      return [op, user_ids ?? direct_subgroup_ids];
    });
    assert.deepEqual(events, [
      ['remove_members', [bob.userId]],
      ['add_members', [ada.userId, cleo.userId]],
      ['remove_subgroups', [inner]],
      ['add_subgroups', [other]],
    ]);
    assert.deepEqual(await members(id), [ada.userId, cleo.userId]);
  });

  test('gain access once however many paths grant it, and lose it when the last path is gone', async () => {
    const inner = await create({ members: [bob.userId] });
    const id = await create();
    await server.owner.subscribe('for them', { invite_only: true, can_subscribe_group: id });
    const queue = await bob.register({ event_types: ['stream'] });
    const ops = async () => (await queue.now()).map(({ op }) => op);
    await change(ada, id, { add: [bob.userId], add_subgroups: [inner] });
    assert.deepEqual(await ops(), ['create']);
    await change(ada, id, { delete: [bob.userId] });
    assert.deepEqual(await ops(), []);
    await change(ada, id, { add: [bob.userId], delete_subgroups: [inner] });
    assert.deepEqual(await ops(), []);
    await change(ada, id, { delete: [bob.userId] });
    assert.deepEqual(await ops(), ['delete']);
  });

  // rules: user-groups-7
  test('are added by users with the permission, and by managers', async () => {
    const id = await create({ can_add_members_group: direct(bob), can_manage_group: direct(cleo) });
    assert.equal((await refusal(ada, id, { add: [ada.userId] })).msg, refused);
    await change(bob, id, { add: [ada.userId] });
    await change(bob, id, { add: [bob.userId] });
    await change(cleo, id, { add: [cleo.userId, guest.userId] });
    const more = await server.user();
    await change(server.owner, id, { add: [more.userId] });
    assert.equal((await members(id)).length, 5);
  });

  // rules: user-groups-7
  test('are removed by users with the permission and by managers, but not by users who can only add', async () => {
    const id = await create({
      members: [ada.userId, bob.userId, cleo.userId, guest.userId],
      can_add_members_group: direct(ada),
      can_remove_members_group: direct(bob),
      can_manage_group: direct(cleo),
    });
    assert.equal((await refusal(ada, id, { delete: [guest.userId] })).msg, refused);
    await change(bob, id, { delete: [guest.userId] });
    await change(cleo, id, { delete: [bob.userId, cleo.userId] });
    assert.deepEqual(await members(id), [ada.userId]);
  });

  // rules: user-groups-8
  test('join and leave by themselves if the group allows it', async () => {
    const id = await create({ can_join_group: await systemGroup(server, 'role:members') });
    await change(bob, id, { add: [bob.userId] });
    assert.equal((await refusal(bob, id, { add: [cleo.userId] })).msg, refused);
    assert.equal((await refusal(bob, id, { add: [cleo.userId, bob.userId] })).msg, refused);
    await change(bob, id, { delete: [bob.userId] });
    const closed = await create({ members: [bob.userId], can_leave_group: await systemGroup(server, 'role:nobody') });
    assert.equal((await refusal(bob, closed, { delete: [bob.userId] })).msg, refused);
    assert.equal((await refusal(cleo, closed, { add: [cleo.userId] })).msg, refused);
    assert.equal((await refusal(guest, id, { add: [guest.userId] })).msg, 'Not allowed for guest users');
  });

  // rules: user-groups-8
  test('leave by themselves if they can remove any member', async () => {
    const nobody = await systemGroup(server, 'role:nobody');
    const id = await create({ members: [bob.userId], can_leave_group: nobody, can_remove_members_group: direct(bob) });
    await change(bob, id, { delete: [bob.userId] });
  });

  test('do not change at all if a part of the request is refused', async () => {
    const id = await create({ can_join_group: direct(bob) });
    const inner = await create();
    assert.equal((await refusal(bob, id, { add: [bob.userId], add_subgroups: [inner] })).msg, refused);
    assert.equal(
      (await refusal(ada, id, { add: [bob.userId], delete: [cleo.userId] })).msg.slice(0, 18),
      'There is no member',
    );
    assert.deepEqual(await members(id), []);
  });

  // rules: user-groups-12
  test('are refused with a specific error', async () => {
    const inner = await create();
    const id = await create({ members: [ada.userId], subgroups: [inner] });
    const words = async (fields: Fields) => (await refusal(ada, id, fields)).msg;
    const nothing = 'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".';
    assert.equal(await words({}), nothing);
    assert.equal(await words({ add: [], delete: [] }), nothing);
    assert.equal(await words({ add: [999_999] }), 'Invalid user ID: 999999');
    assert.equal(await words({ delete: [999_999] }), 'Invalid user ID: 999999');
    assert.equal(await words({ add: [ada.userId] }), `User ${ada.userId} is already a member of this group`);
    assert.equal(await words({ delete: [bob.userId] }), `There is no member '${bob.userId}' in this user group`);
    assert.equal(await words({ add_subgroups: [999_999] }), 'Invalid user group ID: 999999');
    assert.equal(await words({ delete_subgroups: [999_999] }), 'Invalid user group ID: 999999');
    assert.equal((await refusal(ada, 999_999, { add: [ada.userId] })).msg, 'Invalid user group');
    const owners = await systemGroup(server, 'role:owners');
    assert.equal((await refusal(server.owner, owners, { add: [ada.userId] })).msg, refused);
  });

  // rules: user-groups-18
  test('cannot be added or removed when deactivated', async () => {
    const gone = await server.user();
    const id = await create({ members: [gone.userId] });
    const organization = await server.app.organizations.bySubdomain('');
    assert(organization !== undefined);
    await deactivateUser(server.app, organization, gone.userId);
    for (const fields of [{ add: [gone.userId] }, { delete: [gone.userId] }]) {
      assert.equal((await refusal(ada, id, fields)).msg, `Invalid user ID: ${gone.userId}`);
    }
  });
});

describe('the subgroups of a group', () => {
  test('are added by users who can add members, and removed by managers', async () => {
    const id = await create({ can_add_members_group: direct(bob), can_remove_members_group: direct(bob) });
    const inner = await create();
    await bob.ok('POST', `/user_groups/${id}/subgroups`, { add: [inner] });
    assert.equal((await unnestable(bob, id, { delete: [inner] })).msg, refused);
    await nest(id, { delete: [inner] });
    assert.equal((await unnestable(cleo, id, { add: [inner] })).msg, refused);
  });

  // rules: user-groups-12
  test('are refused with a specific error, also for cycles', async () => {
    const [id, inner, innermost] = [await create(), await create(), await create()];
    await nest(id, { add: [inner] });
    await nest(inner, { add: [innermost] });
    const words = async (of: number, fields: Fields) => (await unnestable(ada, of, fields)).msg;
    const circle = (of: number) => `User group ${of} is already a subgroup of one of the passed subgroups.`;
    assert.equal(await words(innermost, { add: [id] }), circle(innermost));
    assert.equal(await words(id, { add: [id] }), circle(id));
    assert.equal(await words(id, { add: [inner] }), `User group ${inner} is already a subgroup of this group.`);
    assert.equal(await words(id, { delete: [innermost] }), `User group ${innermost} is not a subgroup of this group.`);
    assert.equal(await words(id, {}), 'Nothing to do. Specify at least one of "add" or "delete".');
    await nest(id, { delete: [inner] });
    await ada.ok('POST', `/user_groups/${inner}/deactivate`);
    assert.equal(await words(id, { add: [inner] }), 'User group is deactivated.');
    assert.equal(await words(innermost, { add: [inner] }), 'User group is deactivated.');
  });

  // rules: user-groups-12
  test('cannot form a cycle through concurrent requests', async () => {
    const [one, other] = [await create(), await create()];
    const asked = [
      ada.call('POST', `/user_groups/${one}/subgroups`, { add: [other] }),
      ada.call('POST', `/user_groups/${other}/subgroups`, { add: [one] }),
    ];
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [200, 400]);
  });

  test('can be removed when deactivated', async () => {
    const inner = await create();
    const id = await create({ subgroups: [inner] });
    await ada.ok('POST', `/user_groups/${id}/deactivate`);
    await ada.ok('POST', `/user_groups/${inner}/deactivate`);
    await ada.ok('PATCH', `/user_groups/${id}`, { deactivated: false });
    await nest(id, { delete: [inner] });
    assert.deepEqual((await ada.ok('GET', `/user_groups/${id}/subgroups`)).subgroups, []);
  });
});

describe('the notification bot', () => {
  const notices = async (client: TestClient): Promise<string[]> => {
    const narrow = [{ operator: 'sender', operand: 'notification-bot@zulip.com' }];
    const query = { anchor: 'newest', num_before: 10, num_after: 0, narrow, apply_markdown: false };
    return (await client.ok('GET', '/messages', query)).messages.map((message: Json) => message.content);
  };

  test('notifies users whom another user added to or removed from a group', async () => {
    const id = await create({ name: 'knitters', members: [cleo.userId] });
    const [dan, eve] = [await server.user(), await server.user()];
    await change(ada, id, { add: [dan.userId, eve.userId, ada.userId] });
    await change(ada, id, { delete: [dan.userId, ada.userId] });
    await change(eve, id, { delete: [eve.userId] });
    const by = `@_**Ada|${ada.userId}**`;
    const added = `${by} added you to the group @_*knitters*.`;
    assert.deepEqual(await notices(dan), [added, `${by} removed you from the group @_*knitters*.`]);
    assert.deepEqual(await notices(eve), [added]);
    assert(!(await notices(ada)).some((text) => text.includes('knitters')));
  });

  test('strips markup from a group name that cannot be mentioned', async () => {
    const id = await create({ name: '* [prize](https://example.com) @**all** *' });
    const dan = await server.user();
    await change(ada, id, { add: [dan.userId] });
    const words = `@_**Ada|${ada.userId}** added you to the group prize https example com all.`;
    assert.deepEqual(await notices(dan), [words]);
  });

  test('notifies no users when more than a hundred are added', async () => {
    const many = await Promise.all(Array.from({ length: 101 }, () => server.user()));
    const id = await create();
    await change(ada, id, { add: many.map((client) => client.userId) });
    for (const client of [many[0], many[100]]) assert(client !== undefined && (await notices(client)).length === 0);
  });
});

test('the database refuses memberships of unknown or foreign users and groups', async () => {
  const stranger = await server.organization('faraway');
  const near = await create();
  const { group_id: far } = await stranger.ok('POST', '/user_groups/create', {
    name: 'far',
    description: '',
    members: [],
  });
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  const join = (groupId: number, userId: number) =>
    organization.transact('server', 'exclusive', (change) =>
      storeMembers(change, groupId, [server.owner.userId, userId]),
    );
  await assert.rejects(join(near, stranger.userId), { code: '23503' });
  await assert.rejects(join(far, bob.userId), { code: '23503' });
  await assert.rejects(join(near, 987_654), { code: '23503' });
  await join(near, bob.userId);
});
