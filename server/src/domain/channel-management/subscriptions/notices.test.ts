import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  for (const name of ['alpha', 'beta', 'gamma']) await server.emptyChannel(owner, name);
});
after(() => server.stop());

const add = (names: readonly string[], whom: readonly TestClient[], more: object = {}): Promise<Json> =>
  owner.ok('POST', '/users/me/subscriptions', {
    subscriptions: names.map((name) => ({ name })),
    principals: whom.map((client) => client.userId),
    ...more,
  });

async function noticesOf(client: TestClient): Promise<Json[]> {
  const narrow = [
    { operator: 'sender', operand: 'notification-bot@zulip.com' },
    { operator: 'is', operand: 'dm' },
  ];
  const query = { anchor: 'newest', num_before: 10, num_after: 0, narrow, apply_markdown: false };
  return (await client.ok('GET', '/messages', query)).messages;
}

const contents = async (client: TestClient) => (await noticesOf(client)).map((message) => message.content);
const caller = () => `@_**Olive Owner|${owner.userId}**`;

test('a user subscribed by another user receives a direct message of the notification bot that names the channel', async () => {
  const joiner = await server.user();
  const queue = await joiner.register({ event_types: ['message', 'subscription'] });
  assert.equal((await add(['alpha'], [joiner])).new_subscription_messages_sent, true);
  assert.deepEqual(await contents(joiner), [`${caller()} subscribed you to #**alpha**.`]);
  const [message] = await noticesOf(joiner);
  assert.deepEqual([message.flags, message.client, message.type], [[], 'Internal', 'private']);
  const events = await queue.now();
  assert.deepEqual(
    events.map((event) => event.type),
    ['subscription', 'message'],
  );
  assert.deepEqual([events[1].flags, events[1].message.id], [[], message.id]);
  const { unread_msgs } = (await joiner.register({ event_types: ['message', 'update_message_flags'] })).state;
  const bot = message.sender_id;
  assert.deepEqual(unread_msgs.pms, [{ other_user_id: bot, sender_id: bot, unread_message_ids: [message.id] }]);
});

test('one message lists several channels, without those already subscribed or newly created', async () => {
  const [joiner, halfway] = [await server.user(), await server.user()];
  await halfway.subscribe('beta');
  await add(['gamma', 'beta', 'brand new', 'alpha'], [joiner, halfway, owner]);
  const list = (...names: string[]) =>
    `${caller()} subscribed you to the following channels:\n\n${names.map((name) => `* #**${name}**`).join('\n')}`;
  assert.deepEqual(await contents(joiner), [list('alpha', 'beta', 'gamma')]);
  assert.deepEqual(await contents(halfway), [list('alpha', 'gamma')]);
  assert.deepEqual(await contents(owner), []);
});

test('new channels, own subscriptions and send_new_subscription_messages=false send no message', async () => {
  const joiner = await server.user();
  assert.equal((await add(['created with'], [joiner])).new_subscription_messages_sent, true);
  const answer = await add(['alpha'], [joiner], { send_new_subscription_messages: false });
  assert.equal(answer.new_subscription_messages_sent, undefined);
  assert.equal((await joiner.subscribe('beta')).new_subscription_messages_sent, true);
  assert.deepEqual(await contents(joiner), []);
});

test('subscribing more than a hundred users sends no messages, and the response says so', async () => {
  const users: TestClient[] = [];
  for (let n = 0; n < 101; n++) users.push(await server.user());
  assert.equal((await add(['alpha'], users)).new_subscription_messages_sent, false);
  assert.deepEqual(await contents(users[0] ?? owner), []);
  assert.equal((await add(['beta'], users.slice(1))).new_subscription_messages_sent, true);
  const [first] = await noticesOf(users[1] ?? owner);
  assert.equal(first.content, `${caller()} subscribed you to #**beta**.`);
  assert.equal((await contents(users.at(-1) ?? owner)).length, 1);
});

test('a refused subscription sends no message', async () => {
  const [guestOf, secret] = [await server.user(), 'kept secret'];
  await server.emptyChannel(await server.user(), secret, { invite_only: true });
  const refused = { subscriptions: [{ name: 'alpha' }, { name: secret }], principals: [guestOf.userId] };
  await (await server.user()).fails('POST', '/users/me/subscriptions', refused);
  assert.deepEqual(await contents(guestOf), []);
});
