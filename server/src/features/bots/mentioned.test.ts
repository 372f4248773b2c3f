import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Role } from '../../directory/records.ts';
import type { Fields, TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let sender: TestClient;
let echo: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  sender = await server.user({ name: 'Sandy Sender' });
  await owner.subscribe('plain', { principals: [sender.userId] });
  echo = await bot('Echo');
});
after(() => server.stop());

async function bot(name: string, more: Fields = {}): Promise<TestClient> {
  const short_name = name.toLowerCase();
  await owner.ok('POST', '/bots', { full_name: name, short_name, ...more });
  return server.sameUser({ email: `${short_name}-bot@localhost` } as TestClient);
}

const NEWEST = { anchor: 'newest', num_before: 100, num_after: 0 };
const say = (content: string, channel: string | number = 'plain') => sender.send(channel, 'topic', content);

/** Returns the events about messages that the bot's queue receives during an action. */
async function eventsDuring(client: TestClient, act: () => Promise<unknown>, more: Fields = {}): Promise<Json[]> {
  const event_types = ['message', 'update_message', 'reaction', 'delete_message'];
  const queue = await client.register({ event_types, ...more });
  await act();
  return queue.now();
}

async function mentionedIn(client: TestClient): Promise<number[]> {
  const { messages } = await client.ok('GET', '/messages', { ...NEWEST, narrow: [['is', 'mentioned']] });
  return messages.map(({ id }: Json) => id);
}

const flagsOf = async (client: TestClient, id: number) => (await client.ok('GET', `/messages/${id}`)).message.flags;

// rules: message-fields-14
test('a personal mention reaches a generic bot that is not subscribed to the channel, and is stored', async () => {
  let id = 0;
  const [event, ...more] = await eventsDuring(echo, async () => {
    id = await say('@**Echo** are you there?');
  });
  assert.deepEqual([event.type, event.message.id, event.flags, more], ['message', id, ['mentioned'], []]);
  assert.deepEqual(await mentionedIn(echo), [id]);
  assert.deepEqual(await flagsOf(echo, id), ['read', 'mentioned']);
});

test('the flag is the same in a queue with all_public_streams, and @all sets none', async () => {
  const events = await eventsDuring(
    echo,
    async () => {
      await say('@**all** and @**Echo**');
      await say('@**all**');
    },
    { all_public_streams: true },
  );
  assert.deepEqual(
    events.map(({ flags }) => flags),
    [['mentioned'], []],
  );
  const [named] = await eventsDuring(echo, () => say('@**all** and @**Echo**'));
  assert.deepEqual(named.flags, ['mentioned']);
});

test('events about such a message also reach the bot', async () => {
  const id = await say('@**Echo** look');
  const events = await eventsDuring(echo, async () => {
    await sender.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'octopus' });
    await sender.ok('PATCH', `/messages/${id}`, { content: '@**Echo** look again' });
  });
  const types = [...events, ...(await eventsDuring(echo, () => owner.ok('DELETE', `/messages/${id}`)))].map(
    ({ type }) => type,
  );
  assert.deepEqual(types, ['reaction', 'update_message', 'delete_message']);
});

test('an edit that adds the mention reaches the bot, and one that removes it clears the flag', async () => {
  const id = await say('is anybody there?');
  const edit = (content: string) => () => sender.ok('PATCH', `/messages/${id}`, { content });
  const [added] = await eventsDuring(echo, edit('is @**Echo** there?'));
  assert.deepEqual([added.type, added.message_id, added.flags], ['update_message', id, ['read', 'mentioned']]);
  assert((await mentionedIn(echo)).includes(id));
  assert.deepEqual(await flagsOf(echo, id), added.flags);
  await edit('is anybody there?')();
  assert(!(await mentionedIn(echo)).includes(id));
  assert.deepEqual(await eventsDuring(echo, edit('nobody')), []);
});

test('a mention reaches the bot also among very many mentioned users, by send and by edit', async () => {
  const people = await Promise.all(Array.from({ length: 101 }, (_, index) => server.user({ name: `Reader ${index}` })));
  await owner.subscribe('crowded', { principals: [sender.userId, ...people.map(({ userId }) => userId)] });
  const content = `${people.map(({ userId }) => `@**|${userId}**`).join(' ')} @**Echo**`;
  const id = await say(content, 'crowded');
  const edited = await say('nobody', 'crowded');
  const [update] = await eventsDuring(echo, () => sender.ok('PATCH', `/messages/${edited}`, { content }));
  assert.deepEqual(update.flags, ['read', 'mentioned']);
  assert.deepEqual((await mentionedIn(echo)).slice(-2), [id, edited]);
  const [last] = people;
  assert(last !== undefined);
  assert.deepEqual((await mentionedIn(last)).slice(-2), [id, edited]);
});

test('these do not reach a bot: inaccessible channels, silent mentions, group mentions, and mentions of other bot types', async () => {
  const hidden = await server.emptyChannel(owner, 'hidden', { invite_only: true, principals: [sender.userId] });
  const guest = await bot('Visitor');
  await owner.ok('PATCH', `/bots/${guest.userId}`, { role: Role.guest });
  const closed = await bot('Closed');
  await owner.ok('DELETE', `/bots/${closed.userId}`);
  const incoming = await bot('Incoming', { bot_type: 2 });
  await owner.ok('POST', '/user_groups/create', { name: 'machines', description: '', members: [echo.userId] });
  assert.deepEqual(await eventsDuring(echo, () => say('@**Echo**', hidden)), []);
  assert.deepEqual(await eventsDuring(echo, () => say('@_**Echo** and `@**Echo**`')), []);
  assert.deepEqual(await eventsDuring(echo, () => say('@*machines*')), []);
  assert.deepEqual(await eventsDuring(guest, () => say('@**Visitor**')), []);
  const id = await say('@**Closed** and @**Incoming**');
  const flagged = await server.app.db
    .selectFrom('message_flags')
    .select('user_id')
    .where('message_id', '=', id)
    .execute();
  assert(!flagged.some(({ user_id: userId }) => userId === closed.userId || userId === incoming.userId));
});

test('a bot that can subscribe to a private channel with shared history receives mentions there', async () => {
  const open = await server.emptyChannel(owner, 'workshop', { invite_only: true, principals: [sender.userId] });
  const group = { new: { direct_members: [echo.userId], direct_subgroups: [] } };
  await owner.ok('PATCH', `/streams/${open}`, { can_subscribe_group: group, history_public_to_subscribers: true });
  const [event] = await eventsDuring(echo, () => say('@**Echo**', open));
  assert.deepEqual(event.flags, ['mentioned']);
});

test('a mention does not reach human users who are not subscribed', async () => {
  const outsider = await server.user({ name: 'Otto Outsider' });
  assert.deepEqual(await eventsDuring(outsider, () => say('@**Otto Outsider**')), []);
  assert.deepEqual(await mentionedIn(outsider), []);
});
