import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Role } from '../../../directory/records.ts';
import type { Fields, TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let administrator: TestClient;
let guest: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  administrator = await server.user({ role: Role.administrator });
  guest = await server.user({ role: Role.guest });
});
after(() => server.stop());

const settle = (settings: Fields) => owner.ok('PATCH', '/realm', settings);
const channelOf = async (client: TestClient, id: number): Promise<Json> =>
  (await client.ok('GET', `/streams/${id}`)).stream;

/**
 * Creates a web-public channel in each possible way. `word` begins the channel names. Returns each result or error
 * message.
 */
async function attempts(client: TestClient, word: string) {
  const id = await server.emptyChannel(administrator, `${word} changed`);
  const asked = [
    client.call('POST', '/channels/create', { name: `${word} created`, subscribers: [], is_web_public: true }),
    client.call('POST', '/users/me/subscriptions', {
      ...{ subscriptions: [{ name: `${word} subscribed` }], is_web_public: true },
    }),
    client.call('PATCH', `/streams/${id}`, { is_web_public: true }),
  ];
  return (await Promise.all(asked)).map(({ status, body }) => (status === 200 ? body.result : body.msg));
}

// rules: subscriptions-8
test('creating web-public channels requires spectator access and the organization’s permission', async () => {
  await settle({ enable_spectator_access: false });
  assert.deepEqual(new Set(await attempts(owner, 'early')), new Set(['Web-public channels are not enabled.']));
  await settle({ enable_spectator_access: true });
  assert.deepEqual(new Set(await attempts(owner, 'first')), new Set(['success']));
  assert.deepEqual(new Set(await attempts(administrator, 'second')), new Set(['Insufficient permission']));
  const groups = (await owner.register({ fetch_event_types: ['realm_user_groups'] })).state.realm_user_groups;
  const administrators = groups.find(({ name }: Json) => name === 'role:administrators').id;
  await settle({ can_create_web_public_channel_group: { new: administrators } });
  assert.deepEqual(new Set(await attempts(administrator, 'third')), new Set(['success']));
  assert.deepEqual((await attempts(guest, 'fourth')).slice(0, 1), ['Not allowed for guest users']);
});

// rules: spectators-1
test('a web-public channel is public with shared history, also for guests, and cannot be private', async () => {
  await settle({ enable_spectator_access: true });
  const { id } = await owner.ok('POST', '/channels/create', { name: 'for all', subscribers: [], is_web_public: true });
  const { is_web_public, invite_only, history_public_to_subscribers } = await channelOf(guest, Number(id));
  assert.deepEqual(
    { is_web_public, invite_only, history_public_to_subscribers },
    { is_web_public: true, invite_only: false, history_public_to_subscribers: true },
  );
  for (const more of [{ is_private: true }, { history_public_to_subscribers: false }]) {
    assert.equal((await owner.fails('PATCH', `/streams/${id}`, more)).msg, 'Invalid parameters');
  }
  const both = { name: 'both', subscribers: [], is_web_public: true, invite_only: true };
  assert.equal((await owner.fails('POST', '/channels/create', both)).msg, 'Invalid parameters');
  await owner.ok('PATCH', `/streams/${id}`, { is_private: true, is_web_public: false });
  await guest.fails('GET', `/streams/${id}`);
});

test('include_web_public lists web-public channels to users who are not subscribed', async () => {
  await settle({ enable_spectator_access: true });
  const { id } = await owner.ok('POST', '/channels/create', { name: 'listed', subscribers: [], is_web_public: true });
  const listed = async (query: Fields) =>
    (await guest.ok('GET', '/streams', query)).streams.some(({ stream_id }: Json) => stream_id === Number(id));
  assert.deepEqual([await listed({}), await listed({ include_web_public: true })], [false, true]);
});
