/**
 * Kills a server while it moves, deletes or expires thousands of messages. Committed batches are complete, and others
 * have changed nothing. Clients receive exactly the committed changes, and a retry completes the work.
 * Nothing waits for a time: the test stops the process at a lock, and kills it there.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import { FollowedModel } from '../../client/testing/followed-model.ts';
import { EventCursor } from './testing/clients/event-cursor.ts';
import type { Json } from './testing/clients/json.ts';
import { isWaitedFor } from './testing/database/lock-waits.ts';
import { StubbornClient } from './testing/faults/stubborn-clients.ts';
import { sharedTwoServers, type TwoServers } from './testing/faults/two-servers.ts';
import { until } from './testing/server/until.ts';

const twoServers = sharedTwoServers();
let scenes = 0;

/** Enough for three commits of each kind. */
const MOVED = 11_000;
const DELETED = 1300;
/** A kill before the first commit needs only one. */
const ONE_COMMIT = 300;

interface Scene extends TwoServers {
  /** Messages of the owner in one topic of `from`, in ascending order. */
  readonly ids: readonly number[];
  readonly from: number;
  readonly to: number;
  readonly db: pg.Client;
  readonly watchers: readonly Watcher[];
}

/** A client that registered before the fault, with the events that it received since. */
interface Watcher {
  readonly client: StubbornClient;
  readonly queueId: string;
  readonly cursor: EventCursor;
  readonly followed: FollowedModel;
  readonly received: Json[];
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
  const followed = new FollowedModel(client.account.userId, state, { subscribers: false });
  return { client, queueId: state.queue_id, cursor: new EventCursor(state.last_event_id), followed, received: [] };
}

/** Two channels. A member is subscribed only to the first, and cannot access the other. */
async function setScene(count: number): Promise<Scene> {
  const servers = twoServers();
  scenes += 1;
  const { atOne, atTwo, two } = servers;
  const member = new StubbornClient(two, await servers.user(`ada${scenes}`));
  const [owner, ada] = [atOne.account.userId, member.account.userId];
  const create = async (fields: Json): Promise<number> => (await atOne.insist('POST', '/channels/create', fields)).id;
  const from = await create({ name: `loom ${scenes}`, subscribers: [owner, ada] });
  const to = await create({ name: `shed ${scenes}`, subscribers: [owner], invite_only: true });
  const target = { type: 'channel', to: from, topic: 'warp' };
  const { id } = await atOne.insist('POST', '/messages', { ...target, content: 'pick' });
  const db = await servers.connect();
  const ids = [id, ...(await multiply(db, id, count - 1))];
  return { ...servers, ids, from, to, db, watchers: [await watch(atTwo), await watch(member)] };
}

/** Copies the message this many times. */
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

/** Locks the message, or the log without one, and kills the process when it waits for that lock. */
async function killAt({ db, one }: Scene, begin: () => Promise<unknown>, messageId?: number): Promise<void> {
  await db.query('BEGIN');
  if (messageId === undefined) await db.query('SELECT FROM logs FOR UPDATE');
  else await db.query('SELECT FROM messages WHERE id = $1 FOR UPDATE', [messageId]);
  const begun = begin();
  await isWaitedFor(db);
  await one.kill();
  await begun;
  await db.query('ROLLBACK');
  // Statements sent before the kill may still run. Wait until they are committed or rolled back.
  await until(async () => (await db.query(OF_THE_KILLED)).rowCount === 0, 'the statements of the killed server to end');
}

const OF_THE_KILLED = `
  SELECT 1 FROM pg_locks
   WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database())
     AND relation = 'messages'::regclass AND mode = 'RowExclusiveLock' AND pid <> pg_backend_pid()`;

/** Fetches all events in the watcher's queue. */
async function catchUp({ client, queueId, cursor, followed, received }: Watcher): Promise<void> {
  await until(async () => {
    const query = { queue_id: queueId, last_event_id: cursor.lastEventId, dont_block: true };
    const { events } = await client.insist('GET', '/events', query);
    cursor.accept(events);
    for (const event of events) followed.apply(event);
    received.push(...events);
    return events.length === 0;
  }, 'the last pending event');
}

/** Checks that the log has no gap, and that each watcher has the state of a client that registers now. */
async function checkAgreement({ db, watchers }: Scene): Promise<void> {
  const { rows } = await db.query(
    'SELECT head = count(*) AND head = max(id) AND min(id) = 1 AS whole FROM logs JOIN events USING (organization_id) GROUP BY head',
  );
  assert.deepEqual(rows, [{ whole: true }], 'the log has a gap');
  for (const watcher of watchers) {
    // The registration reads the log to its end, also events that the killed process did not announce.
    const state = await watcher.client.insist('POST', '/register', registration);
    await catchUp(watcher);
    watcher.followed.compare(state);
  }
}

/** The message ids that the watcher received in events of this type. */
function receivedIds({ received }: Watcher, type: string): readonly number[] {
  const events = received.filter((event) => event.type === type);
  return events.flatMap((event) => event.message_ids).sort((a, b) => a - b);
}

/** The scene's messages that are in the channel. */
async function inChannel({ db, ids }: Scene, channel: number): Promise<readonly number[]> {
  const { rows } = await db.query(
    'SELECT id::float8 FROM messages WHERE channel_id = $1 AND id = ANY ($2::bigint[]) ORDER BY id',
    [channel, ids],
  );
  return rows.map((row) => row.id);
}

const POINTS = ['before its commit', 'between two commits'] as const;

/** The message to lock. It belongs to the second of three commits, from either end of the topic. */
function messageAt({ ids }: Scene, point: (typeof POINTS)[number]): number | undefined {
  return point === 'before its commit' ? undefined : ids[Math.floor(ids.length / 2)];
}

for (const point of POINTS) {
  test(`killed during a move, ${point}: each message is in one place, and the same request moves the rest`, async () => {
    const scene = await setScene(point === 'before its commit' ? ONE_COMMIT : MOVED);
    const { atOne, atTwo, one, ids, from, to, db, watchers } = scene;
    const [owner, ada] = watchers;
    assert(owner !== undefined && ada !== undefined);
    const move = { stream_id: to, propagate_mode: 'change_all', send_notification_to_old_thread: false };
    const request = ['PATCH', `/messages/${ids[0]}`, { ...move, send_notification_to_new_thread: false }] as const;
    await killAt(scene, () => atOne.attempt(...request), messageAt(scene, point));
    await checkAgreement(scene);
    const [moved, stayed] = [await inChannel(scene, to), await inChannel(scene, from)];
    assert.deepEqual([...stayed, ...moved], ids, 'the newest messages moved, the others did not');
    assert(point === 'before its commit' || moved.length > 0, 'the committed batch moved');
    assert(stayed.length > 0, 'the kill happened before the end');
    assert.deepEqual(receivedIds(owner, 'update_message'), moved);
    assert.deepEqual(receivedIds(ada, 'delete_message'), moved, 'the reader without access gets deletions');
    const { rows } = await db.query(
      `SELECT count(*)::int, count(DISTINCT message_id)::int AS messages FROM message_edits
          WHERE message_id = ANY ($1::bigint[])`,
      [ids],
    );
    assert.deepEqual(rows, [{ count: moved.length, messages: moved.length }]);

    await one.restart();
    await atTwo.insist(...request);
    await checkAgreement(scene);
    assert.deepEqual([await inChannel(scene, to), await inChannel(scene, from)], [ids, []]);
    assert.deepEqual(
      [receivedIds(owner, 'update_message'), receivedIds(ada, 'delete_message')],
      [ids, ids],
      'each event is received once',
    );
  });

  test(`killed during delete_topic, ${point}: each message is complete or deleted, and the same request deletes the rest`, async () => {
    const scene = await setScene(point === 'before its commit' ? ONE_COMMIT : DELETED);
    const { atOne, atTwo, one, ids, from, watchers } = scene;
    const request = ['POST', `/streams/${from}/delete_topic`, { topic_name: 'warp' }] as const;
    await killAt(scene, () => atOne.attempt(...request), messageAt(scene, point));
    await checkAgreement(scene);
    const left = await inChannel(scene, from);
    assert(left.length > 0 && (point === 'before its commit' || left.length < ids.length));
    assert.deepEqual(left, ids.slice(0, left.length), 'the newest are deleted first');
    for (const watcher of watchers) assert.deepEqual(receivedIds(watcher, 'delete_message'), ids.slice(left.length));

    await one.restart();
    assert.equal((await atTwo.insist(...request)).complete, true);
    await checkAgreement(scene);
    assert.deepEqual(await inChannel(scene, from), []);
    for (const watcher of watchers)
      assert.deepEqual(receivedIds(watcher, 'delete_message'), ids, 'each event is received once');
  });

  test(`killed during expiry, ${point}: each message is complete or deleted, and the job deletes the rest`, async () => {
    const scene = await setScene(point === 'before its commit' ? ONE_COMMIT : DELETED);
    const { atOne, one, two, ids, from, db, watchers } = scene;
    await atOne.insist('PATCH', `/streams/${from}`, { message_retention_days: 1 });
    const clock = await scene.connect();
    const beginIn = (seconds: number) =>
      clock.query("UPDATE jobs SET due_at = now() + $1 * interval '1 second' WHERE kind = 'delete-expired'", [seconds]);
    // The recurring job does not run meanwhile.
    await beginIn(300);
    await db.query("UPDATE messages SET sent_at = sent_at - interval '3 days' WHERE id <= $1 AND channel_id = $2", [
      ids.at(-1),
      from,
    ]);
    await db.query("UPDATE channels SET retention_changed_at = '-infinity'");
    // Only the first process runs, so it must do the deletion.
    await two.kill();
    await killAt(scene, () => beginIn(0), messageAt(scene, point));
    // The job would run again after ten seconds, during the checks.
    await beginIn(300);
    await two.restart();
    await checkAgreement(scene);
    const left = await inChannel(scene, from);
    assert.deepEqual(left, ids.slice(ids.length - left.length), 'the oldest are deleted first');
    // A run that meets locks leaves the rest to the next one. Only a job that is not due is changed, because a worker
    // skips a job whose row changes at that moment.
    const beginNext = () =>
      clock.query("UPDATE jobs SET due_at = now() WHERE kind = 'delete-expired' AND due_at > now()");
    await until(async () => {
      await beginNext();
      return (await inChannel(scene, from)).length === 0;
    }, 'the deletion of all messages');
    await checkAgreement(scene);
    for (const watcher of watchers)
      assert.deepEqual(receivedIds(watcher, 'delete_message').slice(-ids.length), ids, 'each event is received once');
    await one.restart();
  });
}
