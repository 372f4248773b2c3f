import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import type pg from 'pg';
import { pino } from 'pino';
import { testDatabase } from '../testing/database/database.ts';
import { backendOf } from './backend.ts';
import { breakOff } from './break-off.ts';
import { DatabaseClient } from './database-client.ts';
import { isUnavailable, lostLock, wasRolledBack } from './failures.ts';
import { openPool, type PoolOptions } from './pool.ts';
import { executePrepared } from './prepared.ts';
import { JOB_TIMEOUTS, MAX_WAITING_CONNECTION_REQUESTS, MIGRATION_TIMEOUTS, REQUEST_TIMEOUTS } from './timeouts.ts';

test('a connection that breaks between two statements fails the second one, not the process', async (t) => {
  const database = await testDatabase('empty');
  const { db, pool, close } = openPool(database.connection, pino({ enabled: false }));
  t.after(async () => {
    await close();
    await database.drop();
  });
  const connected = once(pool, 'connect');
  const broken = db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(transaction);
    const [client] = await connected;
    // Without `once`, which would also listen for `error`.
    const ended = new Promise((resolve) => client.on('end', resolve));
    await pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    await ended;
    await sql`SELECT 1`.execute(transaction);
  });
  await assert.rejects(broken);
  assert.equal((await pool.query('SELECT 1 AS one')).rows[0].one, 1);
});

test('a connection that breaks as soon as it is open fails the next statement, not the process', async () => {
  const database = await testDatabase('empty');
  const client = new DatabaseClient({ ...database.connection });
  await client.connect();
  const ended = new Promise<void>((resolve) => client.on('end', () => resolve()));
  breakOff(client, new Error('broken off'));
  await ended;
  await assert.rejects(client.query('SELECT 1'));
  await database.drop();
});

test('closing a pool closes all its connections, even without use through Kysely', async () => {
  const database = await testDatabase('empty');
  const { pool, close } = openPool(database.connection, pino({ enabled: false }));
  await pool.query('SELECT 1');
  await close();
  assert(pool.ended && pool.totalCount === 0);
  await database.drop();
});

test('the name of a prepared statement stands for one text with any values', async (t) => {
  const database = await testDatabase('empty');
  const { db, close } = openPool(database.connection, pino({ enabled: false }));
  t.after(async () => {
    await close();
    await database.drop();
  });
  const sum = (a: number, b: number) => sql<{ sum: number }>`SELECT ${a}::int + ${sql`${b}::int`} AS sum`;
  assert.deepEqual(await executePrepared(db, 'sum', sum(1, 2)), [{ sum: 3 }]);
  assert.deepEqual(await executePrepared(db, 'sum', sum(30, 4)), [{ sum: 34 }]);
  await assert.rejects(executePrepared(db, 'sum', sql`SELECT 1 AS sum`), /has two texts/);
  await assert.rejects(executePrepared(db, 's'.repeat(64), sum(1, 2)), /would cut the name/);
});

test("a recurring statement is prepared, others are not, and both return the same as Kysely's text", async (t) => {
  const { db, pool } = await opened(t);
  // A process prepares a limited number of texts, and its other tests have prepared some.
  const own: typeof import('./prepared.ts') = await import(`${import.meta.resolve('./prepared.ts')}?own`);
  const { recurringStatement } = own;
  const shape = (word: string) => (value: number) =>
    sql<{ answer: number }>`SELECT ${value}::int + ${sql`${sql.lit(4)} * ${value}::int`} AS ${sql.raw(word)}`;
  const often = shape('often');
  for (let value = 0; value < 20; value++) {
    const statement = recurringStatement(often(value));
    assert.deepEqual((await pool.query(statement)).rows, (await often(value).execute(db)).rows);
    assert.equal(statement.name !== undefined, value >= 9, `requested for the ${value + 1}th time`);
  }
  const others = Array.from({ length: 2000 }, (_, n) => recurringStatement(shape(`once_${n}`)(1)));
  assert(others.every(({ name }) => name === undefined));
  const rare = Array.from({ length: 200 }, (_, n) =>
    Array.from({ length: 20 }, () => recurringStatement(shape(`a${n}`)(1))),
  );
  const names = new Set(rare.flat().flatMap(({ name }) => name ?? []));
  assert(names.size > 30 && names.size < 64, `${names.size} texts are prepared`);
});

async function opened(t: TestContext, options: PoolOptions = {}) {
  const database = await testDatabase('empty');
  const pool = openPool(database.connection, pino({ enabled: false }), options);
  t.after(async () => {
    await pool.close();
    await database.drop();
  });
  return pool;
}

test('every connection has its timeouts', async (t) => {
  for (const timeouts of [REQUEST_TIMEOUTS, JOB_TIMEOUTS, MIGRATION_TIMEOUTS]) {
    const { pool } = await opened(t, { timeouts });
    const { rows } = await pool.query(`
      SELECT name, setting::int FROM pg_settings
       WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') ORDER BY name`);
    assert.deepEqual(rows, [
      { name: 'idle_in_transaction_session_timeout', setting: timeouts.pause },
      { name: 'lock_timeout', setting: timeouts.lock },
      { name: 'statement_timeout', setting: timeouts.statement },
    ]);
  }
});

test('an acknowledged commit is on disk, even if the database, the role or the URL turns synchronous commit off', async (t) => {
  const database = await testDatabase('empty');
  const url = new URL(database.url);
  url.searchParams.set('options', '-c synchronous_commit=off');
  const pools = [openPool({ connectionString: url.href }, pino({ enabled: false }))];
  t.after(async () => {
    for (const { close } of pools) await close();
    await database.drop();
  });
  const name = url.pathname.slice(1);
  await pools[0]?.pool.query(`ALTER DATABASE ${name} SET synchronous_commit = off`);
  pools.push(openPool(database.connection, pino({ enabled: false })));
  for (const { pool } of pools) assert.equal(await shown(pool, 'synchronous_commit'), 'on');
  // A stricter setting stays.
  await pools[0]?.pool.query(`ALTER DATABASE ${name} SET synchronous_commit = remote_apply`);
  const stricter = openPool(database.connection, pino({ enabled: false }));
  pools.push(stricter);
  assert.equal(await shown(stricter.pool, 'synchronous_commit'), 'remote_apply');
});

async function shown(pool: pg.Pool, setting: 'jit' | 'synchronous_commit'): Promise<string> {
  return (await pool.query(`SHOW ${setting}`)).rows[0][setting];
}

test('JIT compilation is off, even if the database or the URL turns it on', async (t) => {
  const database = await testDatabase('empty');
  const url = new URL(database.url);
  url.searchParams.set('options', '-c jit=on');
  const { pool, close } = openPool({ connectionString: url.href }, pino({ enabled: false }));
  t.after(async () => {
    await close();
    await database.drop();
  });
  assert.equal(await shown(pool, 'jit'), 'off');
});

test('the pool refuses a request at once when its queue is full', async (t) => {
  const { pool } = await opened(t, { size: 1 });
  const held = await pool.connect();
  // No queries: on a slow machine, the last of so many would exceed its wait for a connection.
  const inLine = Array.from({ length: MAX_WAITING_CONNECTION_REQUESTS }, async () => (await pool.connect()).release());
  await assert.rejects(pool.query('SELECT 1'), isUnavailable);
  held.release();
  await Promise.all(inLine);
});

test('a statement that exceeds a lock timeout or statement timeout is ended and changes nothing', async (t) => {
  const { pool, db } = await opened(t, { timeouts: { statement: 2_000, lock: 20, pause: 60_000 } });
  await pool.query('CREATE TABLE woven AS SELECT 1 AS thread');
  await db.transaction().execute(async (transaction) => {
    await sql`LOCK TABLE woven`.execute(transaction);
    await assert.rejects(pool.query('DELETE FROM woven'), (error) => lostLock(error) && isUnavailable(error));
  });
  const tooLong = pool.query('WITH gone AS (DELETE FROM woven) SELECT pg_sleep(60)');
  await assert.rejects(tooLong, (error) => isUnavailable(error) && wasRolledBack(error));
  assert.equal((await pool.query('SELECT count(*)::int AS rows FROM woven')).rows[0].rows, 1);
});

test('statements that begin together are sent in one turn, without waiting for responses', async (t) => {
  const database = await testDatabase('empty');
  const { pool, close } = openPool(database.connection, pino({ enabled: false }));
  t.after(async () => {
    await close();
    await database.drop();
  });
  const client = await pool.connect();
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection; // wire name: `pg` calls it so
  let writes = 0;
  for (const name of ['_write', '_writev'] as const) {
    const write = stream[name] as (...data: unknown[]) => void;
    stream[name] = (...data: unknown[]) => {
      writes += 1;
      write.apply(stream, data);
    };
  }
  const statements = [1, 2, 3].map((value) => client.query('SELECT $1::int', [value]));
  assert.equal(writes, statements.length);
  await Promise.all(statements);
  assert.equal(writes, statements.length);
  client.release();
});

test('when PostgreSQL refuses further connections, the open ones serve all requests', async (t) => {
  const { pool } = await limited(t, 2, { size: 8 });
  const asked = Array.from({ length: 50 }, () => pool.query('SELECT 1 AS one'));
  assert.equal((await Promise.all(asked)).length, 50);
});

/** A pool of a role that may have only so many connections. */
async function limited(t: TestContext, connections: number, options: PoolOptions) {
  const database = await testDatabase('empty');
  const role = `heddle_few_${process.pid}`;
  const admin = openPool(database.connection, pino({ enabled: false }));
  await admin.pool.query(`CREATE ROLE ${role} LOGIN CONNECTION LIMIT ${connections}`);
  const url = new URL(database.url);
  url.searchParams.set('user', role);
  const few = openPool({ connectionString: url.href }, pino({ enabled: false }), options);
  t.after(async () => {
    await few.close();
    await admin.pool.query(`DROP ROLE ${role}`);
    await admin.close();
    await database.drop();
  });
  return few;
}

test('a renewed pool has only the connections that it always keeps, and they are new, even if all were open', async (t) => {
  const { pool } = await opened(t, { size: 4, keepsAtLeast: 2 });
  const backendsOf = async (count: number) => {
    const held = await Promise.all(Array.from({ length: count }, () => pool.connect()));
    const ids = held.map(backendOf);
    for (const client of held) client.release();
    return ids;
  };
  const before = await backendsOf(4);
  await pool.renew();
  assert.equal(pool.totalCount, 2);
  const after = await backendsOf(2);
  assert.equal(new Set([...before, ...after]).size, 6);
});

test('a pool that cannot read its certificate now keeps its connections', async (t) => {
  const database = await testDatabase('empty');
  const certificate = join(mkdtempSync(join(tmpdir(), 'heddle-pool-')), 'root.crt');
  writeFileSync(certificate, 'a certificate that this connection does not use');
  const url = new URL(database.url);
  url.searchParams.set('sslmode', 'disable');
  url.searchParams.set('sslrootcert', certificate);
  const one = openPool({ connectionString: url.href }, pino({ enabled: false }), { keepsAtLeast: 1 });
  t.after(async () => {
    await one.close();
    await database.drop();
    rmSync(dirname(certificate), { recursive: true });
  });
  await one.pool.query('SELECT 1');
  rmSync(certificate);
  await one.pool.renew();
  assert.equal(one.pool.idleCount, 1);
  assert.equal((await one.pool.query('SELECT 1 AS one')).rows[0].one, 1);
});

test('a busy pool is not renewed', async (t) => {
  const { pool } = await opened(t, { keepsAtLeast: 1 });
  const held = await pool.connect();
  await pool.renew();
  assert.equal(pool.totalCount, 1);
  held.release();
  assert.equal(pool.idleCount, 1);
});

test('a pool that gets no new connections keeps those that it has', async (t) => {
  const { pool } = await limited(t, 2, { keepsAtLeast: 2 });
  const held = await Promise.all([pool.connect(), pool.connect()]);
  const before = new Set(held.map(backendOf));
  for (const client of held) client.release();
  await pool.renew();
  assert.equal(pool.idleCount, 2);
  const again = await Promise.all([pool.connect(), pool.connect()]);
  assert.deepEqual(new Set(again.map(backendOf)), before);
  for (const client of again) client.release();
});
