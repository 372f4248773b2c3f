import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Role } from '../../../directory/records.ts';
import type { TestClient } from '../../../testing/clients/client.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
let guest: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.user();
  guest = await server.user({ role: Role.guest });
});
after(() => server.stop());

test('administrators change the default channels, and all users except guests are notified', async () => {
  const stream_id = await server.emptyChannel(member, 'by default');
  const queue = await member.register({ event_types: ['default_streams'] });
  const guests = await guest.register({ event_types: ['default_streams'] });
  await owner.ok('POST', '/default_streams', { stream_id });
  await owner.ok('POST', '/default_streams', { stream_id });
  const [event, ...more] = await queue.now();
  assert.deepEqual(event.default_streams, [...queue.state.realm_default_streams, stream_id]);
  assert.deepEqual(more, [], 'adding a default channel again sends no event');
  const joining = await server.user();
  const { subscribers } = await owner.ok('GET', `/streams/${stream_id}/members`);
  assert(subscribers.includes(joining.userId));
  await owner.ok('DELETE', '/default_streams', { stream_id });
  assert.deepEqual((await queue.now())[0].default_streams, queue.state.realm_default_streams);
  assert.deepEqual(await guests.now(), []);
});

test('other users are refused, and a private channel cannot be a default channel', async () => {
  const stream_id = await server.emptyChannel(member, 'not by default');
  for (const method of ['POST', 'DELETE']) {
    const { code, msg } = await member.fails(method, '/default_streams', { stream_id });
    assert.deepEqual([code, msg], ['UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator']);
  }
  assert.equal((await owner.fails('POST', '/default_streams', { stream_id: 999_999 })).msg, 'Invalid channel ID');
  const hidden = await server.emptyChannel(member, 'hidden', { invite_only: true });
  const refusal = async (id: number) => (await owner.fails('POST', '/default_streams', { stream_id: id })).msg;
  assert.equal(await refusal(hidden), 'Invalid channel ID');
  const shown = await server.emptyChannel(owner, 'shown', { invite_only: true });
  assert.equal(await refusal(shown), 'Private channels cannot be made default.');
});

test('the email address of a channel is empty, and reading it requires access to the channel and the sender', async () => {
  const id = await server.emptyChannel(member, 'mailed', { invite_only: true });
  const path = `/streams/${id}/email_address`;
  assert.equal((await member.ok('GET', path)).email, '');
  assert.equal((await member.ok('GET', path, { sender_id: member.userId })).email, '');
  assert.equal((await member.fails('GET', path, { sender_id: owner.userId })).msg, 'No such bot');
  assert.equal((await owner.fails('GET', path)).msg, 'Invalid channel ID');
  assert.equal((await guest.fails('GET', path)).msg, 'Invalid channel ID');
});

test('GET /users/{id}/channels returns the channels to which the caller has metadata access', async () => {
  const open = await server.emptyChannel(member, 'open to all');
  const hidden = await server.emptyChannel(member, 'of some', { invite_only: true });
  const other = await server.user();
  const path = `/users/${member.userId}/channels`;
  const channelIdsFor = async (client: TestClient) => (await client.ok('GET', path)).subscribed_channel_ids;
  assert((await channelIdsFor(member)).includes(hidden));
  assert((await channelIdsFor(owner)).includes(hidden), 'administrators have metadata access to private channels');
  assert((await channelIdsFor(other)).includes(open));
  assert(!(await channelIdsFor(other)).includes(hidden));
  assert.deepEqual(await channelIdsFor(guest), []);
  assert.equal((await owner.fails('GET', '/users/999999/channels')).msg, 'No such user');
});
