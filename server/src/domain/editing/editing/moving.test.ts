import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { isFromNow } from '../../../testing/clients/times.ts';
import { move, newPlace, placeOf, refuseMove, say } from '../../../testing/server/moves.ts';
import { archiveChannel, changeOrganization, systemGroup } from '../../../testing/server/rare-changes.ts';
import { type NewChannelFields, startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.user({ name: 'Mia Member' });
});
after(() => server.stop());
afterEach(() =>
  changeOrganization(server, {
    can_move_messages_between_topics_group: undefined,
    can_move_messages_between_channels_group: undefined,
    can_resolve_topics_group: undefined,
    topics_policy: undefined,
  }),
);

const QUIET = { send_notification_to_new_thread: false };

/** Creates a channel of the owner, with the member subscribed. */
const place = (fields?: NewChannelFields) => newPlace(server, [member], fields);

const messageOf = async (id: number, reader = owner) =>
  (await reader.ok('GET', `/messages/${id}`, { allow_empty_topic_name: true })).message;

// rules: edit-9
test('propagate_mode moves one message, it and later ones, or the whole topic', async () => {
  const channel = await place();
  const modes = [
    ['change_one', ['a', 'b', 'a']],
    ['change_later', ['a', 'b', 'b']],
    ['change_all', ['b', 'b', 'b']],
  ] as const;
  for (const [propagate_mode, topics] of modes) {
    const ids = await say(channel, `${propagate_mode} a`, 3, member);
    await move(owner, ids[1], { topic: `${propagate_mode} b`, propagate_mode });
    for (const [index, id] of ids.entries()) {
      assert.deepEqual(await placeOf(owner, id), [channel.id, `${propagate_mode} ${topics[index]}`]);
    }
  }
});

// rules: edit-5, versions-2
test('PATCH /messages/{message_id}: subject is the older name of topic, and sending both is refused', async () => {
  const channel = await place();
  const [id] = await say(channel, 'a', 1, member);
  await move(owner, id, { subject: 'b' });
  assert.deepEqual(await placeOf(owner, id), [channel.id, 'b']);
  const both = await owner.fails('PATCH', `/messages/${id}`, { topic: 'c', subject: 'd' });
  assert.equal(both.code, 'REQUEST_CONFUSING_VAR');
});

// rules: edit-12
test('messages move to another channel, in the same or another topic', async () => {
  const [from, to] = [await place(), await place()];
  const ids = await say(from, 'a', 2, member);
  await move(owner, ids[0], { stream_id: to.id, propagate_mode: 'change_all' });
  for (const id of ids) assert.deepEqual(await placeOf(owner, id), [to.id, 'a']);
  await move(owner, ids[0], { stream_id: from.id, topic: 'b', propagate_mode: 'change_all' });
  for (const id of ids) assert.deepEqual(await placeOf(owner, id), [from.id, 'b']);
});

// rules: edit-10, edit-29
test('users who have the messages receive their former and new channel and topic', async () => {
  const [from, to] = [await place(), await place()];
  const ids = await say(from, 'a', 2, owner);
  const queue = await member.register({ event_types: ['update_message'] });
  await move(owner, ids[0], { topic: 'b' });
  await move(owner, ids[0], { stream_id: to.id, topic: '', propagate_mode: 'change_all' });
  const [renamed, moved] = await queue.take(2);
  const common = {
    type: 'update_message',
    user_id: owner.userId,
    message_id: ids[0],
    message_ids: [ids[0]],
    flags: [],
    rendering_only: false,
    stream_id: from.id,
    stream_name: from.name,
    topic_links: [],
  };
  for (const event of [renamed, moved]) assert(isFromNow(event.edit_timestamp));
  const without = ({ id: _, edit_timestamp: __, ...event }: Json) => event;
  assert.deepEqual(without(renamed), { ...common, propagate_mode: 'change_one', orig_subject: 'a', subject: 'b' });
  assert.deepEqual(without(moved), {
    ...common,
    propagate_mode: 'change_all',
    orig_subject: 'b',
    subject: 'general chat',
    new_stream_id: to.id,
  });
});

// rules: conventions-8, conventions-9, edit-6
test('clients with empty_topic_name receive the empty topic as an empty string', async () => {
  const channel = await place();
  const [id] = await say(channel, '', 1, member);
  const queue = await member.register({
    event_types: ['update_message'],
    client_capabilities: { empty_topic_name: true },
  });
  await move(owner, id, { topic: 'b' });
  await move(owner, id, { topic: 'general chat' });
  const events = await queue.take(2);
  assert.deepEqual(
    events.map(({ orig_subject, subject }) => [orig_subject, subject]),
    [
      ['', 'b'],
      ['b', ''],
    ],
  );
});

test('a combined text and topic change is one history entry, and the other messages only move', async () => {
  const channel = await place();
  const [first, second] = await say(channel, 'a', 2, member);
  const queue = await member.register({ event_types: ['update_message'] });
  await move(member, first, { content: 'after', topic: 'b', propagate_mode: 'change_all' });
  const { content, subject, edit_history, last_edit_timestamp, last_moved_timestamp } = await messageOf(first);
  assert.deepEqual([content, subject], ['<p>after</p>', 'b']);
  assert.equal(edit_history.length, 1);
  assert.deepEqual([edit_history[0].prev_content, edit_history[0].prev_topic, edit_history[0].topic], ['0', 'a', 'b']);
  assert.equal(last_edit_timestamp, last_moved_timestamp);
  assert.deepEqual(Object.keys((await messageOf(second)).edit_history[0]).toSorted(), [
    'prev_topic',
    'timestamp',
    'topic',
    'user_id',
  ]);
  const events = await queue.take(2);
  assert.deepEqual(
    events.map((event) => [event.message_ids, event.content, event.subject]),
    [
      [[first], 'after', undefined],
      [[first, second], undefined, 'b'],
    ],
  );
});

test('a text and topic change of one message is one event', async () => {
  const channel = await place();
  const [id] = await say(channel, 'a', 1, member);
  const queue = await member.register({ event_types: ['update_message'] });
  await move(member, id, { content: 'after', topic: 'b' });
  const [event] = await queue.take(1);
  assert.deepEqual([event.content, event.orig_subject, event.subject], ['after', 'a', 'b']);
});

// rules: edit-8
test('a request cannot change text and channel together', async () => {
  const [from, to] = [await place(), await place()];
  const [id] = await say(from, 'a', 1, member);
  for (const stream_id of [from.id, to.id]) {
    assert.equal(
      await refuseMove(member, id, { content: 'x', stream_id }),
      'Cannot change message content while changing channel',
    );
  }
});

// rules: message-fields-15, message-fields-17
test('the history contains former and new channels and topics, and moves set only last_moved_timestamp', async () => {
  const [from, to] = [await place(), await place()];
  const [id] = await say(from, 'a', 1, member);
  await move(owner, id, { stream_id: to.id });
  await move(owner, id, { topic: 'b' });
  const { edit_history, last_moved_timestamp, last_edit_timestamp } = await messageOf(id);
  const without = edit_history.map(({ timestamp: _, ...entry }: Json) => entry);
  assert.deepEqual(without, [
    { user_id: owner.userId, prev_topic: 'a', topic: 'b' },
    { user_id: owner.userId, prev_stream: from.id, stream: to.id },
  ]);
  assert.equal(typeof last_moved_timestamp, 'number');
  assert.equal(last_edit_timestamp, undefined);
});

test('moving into an existing topic merges the two', async () => {
  const channel = await place();
  const old = await say(channel, 'old', 2, member);
  const next = await say(channel, 'new', 2, member);
  await move(owner, old[0], { topic: 'NEW', propagate_mode: 'change_all' });
  const { topics } = await owner.ok('GET', `/users/me/${channel.id}/topics`);
  assert.deepEqual(topics, [{ name: 'new', max_id: next[1] }]);
});

test('moving a topic to itself in another case renames it', async () => {
  const channel = await place();
  const [first, second] = await say(channel, 'lunch', 2, member);
  await move(owner, first, { topic: 'Lunch', propagate_mode: 'change_all' });
  assert.deepEqual(await placeOf(owner, second), [channel.id, 'Lunch']);
  const newest = await owner.send(channel.name, 'LUNCH', 'x');
  const queue = await member.register({ event_types: ['update_message'] });
  await move(owner, newest, { topic: 'Lunch', propagate_mode: 'change_all' });
  // Messages with this spelling are unchanged.
  assert.deepEqual((await queue.take(1))[0].message_ids, [newest]);
  assert.equal((await messageOf(first)).edit_history.length, 1);
});

// rules: edit-13
test('a move to the present place is refused, and topics are trimmed and truncated', async () => {
  const channel = await place();
  const [id] = await say(channel, 'a', 1, member);
  assert.equal(await refuseMove(owner, id, { topic: ' a ', stream_id: channel.id }), 'Nothing to change');
  await move(owner, id, { topic: `  ${'x'.repeat(80)} ` });
  assert.equal((await messageOf(id)).subject, `${'x'.repeat(57)}...`);
  assert.equal(await refuseMove(owner, id, { topic: 'x'.repeat(90) }), 'Nothing to change');
  assert.equal(await refuseMove(owner, id, { topic: 'a\u0007b' }), 'Invalid character in topic, at position 2!');
});

// rules: edit-3
test('a move whose hash does not match the current text is refused', async () => {
  const channel = await place();
  const [id] = await say(channel, 'a', 1, member);
  const { code } = await owner.fails('PATCH', `/messages/${id}`, { topic: 'b', prev_content_sha256: 'f'.repeat(64) });
  assert.equal(code, 'EXPECTATION_MISMATCH');
});

// rules: edit-11
test('direct messages cannot move, and inaccessible messages are refused', async () => {
  const channel = await place();
  const direct = await member.direct([owner.userId], 'x');
  assert.equal(await refuseMove(member, direct, { topic: 'b' }), 'Direct messages cannot have topics.');
  assert.equal(
    await refuseMove(member, direct, { stream_id: channel.id }),
    'Direct messages cannot be moved to channels.',
  );
  const hidden = await owner.direct([owner.userId], 'x');
  assert.equal(await refuseMove(member, hidden, { topic: 'b' }), 'Invalid message(s)');
});

// rules: edit-19
test('moving between topics requires permission of the organization or channel, or administering either', async () => {
  const channel = await place();
  const other = await server.user();
  const [id] = await say(channel, 'a', 1, owner);
  const nobody = await systemGroup(server, 'role:nobody');
  await move(other, id, { topic: 'b' });
  await changeOrganization(server, { can_move_messages_between_topics_group: nobody });
  assert.equal(await refuseMove(other, id, { topic: 'c' }), "You don't have permission to edit this message");
  assert.equal(
    await refuseMove(member, id, { topic: 'c', content: 'x' }),
    "You don't have permission to edit this message",
  );
  await move(owner, id, { topic: 'c' });
  const makers = { direct_members: [other.userId], direct_subgroups: [] };
  const theirs = 'theirs';
  await owner.subscribe(theirs, { can_move_messages_within_channel_group: makers });
  await move(other, await owner.send(theirs, 'a', 'x'), { topic: 'b' });
});

// rules: edit-20
test('moving out of a channel requires permission of the organization or channel, or administering either', async () => {
  const [from, to] = [await place(), await place()];
  const other = await server.user();
  const [id] = await say(from, 'a', 1, owner);
  const nobody = await systemGroup(server, 'role:nobody');
  await changeOrganization(server, { can_move_messages_between_channels_group: nobody });
  assert.equal(await refuseMove(other, id, { stream_id: to.id }), "You don't have permission to move this message");
  await move(owner, id, { stream_id: to.id });
  const movers = { direct_members: [other.userId], direct_subgroups: [] };
  const theirs = 'theirs out';
  await owner.subscribe(theirs, { can_move_messages_out_of_channel_group: movers });
  await move(other, await owner.send(theirs, 'a', 'x'), { stream_id: to.id });
});

// rules: edit-20
test('the destination channel must be accessible, active, and one where the mover can post', async () => {
  const from = await place();
  const [id] = await say(from, 'a', 1, member);
  const hidden = await server.emptyChannel(owner, 'hidden', { invite_only: true });
  const old = await server.emptyChannel(owner, 'old');
  await archiveChannel(server, old);
  for (const stream_id of [hidden, old, 99_999_999]) {
    assert.equal(await refuseMove(member, id, { stream_id }), 'Invalid channel ID');
  }
  const admins = await systemGroup(server, 'role:administrators');
  await owner.subscribe('announce', { can_send_message_group: admins });
  const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: 'announce' });
  assert.equal(await refuseMove(member, id, { stream_id }), 'You do not have permission to post in this channel.');
  await move(owner, id, { stream_id });
});

// rules: edit-6
test('the topics policy applies to the destination of a move', async () => {
  const from = await place();
  const [named, empty] = [await member.send(from.name, 'a', 'x'), await member.send(from.name, '', 'x')];
  const only = 'general only';
  await owner.subscribe(only, { topics_policy: 'empty_topic_only' });
  const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: only });
  const refusal = 'Only the general chat topic is allowed in this channel.';
  assert.equal(await refuseMove(member, named, { stream_id }), refusal);
  await move(member, named, { stream_id, topic: '' });
  assert.equal(await refuseMove(member, named, { topic: 'b' }), refusal);
  await changeOrganization(server, { topics_policy: 'disable_empty_topic' });
  const disabled = 'Sending messages to the general chat is not allowed in this channel.';
  const to = await place();
  assert.equal(await refuseMove(member, empty, { stream_id: to.id }), disabled);
  await move(member, empty, { stream_id: to.id, topic: 'b' });
  assert.equal(await refuseMove(member, empty, { topic: '(no topic)' }), disabled);
});

test('messages of an archived channel cannot move', async () => {
  const channel = await place();
  const [id] = await say(channel, 'a', 1, member);
  await archiveChannel(server, channel.id);
  assert.equal(await refuseMove(owner, id, { topic: 'b' }), 'Invalid message(s)');
});

// rules: channels-11
test('a move updates the first message of both channels', async () => {
  const [from, to] = [await place(), await place()];
  const [first, second] = await say(from, 'a', 2, member);
  const queue = await member.register({ event_types: ['stream'] });
  await move(owner, first, { stream_id: to.id });
  const changes = (await queue.take(2)).map(({ stream_id, property, value }) => [stream_id, property, value]);
  assert.deepEqual(changes.toSorted(), [
    [from.id, 'first_message_id', second],
    [to.id, 'first_message_id', first],
  ]);
  for (const [channel, id] of [
    [from, second],
    [to, first],
  ] as const) {
    assert.equal((await owner.ok('GET', `/streams/${channel.id}`)).stream.first_message_id, id);
  }
});

test('two concurrent moves of one topic both succeed, and all messages end in one topic', async () => {
  const channel = await place();
  const ids = await say(channel, 'a', 4, member);
  const all = (topic: string) => ({ ...QUIET, topic, propagate_mode: 'change_all' });
  const answers = await Promise.all([
    owner.call('PATCH', `/messages/${ids[0]}`, all('b')),
    member.call('PATCH', `/messages/${ids[3]}`, all('c')),
  ]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  );
  const places = await Promise.all(ids.map((id) => placeOf(owner, id)));
  assert.equal(new Set(places.map(String)).size, 1);
});
