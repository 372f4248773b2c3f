import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestClient } from '../../testing/client.ts';
import type { Json } from '../../testing/json.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

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

async function told(client: TestClient): Promise<Json[]> {
  const narrow = [
    { operator: 'sender', operand: 'notification-bot@zulip.com' },
    { operator: 'is', operand: 'dm' },
  ];
  const query = { anchor: 'newest', num_before: 10, num_after: 0, narrow, apply_markdown: false };
  return (await client.ok('GET', '/messages', query)).messages;
}

const contents = async (client: TestClient) => (await told(client)).map((message) => message.content);
const caller = () => `@_**Olive Owner|${owner.userId}**`;

test('whom another subscribes gets a direct message of the notification bot that names the channel', async () => {
  const joiner = await server.user();
  const queue = await joiner.register({ event_types: ['message', 'subscription'] });
  assert.equal((await add(['alpha'], [joiner])).new_subscription_messages_sent, true);
  assert.deepEqual(await contents(joiner), [`${caller()} subscribed you to #**alpha**.`]);
  const [message] = await told(joiner);
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

test('several channels are one message with a list; those that one is subscribed to already, or that are new, are not in it', async () => {
  const [joiner, halfway] = [await server.user(), await server.user()];
  await halfway.subscribe('beta');
  await add(['gamma', 'beta', 'brand new', 'alpha'], [joiner, halfway, owner]);
  const list = (...names: string[]) =>
    `${caller()} subscribed you to the following channels:\n\n${names.map((name) => `* #**${name}**`).join('\n')}`;
  assert.deepEqual(await contents(joiner), [list('alpha', 'beta', 'gamma')]);
  assert.deepEqual(await contents(halfway), [list('alpha', 'gamma')]);
  assert.deepEqual(await contents(owner), []);
});

test('nobody is told of a channel that is created with them, of what they do themselves, or where the request says so', async () => {
  const joiner = await server.user();
  assert.equal((await add(['created with'], [joiner])).new_subscription_messages_sent, true);
  const answer = await add(['alpha'], [joiner], { send_new_subscription_messages: false });
  assert.equal(answer.new_subscription_messages_sent, undefined);
  assert.equal((await joiner.subscribe('beta')).new_subscription_messages_sent, true);
  assert.deepEqual(await contents(joiner), []);
});

test('a request that subscribes more than a hundred tells nobody, and says so', async () => {
  const crowd: TestClient[] = [];
  for (let n = 0; n < 101; n++) crowd.push(await server.user());
  assert.equal((await add(['alpha'], crowd)).new_subscription_messages_sent, false);
  assert.deepEqual(await contents(crowd[0] ?? owner), []);
  assert.equal((await add(['beta'], crowd.slice(1))).new_subscription_messages_sent, true);
  const [first] = await told(crowd[1] ?? owner);
  assert.equal(first.content, `${caller()} subscribed you to #**beta**.`);
  assert.equal((await contents(crowd.at(-1) ?? owner)).length, 1);
});

test('a subscription that is refused tells nobody', async () => {
  const [guestOf, secret] = [await server.user(), 'kept secret'];
  await server.emptyChannel(await server.user(), secret, { invite_only: true });
  const refused = { subscriptions: [{ name: 'alpha' }, { name: secret }], principals: [guestOf.userId] };
  await (await server.user()).fails('POST', '/users/me/subscriptions', refused);
  assert.deepEqual(await contents(guestOf), []);
});
