import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { addQueue as add } from '../testing/clients/queues.ts';
import { commitWords, KEPT_FOR_QUEUES, openTestLog, silent, type TestLog } from '../testing/database/log.ts';
import type { QueueSettings } from './queue.ts';
import { QueueStore } from './queue-store.ts';
import { trimLogs } from './retention.ts';

let log: TestLog;
before(async () => {
  log = await openTestLog();
});
after(() => log.stop());

/** An organization with this many events, and one queue at each of these positions. */
async function logWith(events: number, ...queuesFrom: readonly number[]): Promise<number> {
  const organizationId = await log.organization();
  await log.pool.query(
    `INSERT INTO events (organization_id, id, type, audience, body, ephemeral)
     SELECT $1, n, 'word', '{"to":"everyone"}', '"a word"', false FROM generate_series(1, $2::int) n`,
    [organizationId, events],
  );
  await log.pool.query('UPDATE logs SET head = $2 WHERE organization_id = $1', [organizationId, events]);
  for (const start of queuesFrom) await addQueue(organizationId, start);
  return organizationId;
}

async function addQueue(organizationId: number, start: number): Promise<void> {
  const { rows } = await log.pool.query(
    `INSERT INTO users (organization_id, email, delivery_email, full_name, role)
     VALUES ($1, $2, $2, 'A', 400) RETURNING id`,
    [organizationId, `from${start}@example.com`],
  );
  const store = new QueueStore({
    db: log.db,
    pool: log.pool,
    log: silent,
    idleSeconds: 600,
    othersWriteWithin: 0,
    isHeld: () => false,
    onGone: () => undefined,
  });
  const settings = { eventTypes: [] } as unknown as QueueSettings;
  await add(log.db, store, { organizationId, userId: rows[0].id, client: 'test', settings }, start);
}

/**
 * The first and last event, their number, the position up to which events were deleted, and the positions of the
 * queues.
 */
async function stateOf(organizationId: number) {
  const { rows } = await log.pool.query(
    `SELECT (SELECT array[min(id), max(id), count(*)]::int[] FROM events WHERE organization_id = $1) AS events,
            (SELECT trimmed_through FROM logs WHERE organization_id = $1) AS trimmed,
            ARRAY(SELECT acknowledged_id::int FROM queues WHERE organization_id = $1 ORDER BY 1) AS queues`,
    [organizationId],
  );
  return rows[0];
}

test('every run deletes all events that no queue can ask for, however many they are', async () => {
  const organizationId = await logWith(50_000, 49_990, 50_000);
  assert.equal(await trimLogs(log.db, KEPT_FOR_QUEUES), 49_990);
  assert.deepEqual(await stateOf(organizationId), {
    events: [49_991, 50_000, 10],
    trimmed: 49_990,
    queues: [49_990, 50_000],
  });
});

test('trimming is as fast if PostgreSQL expects the log to be almost empty', async () => {
  // PostgreSQL has counted the events of each organization, and does not know the ones that follow.
  await logWith(100, 100);
  await log.pool.query('ANALYZE events');
  const organizationId = await logWith(30_000, 29_000);
  assert.equal(await trimLogs(log.db, KEPT_FOR_QUEUES), 29_100);
  assert.deepEqual((await stateOf(organizationId)).events, [29_001, 30_000, 1000]);
});

test('events are deleted in the commit that records it, or not at all', async () => {
  const organizationId = await logWith(5, 5);
  const holder = await log.pool.connect();
  try {
    await holder.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0');
    await holder.query('SELECT FROM logs WHERE organization_id = $1 FOR NO KEY UPDATE', [organizationId]);
    await assert.rejects(
      log.db.transaction().execute(async (transaction) => {
        await sql`SET LOCAL lock_timeout = 50`.execute(transaction);
        await trimLogs(transaction, KEPT_FOR_QUEUES);
      }),
      { code: '55P03' },
    );
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
  const { events, trimmed } = await stateOf(organizationId);
  assert.deepEqual([events, trimmed], [[1, 5, 5], 0]);
});

test('a queue that never acknowledges keeps a limited number of events in the log, and then ends', async () => {
  const organizationId = await logWith(100, 0, 95);
  await trimLogs(log.db, { ...KEPT_FOR_QUEUES, maxEvents: 100 });
  assert.deepEqual((await stateOf(organizationId)).events, [1, 100, 100]);
  await trimLogs(log.db, { ...KEPT_FOR_QUEUES, maxEvents: 20 });
  assert.deepEqual(await stateOf(organizationId), { events: [81, 100, 20], trimmed: 80, queues: [95] });
});

test('a queue that never acknowledges keeps events for a limited time, and then ends', async () => {
  const organizationId = await logWith(10, 0);
  await log.pool.query(
    `UPDATE events SET created_at = now() - interval '2 days' WHERE organization_id = $1 AND id <= 4`,
    [organizationId],
  );
  await trimLogs(log.db, KEPT_FOR_QUEUES);
  assert.deepEqual(await stateOf(organizationId), { events: [5, 10, 6], trimmed: 4, queues: [] });
});

test('young events stay, even if all queues have acknowledged them', async () => {
  const organizationId = await log.organization();
  await commitWords(log.pool, organizationId, 'one', 'two');
  assert.equal(await trimLogs(log.db, { ...KEPT_FOR_QUEUES, minSeconds: 3600 }), 0);
});

// rules: bots-12
test('events that a consumer of the log has not read yet stay', async () => {
  const organizationId = await logWith(10, 10);
  await addCursorAt(organizationId, 'one', 7);
  await addCursorAt(organizationId, 'other', 8);
  const { errors, consumers } = running('one', 'other');
  await trimLogs(log.db, KEPT_FOR_QUEUES, consumers);
  assert.deepEqual((await stateOf(organizationId)).events, [8, 10, 3]);
  assert.deepEqual([await positionOf(organizationId, 'one'), errors], [7, []]);
});

test('a consumer that is dead for too long misses events, which the log of the server says once', async () => {
  const organizationId = await logWith(10, 10);
  await addCursorAt(organizationId, 'dead', 2);
  await addCursorAt(organizationId, 'alive', 10);
  const { errors, consumers } = running('dead', 'alive');
  const retention = { ...KEPT_FOR_QUEUES, maxEvents: 4 };
  for (let turn = 0; turn < 2; turn += 1) await trimLogs(log.db, retention, consumers);
  assert.deepEqual((await stateOf(organizationId)).events, [7, 10, 4]);
  assert.deepEqual(errors, [{ organization: organizationId, consumer: 'dead' }]);
  assert.deepEqual([await positionOf(organizationId, 'dead'), await positionOf(organizationId, 'alive')], [6, 10]);
});

test('the cursor of a consumer that the server does not run keeps no event', async () => {
  const organizationId = await logWith(10, 8);
  await addCursorAt(organizationId, 'switched off', 2);
  const { errors, consumers } = running('one');
  await trimLogs(log.db, KEPT_FOR_QUEUES, consumers);
  assert.deepEqual((await stateOf(organizationId)).events, [9, 10, 2]);
  assert.deepEqual([await positionOf(organizationId, 'switched off'), errors], [8, []]);
});

async function addCursorAt(organizationId: number, consumer: string, position: number): Promise<void> {
  await log.pool.query('INSERT INTO log_cursors VALUES ($1, $2, $3)', [organizationId, consumer, position]);
}

async function positionOf(organizationId: number, consumer: string): Promise<number> {
  const { rows } = await log.pool.query(
    'SELECT position FROM log_cursors WHERE organization_id = $1 AND consumer = $2',
    [organizationId, consumer],
  );
  return rows[0].position;
}

/** The consumers that the server runs, and what it logs about them. */
function running(...names: readonly string[]) {
  const errors: unknown[] = [];
  return { errors, consumers: { names, log: { error: (deltas: unknown) => void errors.push(deltas) } } };
}
