import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Role } from '../../../directory/records.ts';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { systemGroup } from '../../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { changeRole, deactivateUser } from './actions.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

async function organization() {
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  return organization;
}

async function give(client: TestClient, role: Role): Promise<void> {
  await changeRole(await organization(), client.userId, role);
}

async function channelId(name: string): Promise<number> {
  return (await server.owner.ok('GET', '/get_stream_id', { stream: name })).stream_id;
}

describe('changing a user’s role', () => {
  test('notifies all users of the role and of the groups that the user leaves and joins', async () => {
    const client = await server.user();
    const queue = await server.owner.register({ event_types: ['realm_user', 'user_group'] });
    await give(client, Role.moderator);
    const [role, ...groups] = await queue.now();
    assert.deepEqual([role.op, role.person], ['update', { user_id: client.userId, role: Role.moderator }]);
    const fullMembers = await systemGroup(server, 'role:fullmembers');
    const members = await systemGroup(server, 'role:members');
    const moderators = await systemGroup(server, 'role:moderators');
    assert.deepEqual(
      groups.map(({ op, group_id, user_ids }: Json) => [op, group_id, user_ids]),
      [
        ['remove_members', fullMembers, [client.userId]],
        ['remove_members', members, [client.userId]],
        ['add_members', moderators, [client.userId]],
      ],
    );
  });

  // rules: bots-22
  test('to a weaker one also lowers the bots with a stronger role, and no others', async () => {
    const client = await server.user({ role: Role.administrator });
    const [strong, weak] = [
      await client.ok('POST', '/bots', { full_name: 'Strong', short_name: 'strong' }),
      await client.ok('POST', '/bots', { full_name: 'Weak', short_name: 'weak' }),
    ];
    await server.owner.ok('PATCH', `/bots/${strong.user_id}`, { role: Role.administrator });
    const roles = async () => {
      const users = [strong, weak].map(({ user_id }) => server.owner.ok('GET', `/users/${user_id}`));
      return (await Promise.all(users)).map(({ user }) => user.role);
    };
    const expected: readonly (readonly [Role, readonly Role[]])[] = [
      [Role.owner, [Role.administrator, Role.member]],
      [Role.moderator, [Role.moderator, Role.member]],
      [Role.member, [Role.member, Role.member]],
      [Role.guest, [Role.guest, Role.guest]],
      [Role.member, [Role.guest, Role.guest]],
    ];
    for (const [role, ofBots] of expected) {
      await give(client, role);
      assert.deepEqual(await roles(), ofBots, `with the role ${role}`);
    }
  });

  test('to guest removes channels without metadata access, but keeps subscribed ones', async () => {
    const client = await server.user();
    const witness = await server.user();
    await server.owner.subscribe('unseen');
    await server.owner.subscribe('seen', { principals: [client.userId] });
    const queue = await client.register({ event_types: ['stream', 'default_streams'] });
    const others = await witness.register({ event_types: ['stream', 'default_streams'] });
    await give(client, Role.guest);
    const [defaults, hidden, ...more] = await queue.now();
    assert.deepEqual([defaults.type, defaults.default_streams, more], ['default_streams', [], []]);
    assert.deepEqual([hidden.type, hidden.op], ['stream', 'delete']);
    assert(hidden.stream_ids.includes(await channelId('unseen')));
    assert(!hidden.stream_ids.includes(await channelId('seen')));
    assert.deepEqual(await others.now(), [], 'other users receive nothing');
  });

  test('to administrator shows private channels with their subscribers', async () => {
    const client = await server.user();
    const member = await server.user();
    await member.subscribe('hidden', { invite_only: true });
    const queue = await client.register({ event_types: ['stream', 'subscription'] });
    await give(client, Role.administrator);
    const [created, peers] = await queue.now();
    assert.deepEqual(
      [created.op, created.streams.map(({ name }: Json) => name), created.streams[0].subscriber_count],
      ['create', ['hidden'], 0],
    );
    assert.deepEqual([peers.op, peers.user_ids], ['peer_add', [member.userId]]);
    await give(client, Role.member);
    const [deleted, ...more] = await queue.now();
    assert.deepEqual([deleted.op, deleted.stream_ids, more], ['delete', [await channelId('hidden')], []]);
  });

  test('applies to the next request', async () => {
    const guest = await server.user({ role: Role.guest });
    await server.owner.subscribe('open');
    await guest.fails('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'open' }] });
    await give(guest, Role.member);
    await guest.subscribe('open');
  });

  test('to the current role changes nothing', async () => {
    const client = await server.user();
    const queue = await client.register();
    await give(client, Role.member);
    assert.deepEqual(await queue.now(), []);
  });
});

test('a deactivated account can be given another role, and has it after reactivation', async () => {
  const former = await server.user({ role: Role.owner });
  await deactivateUser(server.app, await organization(), former.userId);
  const queue = await server.owner.register({ event_types: ['realm_user', 'user_group'] });
  await server.owner.ok('PATCH', `/users/${former.userId}`, { role: Role.moderator });
  const events = (await queue.now()).map(({ id: _, ...event }) => event);
  const person = { user_id: former.userId, role: Role.moderator };
  assert.deepEqual(events, [{ type: 'realm_user', op: 'update', person }]);
  await server.owner.ok('POST', `/users/${former.userId}/reactivate`);
  const joined = (await queue.now()).flatMap(({ op, group_id }) => (op === 'add_members' ? [group_id] : []));
  const { state } = await server.owner.register({ fetch_event_types: ['realm_user_groups'], event_types: [] });
  const within = state.realm_user_groups.filter(
    ({ members, is_system_group }: Json) => is_system_group && members.includes(former.userId),
  );
  assert.deepEqual(within.map(({ id }: Json) => id).sort(), joined.sort());
  assert(within.some(({ name }: Json) => name === 'role:moderators'));
});

test('the only active owner keeps the role, and an unknown user is refused', async () => {
  await assert.rejects(give(server.owner, Role.member), /the only organization owner/);
  const second = await server.user({ role: Role.owner });
  await give(second, Role.member);
  await assert.rejects(changeRole(await organization(), 1_000_000, Role.guest), /No such user/);
});
