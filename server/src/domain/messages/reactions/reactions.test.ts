import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { Role } from '../../../directory/records.ts';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { archiveChannel } from '../../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let author: TestClient;
let reader: TestClient;
let messageId: number;
before(async () => {
  server = await startTestServer();
  author = await server.user({ name: 'Author' });
  reader = await server.user({ name: 'Reader' });
});
after(() => server.stop());

const OCTOPUS = { emoji_name: 'octopus', emoji_code: '1f419', reaction_type: 'unicode_emoji' };
const pathOf = (id: number) => `/messages/${id}/reactions`;

/** Sends a message to a channel to which both users are subscribed. */
async function newMessage(): Promise<number> {
  await author.subscribe('weaving', { principals: [author.userId, reader.userId] });
  messageId = await author.send('weaving', 'looms', 'Ready');
  return messageId;
}

async function reactionsOf(client: TestClient, id: number): Promise<Json[]> {
  const { message } = await client.ok('GET', `/messages/${id}`);
  const { messages } = await client.ok('GET', '/messages', { message_ids: [id] });
  assert.deepEqual(messages[0].reactions, message.reactions, 'both ways of fetching return the same reactions');
  return message.reactions;
}

const short = (reactions: readonly Json[]) => reactions.map((one) => [one.emoji_name, one.emoji_code, one.user_id]);

// rules: message-fields-19, reactions-1
test('every response with the message contains its reactions in order, and adding and removing them sends events', async () => {
  const id = await newMessage();
  const queue = await author.register({ event_types: ['reaction'] });
  await reader.ok('POST', pathOf(id), { emoji_name: 'octopus' });
  await author.ok('POST', pathOf(id), { emoji_name: 'thumbs_up' });
  const [octopus, thumb] = await reactionsOf(author, id);
  assert.deepEqual(octopus, { ...OCTOPUS, user_id: reader.userId });
  assert.equal(thumb.emoji_code, '1f44d');
  const page = await reader.ok('GET', '/messages', { anchor: id, num_before: 0, num_after: 0 });
  assert.deepEqual(page.messages[0].reactions, [octopus, thumb]);

  await reader.ok('DELETE', pathOf(id), { emoji_name: 'octopus' });
  assert.deepEqual(await reactionsOf(reader, id), [thumb]);
  const [added, , removed] = await queue.take(3);
  const event = {
    type: 'reaction',
    message_id: id,
    ...OCTOPUS,
    user_id: reader.userId,
    user: { user_id: reader.userId, email: reader.email, full_name: 'Reader' },
  };
  assert.deepEqual(added, { id: added.id, op: 'add', ...event });
  assert.deepEqual(removed, { id: removed.id, op: 'remove', ...event });
});

test('an event of a reaction has the name that the user had then, however late it is read', async () => {
  const renamed = await server.user({ name: 'Before' });
  await author.subscribe('weaving', { principals: [renamed.userId] });
  const id = await newMessage();
  const queue = await author.register({ event_types: ['reaction'] });
  await renamed.ok('POST', pathOf(id), { emoji_name: 'octopus' });
  await server.owner.ok('PATCH', `/users/${renamed.userId}`, { full_name: 'After' });
  const [event] = await queue.take(1);
  assert.equal(event?.user.full_name, 'Before');
});

test('an event of a reaction that an earlier release wrote has the present name of the user', async () => {
  const id = await newMessage();
  const queue = await author.register({ event_types: ['reaction'] });
  await reader.ok('POST', pathOf(id), { emoji_name: 'octopus' });
  await sql`
    UPDATE events SET body = (body::jsonb #- '{user,email}' #- '{user,fullName}')::text
     WHERE type = 'reaction' AND message_id = ${id}`.execute(server.app.db);
  const other = await startTestServer({ shared: server.shared });
  try {
    const there = await other.sameUser(author);
    const query = { queue_id: queue.id, last_event_id: queue.state.last_event_id, dont_block: true };
    const { events } = await there.ok('GET', '/events', query);
    assert.deepEqual(events[0].user, { user_id: reader.userId, email: reader.email, full_name: 'Reader' });
  } finally {
    await other.stop();
  }
});

test('a message event contains no reactions, also for a late poll, and reaction events follow it', async () => {
  const queue = await reader.register({ event_types: ['message', 'reaction'] });
  const id = await newMessage();
  await author.ok('POST', pathOf(id), { emoji_name: 'tada' });
  const [message, reaction] = await queue.take(2);
  assert.deepEqual(message.message.reactions, []);
  assert.deepEqual([reaction.op, reaction.message_id, reaction.emoji_name], ['add', id, 'tada']);
});

// rules: reactions-5, reactions-6, errors-9
test('a duplicate reaction and the removal of a missing one are refused', async () => {
  const id = await newMessage();
  await reader.ok('POST', pathOf(id), { emoji_name: 'octopus' });
  const twice = await reader.fails('POST', pathOf(id), OCTOPUS);
  assert.deepEqual([twice.code, twice.msg], ['REACTION_ALREADY_EXISTS', 'Reaction already exists.']);
  const notOwn = await author.fails('DELETE', pathOf(id), OCTOPUS);
  assert.deepEqual([notOwn.code, notOwn.msg], ['REACTION_DOES_NOT_EXIST', "Reaction doesn't exist."]);
  await reader.ok('DELETE', pathOf(id), { emoji_code: '1f419', reaction_type: 'unicode_emoji' });
  assert.deepEqual(await reactionsOf(reader, id), []);
});

// rules: reactions-2
test('a reaction names its emoji by name, optionally with its code or type', async () => {
  const { emoji_name, emoji_code, reaction_type } = OCTOPUS;
  for (const fields of [{ emoji_name }, { emoji_name, emoji_code }, { emoji_name, reaction_type }, OCTOPUS]) {
    const id = await newMessage();
    await reader.ok('POST', pathOf(id), fields);
    const [{ user, user_id, ...told }] = await reactionsOf(reader, id);
    assert.deepEqual(told, OCTOPUS);
  }
});

// rules: reactions-2, reactions-4
test('an emoji’s name, code and type must agree and exist', async () => {
  const id = await newMessage();
  const refusal = async (fields: Json) => {
    const { code, msg } = await reader.fails('POST', pathOf(id), fields);
    assert.equal(code, 'BAD_REQUEST');
    return msg;
  };
  assert.equal(await refusal({ emoji_name: 'no such emoji' }), "Emoji 'no such emoji' does not exist");
  assert.equal(await refusal({ ...OCTOPUS, emoji_name: 'tada' }), 'Invalid emoji name.');
  assert.equal(await refusal({ ...OCTOPUS, emoji_code: 'zzz' }), 'Invalid emoji code.');
  assert.equal(await refusal({ ...OCTOPUS, reaction_type: 'nonsense' }), 'Invalid emoji type.');
  assert.equal(await refusal({ ...OCTOPUS, reaction_type: 'realm_emoji', emoji_code: '77' }), 'Invalid custom emoji.');
  assert.equal(
    await refusal({ ...OCTOPUS, reaction_type: 'realm_emoji', emoji_code: '9'.repeat(30) }),
    'Invalid custom emoji.',
  );
  assert.equal(await refusal({ ...OCTOPUS, reaction_type: 'zulip_extra_emoji' }), 'Invalid emoji code.');
  assert.equal(
    await refusal({ emoji_name: 'octopus', emoji_code: 'zulip', reaction_type: 'service_extra_emoji' }),
    'Invalid emoji name.',
  );
  assert.equal((await reader.fails('POST', pathOf(id), {})).code, 'REQUEST_VARIABLE_MISSING');
  const { msg } = await reader.fails('DELETE', pathOf(id), {});
  assert.equal(msg, 'At least one of the following arguments must be present: emoji_name, emoji_code');
  assert.deepEqual(await reactionsOf(reader, id), []);
});

// rules: reactions-2
test('the extra emoji accepts both names of its type, and each client receives the one it knows', async () => {
  const id = await newMessage();
  const mobile = { 'user-agent': 'ZulipMobile/27.1 (Android 14)' };
  const { body } = await reader.call('POST', '/register', { event_types: ['reaction'] }, mobile);
  const queue = await reader.register({ event_types: ['reaction'] });
  await reader.ok('POST', pathOf(id), { emoji_name: 'zulip' });
  const asService = { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'service_extra_emoji' };
  const asZulip = { ...asService, reaction_type: 'zulip_extra_emoji' };
  for (const again of [asService, asZulip]) {
    assert.equal((await reader.fails('POST', pathOf(id), again)).code, 'REACTION_ALREADY_EXISTS');
  }
  const typeFor = async (headers: Record<string, string>) =>
    (await author.call('GET', `/messages/${id}`, {}, headers)).body.message.reactions[0].reaction_type;
  assert.equal(await typeFor({}), 'service_extra_emoji');
  assert.equal(await typeFor(mobile), 'zulip_extra_emoji');
  const [event] = await queue.take(1);
  assert.equal(event.reaction_type, 'service_extra_emoji');
  const fetched = await reader.ok('GET', '/events', { queue_id: body.queue_id, last_event_id: body.last_event_id });
  assert.equal(fetched.events[0].reaction_type, 'zulip_extra_emoji');
  await reader.ok('DELETE', pathOf(id), asZulip);
  await reader.ok('POST', pathOf(id), asZulip);
  await reader.ok('DELETE', pathOf(id), asService);
});

// rules: reactions-3
test('a further reaction with an existing emoji uses its existing name', async () => {
  const id = await newMessage();
  await author.ok('POST', pathOf(id), { ...OCTOPUS });
  await server.app.db.updateTable('reactions').set({ emoji_name: 'kraken' }).where('message_id', '=', id).execute();
  const queue = await author.register({ event_types: ['reaction'] });
  await reader.ok('POST', pathOf(id), OCTOPUS);
  assert.deepEqual(
    short(await reactionsOf(reader, id)),
    [author, reader].map(({ userId }) => ['kraken', '1f419', userId]),
  );
  const third = await server.user();
  await author.subscribe('weaving', { principals: [third.userId] });
  await third.ok('POST', pathOf(id), { ...OCTOPUS, emoji_name: 'whatever it is' });
  await third.ok('DELETE', pathOf(id), OCTOPUS);
  const events = await queue.take(3);
  assert.deepEqual(
    events.map((event) => [event.op, event.emoji_name]),
    [
      ['add', 'kraken'],
      ['add', 'kraken'],
      ['remove', 'kraken'],
    ],
  );
});

// rules: reactions-8
test('reactions to inaccessible messages and in archived channels are refused', async () => {
  const stranger = await server.user();
  const cellar = await server.emptyChannel(author, 'cellar', { invite_only: true, principals: [reader.userId] });
  const hidden = await author.send(cellar, 'x', 'x');
  for (const id of [hidden, 1_000_000]) {
    for (const emoji_name of ['octopus', 'no such emoji']) {
      for (const method of ['POST', 'DELETE']) {
        assert.equal((await stranger.fails(method, pathOf(id), { emoji_name })).msg, 'Invalid message(s)');
      }
    }
  }
  await reader.ok('POST', pathOf(hidden), { emoji_name: 'octopus' });
  await archiveChannel(server, cellar);
  assert.equal((await reader.fails('POST', pathOf(hidden), { emoji_name: 'tada' })).msg, 'Invalid message(s)');
  assert.equal((await reader.fails('DELETE', pathOf(hidden), { emoji_name: 'octopus' })).msg, 'Invalid message(s)');
});

// rules: reactions-9
test('in a public channel, subscribers and users who reacted to or starred the message receive reactions; others do not', async () => {
  const id = await newMessage();
  const [outsider, fan, bystander] = [await server.user(), await server.user(), await server.user()];
  const guest = await server.user({ role: Role.guest });
  await fan.ok('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' });
  const queues = await Promise.all(
    [outsider, fan, bystander, guest, author].map((one) => one.register({ event_types: ['reaction'] })),
  );
  await outsider.ok('POST', pathOf(id), { emoji_name: 'tada' });
  await reader.ok('POST', pathOf(id), { emoji_name: 'octopus' });
  await outsider.ok('DELETE', pathOf(id), { emoji_name: 'tada' });
  await reader.ok('DELETE', pathOf(id), { emoji_name: 'octopus' });
  const received = await Promise.all(
    queues.map(async (queue) => (await queue.now()).map(({ op, emoji_name }) => `${op} ${emoji_name}`)),
  );
  const all = ['add tada', 'add octopus', 'remove tada', 'remove octopus'];
  assert.deepEqual(received, [all.slice(0, 3), all, [], [], all]);
  const { flags } = (await outsider.ok('GET', `/messages/${id}`)).message;
  assert.deepEqual(flags, ['read', 'historical'], 'reacting to a historical message changes no flags');
});

test('a user who reacted without being subscribed receives edits and the deletion; a queue of all public channels does not', async () => {
  const id = await newMessage();
  const [outsider, follower] = [await server.user(), await server.user()];
  await outsider.ok('POST', pathOf(id), { emoji_name: 'tada' });
  const event_types = ['reaction', 'update_message', 'delete_message'];
  const queues = await Promise.all([
    outsider.register({ event_types }),
    follower.register({ event_types, all_public_streams: true }),
    outsider.register({ event_types, all_public_streams: true }),
  ]);
  const received = () => Promise.all(queues.map(async (queue) => (await queue.now()).map((event) => event.type)));
  await reader.ok('POST', pathOf(id), { emoji_name: 'tada' });
  await author.ok('PATCH', `/messages/${id}`, { content: 'Almost ready' });
  const changes = ['reaction', 'update_message'];
  assert.deepEqual(await received(), [changes, [], changes]);
  await server.owner.ok('DELETE', `/messages/${id}`);
  assert.deepEqual(await received(), [['delete_message'], [], ['delete_message']]);
});

test('a late poll receives no reactions of a deleted message', async () => {
  const id = await newMessage();
  const queue = await reader.register({ event_types: ['message', 'reaction', 'delete_message'] });
  await reader.ok('POST', pathOf(id), { emoji_name: 'tada' });
  await server.owner.ok('DELETE', `/messages/${id}`);
  assert.deepEqual(
    (await queue.now()).map((event) => event.type),
    ['delete_message'],
  );
});

test('with protected history only users who received the message receive its reactions', async () => {
  const vault = await server.emptyChannel(author, 'vault', {
    invite_only: true,
    history_public_to_subscribers: false,
    principals: [reader.userId],
  });
  const id = await author.send(vault, 'x', 'x');
  const late = await server.user();
  await author.subscribe('vault', { principals: [late.userId] });
  const queues = await Promise.all([reader, late].map((one) => one.register({ event_types: ['reaction'] })));
  await author.ok('POST', pathOf(id), { emoji_name: 'tada' });
  const seen = await author.send(vault, 'x', 'for all');
  await author.ok('POST', pathOf(seen), { emoji_name: 'tada' });
  const received = await Promise.all(queues.map(async (queue) => (await queue.now()).map((event) => event.message_id)));
  assert.deepEqual(received, [[id, seen], [seen]]);
});

// rules: reactions-9
test('the participants of a direct message receive its reactions, and no other users', async () => {
  const stranger = await server.user();
  const queues = await Promise.all(
    [author, reader, stranger].map((one) => one.register({ event_types: ['reaction'] })),
  );
  const id = await author.direct([reader.userId], 'psst');
  await reader.ok('POST', pathOf(id), { emoji_name: 'tada' });
  const received = await Promise.all(queues.map(async (queue) => (await queue.now()).length));
  assert.deepEqual(received, [1, 1, 0]);
  assert.equal((await stranger.fails('POST', pathOf(id), { emoji_name: 'tada' })).msg, 'Invalid message(s)');
});

test('concurrent reactions each succeed or fail independently', async () => {
  const id = await newMessage();
  const people = await Promise.all(Array.from({ length: 12 }, () => server.user()));
  const queue = await author.register({ event_types: ['reaction'] });
  const answers = await Promise.all([
    ...people.map((one) => one.call('POST', pathOf(id), { emoji_name: 'tada' })),
    ...people.map((one) => one.call('POST', pathOf(id), { ...OCTOPUS, emoji_name: 'tada' })),
    ...people.map((one) => one.call('POST', pathOf(id), { emoji_name: 'tada' })),
    reader.call('DELETE', pathOf(id), { emoji_name: 'tada' }),
  ]);
  assert.equal(answers.filter(({ status }) => status === 200).length, 12);
  const codes = answers.filter(({ status }) => status === 400).map(({ body }) => body.code);
  assert.deepEqual(
    Object.fromEntries(
      Map.groupBy(codes, (code) => code)
        .entries()
        .map(([code, all]) => [code, all.length]),
    ),
    {
      BAD_REQUEST: 12,
      REACTION_ALREADY_EXISTS: 12,
      REACTION_DOES_NOT_EXIST: 1,
    },
  );
  const reactions = await reactionsOf(author, id);
  assert.deepEqual(reactions.map((one) => one.user_id).toSorted(), people.map(({ userId }) => userId).toSorted());
  assert.equal((await queue.take(12)).length, 12);
});

test('a message has at most 100 different emoji, and existing ones accept more reactions', async () => {
  const id = await newMessage();
  const state = await author.ok('POST', '/register', { fetch_event_types: ['realm'], event_types: [] });
  const response = await fetch(state.server_emoji_data_url);
  const { code_to_names } = (await response.json()) as { code_to_names: Record<string, string[]> };
  const names = Object.values(code_to_names).flatMap(([name]) => name ?? []);
  await Promise.all(names.slice(0, 100).map((emoji_name) => author.ok('POST', pathOf(id), { emoji_name })));
  const more = await reader.fails('POST', pathOf(id), { emoji_name: names[100] });
  assert.equal(more.msg, 'There are 100 different emoji on this message already.');
  await reader.ok('POST', pathOf(id), { emoji_name: names[7] });
  await author.ok('DELETE', pathOf(id), { emoji_name: names[3] });
  await reader.ok('POST', pathOf(id), { emoji_name: names[100] });
  assert.equal((await reactionsOf(author, id)).length, 101);
});

test('has:reaction finds readable messages with reactions, in any channel', async () => {
  const own = await server.emptyChannel(author, 'with and without', { principals: [reader.userId] });
  const secret = await server.emptyChannel(author, 'with, in secret', { invite_only: true });
  const ids: number[] = [];
  for (const channel of [own, own, own, secret]) ids.push(await author.send(channel, 'x', 'x'));
  const [first, second, third, hidden] = ids;
  for (const id of [first, third, hidden]) await author.ok('POST', pathOf(id ?? 0), { emoji_name: 'tada' });
  const find = async (client: TestClient, ...terms: Json[]) => {
    const parameters = { anchor: 'newest', num_before: 50, num_after: 0, narrow: terms };
    const { messages } = await client.ok('GET', '/messages', parameters);
    return messages.map((message: Json) => message.id).filter((id: number) => ids.includes(id));
  };
  const has = { operator: 'has', operand: 'reaction' };
  const within = { operator: 'channel', operand: own };
  assert.deepEqual(await find(reader, has), [first, third]);
  assert.deepEqual(await find(author, has), [first, third, hidden]);
  assert.deepEqual(await find(reader, within, has), [first, third]);
  assert.deepEqual(await find(reader, within, { ...has, negated: true }), [second]);
  await author.ok('DELETE', pathOf(third ?? 0), { emoji_name: 'tada' });
  assert.deepEqual(await find(reader, has), [first]);
  const bad = await reader.fails('GET', '/messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow: [{ ...has, operand: 'feathers' }],
  });
  assert.equal(bad.code, 'BAD_NARROW');
});

test('deleting a message deletes its reactions', async () => {
  const id = await newMessage();
  await reader.ok('POST', pathOf(id), { emoji_name: 'tada' });
  await server.owner.ok('DELETE', `/messages/${id}`);
  assert.equal((await reader.fails('DELETE', pathOf(id), { emoji_name: 'tada' })).msg, 'Invalid message(s)');
  const rows = await server.app.db.selectFrom('reactions').selectAll().where('message_id', '=', id).execute();
  assert.deepEqual(rows, []);
});

test('messages with too many reactions for one response can only be fetched separately', async () => {
  const ids = [await newMessage(), await newMessage()];
  for (const id of ids) await author.ok('POST', pathOf(id), { emoji_name: 'tada' });
  // Insert in batches, so that no statement exceeds the timeout of a request.
  for (let batch = 0; batch < 9; batch++) {
    const people = await sql<{ id: number }>`
      INSERT INTO users (organization_id, email, delivery_email, full_name, role)
      SELECT organization_id, ${`crowd ${batch} `} || n, ${`crowd ${batch} `} || n, 'One of many', 400
        FROM users, generate_series(1, 5000) AS n
       WHERE id = ${author.userId}
      RETURNING id`.execute(server.app.db);
    const userIds = people.rows.map((row) => row.id);
    assert.equal(userIds.length, 5000);
    await sql`
      INSERT INTO reactions (organization_id, message_id, emoji_kind, emoji_code, user_id, emoji_name, by_outsider)
      SELECT r.organization_id, r.message_id, r.emoji_kind, r.emoji_code, one.user_id, r.emoji_name, false
        FROM reactions r, unnest(${userIds}::integer[]) AS one (user_id)
       WHERE r.message_id = ANY (${ids}) AND r.user_id = ${author.userId}`.execute(server.app.db);
  }
  const { msg } = await author.fails('GET', '/messages', { message_ids: ids });
  assert.equal(msg, 'These messages are too large to fetch together; request fewer.');
  const { messages } = await author.ok('GET', '/messages', { message_ids: ids.slice(0, 1) });
  assert.equal(messages.length, 1);
});
