/**
 * A server is killed in the middle of moving, deleting and expiring thousands of messages: what it had committed is whole, what it had
 * not is as it was, clients are told exactly that, and whoever goes on comes to the end.
 *
 * Nothing waits for a time: the process is held at a lock, and killed when it waits there.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import type { Json } from './testing/client.ts';
import { EventCursor } from './testing/event-cursor.ts';
import { Picture } from './testing/fold.ts';
import { isWaitedFor } from './testing/lock-waits.ts';
import { StubbornClient } from './testing/stubborn-clients.ts';
import { startTwoServers, type TwoServers } from './testing/two-servers.ts';

/** A test that hangs has found something. */
const limits = { timeout: 180_000 };

/** As many as take three commits of each kind. */
const MOVED = 11_000;
const DELETED = 1300;

interface Scene extends TwoServers {
  /** Messages of the owner's in one topic of `from`, ascending. */
  readonly ids: readonly number[];
  readonly from: number;
  readonly to: number;
  readonly db: pg.Client;
  readonly watchers: readonly Watcher[];
}

/** Somebody who registered before, and what they have heard since. */
interface Watcher {
  readonly client: StubbornClient;
  readonly queueId: string;
  readonly cursor: EventCursor;
  readonly picture: Picture;
  readonly heard: Json[];
}

const registration = {
  event_types: [
    'message',
    'update_message',
    'delete_message',
    'update_message_flags',
    'starred_messages',
    'stream',
    'subscription',
    'user_topic',
  ],
  apply_markdown: false,
  client_capabilities: { bulk_message_deletion: true, empty_topic_name: true },
};

async function watch(client: StubbornClient): Promise<Watcher> {
  const state = await client.insist('POST', '/register', registration);
  const picture = new Picture(client.account.userId, state, false);
  return { client, queueId: state.queue_id, cursor: new EventCursor(state.last_event_id), picture, heard: [] };
}

/** Two channels, of which a member is subscribed to the first alone and cannot read the other. */
async function setScene(t: TestContext, count: number): Promise<Scene> {
  const servers = await startTwoServers(t);
  const { atOne, atTwo, two } = servers;
  const member = new StubbornClient(two, await servers.user('ada'));
  const [owner, ada] = [atOne.account.userId, member.account.userId];
  const create = async (fields: Json): Promise<number> => (await atOne.insist('POST', '/channels/create', fields)).id;
  const from = await create({ name: 'loom', subscribers: [owner, ada] });
  const to = await create({ name: 'shed', subscribers: [owner], invite_only: true });
  const target = { type: 'channel', to: from, topic: 'warp' };
  const { id } = await atOne.insist('POST', '/messages', { ...target, content: 'pick' });
  const db = await servers.connect();
  const ids = [id, ...(await multiply(db, id, count - 1))];
  return { ...servers, ids, from, to, db, watchers: [await watch(atTwo), await watch(member)] };
}

/** So many more messages like this one. */
async function multiply(db: pg.Client, id: number, count: number): Promise<readonly number[]> {
  const { rows } = await db.query(
    `WITH taken AS (
       UPDATE logs SET message_head = message_head + $2 RETURNING organization_id, message_head - $2 AS base
     )
     INSERT INTO messages (organization_id, id, sender_id, channel_id, topic, content, rendered_content, mentions_channel,
                           is_me_message, client, sent_at)
     SELECT taken.organization_id, base + n, sender_id, channel_id, topic, content, rendered_content, mentions_channel,
            is_me_message, client, sent_at
       FROM taken JOIN messages USING (organization_id), generate_series(1, $2::bigint) AS n WHERE messages.id = $1
     RETURNING id::float8`,
    [id, count],
  );
  return rows.map((row) => row.id).sort((a, b) => a - b);
}

/** Holds whoever needs the message or, without one, the log; the first to do so is killed there. */
async function killAt({ db, one }: Scene, begin: () => Promise<unknown>, messageId?: number): Promise<void> {
  await db.query('BEGIN');
  if (messageId === undefined) await db.query('SELECT FROM logs FOR UPDATE');
  else await db.query('SELECT FROM messages WHERE id = $1 FOR UPDATE', [messageId]);
  const begun = begin();
  await isWaitedFor(db);
  await one.kill();
  await begun;
  await db.query('ROLLBACK');
  // What had been sent to the database before the kill is done there, or undone.
  while ((await db.query(OF_THE_KILLED)).rowCount !== 0) await nextTurn();
}

const OF_THE_KILLED = `
  SELECT 1 FROM pg_locks
   WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database())
     AND relation = 'messages'::regclass AND mode = 'RowExclusiveLock' AND pid <> pg_backend_pid()`;

/** Reads all that the watcher's queue holds. */
async function catchUp({ client, queueId, cursor, picture, heard }: Watcher): Promise<void> {
  for (;;) {
    const query = { queue_id: queueId, last_event_id: cursor.lastEventId, dont_block: true };
    const { events } = await client.insist('GET', '/events', query);
    if (events.length === 0) return;
    cursor.accept(events);
    for (const event of events) picture.apply(event);
    heard.push(...events);
  }
}

/** The log has no hole, and whoever was there before knows what one who registers now is told. */
async function checkAgreement({ db, watchers }: Scene): Promise<void> {
  const { rows } = await db.query(
    'SELECT head = count(*) AND head = max(id) AND min(id) = 1 AS whole FROM logs JOIN events USING (organization_id) GROUP BY head',
  );
  assert.deepEqual(rows, [{ whole: true }], 'the log has a hole');
  for (const watcher of watchers) {
    await catchUp(watcher);
    const fresh = (await watch(watcher.client)).picture;
    for (const one of [fresh, watcher.picture]) one.forgetNewest(watcher.picture).forgetAddresses(watcher.picture);
    assert.deepEqual(watcher.picture.plain, fresh.plain);
  }
}

/** What the watcher was told of messages, by events of the type. */
function told({ heard }: Watcher, type: string): readonly number[] {
  const events = heard.filter((event) => event.type === type);
  return events.flatMap((event) => event.message_ids).sort((a, b) => a - b);
}

/** Those of the scene's messages that are in the channel. */
async function inChannel({ db, ids }: Scene, channel: number): Promise<readonly number[]> {
  const { rows } = await db.query(
    'SELECT id::float8 FROM messages WHERE channel_id = $1 AND id = ANY ($2::bigint[]) ORDER BY id',
    [channel, ids],
  );
  return rows.map((row) => row.id);
}

const POINTS = ['before its commit', 'between two commits'] as const;

/** The message that is held: one that is in the second of three commits, from whichever end they begin. */
function messageAt({ ids }: Scene, point: (typeof POINTS)[number]): number | undefined {
  return point === 'before its commit' ? undefined : ids[Math.floor(ids.length / 2)];
}

for (const point of POINTS) {
  test(
    `killed in the middle of a move, ${point}: each message is in one place, and the same request moves the rest`,
    limits,
    async (t) => {
      const scene = await setScene(t, MOVED);
      const { atOne, atTwo, one, ids, from, to, db, watchers } = scene;
      const [owner, ada] = watchers;
      assert(owner !== undefined && ada !== undefined);
      const move = { stream_id: to, propagate_mode: 'change_all', send_notification_to_old_thread: false };
      const request = ['PATCH', `/messages/${ids[0]}`, { ...move, send_notification_to_new_thread: false }] as const;
      await killAt(scene, () => atOne.attempt(...request), messageAt(scene, point));
      await checkAgreement(scene);
      const [moved, stayed] = [await inChannel(scene, to), await inChannel(scene, from)];
      assert.deepEqual([...stayed, ...moved], ids, 'the newest are moved, the others are where they were');
      assert(point === 'before its commit' || moved.length > 0, 'what was committed is moved');
      assert(stayed.length > 0, 'it was killed in the middle');
      assert.deepEqual(told(owner, 'update_message'), moved);
      assert.deepEqual(told(ada, 'delete_message'), moved, 'who cannot read them there');
      const { rows } = await db.query(
        'SELECT count(*)::int, count(DISTINCT message_id)::int AS messages FROM message_edits',
      );
      assert.deepEqual(rows, [{ count: moved.length, messages: moved.length }]);

      await one.restart();
      await atTwo.insist(...request);
      await checkAgreement(scene);
      assert.deepEqual([await inChannel(scene, to), await inChannel(scene, from)], [ids, []]);
      assert.deepEqual([told(owner, 'update_message'), told(ada, 'delete_message')], [ids, ids], 'each is told once');
    },
  );

  test(
    `killed in the middle of delete_topic, ${point}: each message is gone or there, and the same request deletes the rest`,
    limits,
    async (t) => {
      const scene = await setScene(t, DELETED);
      const { atOne, atTwo, one, ids, from, watchers } = scene;
      const request = ['POST', `/streams/${from}/delete_topic`, { topic_name: 'warp' }] as const;
      await killAt(scene, () => atOne.attempt(...request), messageAt(scene, point));
      await checkAgreement(scene);
      const left = await inChannel(scene, from);
      assert(left.length > 0 && (point === 'before its commit' || left.length < ids.length));
      assert.deepEqual(left, ids.slice(0, left.length), 'the newest go first');
      for (const watcher of watchers) assert.deepEqual(told(watcher, 'delete_message'), ids.slice(left.length));

      await one.restart();
      assert.equal((await atTwo.insist(...request)).complete, true);
      await checkAgreement(scene);
      assert.deepEqual(await inChannel(scene, from), []);
      for (const watcher of watchers) assert.deepEqual(told(watcher, 'delete_message'), ids, 'each is told once');
    },
  );

  test(
    `killed in the middle of deleting what is too old, ${point}: each message is gone or there, and the rest goes by itself`,
    limits,
    async (t) => {
      const scene = await setScene(t, DELETED);
      const { atOne, two, ids, from, db, watchers } = scene;
      await atOne.insist('PATCH', `/streams/${from}`, { message_retention_days: 1 });
      await db.query("UPDATE messages SET sent_at = sent_at - interval '3 days' WHERE id <= $1", [ids.at(-1)]);
      await db.query("UPDATE channels SET retention_changed_at = '-infinity'");
      // The second is not there yet: the first deletes.
      await two.kill();
      const clock = await scene.connect();
      const beginIn = (seconds: number) =>
        clock.query("UPDATE jobs SET due_at = now() + $1 * interval '1 second' WHERE kind = 'delete-expired'", [
          seconds,
        ]);
      await killAt(scene, () => beginIn(0), messageAt(scene, point));
      // It would go on in ten seconds, while the agreement is looked at.
      await beginIn(300);
      await two.restart();
      await checkAgreement(scene);
      const left = await inChannel(scene, from);
      assert.deepEqual(left, ids.slice(ids.length - left.length), 'the oldest go first');
      // A turn that others were in the way of leaves the rest to the next. A job that is due is left alone: who takes it passes over one that
      // changes just then, until they look again.
      const beginNext = () =>
        clock.query("UPDATE jobs SET due_at = now() WHERE kind = 'delete-expired' AND due_at > now()");
      while ((await inChannel(scene, from)).length > 0) await beginNext();
      await checkAgreement(scene);
      for (const watcher of watchers)
        assert.deepEqual(told(watcher, 'delete_message').slice(-ids.length), ids, 'each is told once');
    },
  );
}
