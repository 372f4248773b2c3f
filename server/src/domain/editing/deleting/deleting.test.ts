import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { Role } from '../../../directory/records.ts';
import type { NewEvent } from '../../../log/event.ts';
import type { TestClient, TestQueue } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { upload } from '../../../testing/clients/user-files.ts';
import { changeOrganization } from '../../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { announceGone, deleteTopicWithin } from './actions.ts';
import type { DeletionBody } from './events.ts';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.user();
});
after(() => server.stop());

let made = 0;

/** Creates a channel with the owner, the member and these users as subscribers. */
async function channel(more: Readonly<Record<string, unknown>> = {}, ...others: readonly TestClient[]) {
  const name = `deleting ${++made}`;
  const principals = [member, ...others].map(({ userId }) => userId);
  return { id: await server.emptyChannel(owner, name, { principals, ...more }), name };
}

const bulk = { client_capabilities: { bulk_message_deletion: true, empty_topic_name: true } };
const remove = (client: TestClient, id: number) => client.ok('DELETE', `/messages/${id}`);
const clear = (client: TestClient, id: number, topic_name: string) =>
  client.ok('POST', `/streams/${id}/delete_topic`, { topic_name });
const withoutId = (events: readonly Json[]) => events.map(({ id, ...event }) => event);

async function deletions(queue: TestQueue): Promise<readonly Json[]> {
  return withoutId((await queue.now()).filter((event: Json) => event.type === 'delete_message'));
}

// rules: fetch-15
test('the permission to delete any message covers others’ messages; other users delete their own and their bots’', async () => {
  const { name } = await channel();
  const [others, own] = [await owner.send(name, 'a', 'of the owner'), await member.send(name, 'a', 'of the member')];
  const refused = await member.fails('DELETE', `/messages/${others}`);
  assert.deepEqual([refused.code, refused.msg], ['BAD_REQUEST', "You don't have permission to delete this message"]);
  await remove(member, own);
  await remove(owner, await member.send(name, 'a', 'of the member again'));
  const bot = await server.user({ name: 'A Bot' });
  const organization = await server.app.organizations.bySubdomain('');
  await organization?.transact('server', 'exclusive', async ({ db, directory, append }) => {
    const record = directory.user(bot.userId);
    assert(record !== undefined);
    const change = { isBot: true, botOwnerId: member.userId } as const;
    await db
      .updateTable('users')
      .set({ is_bot: true, bot_owner_id: member.userId })
      .where('organization_id', '=', organization.id)
      .where('id', '=', bot.userId)
      .execute();
    const deltas = [{ delta: 'user', user: { ...record, ...change } }];
    append({ type: 'realm_user', audience: { to: 'nobody' }, body: null, deltas });
  });
  await remove(member, await bot.direct([member.userId], 'of the bot'));
});

// rules: fetch-15, limits-7
test('after the time limit only users who can delete any message can delete one', async (t) => {
  await changeOrganization(server, { message_content_delete_limit_seconds: 60 });
  t.after(() => changeOrganization(server, { message_content_delete_limit_seconds: undefined }));
  const { name } = await channel();
  const id = await member.send(name, 'a', 'an hour ago');
  await sql`UPDATE messages SET sent_at = sent_at - interval '1 hour' WHERE id = ${id}`.execute(server.app.db);
  const refused = await member.fails('DELETE', `/messages/${id}`);
  assert.equal(refused.msg, 'The time limit for deleting this message has passed');
  await remove(owner, id);
});

// rules: fetch-15, channels-14
test('a channel’s own permission lets its group delete any message, or their own', async (t) => {
  const nobody = (await server.app.organizations.bySubdomain(''))?.directory.groups.idOf('role:nobody');
  await changeOrganization(server, { can_delete_own_message_group: nobody });
  t.after(() => changeOrganization(server, { can_delete_own_message_group: undefined }));
  const members = (await server.app.organizations.bySubdomain(''))?.directory.groups.idOf('role:members');
  const [closed, open, own] = [
    await channel(),
    await channel({ can_delete_any_message_group: members }),
    await channel({ can_delete_own_message_group: members }),
  ];
  await member.fails('DELETE', `/messages/${await member.send(closed.name, 'a', 'mine')}`);
  await remove(member, await owner.send(open.name, 'a', 'of the owner'));
  await remove(member, await member.send(own.name, 'a', 'mine'));
  await member.fails('DELETE', `/messages/${await owner.send(own.name, 'a', 'of the owner')}`);
});

test('a missing, hidden or already deleted message is refused with the same error', async () => {
  const hidden = await server.emptyChannel(owner, `hidden ${++made}`, { invite_only: true });
  const id = await owner.send(hidden, 'a', 'secret');
  const gone = await member.direct([owner.userId], 'gone');
  await remove(member, gone);
  for (const other of [id, gone, 1e9]) {
    assert.equal((await member.fails('DELETE', `/messages/${other}`)).msg, 'Invalid message(s)');
  }
  await owner.ok('GET', `/messages/${id}`);
});

// rules: topics-16, register-14
test('clients with bulk_message_deletion receive one event per topic, other clients one per message', async () => {
  const { id, name } = await channel();
  const ids = [
    await member.send(name, 'a', 'one'),
    await member.send(name, 'A', 'two'),
    await member.send(name, 'a', 'three'),
  ];
  const [modern, legacy] = [await owner.register(bulk), await owner.register()];
  await clear(owner, id, 'a');
  const place = { type: 'delete_message', message_type: 'stream', stream_id: id };
  assert.deepEqual(await deletions(modern), [
    { ...place, topic: 'a', message_ids: [ids[0], ids[2]] },
    { ...place, topic: 'A', message_ids: [ids[1]] },
  ]);
  assert.deepEqual(await deletions(legacy), [
    { ...place, topic: 'a', message_id: ids[0] },
    { ...place, topic: 'a', message_id: ids[2] },
    { ...place, topic: 'A', message_id: ids[1] },
  ]);
});

// rules: conventions-8, topics-12
test('a topic deletion accepts the empty topic’s display name, and older clients receive that name', async () => {
  const { id, name } = await channel();
  const message = await member.send(name, '', 'general');
  const [modern, legacy] = [await owner.register(bulk), await owner.register()];
  assert.equal((await clear(owner, id, 'general chat')).complete, true);
  assert.deepEqual(
    (await deletions(modern)).map(({ topic, message_ids }) => [topic, message_ids]),
    [['', [message]]],
  );
  assert.deepEqual(
    (await deletions(legacy)).map(({ topic }) => topic),
    ['general chat'],
  );
});

test('the participants of a direct message receive its deletion', async () => {
  const other = await server.user();
  const id = await member.direct([owner.userId], 'direct');
  const queues = await Promise.all([owner, member, other].map((client) => client.register(bulk)));
  await remove(member, id);
  const expected = [{ type: 'delete_message', message_type: 'private', message_ids: [id] }];
  assert.deepEqual(await Promise.all(queues.map(deletions)), [expected, expected, []]);
});

// rules: fetch-13
test('users who delete messages of a channel to which they are not subscribed receive the deletion', async () => {
  const { id: channelId, name } = await channel();
  await owner.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name] });
  const queue = await owner.register({ event_types: ['delete_message'], ...bulk });
  const following = await owner.register({ event_types: ['delete_message'], all_public_streams: true, ...bulk });
  const ids = [
    await member.send(name, 'a', 'one'),
    await member.send(name, 'b', 'two'),
    await member.send(name, 'b', 'three'),
  ];
  await remove(owner, ids[0] ?? 0);
  await clear(owner, channelId, 'b');
  for (const one of [queue, following]) {
    assert.deepEqual(
      (await deletions(one)).map(({ message_ids }) => message_ids),
      [ids.slice(0, 1), ids.slice(1)],
    );
  }
});

// rules: fetch-13
test('subscribers and users who flagged a message receive its deletion; users without access do not', async () => {
  const [marker, stranger, late] = [await server.user(), await server.user(), await server.user()];
  const open = await channel();
  const closed = await channel({ invite_only: true, history_public_to_subscribers: false });
  const ids = [await member.send(open.name, 'a', 'open'), await member.send(closed.name, 'a', 'closed')];
  await marker.ok('POST', '/messages/flags', { messages: [ids[0]], op: 'add', flag: 'starred' });
  await owner.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: closed.name }],
    principals: [late.userId],
  });
  const clients = [member, marker, stranger, late];
  const queues = await Promise.all(clients.map((client) => client.register({ ...bulk, all_public_streams: true })));
  for (const id of ids) await remove(member, id);
  const received = await Promise.all(queues.map(deletions));
  assert.deepEqual(
    received.map((events) => events.flatMap((event) => event.message_ids)),
    [ids, ids.slice(0, 1), [], []],
  );
});

test('a former subscriber receives only the removal of the star from a deleted message', async () => {
  const keeper = await server.user();
  const { name } = await channel({ invite_only: true }, keeper);
  const [starred, other] = [await owner.send(name, 'a', 'x'), await owner.send(name, 'a', 'y')];
  await keeper.ok('POST', '/messages/flags', { messages: [starred], op: 'add', flag: 'starred' });
  await keeper.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name] });
  const queue = await keeper.register();
  assert(queue.state.starred_messages.includes(starred));
  await remove(owner, other);
  await remove(owner, starred);
  assert.deepEqual(
    (await queue.now()).map(({ type, op, flag, messages }) => ({ type, op, flag, messages })),
    [{ type: 'update_message_flags', op: 'remove', flag: 'starred', messages: [starred] }],
  );
});

// rules: fetch-13
test('a deleted message is missing from history, flags, unread counts, starred messages and topics', async () => {
  const { id, name } = await channel();
  const kept = await owner.send(name, 'kept', 'kept');
  const gone = await owner.send(name, 'gone', '@**all** the secret word');
  await member.ok('POST', '/messages/flags', { messages: [gone], op: 'add', flag: 'starred' });
  await remove(owner, gone);
  const { state } = await member.register();
  assert(!JSON.stringify(state).includes('secret word'));
  assert(!state.starred_messages.includes(gone));
  assert(!state.unread_msgs.mentions.includes(gone));
  const unread = state.unread_msgs.streams.filter((one: Json) => one.stream_id === id);
  assert.deepEqual(
    unread.map((one: Json) => [one.topic, one.unread_message_ids]),
    [['kept', [kept]]],
  );
  const { topics } = await member.ok('GET', `/users/me/${id}/topics`);
  assert.deepEqual(topics, [{ name: 'kept', max_id: kept }]);
  const narrow = [{ operator: 'channel', operand: id }];
  const { messages } = await member.ok('GET', '/messages', { anchor: 'newest', num_before: 10, num_after: 0, narrow });
  assert.deepEqual(
    messages.map((message: Json) => message.id),
    [kept],
  );
  await member.fails('GET', `/messages/${gone}`);
});

// rules: fetch-13
test('events read later contain no trace of a deleted message, from memory or from the table, in any process', async () => {
  const { name } = await channel();
  const other = await startTestServer({ shared: server.shared });
  const [here, there, table] = [await owner.register(bulk), await owner.register(bulk), await owner.register(bulk)];
  const id = await member.send(name, 'a', 'the secret word');
  const elsewhere = await other.sameUser(owner);
  const query = (queue: TestQueue) => ({
    queue_id: queue.id,
    last_event_id: queue.state.last_event_id,
    dont_block: true,
  });
  await (await other.app.organizations.bySubdomain(''))?.catchUp();
  assert.equal((await elsewhere.ok('GET', '/events', query(there))).events[0].message.id, id);
  await remove(member, id);
  await (await other.app.organizations.bySubdomain(''))?.catchUp();
  const restarted = await startTestServer({ shared: server.shared });
  const answers = [
    await owner.ok('GET', '/events', query(here)),
    await elsewhere.ok('GET', '/events', query(there)),
    await (await restarted.sameUser(owner)).ok('GET', '/events', query(table)),
  ];
  for (const { events } of answers) {
    const deletionEvents = events.filter((event: Json) => event.type !== 'stream');
    assert.deepEqual(
      deletionEvents.map((event: Json) => [event.type, event.message_ids]),
      [['delete_message', [id]]],
    );
  }
  const { rows } = await sql`SELECT FROM events WHERE body LIKE '%the secret word%'`.execute(server.app.db);
  assert.equal(rows.length, 0);
  await restarted.stop();
  await other.stop();
});

test('earlier channel and attachment events of a deleted message stay in the log, in memory and in the table', async () => {
  const path = await upload(server.url, member, 'a file');
  const queue = await member.register({ event_types: ['attachment', 'stream'] });
  const { name } = await channel();
  const id = await member.send(name, 'a', `[file](${path})`);
  const eventsOf = async (client: TestClient) => {
    const { last_event_id } = queue.state;
    const { events } = await client.ok('GET', '/events', { queue_id: queue.id, last_event_id, dont_block: true });
    return events;
  };
  const before = await eventsOf(member);
  const ofTheFile = before.some(({ attachment }: Json) =>
    attachment?.messages.some((message: Json) => message.id === id),
  );
  const ofTheChannel = before.some(({ property, value }: Json) => property === 'first_message_id' && value === id);
  assert.deepEqual({ ofTheFile, ofTheChannel }, { ofTheFile: true, ofTheChannel: true });

  await remove(member, id);
  const restarted = await startTestServer({ shared: server.shared });
  try {
    const inMemory = await eventsOf(member);
    assert.deepEqual(inMemory.slice(0, before.length), before);
    assert.deepEqual(inMemory, await eventsOf(await restarted.sameUser(member)));
  } finally {
    await restarted.stop();
  }
});

// rules: channels-11
test('deletions update the channel’s first message, and all users with metadata access are notified', async () => {
  const { id, name } = await channel();
  const stranger = await server.user();
  const ids = [await owner.send(name, 'a', 'one'), await owner.send(name, 'b', 'two')];
  const queue = await stranger.register({ event_types: ['stream'] });
  await remove(owner, ids[1] ?? 0);
  assert.deepEqual(await queue.now(), []);
  const second = await owner.send(name, 'b', 'three');
  for (const [gone, first] of [
    [ids[0], second],
    [second, null],
  ]) {
    await remove(owner, gone ?? 0);
    const { op, property, value } = (await queue.now())[0];
    assert.deepEqual([op, property, value], ['update', 'first_message_id', first]);
    const { stream } = await stranger.ok('GET', `/streams/${id}`);
    assert.equal(stream.first_message_id, first);
  }
});

// rules: topics-11, topics-13, errors-8
test('only administrators delete topics', async () => {
  const { id, name } = await channel();
  await member.send(name, 'a', 'one');
  const moderator = await server.user({ role: Role.moderator });
  for (const client of [member, moderator]) {
    const refused = await client.fails('POST', `/streams/${id}/delete_topic`, { topic_name: 'a' });
    assert.deepEqual([refused.code, refused.msg], ['UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator']);
  }
  assert.equal(
    (await owner.fails('POST', '/streams/100000/delete_topic', { topic_name: 'a' })).msg,
    'Invalid channel ID',
  );
  assert.equal((await clear(owner, id, 'no such topic')).complete, true);
});

// rules: topics-14
test('an administrator deletes only the readable messages of a topic with protected history', async () => {
  const administrator = await server.user({ role: Role.administrator });
  const { id, name } = await channel({ invite_only: true, history_public_to_subscribers: false });
  const before = await owner.send(name, 'a', 'before');
  const path = `/streams/${id}/delete_topic`;
  assert.equal((await administrator.fails('POST', path, { topic_name: 'a' })).msg, 'Invalid channel ID');
  const subscribing = { subscriptions: [{ name }], principals: [administrator.userId] };
  await owner.ok('POST', '/users/me/subscriptions', subscribing);
  const since = await owner.send(name, 'a', 'since');
  await clear(administrator, id, 'a');
  await owner.ok('GET', `/messages/${before}`);
  await owner.fails('GET', `/messages/${since}`);
});

// rules: topics-15
test('deleting a long topic starts with its newest messages and reports whether some are left', async () => {
  const { id, name } = await channel();
  const first = await owner.send(name, 'long', 'first');
  await sql`
    WITH taken AS (
      UPDATE logs SET message_head = message_head + 1200 RETURNING organization_id, message_head - 1200 AS base
    )
    INSERT INTO messages (organization_id, id, sender_id, channel_id, topic, content, rendered_content, mentions_channel,
                          is_me_message, client, sent_at)
    SELECT taken.organization_id, base + n, sender_id, channel_id, topic, content, rendered_content, mentions_channel,
           is_me_message, client, sent_at
      FROM taken, messages, generate_series(1, 1200) AS n WHERE messages.id = ${first}`.execute(server.app.db);
  const organization = await server.app.organizations.bySubdomain('');
  const caller = organization?.directory.user(owner.userId);
  assert(organization !== undefined && caller !== undefined);
  const within = (milliseconds: number) =>
    deleteTopicWithin(organization, caller, { channelId: id, topic: 'long' }, milliseconds);
  const left = async () => {
    const { rows } = await sql<{ id: number }>`SELECT id FROM messages WHERE channel_id = ${id}`.execute(server.app.db);
    return rows.length;
  };
  assert.equal(await within(0), false);
  const afterOne = await left();
  assert(afterOne > 0 && afterOne < 1201, 'it makes at least one commit');
  await owner.ok('GET', `/messages/${first}`);
  assert.equal(await within(600_000), true);
  assert.equal(await left(), 0);
});

// rules: topics-16
test('the single deletion events for older clients are limited per commit, across all topics', () => {
  const appended: NewEvent[] = [];
  const gone = (others: readonly number[]) => ({
    messageIds: Array.from({ length: 500 }, (_, index) => index + 1),
    place: { channelId: 1, topic: 'long' },
    others,
    audience: { to: 'users', users: others } as const,
  });
  const append = (event: NewEvent) => {
    appended.push(event);
  };
  const few = [1, 2, 3];
  const many = Array.from({ length: 2000 }, (_, index) => index + 100_000);
  announceGone({ append }, [gone(many), gone(few), gone(many)]);
  // Each bulk event is sent once. The second large batch of single events would exceed the limit of one commit.
  assert.deepEqual(
    appended.filter(({ body }) => !(body as DeletionBody).isForOlderClients).map(({ audience }) => audience),
    [many, few, many].map((users) => ({ to: 'users', users })),
  );
  assert.equal(appended.length, 3 + 499 + 499);
});
