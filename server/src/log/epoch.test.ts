import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type pg from 'pg';
import type { TestQueue } from '../testing/clients/client.ts';
import { type Holding, holding } from '../testing/database/lock-waits.ts';
import { silent } from '../testing/database/log.ts';
import { startTestServer, type TestServer } from '../testing/server/server.ts';
import { until } from '../testing/server/until.ts';
import { confirmIdentity } from './epoch.ts';

let server: TestServer;
let other: Holding;
before(async () => {
  server = await startTestServer();
  other = await holding(server.shared.url);
});
after(async () => {
  await other.end();
  await server.stop();
});

async function codeFor(queue: TestQueue, lastEventId = queue.lastEventId): Promise<string | undefined> {
  const fields = { queue_id: queue.id, last_event_id: lastEventId, dont_block: true };
  return (await server.owner.call('GET', '/events', fields)).body.code;
}

async function epochs(): Promise<readonly string[]> {
  const rows = await server.app.db.selectFrom('logs').select('epoch').execute();
  return rows.map(({ epoch }) => epoch);
}

test('a queue continues after a restart on the same database', async () => {
  const queue = await server.owner.register({ event_types: ['message'] });
  const again = await startTestServer({ shared: server.shared });
  const client = await again.sameUser(server.owner);
  await client.ok('GET', '/events', { queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: true });
  await again.stop();
});

test('after a backup was restored, the earlier queues have ended, and clients must register again', async () => {
  const queue = await server.owner.register({ event_types: ['message'] });
  // A restored dump, a promoted standby and a copied cluster have this in common: the server has not served this
  // database before.
  await sql`UPDATE server_facts SET value = 'of another cluster' WHERE key = 'cluster_identity'`.execute(server.app.db);
  const restored = await startTestServer({ shared: server.shared });
  const client = await restored.sameUser(server.owner);
  const answer = await client.fails('GET', '/events', { queue_id: queue.id, last_event_id: queue.lastEventId });
  assert.equal(answer.code, 'BAD_EVENT_QUEUE_ID');
  const fresh = await client.register({ event_types: ['message'] });
  await client.ok('GET', '/events', { queue_id: fresh.id, last_event_id: fresh.lastEventId, dont_block: true });
  await restored.stop();
  await ended(queue);
});

/** Waits until the server has ended the queue. */
const ended = (queue: TestQueue) =>
  until(async () => (await codeFor(queue)) === 'BAD_EVENT_QUEUE_ID', 'the queue to end');

/** Restores the database to the state before the last messages, in a transaction. */
async function goBack(db: pg.Client, messages: number): Promise<void> {
  await db.query('DELETE FROM events WHERE id > (SELECT head - $1 FROM logs)', [messages]);
  await db.query('DELETE FROM messages WHERE id > (SELECT message_head - $1 FROM logs)', [messages]);
  await db.query('UPDATE logs SET head = head - $1, message_head = message_head - $1', [messages]);
}

test('a log that goes back under a running process starts a new epoch', async () => {
  const { owner } = server;
  await owner.subscribe('general');
  await owner.send('general', 'a', 'stays');
  const queue = await owner.register({ event_types: ['message'] });
  for (const text of ['is', 'not', 'in', 'the', 'backup']) await owner.send('general', 'a', text);
  await other.during(
    (db) => goBack(db, 5),
    async () => undefined,
  );
  await ended(queue);
  const fresh = await owner.register({ event_types: ['message'] });
  const id = await owner.send('general', 'a', 'after it');
  const [event] = await fresh.take(1);
  assert.equal(event.message.id, id);
});

for (const kind of ['a send', 'an optimistic transaction', 'an exclusive transaction'] as const) {
  test(`${kind} does not write into a log that has gone back, because its ids would already be known to readers`, async () => {
    const { owner } = server;
    await owner.subscribe('general');
    await owner.send('general', 'a', 'stays');
    const queue = await owner.register({ event_types: ['message'] });
    for (const text of ['not', 'in it']) await owner.send('general', 'a', text);
    const before = await epochs();
    const change = {
      'a send': () => owner.call('POST', '/messages', { type: 'channel', to: 'general', topic: 'a', content: 'x' }),
      'an optimistic transaction': () => owner.call('POST', '/saved_snippets', { title: 'x', content: 'y' }),
      'an exclusive transaction': () =>
        owner.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'other' }] }),
    }[kind];
    // It waits for the log. Otherwise the process could notice first that the log has gone back.
    const { status } = await other.during((db) => goBack(db, 2), change);
    assert.equal(status, 503);
    await ended(queue);
    assert.notDeepEqual(await epochs(), before);
    assert.equal((await change()).status, 200);
  });
}

test('a copied data directory counts as a different database; the same directory does not', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'heddle-test-'));
  const copied = join(directory, 'copied');
  await mkdir(join(directory, 'data'));
  await writeFile(join(directory, 'data', 'PG_VERSION'), '18\n');
  await confirmIdentity(server.app.db, join(directory, 'data'), silent);
  const before = await epochs();
  await confirmIdentity(server.app.db, join(directory, 'data'), silent);
  assert.deepEqual(await epochs(), before);
  await cp(join(directory, 'data'), copied, { recursive: true });
  await confirmIdentity(server.app.db, copied, silent);
  assert.notDeepEqual(await epochs(), before);
  await rm(directory, { recursive: true });
});

test('a client that claims to know later events loses its own queue and affects no other', async () => {
  const { owner } = server;
  const before = await epochs();
  const queue = await owner.register({ event_types: ['message'] });
  const other = await owner.register({ event_types: ['message'] });
  assert.equal(await codeFor(queue, queue.lastEventId + 1_000_000), 'BAD_EVENT_QUEUE_ID');
  assert.equal(await codeFor(other), undefined);
  assert.deepEqual(await epochs(), before);
});
