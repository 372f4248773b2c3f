/** Other requests move or delete messages after a request selects them and before it locks them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { FollowedModel } from '../../../../../client/testing/followed-model.ts';
import { untilServed } from '../../../testing/clients/busy.ts';
import type { Fields, TestClient, TestQueue } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { type Holding, holding } from '../../../testing/database/lock-waits.ts';
import { move, newPlace, type Place, placeOf, say } from '../../../testing/server/moves.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { until } from '../../../testing/server/until.ts';

let server: TestServer;
let other: TestServer;
let owner: TestClient;
let member: TestClient;
let held: Holding;
before(async () => {
  const environment = { HEDDLE_BUS: 'postgres' };
  server = await startTestServer({ environment });
  other = await startTestServer({ environment, shared: server.shared });
  owner = server.owner;
  member = await server.user({ name: 'Mia Member' });
  held = await holding(server.shared.url);
});
after(async () => {
  await held.end();
  await other.stop();
  await server.stop();
});

const place = () => newPlace(server, [member]);
const hidden = () => newPlace(server, [], { invite_only: true });
const processes = [
  ['in one process', () => server],
  ['in two processes', () => other],
] as const;

/** The rows that another user's move writes, without its events. */
const MOVE = `
  UPDATE messages SET channel_id = $2, home_channel_id = channel_id, stay_channels = ARRAY[channel_id, $2],
                      stay_since = ARRAY[0::bigint, (SELECT max(head) FROM logs)]
   WHERE id = ANY ($1::bigint[])`;
const moveAway = (ids: readonly number[], to: Place) => (db: { query(text: string, values: unknown[]): unknown }) =>
  Promise.resolve(db.query(MOVE, [ids, to.id]));
const renames: Fields = { topic: 'new', propagate_mode: 'change_all' };

const editors = async (id: number): Promise<Json> =>
  (await owner.ok('GET', `/messages/${id}/history`)).message_history.slice(1).map((entry: Json) => entry.user_id);

const updates = async (queue: TestQueue) =>
  (await queue.now()).filter(({ type }) => type === 'update_message').map(({ message_ids }) => message_ids);

/** Sends this many messages to a topic in one statement, unread for the member. */
async function fill(channel: Place, topic: string, count: number): Promise<readonly number[]> {
  const first = await owner.send(channel.name, topic, 'x');
  const { rows } = await sql<{ id: number }>`
    WITH taken AS (
      UPDATE logs SET message_head = message_head + ${count - 1}
       WHERE organization_id = (SELECT organization_id FROM messages WHERE id = ${first})
      RETURNING message_head - ${count - 1}::integer AS base
    )
    INSERT INTO messages (organization_id, id, sender_id, channel_id, topic, content, rendered_content, mentions_channel,
                          is_me_message, client, sent_at)
    SELECT m.organization_id, taken.base + n, m.sender_id, m.channel_id, m.topic, 'x', 'x', false, false, 'x', now()
      FROM taken, messages m, generate_series(1, ${count - 1}::integer) AS n
     WHERE m.id = ${first}
    RETURNING id`.execute(server.app.db);
  return [first, ...rows.map(({ id }) => id)];
}

// rules: edit-9
test('a rename leaves out a message concurrently moved to a private channel, in events and in its history', async () => {
  const [channel, secret] = [await place(), await hidden()];
  const [gone, stays, named] = await say(channel, 'old', 3, owner);
  const queue = await member.register({ event_types: ['update_message', 'message'] });
  await held.during(moveAway([gone], secret), () =>
    member.ok('PATCH', `/messages/${named}`, { ...renames, send_notification_to_old_thread: true }),
  );
  assert.deepEqual(await placeOf(owner, gone), [secret.id, 'old']);
  assert.deepEqual(await editors(gone), []);
  assert.deepEqual(await placeOf(member, stays), [channel.id, 'new']);
  const [update, ...notices] = await queue.now();
  assert.deepEqual(update.message_ids, [stays, named]);
  // The topic has no other messages, so the notices say that the whole topic was moved.
  assert.deepEqual(
    notices.map(({ message }) => message.content.match(/This topic was moved/)?.length),
    [1, 1],
  );
});

test('a move neither moves nor counts a message that concurrently leaves the topic', async () => {
  const [from, to] = [await place(), await place()];
  const [named, stays, gone] = await say(from, 'old', 3, owner);
  await owner.send(to.name, 'old', 'was here before');
  const queue = await member.register({ event_types: ['update_message', 'message'] });
  await held.during(
    (db) => db.query("UPDATE messages SET topic = 'elsewhere' WHERE id = $1", [gone]),
    () => member.ok('PATCH', `/messages/${named}`, { stream_id: to.id, propagate_mode: 'change_later' }),
  );
  assert.deepEqual(await placeOf(member, gone), [from.id, 'elsewhere']);
  const [update, notice] = await queue.now();
  assert.deepEqual(update.message_ids, [named, stays]);
  assert.match(notice.message.content, /^2 messages were moved here/);
});

test('the events of a move leave out a concurrently deleted message', async () => {
  const [from, to] = [await place(), await place()];
  const [gone, stays, named] = await say(from, 'old', 3, owner);
  const queue = await member.register({ event_types: ['update_message'] });
  await held.during(
    (db) => db.query('DELETE FROM messages WHERE id = $1', [gone]),
    () => member.ok('PATCH', `/messages/${named}`, { stream_id: to.id, propagate_mode: 'change_all' }),
  );
  assert.deepEqual(await updates(queue), [[stays, named]]);
});

// rules: edit-9
test('when all other messages leave during a rename, only the named message moves', async () => {
  const [channel, secret] = [await place(), await hidden()];
  const [first, second, named] = await say(channel, 'old', 3, owner);
  const queue = await member.register({ event_types: ['update_message'] });
  await held.during(moveAway([first, second], secret), () => member.ok('PATCH', `/messages/${named}`, renames));
  assert.deepEqual(await updates(queue), [[named]]);
  for (const id of [first, second]) assert.deepEqual(await placeOf(owner, id), [secret.id, 'old']);
});

test('a move of a message that concurrently leaves for a private channel is refused as inaccessible, and moves nothing', async () => {
  const [channel, secret] = [await place(), await hidden()];
  const [named, stays] = await say(channel, 'old', 2, owner);
  for (const propagate_mode of ['change_one', 'change_later', 'change_all']) {
    const { msg } = await held.during(moveAway([named], secret), () =>
      member.fails('PATCH', `/messages/${named}`, { ...renames, propagate_mode }),
    );
    assert.equal(msg, 'Invalid message(s)');
    assert.deepEqual(await placeOf(owner, named), [secret.id, 'old']);
    await move(owner, named, { stream_id: channel.id });
  }
  assert.deepEqual(await placeOf(member, stays), [channel.id, 'old']);
});

test('a long move continues with the rest after another request takes all messages of one batch', async () => {
  const [channel, secret] = [await place(), await hidden()];
  const ids = await fill(channel, 'old', 1301);
  const [first = 0] = ids;
  const newest = ids.slice(-1000);
  const queue = await member.register({ event_types: ['update_message', 'message'] });
  await held.during(moveAway(newest, secret), () => member.ok('PATCH', `/messages/${first}`, renames));
  const [update, notice] = await queue.now();
  assert.deepEqual(update.message_ids, ids.slice(0, -1000));
  assert.match(notice.message.content, /This topic was moved here/);
  const { rows } = await sql`
    SELECT FROM messages WHERE channel_id = ${secret.id} AND topic = 'old'`.execute(server.app.db);
  assert.equal(rows.length, 1000);
});

test('when another request takes all messages that would stay, the topic counts as moved and its followers follow', async () => {
  const [channel, secret] = [await place(), await hidden()];
  const [first, named, last] = await say(channel, 'old', 3, owner);
  await member.ok('POST', '/user_topics', { stream_id: channel.id, topic: 'old', visibility_policy: 3 });
  await held.during(moveAway([first, last], secret), () =>
    owner.ok('PATCH', `/messages/${named}`, { topic: 'new', propagate_mode: 'change_later' }),
  );
  const { user_topics } = await member.ok('POST', '/register', { event_types: ['user_topic'] });
  assert.deepEqual(
    user_topics.filter((one: Json) => one.stream_id === channel.id).map((one: Json) => one.topic_name),
    ['new'],
  );
});

test('a resolve notice that was moved to another channel is not deleted', async () => {
  const [channel, elsewhere] = [await place(), await place()];
  const [named] = await say(channel, 'old', 1, owner);
  await owner.ok('PATCH', `/messages/${named}`, { topic: '✔ old', propagate_mode: 'change_all' });
  const narrow = JSON.stringify([{ operator: 'channel', operand: channel.id }]);
  const { messages } = await owner.ok('GET', '/messages', { narrow, anchor: 'newest', num_before: 1, num_after: 0 });
  const notice = messages[0].id;
  assert.match(messages[0].content, /has marked this topic as resolved/);
  await move(owner, named, { topic: 'old', propagate_mode: 'change_one' });
  await held.during(moveAway([notice], elsewhere), () =>
    owner.ok('PATCH', `/messages/${named}`, { topic: '✔ old', propagate_mode: 'change_one' }),
  );
  assert.deepEqual(await placeOf(owner, notice), [elsewhere.id, '✔ old']);
});

for (const [where, at] of processes) {
  test(`a single move that is about to commit ${where} keeps its message from a waiting rename`, async () => {
    const admin = await at().sameUser(owner);
    const race = async () => {
      const [channel, secret] = [await place(), await hidden()];
      // Neither channel's first message changes: a conflict about that would revalidate the requests anyway.
      await owner.send(secret.name, 'old', 'the first');
      const [stays, gone, named] = await say(channel, 'old', 3, owner);
      const queue = await member.register({ event_types: ['update_message', 'delete_message'] });
      const isDone = await held.behind(
        () => move(admin, gone, { stream_id: secret.id }),
        () => member.ok('PATCH', `/messages/${named}`, renames),
      );
      return { isDone, secret, stays, gone, named, queue };
    };
    const round = await until(async () => {
      const one = await race();
      return one.isDone ? one : undefined;
    }, 'a change that waits for the move');
    const { secret, stays, gone, named, queue } = round;
    assert.deepEqual(await placeOf(owner, gone), [secret.id, 'old']);
    assert.deepEqual(await editors(gone), [owner.userId]);
    const events = (await queue.now()).map((event) => [event.type, event.message_ids ?? [event.message_id]]);
    assert.deepEqual(events, [
      ['delete_message', [gone]],
      ['update_message', [stays, named]],
    ]);
  });

  test(`single moves to a private channel and concurrent renames ${where} bring no message back, and events match the state`, async () => {
    const [channel, secret] = [await place(), await hidden()];
    const ids = await fill(channel, 'old 0', 400);
    const admin = await at().sameUser(owner);
    const parameters = {
      client_capabilities: { bulk_message_deletion: true, empty_topic_name: true, notification_settings_null: true },
      fetch_event_types: ['message', 'update_message', 'update_message_flags', 'subscription', 'user_topic'],
    };
    const queue = await member.register(parameters);
    const known = new Map(ids.map((id) => [id, 'old 0']));
    const followed = new FollowedModel(member.userId, queue.state);
    const singles = ids.filter((_, index) => index % 3 === 1).slice(0, 60);
    let isMoving = true;
    const renaming = async () => {
      for (let turn = 1; isMoving; turn++) {
        await untilServed(() => move(member, ids[0] ?? 0, { ...renames, topic: `old ${turn}` }));
      }
    };
    const moving = async () => {
      for (const id of singles) await untilServed(() => move(admin, id, { stream_id: secret.id }));
      isMoving = false;
    };
    await Promise.all([moving(), renaming()]);
    // The last move can have come through the other process, after the last rename.
    await (await server.app.organizations.bySubdomain(''))?.catchUp();
    for (const event of (await queue.pending()) ?? []) {
      followed.apply(event);
      for (const id of event.message_ids ?? []) {
        if (event.type === 'delete_message') known.delete(id);
        else if (event.type === 'update_message') known.set(id, event.subject);
      }
    }
    const { rows } = await sql<{ id: number }>`
      SELECT id FROM messages WHERE channel_id = ${secret.id} AND id = ANY (${singles}::bigint[])`.execute(
      server.app.db,
    );
    assert.deepEqual(
      rows.map(({ id }) => id).sort((a, b) => a - b),
      singles,
    );
    for (const id of singles) assert.equal((await editors(id)).at(-1), owner.userId);
    const narrow = JSON.stringify([{ operator: 'channel', operand: channel.id }]);
    const window = { narrow, anchor: 'newest', num_before: 1000, num_after: 0 };
    const { messages } = await member.ok('GET', '/messages', window);
    assert.deepEqual(
      messages.map(({ id, subject }: Json) => [id, subject]),
      [...known].sort(([a], [b]) => a - b),
    );
    followed.compare((await member.register(parameters)).state);
  });
}
