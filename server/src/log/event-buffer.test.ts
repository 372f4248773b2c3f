import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { isWaitedFor } from '../testing/database/lock-waits.ts';
import { commitWords, KEPT_FOR_QUEUES, openTestLog, silent, type TestLog, word } from '../testing/database/log.ts';
import { fc } from '../testing/random/property.ts';
import { commitLocked } from './change.ts';
import { commitEphemeral } from './ephemeral.ts';
import type { LoggedEvent, NewEvent } from './event.ts';
import { EventBuffer, type EventBufferOptions, LogTrimmedError } from './event-buffer.ts';
import { readEvents } from './read.ts';
import { trimLogs } from './retention.ts';

let log: TestLog;
before(async () => {
  log = await openTestLog();
});
after(() => log.stop());

/** An event buffer that records what it publishes. */
function reader(organizationId: number, options: Partial<EventBufferOptions> = {}) {
  const published: LoggedEvent[] = [];
  const buffer = new EventBuffer({
    db: log.db,
    organizationId,
    start: 0,
    publish: (events) => published.push(...events),
    flush: async () => {},
    log: silent,
    ...options,
  });
  return { buffer, published, ids: () => published.map((event) => event.id) };
}

const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** A commit by this process or another, and what the bus does with its wake-up. */
type Commit = {
  readonly by: 'us' | 'others';
  readonly kind: 'durable' | 'ephemeral';
  readonly events: number;
  /** Whether the wake-ups carry the events. */
  readonly isCarried: boolean;
  /** After how many commits the wake-up arrives. Several numbers: it arrives several times. None: it is lost. */
  readonly delays: readonly number[];
};

const commit: fc.Arbitrary<Commit> = fc.record({
  by: fc.constantFrom('us', 'others'),
  kind: fc.constantFrom('durable', 'ephemeral'),
  events: fc.integer({ min: 1, max: 4 }),
  isCarried: fc.boolean(),
  delays: fc.array(fc.nat({ max: 4 }), { maxLength: 3 }),
});

test('each event is published once and in order, whatever the bus loses, repeats or reorders, and whichever process commits', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(commit, { minLength: 1, maxLength: 15 }), async (commits) => {
      const organization = await log.organization();
      const { buffer, published, ids } = reader(organization);
      const news: { readonly due: number; readonly deliver: () => unknown }[] = [];
      const reached: Promise<void>[] = [];
      let head = 0;
      for (const [turn, { by, kind, events, isCarried, delays }] of commits.entries()) {
        const words = Array.from({ length: events }, (_, index) => `${turn} ${index}`);
        const committed =
          kind === 'durable'
            ? (await commitWords(log.pool, organization, ...words)).events
            : await commitEphemeral(log.pool, organization, words.map(word));
        head += events;
        for (const delay of delays) {
          const ofOthers = () => (isCarried && buffer.accept(committed)) || void buffer.catchUp();
          news.push({ due: turn + delay, deliver: by === 'us' ? () => buffer.receive(committed) : ofOthers });
        }
        if (by === 'us' && delays.length === 0) reached.push(buffer.reached(head));
        for (const { due, deliver } of news) if (due === turn) deliver();
        if (turn % 3 === 0) await nextTurn();
      }
      for (const { due, deliver } of news) if (due >= commits.length) deliver();
      await Promise.all([...reached, buffer.reached(head)]);
      assert.deepEqual(ids(), upTo(head));
      assert.deepEqual(published, await readEvents(log.db, organization, 0, 10_000));
      assert.equal(buffer.publishedThrough, head);
    }),
    { numRuns: 40 },
  );
});

test('events that another process announces need no read if they follow, and wait for one otherwise', async () => {
  const organization = await log.organization();
  const commit = async (text: string) => (await commitWords(log.pool, organization, text)).events;
  const [first, second, third] = [await commit('a'), await commit('b'), await commit('c')];
  const { buffer, ids } = reader(organization);
  assert(buffer.accept(first));
  assert.deepEqual(ids(), [1], 'published at once');
  assert(!buffer.accept(third), 'the second is missing');
  assert.deepEqual(ids(), [1]);
  assert(buffer.accept([...first, ...second]), 'one of them again');
  assert.deepEqual(ids(), [1, 2], 'the third was not kept, because the database may have lost it');
  await buffer.catchUp();
  assert.deepEqual(ids(), [1, 2, 3]);
});

test('an announced event publishes those of this process that waited for it', async () => {
  const organization = await log.organization();
  const other = (await commitWords(log.pool, organization, 'other')).events;
  const own = (await commitWords(log.pool, organization, 'own')).events;
  const { buffer, ids } = reader(organization);
  buffer.receive(own);
  assert.deepEqual(ids(), []);
  assert(buffer.accept(other));
  assert.deepEqual(ids(), [1, 2]);
});

test('catching up reads page after page', async () => {
  const organization = await log.organization();
  await commitWords(log.pool, organization, ...upTo(1700).map(String));
  const { buffer, ids } = reader(organization);
  await buffer.catchUp();
  assert.deepEqual(ids(), upTo(1700));
});

test('catching up reads on even if no event of a page may be published yet', async () => {
  const organization = await log.organization();
  await commitEphemeral(log.pool, organization, upTo(1100).map(String).map(word));
  await commitWords(log.pool, organization, 'durable');
  await commitEphemeral(log.pool, organization, [word('not durable')]);
  const { buffer, ids } = reader(organization, { flush: () => assert.fail('no flush is necessary here') });
  await buffer.catchUpWith(log.db);
  assert.deepEqual(ids(), upTo(1101), 'all except events that may not be durable');
});

test('recent events are read from memory, and older ones are reported as missing', async () => {
  const organization = await log.organization();
  const { buffer } = reader(organization, { keep: 4 });
  await commitWords(log.pool, organization, 'an older one');
  for (const word of upTo(20)) buffer.receive((await commitWords(log.pool, organization, `${word}`)).events);
  await buffer.reached(21);
  assert.deepEqual(buffer.after(21), []);
  assert.deepEqual(
    buffer.after(19)?.map((event) => event.id),
    [20, 21],
  );
  assert.equal(buffer.after(0), undefined);
  assert.equal(buffer.after(10), undefined);
});

test('memory keeps fewer events if they are long', async () => {
  const organization = await log.organization();
  const { buffer, ids } = reader(organization, { keepWeight: 10_000 });
  for (const word of upTo(20)) buffer.receive((await commitWords(log.pool, organization, `${word}`)).events);
  assert.equal(buffer.after(0)?.length, 20);
  const long = 'x'.repeat(4000);
  for (const _ of upTo(5)) buffer.receive((await commitWords(log.pool, organization, long)).events);
  assert.deepEqual(ids(), upTo(25));
  assert.equal(buffer.after(20), undefined);
  assert.deepEqual(
    buffer.after(24)?.map((event) => event.id),
    [25],
  );
  buffer.receive((await commitWords(log.pool, organization, 'x'.repeat(20_000))).events);
  assert.deepEqual(buffer.after(26), []);
  assert.equal(buffer.after(25), undefined);
});

test('I6: an ephemeral event is published only after everything before it is on the disk', async () => {
  const organization = await log.organization();
  const disk = Promise.withResolvers<void>();
  const { buffer, ids } = reader(organization, { flush: () => disk.promise });
  buffer.receive(await commitEphemeral(log.pool, organization, [word('typing')]));
  const reached = buffer.reached(1);
  const caughtUp = buffer.catchUp();
  await buffer.catchUpWith(log.db);
  await nextTurn();
  assert.deepEqual(ids(), []);
  disk.resolve();
  await Promise.all([reached, caughtUp]);
  assert.deepEqual(ids(), [1]);
});

test('I6: a durable event makes the ephemeral ones before it durable', async () => {
  const organization = await log.organization();
  const { buffer, ids } = reader(organization, { flush: () => new Promise(() => undefined) });
  buffer.receive(await commitEphemeral(log.pool, organization, [word('typing')]));
  assert.deepEqual(ids(), []);
  buffer.receive((await commitWords(log.pool, organization, 'durable')).events);
  assert.deepEqual(ids(), [1, 2]);
});

test('I6: after a failed flush, waiting events are read again, because their ids may belong to other events', async () => {
  const organization = await log.organization();
  const { buffer, published } = reader(organization, {
    flush: () => Promise.reject(new Error('the database is unavailable')),
  });
  // Simulates a crash of the database that lost the transaction: its id is assigned again.
  const lost: LoggedEvent = { ...word('lost'), organizationId: organization, id: 1, ephemeral: true };
  buffer.receive([lost]);
  await nextTurn();
  await commitWords(log.pool, organization, 'by another process');
  buffer.receive((await commitWords(log.pool, organization, 'ours')).events);
  await buffer.reached(2);
  assert.deepEqual(
    published.map((event) => event.body),
    ['by another process', 'ours'],
  );
});

test('reached resolves once the event is published, and rejects if it never can be', async () => {
  const organization = await log.organization();
  const { buffer } = reader(organization);
  await commitWords(log.pool, organization, 'one', 'two');
  await Promise.all([buffer.reached(1), buffer.reached(2), buffer.reached(1)]);
  await buffer.reached(2);
  await assert.rejects(buffer.reached(3), LogTrimmedError);

  const broken = reader(organization, { flush: () => Promise.reject(new Error('the database is unavailable')) });
  await commitEphemeral(log.pool, organization, [word('typing')]);
  await assert.rejects(broken.buffer.reached(3), /the database is unavailable/);
});

test('a reader that needs deleted events gets an error', async () => {
  const organization = await log.organization();
  await commitWords(log.pool, organization, 'one', 'two');
  const { buffer, ids } = reader(organization);
  await trimLogs(log.db, KEPT_FOR_QUEUES);
  await commitLocked(log.pool, organization, async ({ append }) => append(word('three')));
  await assert.rejects(buffer.catchUp(), LogTrimmedError);
  assert.deepEqual(ids(), []);
});

/** The number of statements that `act` needed to read: each takes a connection from the pool. */
async function statementsOf(act: () => Promise<unknown>): Promise<number> {
  let taken = 0;
  const count = () => {
    taken += 1;
  };
  log.pool.on('acquire', count);
  await act();
  log.pool.off('acquire', count);
  return taken;
}

test('concurrent callers of catchUp share one read of the log, and later ones share the next', async () => {
  const organization = await log.organization();
  await commitWords(log.pool, organization, 'one', 'two');
  const { buffer, ids } = reader(organization);
  assert.equal(await statementsOf(() => Promise.all(Array.from({ length: 500 }, () => buffer.catchUp()))), 1);
  assert.deepEqual(ids(), [1, 2]);

  const { pool } = log;
  const late: Promise<void>[] = [];
  const taken = await statementsOf(async () => {
    const first = buffer.catchUp();
    await new Promise((resolve) => pool.once('acquire', resolve));
    // This read is running, and may already have its result.
    await commitWords(pool, organization, 'three');
    late.push(...Array.from({ length: 500 }, () => buffer.catchUp()));
    await Promise.all([first, ...late]);
  });
  assert.equal(taken, 3, 'the first read, the commit, and one read for the five hundred');
  assert.deepEqual(ids(), [1, 2, 3]);
});

test('after a restart each page of missed events is read once for all clients', async () => {
  const organization = await log.organization();
  const words = Array.from({ length: 1200 }, (_, index) => `${index + 1}`);
  await commitWords(log.pool, organization, ...words);
  const { buffer } = reader(organization, { start: 1200 });
  assert.deepEqual(buffer.after(1200), []);
  assert.equal(buffer.after(1000), undefined);
  const cursors = Array.from({ length: 2000 }, (_, index) => (index * 37) % 1200);
  const taken = await statementsOf(() => Promise.all(cursors.map((cursor) => buffer.recall(cursor))));
  assert.equal(taken, 3);
  for (const cursor of cursors) assert.equal(buffer.after(cursor)?.[0]?.id, cursor + 1);
  const published = buffer.publishedThrough;
  await commitWords(log.pool, organization, 'more');
  await buffer.catchUp();
  assert.equal(buffer.publishedThrough, published + 1);
  assert.deepEqual(
    buffer.after(0)?.map(({ id }) => id),
    upTo(1201),
  );
});

test('a backfill does not make memory reach back further than its limit', async () => {
  const organization = await log.organization();
  await commitWords(log.pool, organization, ...Array.from({ length: 1200 }, (_, index) => `${index + 1}`));
  const { buffer } = reader(organization, { start: 1200, keep: 400 });
  await Promise.all([buffer.recall(0), buffer.recall(900)]);
  assert.equal(buffer.after(0), undefined);
  assert.equal(buffer.after(900)?.length, 300);
  // Events that are no longer in the table do not block `recall`.
  await sql`DELETE FROM events WHERE organization_id = ${organization} AND id <= 1000`.execute(log.db);
  const trimmed = reader(organization, { start: 1200 });
  await trimmed.buffer.recall(900);
  assert.equal(trimmed.buffer.after(900), undefined);
  assert.equal(trimmed.buffer.after(1000)?.length, 200);
});

test('a message that is deleted during a backfill does not return with the page', async () => {
  const organization = await log.organization();
  const telling = (messageId: number): NewEvent => ({ ...word(`${messageId}`), type: 'message', messageId });
  await commitLocked(log.pool, organization, async ({ append }) => [append(telling(7)), append(telling(8))]);
  const { buffer } = reader(organization, { start: 2 });

  const holder = await log.pool.connect();
  try {
    await holder.query(
      'BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0; LOCK TABLE events IN ACCESS EXCLUSIVE MODE',
    );
    const recalled = buffer.recall(0);
    await isWaitedFor(holder);
    buffer.forget([7]);
    await holder.query('COMMIT');
    await recalled;
  } finally {
    holder.release(true);
  }
  assert.deepEqual(
    buffer.after(0)?.map(({ body }) => body),
    [null, '8'],
  );
});
