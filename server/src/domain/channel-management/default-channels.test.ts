import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Role } from '../../directory/records.ts';
import type { TestClient } from '../../testing/client.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

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

test('administrators choose the channels that new users are subscribed to, and everybody but guests is told', async () => {
  const stream_id = await server.emptyChannel(member, 'by default');
  const queue = await member.register({ event_types: ['default_streams'] });
  const guests = await guest.register({ event_types: ['default_streams'] });
  await owner.ok('POST', '/default_streams', { stream_id });
  await owner.ok('POST', '/default_streams', { stream_id });
  const [event, ...more] = await queue.now();
  assert.deepEqual(event.default_streams, [...queue.state.realm_default_streams, stream_id]);
  assert.deepEqual(more, [], 'once is enough');
  const joining = await server.user();
  const { subscribers } = await owner.ok('GET', `/streams/${stream_id}/members`);
  assert(subscribers.includes(joining.userId));
  await owner.ok('DELETE', '/default_streams', { stream_id });
  assert.deepEqual((await queue.now())[0].default_streams, queue.state.realm_default_streams);
  assert.deepEqual(await guests.now(), []);
});

test('nobody else does, and no private channel can be one', async () => {
  const stream_id = await server.emptyChannel(member, 'not by default');
  const msg = 'You do not have permission to change default channels.';
  for (const method of ['POST', 'DELETE']) {
    assert.equal((await member.fails(method, '/default_streams', { stream_id })).msg, msg);
  }
  assert.equal((await owner.fails('POST', '/default_streams', { stream_id: 999_999 })).msg, 'Invalid channel ID');
  const hidden = await server.emptyChannel(member, 'hidden', { invite_only: true });
  const answer = await owner.fails('POST', '/default_streams', { stream_id: hidden });
  assert.equal(answer.msg, 'Private channels cannot be made default.');
});

test('there is no address for mail, as where the reference has no gateway; who asks for one reads the channel', async () => {
  const id = await server.emptyChannel(member, 'mailed', { invite_only: true });
  const path = `/streams/${id}/email_address`;
  assert.equal((await member.ok('GET', path)).email, '');
  assert.equal((await member.ok('GET', path, { sender_id: member.userId })).email, '');
  assert.equal((await member.fails('GET', path, { sender_id: owner.userId })).msg, 'No such bot');
  assert.equal((await owner.fails('GET', path)).msg, 'Invalid channel ID');
  assert.equal((await guest.fails('GET', path)).msg, 'Invalid channel ID');
});

test("a user's channels are told as far as the asker may know them", async () => {
  const open = await server.emptyChannel(member, 'open to all');
  const hidden = await server.emptyChannel(member, 'of some', { invite_only: true });
  const other = await server.user();
  const path = `/users/${member.userId}/channels`;
  const told = async (client: TestClient) => (await client.ok('GET', path)).subscribed_channel_ids;
  assert((await told(member)).includes(hidden));
  assert((await told(owner)).includes(hidden), 'administrators know private channels');
  assert((await told(other)).includes(open));
  assert(!(await told(other)).includes(hidden));
  assert.deepEqual(await told(guest), []);
  assert.equal((await owner.fails('GET', '/users/999999/channels')).msg, 'No such user');
});
