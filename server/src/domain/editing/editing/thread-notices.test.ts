import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import { Role } from '../../../directory/records.ts';
import type { Fields, TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { newPlace, say } from '../../../testing/server/moves.ts';
import { changeOrganization, systemGroup } from '../../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
let by: string;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.user({ name: 'Mia Member' });
  by = `by @_**${owner.name}|${owner.userId}**.`;
});
after(() => server.stop());
afterEach(() =>
  changeOrganization(server, {
    can_move_messages_between_topics_group: undefined,
    can_resolve_topics_group: undefined,
  }),
);

const place = () => newPlace(server, [member]);

const BOTH = { send_notification_to_old_thread: true, send_notification_to_new_thread: true };
const move = (client: TestClient, id: number, fields: Fields) => client.ok('PATCH', `/messages/${id}`, fields);

/** Returns the notification bot’s messages in a topic, as Markdown. */
async function noticesIn(channel: { readonly id: number }, topic: string, reader = owner): Promise<Json[]> {
  const narrow = [
    { operator: 'channel', operand: channel.id },
    { operator: 'topic', operand: topic },
  ];
  const query = { narrow, anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false };
  const { messages } = await reader.ok('GET', '/messages', query);
  return messages.filter((message: Json) => message.sender_full_name === 'Notification Bot');
}

const textsIn = async (channel: { readonly id: number }, topic: string): Promise<string[]> =>
  (await noticesIn(channel, topic)).map(({ content }) => content);

// rules: edit-14
test('both topics receive a notice of a moved topic, in the commit that moves it', async () => {
  const [from, to] = [await place(), await place()];
  const [id] = await say(from, 'a', 3, member);
  const queue = await member.register({ event_types: ['update_message', 'message'] });
  await move(owner, id, { ...BOTH, stream_id: to.id, topic: 'b', propagate_mode: 'change_all' });
  assert.deepEqual(await textsIn(from, 'a'), [`This topic was moved to #**${to.name}>b** ${by}`]);
  assert.deepEqual(await textsIn(to, 'b'), [`This topic was moved here from #**${from.name}>a** ${by}`]);
  const events = (await queue.now()).map(({ type }) => type);
  assert.deepEqual(events, ['update_message', 'message', 'message']);
  const [notice] = await noticesIn(to, 'b');
  assert.deepEqual(notice?.flags, ['read']);
});

test('the notices of a partial or merging move contain the number of messages', async () => {
  const channel = await place();
  const ids = await say(channel, 'a', 3, member);
  await move(owner, ids[2], { ...BOTH, topic: 'one' });
  const link = `/#narrow/channel/${channel.id}-${channel.name.replace(' ', '-')}/topic/one/near/${ids[2]}`;
  assert.deepEqual(await textsIn(channel, 'a'), [
    `A message was moved from this topic to #**${channel.name}>one** ${by}`,
  ]);
  const [text = ''] = await textsIn(channel, 'one');
  assert(
    text.startsWith('[A message](http') && text.includes(`${link}) was moved here from #**${channel.name}>a** by`),
  );
  await move(owner, ids[0], { ...BOTH, topic: 'one', propagate_mode: 'change_later' });
  assert.deepEqual(
    (await textsIn(channel, 'one')).at(-1),
    `3 messages were moved here from #**${channel.name}>a** ${by}`,
  );
});

test('the notices of a move of all messages say that the topic was moved, in any propagate_mode', async () => {
  const channel = await place();
  const ids = await say(channel, 'a', 2, member);
  await move(owner, ids[0], { ...BOTH, topic: 'b', propagate_mode: 'change_later' });
  assert.deepEqual(await textsIn(channel, 'a'), [`This topic was moved to #**${channel.name}>b** ${by}`]);
  assert.deepEqual(await textsIn(channel, 'b'), [`This topic was moved here from #**${channel.name}>a** ${by}`]);
});

// rules: edit-14
test('by default only the new topic receives a notice', async () => {
  const channel = await place();
  const [id] = await say(channel, 'a', 1, member);
  await move(owner, id, { topic: 'b' });
  assert.equal((await textsIn(channel, 'b')).length, 1);
  assert.deepEqual(await textsIn(channel, 'a'), []);
  await move(owner, id, { topic: 'c', send_notification_to_new_thread: false });
  assert.deepEqual(await textsIn(channel, 'c'), []);
});

test('a request that moves nothing posts no notices', async () => {
  const channel = await place();
  const [id] = await say(channel, 'a', 1, member);
  await owner.fails('PATCH', `/messages/${id}`, { ...BOTH, topic: 'a', stream_id: channel.id });
  await move(member, id, { ...BOTH, content: 'x', topic: 'a' });
  assert.deepEqual(await textsIn(channel, 'a'), []);
});

test('a notice links topics whose names would break the link syntax', async () => {
  const from = await place();
  const [id] = await say(from, 'a*b > [c] @12', 1, member);
  await move(owner, id, { topic: 'plain' });
  const [notice] = await noticesIn(from, 'plain');
  const { content } = (await owner.ok('GET', `/messages/${notice?.id}`)).message;
  assert(content.includes(`#${from.name} &gt; a*b &gt; [c] @12</a>`), content);
  assert(content.includes(`#narrow/channel/${from.id}-`), content);
});

test('in a channel that a move leaves empty, the notice is the first message', async () => {
  const [from, to] = [await place(), await place()];
  const [id] = await say(from, 'a', 1, member);
  await move(owner, id, { ...BOTH, stream_id: to.id });
  const [notice] = await noticesIn(from, 'a');
  assert.equal((await owner.ok('GET', `/streams/${from.id}`)).stream.first_message_id, notice?.id);
  assert.equal((await owner.ok('GET', `/streams/${to.id}`)).stream.first_message_id, id);
});

const resolve = (client: TestClient, id: number, topic: string) =>
  move(client, id, {
    ...BOTH,
    topic: `✔ ${topic}`,
    propagate_mode: 'change_all',
    send_notification_to_old_thread: false,
  });

// rules: message-fields-16, edit-15, edit-16
test('renaming a topic with a check mark resolves it, with only the resolve notice, and is not a move', async () => {
  const channel = await place();
  const [id] = await say(channel, 'a', 2, member);
  await resolve(owner, id, 'a');
  assert.deepEqual(await textsIn(channel, '✔ a'), [
    `@_**${owner.name}|${owner.userId}** has marked this topic as resolved.`,
  ]);
  const { message } = await owner.ok('GET', `/messages/${id}`);
  assert.equal(message.last_moved_timestamp, undefined);
  assert.deepEqual([message.subject, message.edit_history.length], ['✔ a', 1]);
});

// rules: message-fields-16, edit-16
test('unresolving within a minute deletes the resolve notice; later both notices stay', async () => {
  const channel = await place();
  const [id] = await say(channel, 'a', 1, member);
  const unresolve = () => move(owner, id, { topic: 'a', propagate_mode: 'change_all' });
  await resolve(owner, id, 'a');
  await unresolve();
  assert.deepEqual(await textsIn(channel, 'a'), []);
  await resolve(owner, id, 'a');
  await sql`UPDATE messages SET sent_at = sent_at - interval '70 seconds' WHERE channel_id = ${channel.id}`.execute(
    server.app.db,
  );
  await unresolve();
  const who = `@_**${owner.name}|${owner.userId}** has marked this topic as`;
  assert.deepEqual(await textsIn(channel, 'a'), [`${who} resolved.`, `${who} unresolved.`]);
  assert.equal((await owner.ok('GET', `/messages/${id}`)).message.last_moved_timestamp, undefined);
});

// rules: edit-18
test('resolving requires its own permission, and no permission to move messages', async () => {
  const channel = await place();
  const other = await server.user();
  const [id] = await say(channel, 'a', 1, member);
  const nobody = await systemGroup(server, 'role:nobody');
  await changeOrganization(server, { can_move_messages_between_topics_group: nobody });
  await resolve(other, id, 'a');
  await changeOrganization(server, { can_resolve_topics_group: nobody });
  const refusal = "You don't have permission to resolve topics in this channel.";
  const unresolving = { topic: 'a', propagate_mode: 'change_all' };
  assert.equal((await other.fails('PATCH', `/messages/${id}`, unresolving)).msg, refusal);
  const name = 'solvers';
  await owner.subscribe(name, { can_resolve_topics_group: { direct_members: [other.userId], direct_subgroups: [] } });
  await resolve(other, await owner.send(name, 'a', 'x'), 'a');
});

test('the time limits of moving do not apply to resolving', async () => {
  const channel = await place();
  const [id] = await say(channel, 'a', 2, member);
  await sql`UPDATE messages SET sent_at = sent_at - interval '1 year' WHERE channel_id = ${channel.id}`.execute(
    server.app.db,
  );
  await resolve(member, id, 'a');
});

// rules: edit-17
test('the empty topic cannot be resolved', async () => {
  const channel = await place();
  const [id] = await say(channel, '', 1, member);
  for (const topic of ['✔', '✔ ', '✔ general chat', '✔ (no topic)']) {
    assert.equal(
      (await owner.fails('PATCH', `/messages/${id}`, { topic, propagate_mode: 'change_all' })).msg,
      'General chat cannot be marked as resolved',
    );
  }
});

test('resolving truncates a topic name of full length, and is not a move', async () => {
  const channel = await place();
  const name = 'x'.repeat(60);
  const [id] = await say(channel, name, 1, member);
  const guest = await server.user({ role: Role.member });
  await changeOrganization(server, {
    can_move_messages_between_topics_group: await systemGroup(server, 'role:nobody'),
  });
  await resolve(guest, id, name);
  const { message } = await owner.ok('GET', `/messages/${id}`);
  assert.equal(message.subject, `✔ ${'x'.repeat(55)}...`);
  assert.equal(message.last_moved_timestamp, undefined);
});

test('resolving together with a text or channel change posts no resolve notice', async () => {
  const [from, to] = [await place(), await place()];
  const [first, second] = await say(from, 'a', 2, member);
  await move(member, first, { content: 'x', topic: '✔ a' });
  assert.deepEqual(await textsIn(from, '✔ a'), []);
  await move(owner, second, { stream_id: to.id, topic: '✔ a' });
  assert.deepEqual(await textsIn(to, '✔ a'), [`This topic was moved here from #**${from.name}>a** ${by}`]);
});
