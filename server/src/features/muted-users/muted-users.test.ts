import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let member: TestClient;
let loud: TestClient;
let bystander: TestClient;
before(async () => {
  server = await startTestServer();
  member = await server.user();
  loud = await server.user();
  bystander = await server.user();
  await server.owner.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'looms' }],
    principals: [member.userId, loud.userId, bystander.userId],
  });
});
after(() => server.stop());

const path = (user: TestClient) => `/users/me/muted_users/${user.userId}`;

function say(sender: TestClient, content = 'noise'): Promise<number> {
  return sender.ok('POST', '/messages', { type: 'channel', to: 'looms', topic: 'talk', content }).then(({ id }) => id);
}

async function isRead(user: TestClient, messageId: number): Promise<boolean> {
  return (await user.ok('GET', `/messages/${messageId}`)).message.flags.includes('read');
}

test('users can be muted and unmuted once, and only the user who mutes receives events', async () => {
  const person = await server.user();
  const queue = await person.register({ event_types: ['muted_users'] });
  const theirs = await loud.register({ event_types: ['muted_users'] });
  assert.deepEqual(queue.state.muted_users, []);
  await person.ok('POST', path(loud));
  assert.equal((await person.fails('POST', path(loud))).msg, 'User already muted');
  const { state } = await person.register({ fetch_event_types: ['muted_users'] });
  assert.deepEqual(
    state.muted_users.map(({ id }: Json) => id),
    [loud.userId],
  );
  assert(state.muted_users[0].timestamp > 1_700_000_000);
  await person.ok('DELETE', path(loud));
  assert.equal((await person.fails('DELETE', path(loud))).msg, 'User is not muted');
  assert.deepEqual(
    (await queue.take(2)).map(({ muted_users }: Json) => muted_users.map(({ id }: Json) => id)),
    [[loud.userId], []],
  );
  assert.deepEqual(await theirs.now(), []);
});

test('users cannot mute themselves or unknown users; bots and deactivated users can be muted', async () => {
  assert.equal((await member.fails('POST', path(member))).msg, 'Cannot mute self');
  assert.equal((await member.fails('POST', '/users/me/muted_users/987654321')).msg, 'No such user');
  assert.equal((await member.fails('DELETE', '/users/me/muted_users/987654321')).msg, 'No such user');
  const gone = await server.user();
  await server.owner.ok('DELETE', `/users/${gone.userId}`);
  await member.ok('POST', path(gone));
  const { state } = await member.register({ fetch_event_types: ['realm_user'] });
  await member.ok('POST', `/users/me/muted_users/${state.cross_realm_bots[0].user_id}`);
});

test('muting marks earlier messages of the user as read, and later ones start as read', async () => {
  const earlier = [await say(loud), await loud.direct([member.userId], 'psst')];
  const others = await say(bystander);
  const queue = await member.register({ event_types: ['message', 'update_message_flags'] });
  await member.ok('POST', path(loud));
  const [flags] = await queue.take(1);
  assert.deepEqual([flags.op, flags.flag, flags.messages], ['add', 'read', earlier]);
  const later = [await say(loud), await loud.direct([member.userId], 'psst')];
  for (const { flags: ofMessage } of await queue.take(2)) assert(ofMessage.includes('read'));
  for (const id of [...earlier, ...later]) assert(await isRead(member, id));
  assert(!(await isRead(member, others)));
  assert(!(await isRead(bystander, later[0] ?? 0)), 'for other users the message is unread');
  await member.ok('DELETE', path(loud));
  assert(!(await isRead(member, await say(loud))));
  assert(await isRead(member, later[0] ?? 0), 'read messages stay read');
});

test('messages of a muted notification bot start as read, in channels and directly', async () => {
  const person = await server.user();
  await person.subscribe('looms');
  const { state } = await person.register({ fetch_event_types: ['realm_user'] });
  const bot = state.cross_realm_bots.find(({ full_name }: Json) => full_name === 'Notification Bot');
  await person.ok('POST', `/users/me/muted_users/${bot.user_id}`);
  await server.emptyChannel(loud, 'selvedge');
  const queue = await person.register({ event_types: ['message'] });
  const id = await say(loud, 'done');
  await loud.ok('PATCH', `/messages/${id}`, { topic: '✔ talk', propagate_mode: 'change_one' });
  await loud.subscribe('selvedge', { principals: [person.userId] });
  const [own, ...notices] = await queue.take(3);
  assert(!own.flags.includes('read'));
  assert.deepEqual(
    notices.map(({ message }: Json) => message.type),
    ['stream', 'private'],
  );
  for (const { message, flags } of notices) {
    assert.equal(message.sender_id, bot.user_id);
    assert(flags.includes('read'), message.type);
    assert(await isRead(person, message.id));
  }
});
