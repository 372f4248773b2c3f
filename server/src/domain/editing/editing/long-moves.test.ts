import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { TestClient } from '../../../testing/clients/client.ts';
import { newPlace } from '../../../testing/server/moves.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.user({ name: 'Mia Member' });
});
after(() => server.stop());

const place = () => newPlace(server, [member]);

/** Creates a topic of 6,001 messages and returns the id of the first. */
async function longTopic(channel: { readonly name: string }): Promise<number> {
  const first = await owner.send(channel.name, 'long', 'x');
  await sql`
    WITH taken AS (
      UPDATE logs SET message_head = message_head + 6000 WHERE organization_id = (SELECT organization_id FROM messages WHERE id = ${first})
      RETURNING organization_id, message_head - 6000 AS base
    )
    INSERT INTO messages (organization_id, id, sender_id, channel_id, topic, content, rendered_content, mentions_channel,
                          is_me_message, client, sent_at)
    SELECT m.organization_id, taken.base + n, m.sender_id, m.channel_id, m.topic, 'x', 'x', false, false, 'x', now()
      FROM taken, messages m, generate_series(1, 6000) AS n
     WHERE m.id = ${first}`.execute(server.app.db);
  return first;
}

test('a topic with more messages than one commit allows moves in several commits, before the response', async () => {
  const [from, to] = [await place(), await place()];
  const first = await longTopic(from);
  const { db } = server.app;
  const queue = await member.register({ event_types: ['update_message', 'message'] });
  await owner.ok('PATCH', `/messages/${first}`, { stream_id: to.id, propagate_mode: 'change_all' });
  const events = await queue.now();
  assert.deepEqual(
    events.map((event) => event.message_ids?.length),
    [5000, 1001, undefined],
  );
  const [newest, rest, notice] = events;
  assert(rest.message_ids.includes(first) && Math.min(...newest.message_ids) > Math.max(...rest.message_ids));
  assert(newest.message_ids.includes(newest.message_id) && rest.message_id === first);
  assert.match(notice.message.content, /This topic was moved here/);
  const { rows } = await sql`SELECT FROM messages WHERE channel_id = ${from.id}`.execute(db);
  assert.equal(rows.length, 0);
});

test('a long move that cannot lock its rows acquires the organization lock and moves smaller batches', async () => {
  const [from, to] = [await place(), await place()];
  const first = await longTopic(from);
  const { db } = server.app;
  await sql`CREATE SEQUENCE losses`.execute(db);
  await sql`
    CREATE FUNCTION lose_rows() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('losses') <= 2 THEN RAISE 'held by others' USING ERRCODE = '55P03'; END IF;
      RETURN NULL;
    END $$`.execute(db);
  await sql`CREATE TRIGGER lose_rows AFTER UPDATE ON messages EXECUTE FUNCTION lose_rows()`.execute(db);
  const queue = await member.register({ event_types: ['update_message'] });
  await owner.ok('PATCH', `/messages/${first}`, { stream_id: to.id, propagate_mode: 'change_all' });
  await sql`DROP TRIGGER lose_rows ON messages`.execute(db);
  const events = await queue.now();
  assert.deepEqual(
    events.map((event) => event.message_ids.length),
    [500, 5000, 501],
  );
});

test('an interrupted long move leaves each message whole, and a repeated request continues it', async () => {
  const [from, to] = [await place(), await place()];
  const first = await longTopic(from);
  const { db } = server.app;
  await sql`
    CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken off'; END $$`.execute(db);
  await sql`
    CREATE TRIGGER break_off BEFORE UPDATE ON messages FOR EACH ROW
      WHEN (OLD.id = ${sql.lit(first)} AND OLD.channel_id <> NEW.channel_id) EXECUTE FUNCTION break_off()`.execute(db);
  const request = { stream_id: to.id, propagate_mode: 'change_all' };
  await owner.fails('PATCH', `/messages/${first}`, request, 500);
  await sql`DROP TRIGGER break_off ON messages`.execute(db);
  const countIn = async (channel: { readonly id: number }) => {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*) FROM messages WHERE channel_id = ${channel.id} AND sender_id = ${owner.userId}`.execute(db);
    return rows[0]?.count;
  };
  assert.deepEqual([await countIn(from), await countIn(to)], [1001, 5000]);
  await owner.ok('PATCH', `/messages/${first}`, request);
  assert.deepEqual([await countIn(from), await countIn(to)], [0, 6001]);
  const { rows } = await sql`SELECT FROM message_edits WHERE channel_id = ${to.id}`.execute(db);
  assert.equal(rows.length, 6001);
});

// rules: edit-22
test('a message can move between channels at most a hundred times', async () => {
  const [from, to] = [await place(), await place()];
  const id = await owner.send(from.name, 'restless', 'x');
  await sql`
    UPDATE messages SET home_channel_id = ${from.id}, stay_channels = array_fill(${from.id}::integer, ARRAY[100]),
                        stay_since = array_fill(0::bigint, ARRAY[100])
     WHERE id = ${id}`.execute(server.app.db);
  const { msg } = await owner.fails('PATCH', `/messages/${id}`, { stream_id: to.id });
  assert.equal(msg, 'The messages were moved between channels too often');
  assert.equal((await owner.ok('GET', `/messages/${id}`)).message.stream_id, from.id);
  await owner.ok('PATCH', `/messages/${id}`, { topic: 'still here' });
});

// rules: edit-22
test('a message keeps its last hundred changes and all its former texts', async () => {
  const { name } = await place();
  const id = await owner.send(name, 'restless', 'x');
  const { db } = server.app;
  await sql`
    WITH moved AS (UPDATE messages SET edit_count = 150 WHERE id = ${id} RETURNING organization_id)
    INSERT INTO message_edits (organization_id, message_id, number, user_id, edited_at, prev_content, prev_rendered_content, prev_topic, topic)
    SELECT organization_id, ${id}, number, ${owner.userId}, now(), text, text, 'restless', 'restless'
      FROM moved, generate_series(1, 150) AS number, LATERAL (SELECT CASE WHEN number = 7 THEN 'y' END AS text) AS was`.execute(
    db,
  );
  await owner.ok('PATCH', `/messages/${id}`, { topic: 'elsewhere' });
  const kept = await db
    .selectFrom('message_edits')
    .select('number')
    .where('message_id', '=', id)
    .orderBy('number')
    .execute();
  assert.deepEqual(
    kept.map(({ number }) => number),
    [7, ...Array.from({ length: 100 }, (_, index) => 52 + index)],
  );
  const { message_history } = await owner.ok('GET', `/messages/${id}/history`);
  assert.deepEqual([message_history.length, message_history.at(-1).topic], [100, 'elsewhere']);
});
