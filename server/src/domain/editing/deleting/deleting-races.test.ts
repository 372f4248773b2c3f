/** Other requests move or delete messages after a deletion selects them and before it locks them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { type Holding, holding } from '../../../testing/database/lock-waits.ts';
import { move, newPlace, placeOf, say } from '../../../testing/server/moves.ts';
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
const deleteTopic = ({ id }: { readonly id: number }, topic_name = 'old') =>
  owner.ok('POST', `/streams/${id}/delete_topic`, { topic_name });

const deletions = async (client: TestClient, request: () => Promise<unknown>): Promise<readonly Json[]> => {
  const queue = await client.register({
    event_types: ['delete_message'],
    client_capabilities: { bulk_message_deletion: true },
  });
  await request();
  return (await queue.now()).map(({ message_ids }: Json) => message_ids);
};

// rules: topics-15
test('a message moved to another topic during the deletion of its topic is kept', async () => {
  const channel = await place();
  const [first, gone, last] = await say(channel, 'old', 3, owner);
  const deleted = await deletions(member, async () => {
    const { complete } = await held.during(
      (db) => db.query("UPDATE messages SET topic = 'kept' WHERE id = $1", [gone]),
      () => deleteTopic(channel),
    );
    assert(complete);
  });
  assert.deepEqual(deleted, [[first, last]]);
  assert.deepEqual(await placeOf(member, gone), [channel.id, 'kept']);
});

test('a message moved to another channel during the deletion of its topic is kept', async () => {
  const [channel, elsewhere] = [await place(), await place()];
  const [, gone] = await say(channel, 'old', 3, owner);
  await held.during(
    (db) => db.query('UPDATE messages SET channel_id = $2 WHERE id = $1', [gone, elsewhere.id]),
    () => deleteTopic(channel),
  );
  assert.deepEqual(await placeOf(member, gone), [elsewhere.id, 'old']);
});

// rules: topics-15
test('deleting a topic continues until it is empty, although another request moves all messages of one batch', async () => {
  const channel = await place();
  const first = await owner.send(channel.name, 'old', 'first');
  await sql`
    WITH taken AS (
      UPDATE logs SET message_head = message_head + 600 RETURNING organization_id, message_head - 600 AS base
    )
    INSERT INTO messages (organization_id, id, sender_id, channel_id, topic, content, rendered_content, mentions_channel,
                          is_me_message, client, sent_at)
    SELECT taken.organization_id, base + n, sender_id, channel_id, topic, content, rendered_content, mentions_channel,
           is_me_message, client, sent_at
      FROM taken, messages, generate_series(1, 600) AS n WHERE messages.id = ${first}`.execute(server.app.db);
  const { complete } = await held.during(
    (db) => db.query("UPDATE messages SET topic = 'kept' WHERE channel_id = $1 AND id > $2", [channel.id, first + 100]),
    () => deleteTopic(channel),
  );
  assert(complete);
  const { rows } = await sql`
    SELECT topic, count(*) FROM messages WHERE channel_id = ${channel.id} GROUP BY topic`.execute(server.app.db);
  assert.deepEqual(rows, [{ topic: 'kept', count: 500 }]);
});

for (const [where, at] of [
  ['in one process', () => server],
  ['in two processes', () => other],
] as const) {
  test(`a move that is about to commit ${where} keeps its message from a concurrent topic deletion`, async () => {
    const mover = await at().sameUser(owner);
    const race = async () => {
      const [channel, elsewhere] = [await place(), await place()];
      // Neither channel's first message changes: a conflict about that would revalidate the requests anyway.
      await owner.send(channel.name, 'other', 'the first');
      await owner.send(elsewhere.name, 'other', 'the first');
      const [, gone] = await say(channel, 'old', 3, owner);
      const isDone = await held.behind(
        () => move(mover, gone, { stream_id: elsewhere.id }),
        () => deleteTopic(channel),
      );
      return { isDone, elsewhere, gone };
    };
    const round = await until(async () => {
      const one = await race();
      return one.isDone ? one : undefined;
    }, 'a deletion that waits for the move');
    assert.deepEqual(await placeOf(member, round.gone), [round.elsewhere.id, 'old']);
  });
}

/** Returns the channel's first message id from the directory and from the database. */
async function firstMessageOf(channel: { readonly id: number }): Promise<readonly unknown[]> {
  const { stream } = await owner.ok('GET', `/streams/${channel.id}`);
  const { rows } = await sql<{ first_message_id: number | null }>`
    SELECT first_message_id FROM channels WHERE id = ${channel.id}`.execute(server.app.db);
  return [stream.first_message_id, rows[0]?.first_message_id];
}

// rules: channels-11
test('after concurrent deletion of its first two messages, a channel’s first message is the third', async () => {
  const channel = await place();
  const [first, second, third] = await say(channel, 'old', 3, owner);
  await held.during(
    async (db) => {
      await db.query('DELETE FROM messages WHERE id = $1', [second]);
      await db.query('SELECT FROM logs FOR NO KEY UPDATE');
    },
    () => owner.ok('DELETE', `/messages/${first}`),
  );
  assert.deepEqual(await firstMessageOf(channel), [third, third]);
});

test('a message sent while the channel’s only message is deleted becomes the first message', async () => {
  const channel = await place();
  const only = await owner.send(channel.name, 'old', 'only');
  await held.during(
    async (db) => {
      await db.query('UPDATE logs SET message_head = message_head + 1');
      await db.query(`
        INSERT INTO messages (organization_id, id, sender_id, channel_id, topic, content, rendered_content,
                              mentions_channel, is_me_message, client, sent_at)
        SELECT organization_id, id + 1, sender_id, channel_id, topic, content, rendered_content, mentions_channel,
               is_me_message, client, sent_at FROM messages WHERE id = ${only}`);
    },
    () => owner.ok('DELETE', `/messages/${only}`),
  );
  assert.deepEqual(await firstMessageOf(channel), [only + 1, only + 1]);
});

test('when the first message leaves, an older message that arrives concurrently becomes the first message', async () => {
  const [channel, elsewhere] = [await place(), await place()];
  const first = await owner.send(channel.name, 'old', 'first');
  const comes = await owner.send(elsewhere.name, 'old', 'comes');
  await owner.send(channel.name, 'old', 'last');
  await held.during(
    async (db) => {
      await db.query('UPDATE messages SET channel_id = $2 WHERE id = $1', [comes, channel.id]);
      await db.query('SELECT FROM logs FOR NO KEY UPDATE');
    },
    () => move(owner, first, { stream_id: elsewhere.id }),
  );
  assert.deepEqual(await firstMessageOf(channel), [comes, comes]);
  assert.deepEqual(await firstMessageOf(elsewhere), [first, first]);
});
