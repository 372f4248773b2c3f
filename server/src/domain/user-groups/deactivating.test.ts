import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Role } from '../../directory/records.ts';
import type { Fields, TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { archiveChannel, changeOrganization, systemGroup } from '../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let ada: TestClient;
let bob: TestClient;
before(async () => {
  server = await startTestServer();
  ada = await server.user();
  bob = await server.user();
});
after(() => server.stop());

let made = 0;
async function create(more: Fields = {}): Promise<number> {
  const fields = { name: `group ${made++}`, description: '', members: [], ...more };
  return (await ada.ok('POST', '/user_groups/create', fields)).group_id;
}
const deactivate = (id: number, client = ada) => client.ok('POST', `/user_groups/${id}/deactivate`);
const refusal = (id: number, client = ada): Promise<Json> => client.fails('POST', `/user_groups/${id}/deactivate`);
const reopen = (id: number) => ada.ok('PATCH', `/user_groups/${id}`, { deactivated: false });

async function objections(id: number): Promise<Json[]> {
  const { code, msg, objections } = await refusal(id);
  assert.deepEqual([code, msg], ['CANNOT_DEACTIVATE_GROUP_IN_USE', 'Cannot deactivate user group in use.']);
  return objections;
}

describe('deactivating a group', () => {
  // rules: user-groups-11
  test('is allowed to its managers, once, and never for system groups', async () => {
    const id = await create();
    assert.equal((await refusal(id, bob)).msg, 'Insufficient permission');
    const guest = await server.user({ role: Role.guest });
    assert.equal((await refusal(id, guest)).msg, 'Not allowed for guest users');
    await deactivate(id);
    assert.equal((await refusal(id)).msg, 'User group is deactivated.');
    assert.equal((await refusal(999_999)).msg, 'Invalid user group');
    const moderators = await systemGroup(server, 'role:moderators');
    assert.equal((await refusal(moderators, server.owner)).msg, 'Insufficient permission');
  });

  // rules: user-groups-15
  test('is refused while the group is a subgroup of an active group', async () => {
    const id = await create();
    const [one, two] = [await create({ subgroups: [id] }), await create({ subgroups: [id] })];
    assert.deepEqual(await objections(id), [{ type: 'subgroup', supergroup_ids: [one, two] }]);
    await deactivate(one);
    assert.deepEqual(await objections(id), [{ type: 'subgroup', supergroup_ids: [two] }]);
    await deactivate(two);
    await deactivate(id);
  });

  // rules: user-groups-15
  test('is refused while channel permissions refer to it, in either form, unless the channel is archived', async () => {
    const id = await create();
    const more = {
      can_send_message_group: id,
      can_administer_channel_group: { direct_members: [ada.userId], direct_subgroups: [id] },
    };
    await ada.subscribe('of the group', more);
    const { stream_id } = await ada.ok('GET', '/get_stream_id', { stream: 'of the group' });
    const settings = ['can_administer_channel_group', 'can_send_message_group'];
    assert.deepEqual(await objections(id), [{ type: 'channel', channel_id: stream_id, settings }]);
    await archiveChannel(server, stream_id);
    await deactivate(id);
  });

  // rules: user-groups-15
  test('is refused while permissions of an active group refer to it', async () => {
    const id = await create();
    const other = await create({
      can_join_group: id,
      can_mention_group: { direct_members: [], direct_subgroups: [id] },
    });
    const settings = ['can_join_group', 'can_mention_group'];
    assert.deepEqual(await objections(id), [{ type: 'user_group', group_id: other, settings }]);
    await deactivate(other);
    await deactivate(id);
  });

  // rules: user-groups-15
  test('is refused while permissions of the organization refer to it', async () => {
    const id = await create();
    await changeOrganization(server, {
      can_create_groups: { directMembers: [ada.userId], directSubgroups: [id] },
      can_mention_many_users_group: id,
    });
    const settings = ['can_create_groups', 'can_mention_many_users_group'];
    assert.deepEqual(await objections(id), [{ type: 'realm', settings }]);
    await changeOrganization(server, { can_create_groups: undefined, can_mention_many_users_group: undefined });
    await deactivate(id);
  });

  // rules: user-groups-16
  test('revokes its members’ access to channels, and reactivating restores it', async () => {
    const inner = await create({ members: [bob.userId] });
    const outer = await create({ subgroups: [inner] });
    await server.owner.subscribe('cellar', { invite_only: true, can_subscribe_group: outer });
    const { stream_id } = await server.owner.ok('GET', '/get_stream_id', { stream: 'cellar' });
    await archiveChannel(server, stream_id);
    const types = { event_types: ['stream'], client_capabilities: { archived_channels: true } };
    const [bobs, adas] = [await bob.register(types), await ada.register(types)];
    const ops = async () => (await bobs.now()).map(({ op }) => op);
    assert((await bob.ok('GET', `/streams/${stream_id}`)).stream);
    await deactivate(outer);
    assert.deepEqual(await ops(), ['delete']);
    await bob.fails('GET', `/streams/${stream_id}`);
    await deactivate(inner);
    await reopen(outer);
    assert.deepEqual(await ops(), []);
    await reopen(inner);
    assert.deepEqual(await ops(), ['create']);
    assert((await bob.ok('GET', `/streams/${stream_id}`)).stream);
    assert.deepEqual(await adas.now(), []);
  });
});
