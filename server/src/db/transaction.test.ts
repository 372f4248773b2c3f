import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import type pg from 'pg';
import { pino } from 'pino';
import { testDatabase } from '../testing/database/database.ts';
import { backgroundLevel, lostLock } from './failures.ts';
import { openPool } from './pool.ts';
import { inRepeatedTransaction, inTransaction, readAlone } from './transaction.ts';

const nothing = { result: () => undefined };
/** The test decides how long a lock is held and waited for, however slow the machine is. */
const timeouts = { statement: 60_000, lock: 60_000, pause: 60_000 };
const takeLock = (wait: number) => sql`SELECT set_config('lock_timeout', ${`${wait}`}, true), pg_advisory_xact_lock(1)`;

async function openEmpty(t: TestContext): Promise<pg.Pool> {
  const database = await testDatabase('empty');
  const { pool, close } = openPool(database.connection, pino({ enabled: false }), { timeouts });
  t.after(async () => {
    await close();
    await database.drop();
  });
  return pool;
}

test('after statements sent together fail, each reports the original cause', async (t) => {
  const pool = await openEmpty(t);
  await inTransaction(pool, async (holder) => {
    await takeLock(0).execute(holder.db);
    await inTransaction(pool, async ({ db }) => {
      const outcomes = await Promise.allSettled([takeLock(1).execute(db), sql`SELECT 1`.execute(db)]);
      for (const outcome of outcomes) assert(outcome.status === 'rejected' && lostLock(outcome.reason));
      return nothing;
    }).catch((error: Error) => assert.match(error.message, /a failed statement had ended the transaction/));
    return nothing;
  });
});

test('a read that exceeds its timeout keeps its connection', async (t) => {
  const pool = await openEmpty(t);
  const connection = async () => (await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows;
  const before = await connection();
  // The statement that ends it must be faster, also on a slow machine.
  await pool.query('SET statement_timeout = 1000');
  await assert.rejects(readAlone(pool, { text: 'SELECT pg_sleep(60)' }), { code: '57014' });
  await pool.query('SET statement_timeout = 60000');
  assert.deepEqual(await connection(), before);
});

test('background work warns of a statement that takes too long, but not of what another line has said already', async (t) => {
  const pool = await openEmpty(t);
  const levelOf = async (text: string) => {
    const error = await pool.query(text).then(
      () => assert.fail('it must fail'),
      (failure: unknown) => failure,
    );
    return backgroundLevel(error);
  };
  // The statement that ends it must be faster, also on a slow machine.
  await pool.query('SET statement_timeout = 1000');
  assert.equal(await levelOf('SELECT pg_sleep(60)'), 'warn');
  await pool.query('SET statement_timeout = 60000');
  await pool.query('SET default_transaction_read_only = on');
  assert.equal(await levelOf('CREATE TABLE looms ()'), 'debug');
  assert.equal(await levelOf('SELECT 1 / 0'), 'warn');
});

test('a transaction that PostgreSQL ends because the process paused runs again', async (t) => {
  const pool = await openEmpty(t);
  const pids: number[] = [];
  await inRepeatedTransaction(pool, async (db) => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db);
    pids.push(...rows.map(({ pid }) => pid));
    if (pids.length === 1) await pool.query('SELECT pg_terminate_backend($1, 60000)', pids);
    await sql`SELECT 1`.execute(db);
  });
  assert.equal(new Set(pids).size, 2);
});

test('a transaction that is ended each time fails after three attempts', async (t) => {
  const pool = await openEmpty(t);
  let attempts = 0;
  const ended = inRepeatedTransaction(pool, async (db) => {
    attempts += 1;
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db);
    await pool.query('SELECT pg_terminate_backend($1, 60000)', [rows[0]?.pid]);
    await sql`SELECT 1`.execute(db);
  });
  await assert.rejects(ended, { name: 'LostBeforeCommitError' });
  assert.equal(attempts, 3);
});
