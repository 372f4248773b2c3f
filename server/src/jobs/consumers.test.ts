import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { DbTransaction } from '../db/schema.ts';
import { inTransaction } from '../db/transaction.ts';
import { addCursor, readOn } from '../log/consumer.ts';
import type { LoggedEvent } from '../log/event.ts';
import { trimLogs } from '../log/retention.ts';
import { KEPT_FOR_QUEUES } from '../testing/database/log.ts';
import { startTestServer, type TestServer } from '../testing/server/server.ts';
import { type Consumed, type LogConsumer, LogConsumers } from './consumers.ts';

let server: TestServer;
let other: TestServer;
before(async () => {
  server = await startTestServer({ environment: { HEDDLE_LOG_LEVEL: 'silent' } });
  other = await startTestServer({ environment: { HEDDLE_LOG_LEVEL: 'silent' }, shared: server.shared });
  await server.owner.subscribe('room');
});
after(async () => {
  await other.stop();
  await server.stop();
});

/** Records the ids of messages. A message that is read twice would break a unique constraint. */
function recorder(name: string): LogConsumer {
  async function record(db: DbTransaction, events: readonly LoggedEvent[]): Promise<Consumed> {
    for (const { messageId } of events) {
      await sql`INSERT INTO server_facts VALUES (${`${name} ${messageId}`}, '')`.execute(db);
    }
    return { handled: events.length };
  }
  return { name, reader: async () => ({ types: ['message'], read: record }) };
}

async function recorded(name: string): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT split_part(key, ' ', 2)::bigint AS id FROM server_facts
     WHERE starts_with(key, ${`${name} `}) ORDER BY 1`.execute(server.app.db);
  return rows.map(({ id }) => id);
}

async function begin(t: { after(act: () => Promise<void>): void }, of: TestServer, consumer: LogConsumer) {
  await of.app.db.transaction().execute((db) => addCursor(db, 1, consumer.name));
  const consumers = new LogConsumers(of.app);
  t.after(() => consumers.stop(10_000));
  consumers.start([consumer]);
  return consumers;
}

/** Returns the ids, ascending. */
async function sendTogether(count: number): Promise<readonly number[]> {
  const sent = Array.from({ length: count }, (_, n) => server.owner.send('room', 'topic', `${n}`));
  return (await Promise.all(sent)).sort((a, b) => a - b);
}

async function send(count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await server.owner.send('room', 'topic', `${n}`));
  return ids;
}

const trim = ({ names }: LogConsumers, errors: unknown[] = [], maxEvents = KEPT_FOR_QUEUES.maxEvents) =>
  trimLogs(
    server.app.db,
    { ...KEPT_FOR_QUEUES, maxEvents },
    { names, log: { error: (facts: unknown) => void errors.push(facts) } },
  );

test('an organization whose events cannot be read pauses, and delays no other one', async (t) => {
  const second = await server.organization('second');
  await second.subscribe('room');
  const home = recorder('isolated');
  let failures = 0;
  const consumer: LogConsumer = {
    name: 'isolated',
    async reader(organization) {
      if (organization.id === 1) failures += 1;
      if (organization.id === 1) throw new Error('cannot be read');
      return home.reader(organization);
    },
  };
  const { rows } = await sql<{ id: number }>`SELECT max(id) AS id FROM organizations`.execute(server.app.db);
  await server.app.db.transaction().execute((db) => addCursor(db, rows[0]?.id ?? 0, consumer.name));
  const consumers = await begin(t, server, consumer);
  await send(1);
  const id = await second.send('room', 'topic', 'read');
  await consumers.settled();
  assert.deepEqual(await recorded('isolated'), [id]);
  assert(failures > 0);
});

test('a consumer reads all events that follow its cursor, once: from memory', async (t) => {
  await send(1);
  const consumer = recorder('reader');
  const consumers = await begin(t, server, consumer);
  const ids = await send(2);
  await consumers.stop(10_000);
  // More than one page.
  for (let turn = 0; turn < 5; turn += 1) ids.push(...(await sendTogether(250)));
  const again = await begin(t, server, consumer);
  await again.settled();
  assert.deepEqual(await recorded('reader'), ids);
});

test('events come from memory, unless memory begins later, or retention has deleted events after the cursor', async () => {
  const { db, pool, organizations } = server.app;
  const organization = await organizations.byId(1);
  assert(organization !== undefined);
  await db.transaction().execute((transaction) => addCursor(transaction, 1, 'chooser'));
  const { position } = organization;
  const id = await server.owner.send('room', 'topic', 'in the table');
  const inMemory = organization.recentEvents(position)?.findLast(({ messageId }) => messageId === id) ?? assert.fail();
  const read = async (recent: readonly LoggedEvent[] | undefined, isTrimmed: boolean) => {
    const found: unknown[] = [];
    // Rolled back, so that each case begins at the same cursor.
    const undone = inTransaction(pool, async ({ db: transaction }) => {
      if (isTrimmed) await sql`UPDATE logs SET trimmed_through = head`.execute(transaction);
      await readOn(transaction, {
        organizationId: 1,
        consumer: 'chooser',
        types: ['message'],
        through: organization.position,
        recent: () => recent,
        async handle(events) {
          found.push(...events.map(({ messageId }) => messageId));
          return events.length;
        },
      });
      throw new Error('undone');
    });
    await assert.rejects(undone, /undone/);
    return found;
  };
  const other = { ...inMemory, messageId: 1_000_000 };
  assert.deepEqual(await read([other], false), [1_000_000]);
  assert.deepEqual(await read(undefined, false), [id]);
  assert.deepEqual(await read([other], true), [id]);
});

test('a consumer reads all events that follow its cursor, once: from the table, after a start of the server', async (t) => {
  await (await begin(t, server, recorder('late'))).stop(10_000);
  const ids = [...(await send(2)), ...(await sendTogether(250))];
  const late = await startTestServer({ environment: { HEDDLE_LOG_LEVEL: 'silent' }, shared: server.shared });
  t.after(() => late.stop());
  const consumers = await begin(t, late, recorder('late'));
  await consumers.settled();
  assert.deepEqual(await recorded('late'), ids);
});

test('a consumer that is stopped while retention runs loses nothing', async (t) => {
  const stopped = await begin(t, server, recorder('stopped'));
  await stopped.stop(10_000);
  const ids = await send(5);
  const errors: unknown[] = [];
  await trim(stopped, errors);
  const again = await begin(t, server, recorder('stopped'));
  await again.settled();
  assert.deepEqual([await recorded('stopped'), errors], [ids, []]);
});

test('a consumer that is dead for longer than the bound of retention continues behind it, and the log of the server says so', async (t) => {
  const dead = await begin(t, server, recorder('dead'));
  await dead.stop(10_000);
  await send(5);
  const errors: unknown[] = [];
  await trim(dead, errors, 0);
  assert.deepEqual(errors, [{ organization: 1, consumer: 'dead' }]);
  const again = await begin(t, server, recorder('dead'));
  const ids = await send(2);
  await again.settled();
  assert.deepEqual(await recorded('dead'), ids);
});

test('two processes share the work, and no event is handled twice', async (t) => {
  const both = [await begin(t, server, recorder('shared')), await begin(t, other, recorder('shared'))];
  const ids: number[] = [];
  for (let turn = 0; turn < 10; turn += 1) {
    ids.push(...(await send(3)));
    await Promise.all(both.map((consumers) => consumers.settled()));
  }
  for (const consumers of both) await consumers.settled();
  assert.deepEqual(await recorded('shared'), ids);
});

test('events that could not be handled are read again, and what a consumer leaves is read next', async (t) => {
  let failures = 2;
  const { reader } = recorder('slow');
  const slow: LogConsumer = {
    name: 'slow',
    async reader(organization) {
      const { types, read } = await reader(organization);
      return {
        types,
        async read(db, events) {
          const { handled } = await read(db, events.slice(0, 2));
          failures -= 1;
          if (failures >= 0) throw new Error('not yet');
          return { handled };
        },
      };
    },
  };
  const consumers = await begin(t, server, slow);
  const later = await send(5);
  for (let turn = 0; turn < 3; turn += 1) await consumers.settled();
  assert.deepEqual(await recorded('slow'), later);
});
