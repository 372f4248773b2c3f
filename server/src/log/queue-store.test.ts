import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import { addQueue } from '../testing/clients/queues.ts';
import { isWaitedFor } from '../testing/database/lock-waits.ts';
import { openTestLog, silent, type TestLog } from '../testing/database/log.ts';
import type { Queue, QueueSettings } from './queue.ts';
import { MAX_QUEUES_PER_USER, QueueStore, type QueueStoreOptions } from './queue-store.ts';

let log: TestLog;
let organizationId: number;
let userId: number;
before(async () => {
  log = await openTestLog();
  organizationId = await log.organization();
  const { rows } = await log.pool.query(
    `INSERT INTO users (organization_id, email, delivery_email, full_name, role)
     VALUES ($1, 'a@example.com', 'a@example.com', 'A', 400) RETURNING id`,
    [organizationId],
  );
  userId = rows[0].id;
});
after(() => log.stop());

const settings: QueueSettings = {
  eventTypes: null,
  narrow: [],
  allPublicChannels: false,
  applyMarkdown: true,
  clientGravatar: true,
  slimPresence: true,
  includeSubscribers: 'false',
  capabilities: {} as QueueSettings['capabilities'],
};

/** The store of one process. `gone` records the queues that ended. */
function openStore(options: Partial<QueueStoreOptions> = {}) {
  const gone: string[] = [];
  const store = new QueueStore({
    db: log.db,
    pool: log.pool,
    log: silent,
    idleSeconds: 600,
    othersWriteWithin: 0,
    isHeld: () => false,
    onGone: (queue) => gone.push(queue.id),
    ...options,
  });
  const create = (own = settings) =>
    addQueue(log.db, store, { organizationId, userId, client: 'test', settings: own }, 5);
  return { store, gone, create };
}

/** Sets the last-fetched time in the table to this many seconds ago. */
async function age(queue: Queue, seconds: number): Promise<void> {
  await log.pool.query('UPDATE queues SET last_fetched_at = now() - make_interval(secs => $2) WHERE id = $1', [
    queue.id,
    seconds,
  ]);
}

/** Runs `act` with the clock of this process moved forward. */
async function later(seconds: number, act: () => Promise<void>): Promise<void> {
  mock.timers.enable({ apis: ['Date'], now: Date.now() + seconds * 1000 });
  try {
    await act();
  } finally {
    mock.timers.reset();
  }
}

test('a flush ends after the one before it, so what was noted before is written when it ends', async () => {
  const { store, create } = openStore();
  const queue = await create();
  const holder = await log.pool.connect();
  const order: string[] = [];
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM queues WHERE id = $1 FOR UPDATE', [queue.id]);
    store.touch(queue, 9);
    const flushes = [1, 2].map((number) => store.flush().then(() => order.push(`${number} has written`)));
    await isWaitedFor(holder);
    order.push('the row is free');
    await holder.query('COMMIT');
    await Promise.all(flushes);
  } finally {
    holder.release();
  }
  assert.deepEqual(order, ['the row is free', '1 has written', '2 has written']);
});

test('another process finds a queue in the table, with the last acknowledged event', async () => {
  const { store, create } = openStore();
  const queue = await create();
  store.touch(queue, 9);
  store.touch(queue, 7);
  await store.flush();
  const found = await openStore().store.find(organizationId, queue.id);
  assert.deepEqual(
    { ...found, lastFetchedAt: 0 },
    { ...queue, lastFetchedAt: 0, acknowledgedId: 9, clearFrom: 9, clearThrough: 9, dirty: false },
  );
  assert.equal(await openStore().store.find(organizationId + 1, queue.id), undefined);
  assert.equal(await store.find(organizationId + 1, queue.id), undefined);
  assert.equal(await store.find(organizationId, 'nonsense'), undefined);
});

test('clients that reconnect together share one lookup, and each gets its own queue', async () => {
  const { create } = openStore();
  const queues = [await create(), await create(), await create()];
  let statements = 0;
  const db = log.db.withPlugin({
    transformQuery: ({ node }) => {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const { store } = openStore({ db });
  const ids = [...queues, ...queues].map(({ id }) => id);
  const found = await Promise.all([...ids, 'nonsense'].map((id) => store.find(organizationId, id)));
  assert.deepEqual(
    found.map((queue) => queue?.id),
    [...ids, undefined],
  );
  assert.equal(found[0], found[3], 'one object for one queue');
  assert.ok(statements <= 2, `${statements} statements`);
});

test('equal settings share one object', async () => {
  const { create } = openStore();
  const [one, other] = [await create(), await create()];
  assert.equal(one.settings, other.settings);
});

test('a queue that no client read for the idle time is collected, and the process notices', async () => {
  const { store, gone, create } = openStore();
  const [idle, busy] = [await create(), await create()];
  await age(idle, 601);
  await age(busy, 500);
  await later(700, () => store.collect().then(() => undefined));
  assert.deepEqual(gone, [idle.id]);
  assert.equal(await store.find(organizationId, idle.id), undefined);
  assert.equal((await store.find(organizationId, busy.id))?.id, busy.id);
});

test('time without a server does not count: a process collects only after it has run for the idle time', async () => {
  const { store, create } = openStore();
  const queue = await create();
  await age(queue, 10_000);
  assert.equal(await store.collect(), 0);
  assert.equal((await store.find(organizationId, queue.id))?.id, queue.id);
  await store.remove(queue);
});

test('a queue is not collected if a client read it or waits at it, even before that is written to the table', async () => {
  const held = new Set<string>();
  const { store, gone, create } = openStore({ isHeld: (queue) => held.has(queue.id) });
  const [fetched, waiting] = [await create(), await create()];
  held.add(waiting.id);
  for (const queue of [fetched, waiting]) await age(queue, 10_000);
  store.touch(fetched, 6);
  await store.flush();
  await later(700, () => store.collect().then(() => undefined));
  assert.deepEqual(gone, []);
});

test('collection gives other processes time to write the last-fetched times of their queues', async () => {
  const { store, gone, create } = openStore({ othersWriteWithin: 100 });
  const [recent, idle] = [await create(), await create()];
  await age(recent, 610);
  await age(idle, 701);
  await later(700, () => store.collect().then(() => undefined));
  assert.deepEqual(gone, [idle.id]);
});

test('a process notices at its next flush that another process has ended a queue', async () => {
  const one = openStore();
  const other = openStore();
  const [queue, unused] = [await one.create(), await one.create()];
  for (const { id } of [queue, unused]) await other.store.find(organizationId, id);
  const there = await other.store.find(organizationId, queue.id);
  assert(there !== undefined);
  await one.store.remove(queue);
  assert.deepEqual(one.gone, [queue.id]);
  other.store.touch(there, 5);
  await other.store.flush();
  assert.deepEqual(other.gone, [queue.id]);
  assert.equal(await other.store.find(organizationId, queue.id), undefined);
});

test('ending all queues of a user ends no queue of another user', async () => {
  const { store, gone, create } = openStore();
  const queue = await create();
  await store.removeAllOf(organizationId, userId + 1);
  assert.deepEqual(gone, []);
  await store.removeAllOf(organizationId, userId);
  assert.deepEqual(gone, [queue.id]);
});

test('settings are kept only while queues use them: registering and deleting queues with new settings leaves nothing behind', async () => {
  const { store, create } = openStore();
  const lasting = await create();
  const narrowed = (n: number) => create({ ...settings, narrow: [['topic', `${n}`]] });
  for (let n = 0; n < 20; n++) {
    const [one, other] = [await narrowed(n), await narrowed(n)];
    assert.equal(store.differentSettings, 2);
    await store.remove(one);
    await store.remove(one);
    assert.equal(store.differentSettings, 2);
    await store.remove(other);
    assert.equal(store.differentSettings, 1);
  }
  // The other ways in which a queue ends.
  const [collected, unused] = [await narrowed(100), await narrowed(101)];
  await age(collected, 1000);
  await later(700, async () => {
    store.touch(lasting, 5);
    await store.flush();
    await store.collect();
  });
  assert.equal(store.inMemory(organizationId, unused.id), undefined);
  assert.equal(store.differentSettings, 1);
  await store.removeAllOf(organizationId, userId);
  assert.equal(store.differentSettings, 0);
});

test('a user has a limited number of queues: the one that was read least recently makes room for the next', async () => {
  const { store, gone, create } = openStore();
  const other = openStore();
  await store.removeAllOf(organizationId, userId);
  gone.length = 0;
  const queues: Queue[] = [];
  for (let n = 0; n < MAX_QUEUES_PER_USER; n++) queues.push(await create());
  const [first, second, third] = queues;
  assert(first !== undefined && second !== undefined && third !== undefined);
  await age(second, 2_000);
  await age(third, 1_000);
  assert.deepEqual(gone, []);
  await create();
  assert.deepEqual(gone, [second.id]);
  assert.equal(await store.find(organizationId, second.id), undefined);
  await other.create();
  assert.deepEqual(gone, [second.id]);
  assert.equal(await openStore().store.find(organizationId, third.id), undefined);
  assert.equal((await openStore().store.find(organizationId, first.id))?.id, first.id);
  assert.equal(store.size, MAX_QUEUES_PER_USER);
  await store.removeAllOf(organizationId, userId);
});
