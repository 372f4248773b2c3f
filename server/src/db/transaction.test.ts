import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import type pg from 'pg';
import { pino } from 'pino';
import { testDatabase } from '../testing/database.ts';
import { lostLock } from './failures.ts';
import { openPool } from './pool.ts';
import { writtenStatement } from './prepared.ts';
import { inTransaction, readAlone, write } from './transaction.ts';

const nothing = { result: () => undefined };
/** The test decides how long a lock is held and waited for, however slow the machine is. */
const waits = { statement: 60_000, lock: 60_000, pause: 60_000 };
const takeLock = (wait: number) => sql`SELECT set_config('lock_timeout', ${`${wait}`}, true), pg_advisory_xact_lock(1)`;

async function openEmpty(t: TestContext): Promise<pg.Pool> {
  const database = await testDatabase('empty');
  const { pool, close } = openPool(database.connection, pino({ enabled: false }), { waits });
  t.after(async () => {
    await close();
    await database.drop();
  });
  return pool;
}

test('`write` returns its rows before they are durable, and reports when they are', async (t) => {
  const pool = await openEmpty(t);
  // A commit waits for the advisory lock, and fails for a negative number.
  await pool.query(`
    CREATE TABLE kept (number integer PRIMARY KEY);
    CREATE FUNCTION at_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM pg_advisory_xact_lock(1);
      IF NEW.number < 0 THEN RAISE 'refused at the commit'; END IF;
      RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON kept DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION at_commit()`);
  const keep = (number: number) =>
    write(
      pool,
      writtenStatement<{ number: number }>('keep', 'INSERT INTO kept VALUES ($1) RETURNING number', [number]),
    );
  const kept = async () => (await pool.query<{ number: number }>('SELECT number FROM kept')).rows;

  const waiting = await inTransaction(pool, async (holder) => {
    await takeLock(0).execute(holder.db);
    const written = await keep(1);
    assert.deepEqual(written.rows, [{ number: 1 }]);
    assert.deepEqual(await kept(), []);
    return { result: () => written };
  });
  await waiting.committed;
  assert.deepEqual(await kept(), [{ number: 1 }]);

  await assert.rejects((await keep(-1)).committed, /refused at the commit/);
  await assert.rejects(keep(1), { code: '23505' });
  assert.deepEqual(await kept(), [{ number: 1 }]);
  assert.equal(pool.idleCount, pool.totalCount);
});

test('after statements sent together fail, each reports the original cause', async (t) => {
  const pool = await openEmpty(t);
  await inTransaction(pool, async (holder) => {
    await takeLock(0).execute(holder.db);
    await inTransaction(pool, async ({ db }) => {
      const told = await Promise.allSettled([takeLock(1).execute(db), sql`SELECT 1`.execute(db)]);
      for (const one of told) assert(one.status === 'rejected' && lostLock(one.reason));
      return nothing;
    }).catch((error: Error) => assert.match(error.message, /a failed statement had ended the transaction/));
    return nothing;
  });
});

test('a read that exceeds its timeout keeps its connection', async (t) => {
  const pool = await openEmpty(t);
  const connection = async () => (await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows;
  const before = await connection();
  await pool.query('SET statement_timeout = 1');
  await assert.rejects(readAlone(pool, { text: 'SELECT pg_sleep(60)' }), { code: '57014' });
  await pool.query('SET statement_timeout = 60000');
  assert.deepEqual(await connection(), before);
});
