import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MAX_MENTIONS_BY_ROWS } from '../../../access/mass-mentions.ts';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { deleteMessages, moveMessages } from '../../../testing/server/message-changes.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let sender: TestClient;
let reader: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  sender = await server.user({ name: 'Sandy Sender' });
  reader = await server.user({ name: 'Rita Reader' });
  await owner.subscribe('plain', { principals: [owner.userId, sender.userId, reader.userId] });
});
after(() => server.stop());

const say = (content: string, topic = 'a') => sender.send('plain', topic, content);
const edit = (id: number, content: string) => sender.ok('PATCH', `/messages/${id}`, { content });

/** Returns the flags of the edit event, after comparing them with those of the fetched message. */
async function flagsAfter(client: TestClient, id: number, content: string): Promise<string[]> {
  const queue = await client.register({ event_types: ['update_message'] });
  await edit(id, content);
  const [event] = await queue.take(1);
  const { message } = await client.ok('GET', `/messages/${id}`);
  assert.deepEqual(event.flags, message.flags);
  return event.flags;
}

async function mentionedIn(client: TestClient): Promise<number[]> {
  const range = { anchor: 'newest', num_before: 100, num_after: 0, narrow: [['is', 'mentioned']] };
  const { messages } = await client.ok('GET', '/messages', range);
  return messages.map(({ id }: Json) => id);
}

async function unreadMentions(client: TestClient): Promise<number[]> {
  const { state } = await client.register({ event_types: ['message', 'update_message_flags'] });
  return state.unread_msgs.mentions;
}

test('an edit flags newly mentioned users, and removes the flag from users whom it no longer mentions', async () => {
  const id = await say('hello');
  assert.deepEqual(await flagsAfter(reader, id, 'hello @**Rita Reader**'), ['mentioned']);
  assert.deepEqual([await mentionedIn(reader), await unreadMentions(reader)], [[id], [id]]);
  assert.deepEqual(await flagsAfter(reader, id, '@**Rita Reader** @**Sandy Sender**'), ['mentioned']);
  assert.deepEqual(await flagsAfter(reader, id, '@**Sandy Sender**'), []);
  assert.deepEqual([await mentionedIn(reader), await unreadMentions(reader)], [[], []]);
  assert.deepEqual(await mentionedIn(sender), [id]);
  assert.deepEqual(await flagsAfter(sender, id, '@_**Sandy Sender**'), []);
});

test('an edit keeps the starred and read flags', async () => {
  const id = await say('@**Rita Reader**');
  await reader.ok('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' });
  assert.deepEqual(await flagsAfter(reader, id, 'hello'), ['starred']);
  await reader.ok('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' });
  assert.deepEqual(await flagsAfter(reader, id, '@**Rita Reader**'), ['read', 'starred', 'mentioned']);
  assert.deepEqual(await unreadMentions(reader), []);
  assert.deepEqual(await flagsAfter(reader, id, 'hello'), ['read', 'starred']);
});

test('an edit adds and removes @**all** mentions', async () => {
  const id = await say('hello');
  const flags = ['stream_wildcard_mentioned', 'wildcard_mentioned'];
  assert.deepEqual(await flagsAfter(reader, id, '@**all**'), flags);
  assert.deepEqual(await unreadMentions(reader), [id]);
  assert.deepEqual(await flagsAfter(reader, id, '@_**all**'), []);
  assert.deepEqual(await unreadMentions(reader), []);
});

test('@**topic** mentions users who have written in the topic', async () => {
  const id = await say('hello', 'chat');
  assert.deepEqual(await flagsAfter(reader, id, '@**topic**'), []);
  await reader.send('plain', 'Chat', 'me too');
  const flags = ['topic_wildcard_mentioned', 'wildcard_mentioned'];
  assert.deepEqual(await flagsAfter(reader, id, '@**topic** again'), flags);
  assert.deepEqual(await flagsAfter(reader, id, 'hello'), []);
});

test('an edit of a direct message mentions only its participants', async () => {
  const id = await sender.direct([reader.userId], 'hello');
  assert.deepEqual(await flagsAfter(reader, id, '@**Rita Reader** @**Olive Owner**'), ['mentioned']);
  assert.deepEqual(await mentionedIn(owner), []);
  assert.deepEqual(await flagsAfter(reader, id, '@**all**'), ['stream_wildcard_mentioned', 'wildcard_mentioned']);
});

test('an edit mentions neither later subscribers nor users who were never subscribed', async () => {
  const id = await say('hello');
  const late = await server.user({ name: 'Lara Late' });
  const stranger = await server.user({ name: 'Stan Stranger' });
  await owner.subscribe('plain', { principals: [late.userId] });
  assert.deepEqual(await flagsAfter(late, id, '@**Lara Late** @**Stan Stranger**'), ['read', 'historical']);
  assert.deepEqual((await stranger.ok('GET', `/messages/${id}`)).message.flags, ['read', 'historical']);
});

test('an edit of a moved message flags users who had it, and not later subscribers of its channel', async () => {
  const channel = await server.emptyChannel(owner, 'elsewhere', { principals: [reader.userId, sender.userId] });
  const late = await server.user({ name: 'Mo Moved' });
  const id = await say('hello');
  await moveMessages(server, [id], channel, 'b');
  await owner.subscribe('elsewhere', { principals: [late.userId] });
  assert.deepEqual(await flagsAfter(reader, id, '@**Rita Reader** @**Mo Moved**'), ['mentioned']);
  assert.deepEqual(await flagsAfter(late, id, '@**Mo Moved**'), ['read', 'historical']);
});

// rules: edit-28
test('an edit with a large wildcard mention requires the permission, and a refused one changes nothing', async () => {
  const users = await Promise.all(Array.from({ length: 16 }, () => server.user()));
  const principals = [owner, sender, ...users].map(({ userId }) => userId);
  await owner.subscribe('crowd', { principals });
  await Promise.all(users.map((client) => client.send('crowd', 'busy', 'x')));
  const id = await sender.send('crowd', 'busy', 'hello');
  const refusedAs = async (content: string) => (await sender.fails('PATCH', `/messages/${id}`, { content })).code;
  assert.equal(await refusedAs('@**all**'), 'STREAM_WILDCARD_MENTION_NOT_ALLOWED');
  assert.equal(await refusedAs('@**topic**'), 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED');
  const { message, raw_content } = await owner.ok('GET', `/messages/${id}`);
  assert.deepEqual([raw_content, message.flags, message.edit_history], ['hello', [], undefined]);
});

test('edits in channels and direct messages add and remove group mentions, if the sender is allowed', async () => {
  const group = { name: 'weavers', description: '', members: [reader.userId, owner.userId] };
  await owner.ok('POST', '/user_groups/create', group);
  const only = { direct_members: [owner.userId], direct_subgroups: [] };
  await owner.ok('POST', '/user_groups/create', { ...group, name: 'closed', can_mention_group: only });
  for (const id of [await say('hello'), await sender.direct([reader.userId], 'hello')]) {
    assert.deepEqual(await flagsAfter(reader, id, '@*weavers*'), ['mentioned']);
    const refused = await sender.fails('PATCH', `/messages/${id}`, { content: '@*closed*' });
    assert.equal(refused.msg, "You are not allowed to mention user group 'closed'.");
    assert.deepEqual(await flagsAfter(reader, id, '@_*closed*'), []);
  }
});

test('an edit adds and removes a mass mention, without later subscribers', async () => {
  const users = await Promise.all(Array.from({ length: MAX_MENTIONS_BY_ROWS + 1 }, () => server.user()));
  const late = await server.user();
  const ids = users.map(({ userId }) => userId);
  const [first] = users;
  assert(first !== undefined);
  await owner.ok('POST', '/user_groups/create', { name: 'all hands', description: '', members: [...ids, late.userId] });
  const hall = await server.emptyChannel(owner, 'hall', { principals: [sender.userId, ...ids] });
  const id = await sender.send(hall, 'a', `@**${first.name}|${first.userId}**`);
  await owner.subscribe('hall', { principals: [late.userId] });
  const { db } = server.app;
  const rows = async (table: 'message_flags' | 'mass_mentions') =>
    (await db.selectFrom(table).select('message_id').where('message_id', '=', id).execute()).length;
  assert.deepEqual(await flagsAfter(first, id, '@*all hands*'), ['mentioned']);
  assert.deepEqual([await rows('message_flags'), await rows('mass_mentions')], [0, 1]);
  assert.deepEqual(await unreadMentions(first), [id]);
  assert.deepEqual(await flagsAfter(late, id, '@*all hands* again'), ['read', 'historical']);
  assert.deepEqual(await flagsAfter(sender, id, '@*all hands* and so on'), []);
  assert.deepEqual(await flagsAfter(first, id, 'hello'), []);
  assert.deepEqual([await rows('message_flags'), await rows('mass_mentions')], [0, 0]);
  assert.deepEqual(await unreadMentions(first), []);
});

test('a concurrent flag change and edit that mentions the user are both applied', async () => {
  for (let round = 0; round < 10; round++) {
    const id = await say(round % 2 === 0 ? 'hello' : '@**Rita Reader**');
    await Promise.all([
      edit(id, round % 2 === 0 ? '@**Rita Reader**' : 'hello'),
      reader.ok('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' }),
    ]);
    const { message } = await reader.ok('GET', `/messages/${id}`);
    assert.deepEqual(message.flags, round % 2 === 0 ? ['starred', 'mentioned'] : ['starred']);
  }
});

test('a concurrent edit and deletion leave no message and no mention', async () => {
  for (let round = 0; round < 10; round++) {
    const id = await say('hello');
    const [answer] = await Promise.all([
      sender.call('PATCH', `/messages/${id}`, { content: '@**Rita Reader** @**all**' }),
      deleteMessages(server, [id]),
    ]);
    if (answer.status !== 200) assert.equal(answer.body.msg, 'Invalid message(s)');
    assert.equal((await reader.fails('GET', `/messages/${id}`)).msg, 'Invalid message(s)');
    assert(!(await mentionedIn(reader)).includes(id));
  }
});
