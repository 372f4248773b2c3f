import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Fields, TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { isFromNow } from '../../../testing/clients/times.ts';
import { archiveChannel, changeOrganization } from '../../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
let outsider: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.user({ name: 'Mia Member' });
  outsider = await server.user();
  await owner.subscribe('plain', { principals: [owner.userId, member.userId] });
});
after(() => server.stop());
afterEach(() =>
  changeOrganization(server, { allow_message_editing: undefined, message_content_edit_limit_seconds: undefined }),
);

const say = (content = 'before', topic = 'a') => member.send('plain', topic, content);
const edit = (client: TestClient, id: number, fields: Fields) => client.ok('PATCH', `/messages/${id}`, fields);
const refuse = async (client: TestClient, id: number, fields: Fields) => {
  const { code, msg } = await client.fails('PATCH', `/messages/${id}`, fields);
  assert.equal(code, 'BAD_REQUEST');
  return msg;
};
const textOf = async (id: number, reader = member) =>
  (await reader.ok('GET', `/messages/${id}`, { apply_markdown: false })).message.content;
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

/** Makes a message as old as this number of seconds. */
async function age(id: number, seconds: number): Promise<void> {
  await sql`UPDATE messages SET sent_at = now() - make_interval(secs => ${seconds}) WHERE id = ${id}`.execute(
    server.app.db,
  );
}

// rules: edit-1, edit-26
test('the sender edits the text, and the server renders it again', async () => {
  const id = await say();
  assert.deepEqual((await edit(member, id, { content: '**after**' })).detached_uploads, []);
  const { message, raw_content } = await owner.ok('GET', `/messages/${id}`);
  assert.equal(message.content, '<p><strong>after</strong></p>');
  assert.equal(raw_content, '**after**');
  assert.equal(typeof message.last_edit_timestamp, 'number');
  assert.equal(message.last_moved_timestamp, undefined);
});

// rules: conventions-7, edit-29
test('users who have the message receive the former and the new text', async () => {
  const id = await say('*before*');
  const queue = await owner.register({ event_types: ['update_message'] });
  await edit(member, id, { content: '/me *waves*' });
  const [{ id: _, edit_timestamp, ...event }] = await queue.take(1);
  assert(isFromNow(edit_timestamp));
  const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: 'plain' });
  assert.deepEqual(event, {
    type: 'update_message',
    user_id: member.userId,
    message_id: id,
    message_ids: [id],
    flags: [],
    rendering_only: false,
    stream_id,
    stream_name: 'plain',
    orig_content: '*before*',
    orig_rendered_content: '<p><em>before</em></p>',
    content: '/me *waves*',
    rendered_content: '<p>/me <em>waves</em></p>',
    is_me_message: true,
  });
  assert.equal((await owner.ok('GET', `/messages/${id}`)).message.is_me_message, true);
});

test('the event of a direct message names no channel', async () => {
  const id = await member.direct([owner.userId], 'before');
  const queue = await owner.register({ event_types: ['update_message'] });
  await edit(member, id, { content: 'after' });
  const [event] = await queue.take(1);
  assert.deepEqual([event.content, event.stream_id, event.stream_name], ['after', undefined, undefined]);
});

// rules: edit-1, edit-27
test('only the sender can edit the text; administrators and users without access are refused', async () => {
  const id = await say();
  assert.equal(await refuse(owner, id, { content: 'x' }), "You don't have permission to edit this message");
  const direct = await member.direct([member.userId], 'mine');
  for (const hidden of [direct, 99_999_999]) {
    assert.equal(await refuse(owner, hidden, { content: 'x' }), 'Invalid message(s)');
  }
  assert.equal(await textOf(id), 'before');
});

// rules: edit-2
test('allow_message_editing=false refuses all edits', async () => {
  const id = await say();
  await changeOrganization(server, { allow_message_editing: false });
  assert.equal(await refuse(member, id, { content: 'x' }), 'Your organization has turned off message editing');
});

// rules: edit-2, limits-7
test('the time limit has a tolerance of twenty seconds; null means no limit', async () => {
  const [early, late] = [await say(), await say()];
  await changeOrganization(server, { message_content_edit_limit_seconds: 60 });
  await age(late, 90);
  await age(early, 61);
  await edit(member, early, { content: 'in time' });
  assert.equal(await refuse(member, late, { content: 'x' }), 'The time limit for editing this message has passed');
  await changeOrganization(server, { message_content_edit_limit_seconds: null });
  await edit(member, late, { content: 'in time' });
});

test('messages of an archived channel cannot be edited', async () => {
  const channel = await server.emptyChannel(member, 'old');
  const id = await member.send(channel, 'a', 'before');
  await archiveChannel(server, channel);
  assert.equal(await refuse(member, id, { content: 'x' }), 'Invalid message(s)');
});

test('a user who left a private channel cannot edit messages there', async () => {
  await owner.subscribe('cellar', { invite_only: true, principals: [member.userId] });
  const id = await member.send('cellar', 'a', 'before');
  await member.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['cellar'] });
  assert.equal(await refuse(member, id, { content: 'x' }), 'Invalid message(s)');
});

// rules: edit-4
test('a text is truncated and trimmed as when it is sent, and a blank one becomes "(deleted)"', async () => {
  const id = await say();
  await edit(member, id, { content: '\n\n  code  \n' });
  assert.equal(await textOf(id), '  code');
  await edit(member, id, { content: 'x'.repeat(20_000) });
  const cut = await textOf(id);
  assert.equal(cut.length, 10_000);
  assert(cut.endsWith('\n[message truncated]'));
  for (const blank of ['', ' \n ']) {
    await edit(member, id, { content: blank });
    assert.equal(await textOf(id), '(deleted)');
  }
});

// rules: edit-3
test('an edit whose hash does not match the current text is refused, and changes nothing', async () => {
  const id = await say('first');
  await edit(member, id, { content: 'second', prev_content_sha256: hash('first') });
  const { code, msg } = await member.fails('PATCH', `/messages/${id}`, {
    content: '@**all**',
    prev_content_sha256: hash('first'),
  });
  assert.equal(code, 'EXPECTATION_MISMATCH');
  assert.equal(msg, "'prev_content_sha256' value does not match the expected value.");
  assert.equal(await textOf(id), 'second');
  assert.deepEqual((await owner.ok('GET', `/messages/${id}`)).message.flags, []);
});

// rules: edit-7
test('a request without changes or with an unusable propagate_mode is refused', async () => {
  const id = await say();
  assert.equal(await refuse(member, id, {}), 'Nothing to change');
  assert.equal(await refuse(member, id, { topic: 'a' }), 'Nothing to change');
  const later = { content: 'x', propagate_mode: 'change_later' };
  assert.equal(await refuse(member, id, later), 'Invalid propagate_mode without topic edit');
  assert.equal(
    (await member.fails('PATCH', `/messages/${id}`, { ...later, propagate_mode: 'some' })).code,
    'BAD_REQUEST',
  );
  await edit(member, id, { content: 'after', topic: 'a' });
  await edit(member, id, { content: 'after', subject: 'a' });
});

test('concurrent edits all succeed, in sequence, and each records the text that it changed', async () => {
  const id = await say('0');
  const queue = await owner.register({ event_types: ['update_message'] });
  await Promise.all(['1', '2', '3', '4'].map((content) => edit(member, id, { content })));
  const events = await queue.take(4);
  let text = '0';
  for (const { orig_content, content } of events) {
    assert.equal(orig_content, text);
    text = content;
  }
  assert.equal(await textOf(id), text);
  const { message_history } = await owner.ok('GET', `/messages/${id}/history`);
  assert.deepEqual(
    message_history.map((one: Json) => one.content),
    ['0', ...events.map(({ content }) => content)],
  );
});

test('one of several concurrent edits with the hash of the same text succeeds', async () => {
  const id = await say('0');
  const edits = ['1', '2', '3'].map((content) =>
    member.call('PATCH', `/messages/${id}`, { content, prev_content_sha256: hash('0') }),
  );
  const codes = (await Promise.all(edits)).map(({ body }) => body.code ?? 'done');
  assert.deepEqual(codes.toSorted(), ['EXPECTATION_MISMATCH', 'EXPECTATION_MISMATCH', 'done']);
});

test('a client that polls late receives the original message and then the edit', async () => {
  const queue = await owner.register({ event_types: ['message', 'update_message'] });
  const id = await say('before');
  await edit(member, id, { content: 'after' });
  const [sent, edited] = await queue.take(2);
  assert.deepEqual([sent.message.id, sent.message.content], [id, 'before']);
  assert.deepEqual([edited.message_id, edited.orig_content, edited.content], [id, 'before', 'after']);
});

test('a user who is not subscribed receives edits only of messages that they flagged', async () => {
  const everywhere = await outsider.register({ event_types: ['update_message'], all_public_streams: true });
  const starred = await outsider.register({ event_types: ['update_message'] });
  const [unmarked, marked] = [await say(), await say()];
  await outsider.ok('POST', '/messages/flags', { messages: [marked], op: 'add', flag: 'starred' });
  for (const id of [unmarked, marked]) await edit(member, id, { content: 'after' });
  for (const queue of [everywhere, starred]) {
    const events = await queue.now();
    assert.deepEqual(
      events.map(({ message_id, flags }) => [message_id, flags]),
      [[marked, ['read', 'starred', 'historical']]],
    );
  }
});

test('with protected history only users who have the message receive its edits', async () => {
  await owner.subscribe('vault', { invite_only: true, history_public_to_subscribers: false });
  const id = await owner.send('vault', 'a', 'before');
  const late = await server.user();
  await owner.subscribe('vault', { principals: [late.userId] });
  const [own, others] = [
    await owner.register({ event_types: ['update_message'] }),
    await late.register({ event_types: ['update_message'] }),
  ];
  await edit(owner, id, { content: 'after' });
  assert.equal((await own.now()).length, 1);
  assert.deepEqual(await others.now(), []);
});

test('a later subscriber has the message as read and historical', async () => {
  const id = await say();
  const late = await server.user();
  await owner.subscribe('plain', { principals: [late.userId] });
  const queue = await late.register({ event_types: ['update_message'] });
  await edit(member, id, { content: '@**all**' });
  const [event] = await queue.take(1);
  assert.deepEqual(event.flags, ['read', 'historical']);
  assert.deepEqual((await late.ok('GET', `/messages/${id}`)).message.flags, event.flags);
});
