import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Change } from '../../directory/organization.ts';
import type { TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { systemGroup } from '../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { changeMembership } from './membership.ts';
import { createGroup, type NewGroup } from './new-group.ts';

let server: TestServer;
let ada: TestClient;
let bob: TestClient;
before(async () => {
  server = await startTestServer();
  ada = await server.user();
  bob = await server.user();
});
after(() => server.stop());

async function change<Result>(act: (change: Change) => Promise<Result>): Promise<Result> {
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  return organization.transact('server', 'exclusive', act);
}

async function make(name: string, more: Partial<NewGroup> = {}): Promise<number> {
  return (await change((open) => createGroup(open, { name, creatorId: null, ...more }))).id;
}

async function groupOf(client: TestClient, id: number): Promise<Json> {
  const { state } = await client.register({ fetch_event_types: ['user_group'], event_types: [] });
  return state.realm_user_groups.find((group: Json) => group.id === id);
}

describe('a group', () => {
  test('is sent with its members and subgroups, in an event and in the initial state', async () => {
    const queue = await bob.register({ event_types: ['user_group'] });
    const inner = await make('inner');
    const id = await make('outer', { members: [bob.userId, ada.userId], subgroups: [inner], creatorId: ada.userId });
    const [, event] = await queue.now();
    assert.equal(event.op, 'add');
    const { members, direct_subgroup_ids, creator_id } = event.group;
    assert.deepEqual(
      { members, direct_subgroup_ids, creator_id },
      {
        members: [ada.userId, bob.userId],
        direct_subgroup_ids: [inner],
        creator_id: ada.userId,
      },
    );
    assert.deepEqual(await groupOf(ada, id), event.group);
  });

  test('has a unique name that does not look like another kind of mention', async () => {
    await make('weavers');
    await assert.rejects(make('Weavers'), /already exists/);
    await assert.rejects(make('role:weavers'), /cannot start with 'role:'/);
    await assert.rejects(make('  '), /can't be empty/);
    await assert.rejects(make('w'.repeat(101)), /cannot exceed 100/);
  });

  test('sends events for members who join and leave', async () => {
    const id = await make('dyers', { members: [ada.userId] });
    const queue = await ada.register({ event_types: ['user_group'] });
    await change((open) => changeMembership(open, id, { members: { add: [bob.userId], remove: [ada.userId] } }));
    assert.deepEqual(
      (await queue.now()).map(({ op, group_id, user_ids }) => [op, group_id, user_ids]),
      [
        ['remove_members', id, [ada.userId]],
        ['add_members', id, [bob.userId]],
      ],
    );
    assert.deepEqual((await groupOf(ada, id)).members, [bob.userId]);
  });

  test('sends events for added and removed subgroups', async () => {
    const [id, inner] = [await make('spinners'), await make('apprentices')];
    const queue = await ada.register({ event_types: ['user_group'] });
    await change((open) => changeMembership(open, id, { subgroups: { add: [inner] } }));
    await change((open) => changeMembership(open, id, { subgroups: { remove: [inner] } }));
    assert.deepEqual(
      (await queue.now()).map(({ op, group_id, direct_subgroup_ids }) => [op, group_id, direct_subgroup_ids]),
      [
        ['add_subgroups', id, [inner]],
        ['remove_subgroups', id, [inner]],
      ],
    );
  });

  test('refuses unknown or existing members and subgroups, and cycles, without any change', async () => {
    const [id, inner] = [await make('carders', { members: [ada.userId] }), await make('combers')];
    await change((open) => changeMembership(open, id, { subgroups: { add: [inner] } }));
    const members = (add: number[], remove: number[] = []) =>
      change((open) => changeMembership(open, id, { members: { add, remove } }));
    const subgroups = (of: number, add: number[]) =>
      change((open) => changeMembership(open, of, { subgroups: { add } }));
    await assert.rejects(members([bob.userId, 1_000_000]), /Invalid user ID: 1000000/);
    await assert.rejects(members([ada.userId]), /already a member/);
    await assert.rejects(members([], [bob.userId]), /no member/);
    await assert.rejects(subgroups(id, [1_000_000]), /Invalid user group ID/);
    await assert.rejects(subgroups(id, [inner]), /already a subgroup/);
    await assert.rejects(subgroups(inner, [id]), /already a subgroup of one of the passed subgroups/);
    await assert.rejects(subgroups(id, [id]), /already a subgroup of one of the passed subgroups/);
    await assert.rejects(subgroups(await systemGroup(server, 'role:members'), [id]), /Insufficient permission/);
    await assert.rejects(
      change((open) => changeMembership(open, 1_000_000, { members: { add: [ada.userId] } })),
      /Invalid user group/,
    );
    const { members: left, direct_subgroup_ids } = await groupOf(ada, id);
    assert.deepEqual([left, direct_subgroup_ids], [[ada.userId], [inner]]);
  });
});

describe('a private channel that a group can join', () => {
  test('appears and disappears with membership in the group, direct or through a subgroup', async () => {
    const [id, inner] = [await make('joiners'), await make('friends', { members: [ada.userId] })];
    const more = { invite_only: true, can_subscribe_group: id };
    await server.owner.subscribe('for joiners', more);
    const { stream_id } = await server.owner.ok('GET', '/get_stream_id', { stream: 'for joiners' });
    const types = { event_types: ['stream', 'subscription'] };
    const queues = [await ada.register(types), await bob.register(types)];
    const received = async () => {
      const events = await Promise.all(queues.map((queue) => queue.now()));
      return events.map((list) => list.map(({ op }) => op));
    };
    await change((open) => changeMembership(open, id, { members: { add: [bob.userId] } }));
    assert.deepEqual(await received(), [[], ['create', 'peer_add']]);
    await change((open) => changeMembership(open, id, { subgroups: { add: [inner] } }));
    assert.deepEqual(await received(), [['create', 'peer_add'], []]);
    await ada.ok('GET', `/users/me/${stream_id}/topics`);
    await change((open) => changeMembership(open, id, { members: { add: [ada.userId] } }));
    await change((open) => changeMembership(open, id, { subgroups: { remove: [inner] } }));
    assert.deepEqual(await received(), [[], []], 'a user who is a member in two ways keeps access with either');
    await change((open) => changeMembership(open, id, { members: { remove: [ada.userId, bob.userId] } }));
    assert.deepEqual(await received(), [['delete'], ['delete']]);
    await ada.fails('GET', `/users/me/${stream_id}/topics`);
  });
});
