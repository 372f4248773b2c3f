import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { deactivateUser } from '../../domain/accounts/accounts/actions.ts';
import type { Fields, TestClient, TestQueue } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { deliverAll, inSeconds, requestedSoon } from '../../testing/server/due.ts';
import { archiveChannel, changeOrganization } from '../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { forgetDelivered } from './delivered.ts';

let server: TestServer;
let member: TestClient;
let other: TestClient;
let channel: number;
before(async () => {
  server = await startTestServer();
  member = await server.user({ name: 'Mia Member' });
  other = await server.user({ name: 'Otto Other' });
  channel = await server.emptyChannel(server.owner, 'loom', { principals: [member.userId, other.userId] });
});
after(() => server.stop());

const PATH = '/scheduled_messages';
const types = { event_types: ['message', 'scheduled_messages'], apply_markdown: true };

async function schedule(client: TestClient, more: Fields = {}): Promise<number> {
  const scheduled_delivery_timestamp = inSeconds(86_400);
  const fields = { type: 'channel', to: channel, topic: 'warp', content: 'hello', scheduled_delivery_timestamp };
  return (await client.ok('POST', PATH, { ...fields, ...more })).scheduled_message_id;
}

async function all(client: TestClient): Promise<readonly Json[]> {
  return (await client.ok('GET', PATH)).scheduled_messages;
}

/** Returns the body of a response, also of a refusal. */
async function bodyOf(client: TestClient, method: string, path: string, fields: Fields): Promise<Json> {
  return (await client.call(method, path, fields)).body;
}

/** Returns the message events of the queue. */
async function sent(queue: TestQueue): Promise<readonly Json[]> {
  return (await queue.now()).filter(({ type }) => type === 'message');
}

// rules: scheduled-5
test('the scheduler sends a message at its time', async () => {
  const queue = await other.register(types);
  const fields = { type: 'channel', to: channel, topic: 'warp', content: 'on time' };
  const at = await requestedSoon((time) =>
    bodyOf(member, 'POST', PATH, { ...fields, scheduled_delivery_timestamp: time }),
  );
  const [{ message }] = await queue.take(1);
  assert.equal(message.content, '<p>on time</p>');
  assert(message.timestamp >= at, 'the message is not sent before its time');
  assert.deepEqual(await all(member), []);
});

// rules: scheduled-3
test('the sender can delete a scheduled message just after its delivery, once and without an event', async () => {
  const id = await schedule(member, { content: 'gone' });
  await deliverAll(server);
  const queue = await member.register(types);
  await other.fails('DELETE', `${PATH}/${id}`, {}, 404);
  await member.ok('DELETE', `${PATH}/${id}`);
  await member.fails('DELETE', `${PATH}/${id}`, {}, 404);
  assert.deepEqual(await queue.now(), []);
  assert.deepEqual(await all(member), []);
});

test('a deletion concurrent with the delivery of the same message succeeds', async () => {
  for (let round = 0; round < 10; round++) {
    const id = await schedule(member);
    await Promise.all([deliverAll(server), member.ok('DELETE', `${PATH}/${id}`)]);
  }
});

test('a delivered message can be deleted for a day', async () => {
  const [old, recent] = [await schedule(member), await schedule(member)];
  await deliverAll(server);
  await sql`
    UPDATE delivered_scheduled_messages SET delivered_at = now() - interval '25 hours' WHERE id = ${old}`.execute(
    server.app.db,
  );
  await forgetDelivered(server.app.db);
  await member.fails('DELETE', `${PATH}/${old}`, {}, 404);
  await member.ok('DELETE', `${PATH}/${recent}`);
});

test('an edit to an earlier time wakes the scheduler', async () => {
  const queue = await other.register(types);
  const id = await schedule(member);
  const sooner = { content: 'sooner' };
  await requestedSoon((time) =>
    bodyOf(member, 'PATCH', `${PATH}/${id}`, { ...sooner, scheduled_delivery_timestamp: time }),
  );
  const [{ message }] = await queue.take(1);
  assert.equal(message.content, '<p>sooner</p>');
});

// rules: scheduled-6
test('the message and the removal of its schedule are one commit; the sender receives them in that order', async () => {
  const queue = await member.register(types);
  const id = await schedule(member, { content: 'in one' });
  await deliverAll(server);
  const [added, message, removed] = await queue.take(3);
  assert.deepEqual([added.op, message.type, removed.op], ['add', 'message', 'remove']);
  assert.equal(removed.scheduled_message_id, id);
  assert.equal(removed.id, message.id + 1);
  assert.deepEqual([message.message.sender_id, message.message.content], [member.userId, '<p>in one</p>']);
});

test('a scheduled message has the same fields and flags as a sent one, as of its delivery', async () => {
  const queue = await other.register(types);
  const content = `@**Otto Other** and @**Mia Member** \`code\``;
  await schedule(member, { content });
  await deliverAll(server);
  const [scheduled] = await queue.take(1);
  await member.send(channel, 'warp', content);
  const [plain] = await queue.take(1);
  const comparable = ({ message, flags }: Json) => ({ ...message, id: 0, timestamp: 0, flags });
  assert.deepEqual(comparable(scheduled), comparable(plain));
  assert.deepEqual(scheduled.flags, ['mentioned']);
  const { state } = await other.register();
  assert(state.unread_msgs.mentions.includes(scheduled.message.id));
});

// rules: message-fields-10
test('the message names the client that scheduled it or edited it last', async () => {
  const queue = await other.register(types);
  const fields = { type: 'channel', to: channel, topic: 'warp', scheduled_delivery_timestamp: inSeconds(86_400) };
  for (const content of ['as it was', 'edited']) {
    const { body } = await member.call('POST', PATH, { ...fields, content }, { 'user-agent': 'ZulipFlutter/1.0' });
    if (content === 'edited') await member.ok('PATCH', `${PATH}/${body.scheduled_message_id}`, { topic: 'weft' });
  }
  await deliverAll(server);
  const contentsAndClients = (await sent(queue)).map(({ message }) => [message.content, message.client]);
  assert.deepEqual(contentsAndClients.toSorted(), [
    ['<p>as it was</p>', 'ZulipFlutter'],
    ['<p>edited</p>', 'HeddleTest'],
  ]);
});

test('read_by_sender, or else the client, decides whether the message starts as read for its sender', async () => {
  const queue = await member.register(types);
  await schedule(member, { content: 'a', read_by_sender: true });
  await schedule(member, { content: 'b', read_by_sender: false });
  await schedule(member, { content: 'c' });
  await member.call(
    'POST',
    PATH,
    { type: 'direct', to: [member.userId], content: 'd', scheduled_delivery_timestamp: inSeconds(86_400) },
    { 'user-agent': 'ZulipFlutter/1.0' },
  );
  await member.call(
    'POST',
    PATH,
    { type: 'direct', to: [other.userId], content: 'e', scheduled_delivery_timestamp: inSeconds(86_400) },
    { 'user-agent': 'ZulipFlutter/1.0' },
  );
  await deliverAll(server);
  const flags = (await sent(queue)).map(({ message, flags }) => [message.content, flags.includes('read')]);
  assert.deepEqual(Object.fromEntries(flags), {
    '<p>a</p>': true,
    '<p>b</p>': false,
    '<p>c</p>': false,
    // Messages to oneself alone start as unread.
    '<p>d</p>': false,
    '<p>e</p>': true,
  });
});

test('a scheduled direct message reaches all participants', async () => {
  const third = await server.user();
  const queues = [await other.register(types), await third.register(types)];
  await schedule(member, { type: 'direct', to: [other.userId, third.userId], content: 'to both' });
  await deliverAll(server);
  for (const queue of queues) assert.deepEqual((await sent(queue)).length, 1);
});

// rules: scheduled-5
test('a scheduled message is rendered with the user’s name at its delivery', async () => {
  const renamed = await server.user({ name: 'Before' });
  const queue = await other.register(types);
  await schedule(member, { content: `@_**|${renamed.userId}**` });
  const organization = await server.app.organizations.bySubdomain('');
  await organization?.transact('server', 'exclusive', async ({ db, directory, append }) => {
    const record = directory.user(renamed.userId);
    assert(record !== undefined);
    await db
      .updateTable('users')
      .set({ full_name: 'After' })
      .where('organization_id', '=', organization.id)
      .where('id', '=', renamed.userId)
      .execute();
    const deltas = [{ delta: 'user', user: { ...record, fullName: 'After' } }];
    append({ type: 'realm_user', audience: { to: 'nobody' }, body: null, deltas });
  });
  await deliverAll(server);
  const [{ message }] = await sent(queue);
  assert.match(message.content, /After/);
});

test('many due messages are sent in the order of their times, each once', async () => {
  const queue = await other.register(types);
  const ids = [];
  for (let number = 0; number < 45; number += 1) ids.push(await schedule(member, { content: `pick ${number}` }));
  await sql`
    UPDATE scheduled_messages SET deliver_at = now() - make_interval(secs => 60 - (id - ${ids[0]}))
     WHERE user_id = ${member.userId}`.execute(server.app.db);
  await server.app.scheduler.settled();
  assert.deepEqual(
    (await sent(queue)).map(({ message }) => message.content),
    ids.map((_, number) => `<p>pick ${number}</p>`),
  );
});

// rules: scheduled-5
test('several processes that find the same due messages send each once', async (t) => {
  const second = await startTestServer({ shared: server.shared });
  t.after(() => second.stop());
  const queue = await other.register(types);
  for (let number = 0; number < 40; number += 1) await schedule(member, { content: `shed ${number}` });
  await sql`UPDATE scheduled_messages SET deliver_at = now()`.execute(server.app.db);
  await Promise.all([server.app.scheduler.settled(), second.app.scheduler.settled()]);
  const organization = await server.app.organizations.bySubdomain('');
  await organization?.catchUp();
  const texts = (await sent(queue)).map(({ message }) => message.content);
  assert.equal(texts.length, 40);
  assert.equal(new Set(texts).size, 40);
});

async function notices(queue: TestQueue): Promise<readonly string[]> {
  return (await sent(queue)).flatMap(({ message }) =>
    message.sender_email.startsWith('notification-bot') ? message.content : [],
  );
}

const raw = { ...types, apply_markdown: false };

// rules: scheduled-1, scheduled-7
test('a message that cannot be sent is marked as failed, and its sender gets one notice', async () => {
  const doomed = await server.emptyChannel(member, 'doomed');
  const id = await schedule(member, { to: doomed });
  const queue = await member.register(raw);
  await archiveChannel(server, doomed);
  await deliverAll(server);
  await deliverAll(server);
  const events = await queue.now();
  assert.deepEqual(
    events.map(({ type, op }) => [type, op]),
    [
      ['scheduled_messages', 'update'],
      ['message', undefined],
    ],
  );
  const [update, notice] = events;
  assert.deepEqual([update.scheduled_message.scheduled_message_id, update.scheduled_message.failed], [id, true]);
  assert.deepEqual(await all(member), [update.scheduled_message]);
  const time = new Date(update.scheduled_message.scheduled_delivery_timestamp * 1000).toISOString().slice(0, 19);
  assert.equal(
    notice.message.content,
    `The message you scheduled for <time:${time}Z> was not sent because of the following error:\n\n` +
      "> Not authorized to send to channel 'doomed'\n\n[View scheduled messages](#scheduled)",
  );
  assert.deepEqual(notice.flags, []);
  await member.ok('DELETE', `${PATH}/${id}`);
});

// rules: scheduled-14
test('an edit of a failed message requires a new time, and then it is sent', async () => {
  const id = await schedule(member, { content: 'late' });
  await deliverAll(server, 11 * 60);
  const path = `${PATH}/${id}`;
  assert.equal(
    (await member.fails('PATCH', path, { topic: 'x' })).msg,
    'Scheduled delivery time must be in the future.',
  );
  const queue = await member.register(types);
  await member.ok('PATCH', path, { topic: 'x', scheduled_delivery_timestamp: inSeconds(3600) });
  const [update] = await queue.take(1);
  assert.deepEqual([update.op, update.scheduled_message.failed], ['update', false]);
  await deliverAll(server);
  const [message] = await queue.take(1);
  assert.equal(message.message.subject, 'x');
  assert.deepEqual(await all(member), []);
});

// rules: scheduled-7
test('a message is sent up to ten minutes late, and fails after that', async () => {
  const queue = await member.register(raw);
  await schedule(member, { content: 'nine minutes' });
  await deliverAll(server, 9 * 60);
  assert.deepEqual(
    (await sent(queue)).map(({ message }) => message.content),
    ['nine minutes'],
  );
  const id = await schedule(member, { content: 'eleven minutes' });
  await deliverAll(server, 11 * 60);
  const [notice, ...others] = await notices(queue);
  assert.match(notice ?? '', /> Message could not be sent at the scheduled time\.\n/);
  assert.deepEqual(others, []);
  await member.ok('DELETE', `${PATH}/${id}`);
});

// rules: scheduled-7
test('a message to a deactivated user or to a disallowed topic fails', async (t) => {
  const gone = await server.user({ name: 'Gone' });
  const queue = await member.register(raw);
  const ids = [await schedule(member, { type: 'direct', to: [gone.userId] }), await schedule(member, { topic: '' })];
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  await deactivateUser(server.app, organization, gone.userId);
  await changeOrganization(server, { topics_policy: 'disable_empty_topic' });
  t.after(() => changeOrganization(server, { topics_policy: undefined }));
  await deliverAll(server);
  const texts = await notices(queue);
  assert.deepEqual(
    texts.map((text) => /^> (.*)/m.exec(text)?.[1]),
    [
      `'${gone.email}' is no longer using Zulip.`,
      'Sending messages to the general chat is not allowed in this channel.',
    ],
  );
  assert.deepEqual(
    (await all(member)).map((one) => [one.scheduled_message_id, one.failed]),
    ids.map((id) => [id, true]),
  );
  for (const id of ids) await member.ok('DELETE', `${PATH}/${id}`);
});

test('messages of a deactivated user fail without a notice', async () => {
  const leaver = await server.user();
  await schedule(leaver, { content: 'never' });
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  await deactivateUser(server.app, organization, leaver.userId);
  const queue = await other.register(types);
  const newest = () => sql<{ head: number }>`SELECT max(id) AS head FROM messages`.execute(server.app.db);
  const { rows: before } = await newest();
  await deliverAll(server);
  assert.deepEqual((await newest()).rows, before);
  assert.deepEqual(await sent(queue), []);
  const { rows } = await sql<{ failed: boolean }>`
    SELECT failed FROM scheduled_messages WHERE user_id = ${leaver.userId}`.execute(server.app.db);
  assert.deepEqual(rows, [{ failed: true }]);
});

test('a message that cannot be sent does not block others', async () => {
  const doomed = await server.emptyChannel(member, 'doomed too');
  const id = await schedule(member, { to: doomed, content: 'never' });
  await schedule(member, { content: 'beside it' });
  await archiveChannel(server, doomed);
  const queue = await other.register(raw);
  await deliverAll(server);
  assert.deepEqual(
    (await sent(queue)).map(({ message }) => message.content),
    ['beside it'],
  );
  await member.ok('DELETE', `${PATH}/${id}`);
});

test('a message that is edited or deleted while it is due is not sent in its old form', async () => {
  const queue = await other.register(raw);
  const id = await schedule(member, { content: 'before' });
  const kept = await schedule(member, { content: 'deleted' });
  await sql`UPDATE scheduled_messages SET deliver_at = now() WHERE user_id = ${member.userId}`.execute(server.app.db);
  const edited = member.call('PATCH', `${PATH}/${id}`, {
    content: 'after',
    scheduled_delivery_timestamp: inSeconds(3600),
  });
  const deleted = member.call('DELETE', `${PATH}/${kept}`);
  const [edit, deletion] = await Promise.all([edited, deleted, server.app.scheduler.settled()]);
  const texts = (await sent(queue)).map(({ message }) => message.content);
  assert.equal(texts.includes('before'), edit.status === 404);
  assert.equal(deletion.status, 200);
  assert(texts.filter((text) => text === 'deleted').length <= 1);
  await deliverAll(server);
  assert.equal((await sent(queue)).length, edit.status === 404 ? 0 : 1);
});

test('a blocked organization does not delay others, and its messages are sent once it is unblocked', async (t) => {
  const elsewhere = await server.organization('elsewhere');
  const theirs = await elsewhere.register(types);
  const own = await other.register(types);
  await schedule(member, { content: 'held up' });
  const fields = { type: 'direct', to: [elsewhere.userId], content: 'not held up' };
  await elsewhere.ok('POST', PATH, { ...fields, scheduled_delivery_timestamp: inSeconds(86_400) });
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  // The pause is as long as the test needs.
  const holder = new pg.Client({ connectionString: server.shared.url });
  await holder.connect();
  t.after(() => holder.end());
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM logs WHERE organization_id = $1 FOR UPDATE', [organization.id]);
  await sql`UPDATE scheduled_messages SET deliver_at = now()`.execute(server.app.db);
  server.app.scheduler.wake();
  // The `add` event, the message, and the `remove` event.
  assert.equal((await theirs.take(3)).at(-1)?.op, 'remove');
  assert.deepEqual(await own.now(), []);
  await holder.query('COMMIT');
  await server.app.scheduler.settled();
  assert.deepEqual(
    (await own.take(1)).map(({ message }) => message.content),
    ['<p>held up</p>'],
  );
});

test('a message whose commit fails does not affect others, and its sender gets a notice', async (t) => {
  const silent = await startTestServer({ environment: { HEDDLE_LOG_LEVEL: 'silent' } });
  t.after(() => silent.stop());
  const { owner } = silent;
  await sql`ALTER TABLE messages ADD CHECK (content <> 'poison')`.execute(silent.app.db);
  const queue = await owner.register(raw);
  const ids: number[] = [];
  for (const content of ['before', 'poison', 'after']) {
    ids.push(await schedule(owner, { type: 'direct', to: [owner.userId], content }));
  }
  await deliverAll(silent);
  const messages = (await sent(queue)).map(({ message }) => message.content);
  assert.deepEqual(messages.slice(0, 1), ['before']);
  assert.match(messages[1] ?? '', /^> Internal server error$/m);
  assert.deepEqual(messages.slice(2), ['after']);
  assert.deepEqual(
    (await all(owner)).map((one) => [one.scheduled_message_id, one.failed]),
    [[ids[1], true]],
  );
});

test('delivery changes topic policies like a send: the user who starts a topic follows it', async () => {
  const queue = await member.register({ event_types: ['user_topic', 'message', 'scheduled_messages'] });
  await schedule(member, { topic: 'begun by the clock' });
  await deliverAll(server);
  const events = (await queue.now()).map(({ type, topic_name, visibility_policy, op }) => [
    type,
    topic_name ?? op,
    visibility_policy,
  ]);
  assert.deepEqual(events.slice(1), [
    ['user_topic', 'begun by the clock', 3],
    ['message', undefined, undefined],
    ['scheduled_messages', 'remove', undefined],
  ]);
});
