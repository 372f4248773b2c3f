import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { CompiledQuery, sql } from 'kysely';
import type pg from 'pg';
import { pino } from 'pino';
import { testDatabase } from '../testing/database/database.ts';
import { backgroundLevel, lostLock } from './failures.ts';
import { openPool } from './pool.ts';
import { inOneStatement, inRepeatedTransaction, inTransaction, readAlone } from './transaction.ts';

const nothing = { result: () => undefined };
/** The test decides how long a lock is held and waited for, however slow the machine is. */
const timeouts = { statement: 60_000, lock: 60_000, pause: 60_000 };
const takeLock = (wait: number) => sql`SELECT set_config('lock_timeout', ${`${wait}`}, true), pg_advisory_xact_lock(1)`;

async function openEmpty(t: TestContext, size = 12): Promise<pg.Pool> {
  const database = await testDatabase('empty');
  const { pool, close } = openPool(database.connection, pino({ enabled: false }), { timeouts, size });
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

/** A table where each row runs this at the commit. */
async function withCommits(pool: pg.Pool, act: string): Promise<void> {
  await pool.query(`
    CREATE TABLE notes (id integer);
    CREATE FUNCTION commits() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${act}; RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER committing AFTER INSERT ON notes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION commits()`);
}
const ADD_NOTE = CompiledQuery.raw('INSERT INTO notes VALUES (7) RETURNING id') as CompiledQuery<{ id: number }>;
const countNotes = async (pool: pg.Pool) => (await pool.query('SELECT count(*) AS count FROM notes')).rows[0].count;

test('the row of one statement arrives while its commit runs, and its result after the commit', async (t) => {
  const pool = await openEmpty(t);
  await withCommits(pool, 'PERFORM pg_advisory_xact_lock(1)');
  const holder = await pool.connect();
  await holder.query('SELECT pg_advisory_lock(1)');
  const result = await inOneStatement(pool, ADD_NOTE, async (row) => {
    const before = await countNotes(pool);
    await holder.query('SELECT pg_advisory_unlock(1)');
    return { row, before };
  }).finally(() => holder.release());
  assert.deepEqual(result, { row: { id: 7 }, before: 0 });
  assert.equal(await countNotes(pool), 1);
});

test('a commit of one statement that fails is reported, whatever was made of its row', async (t) => {
  const pool = await openEmpty(t);
  await withCommits(pool, `RAISE 'refused' USING ERRCODE = 'P0007'`);
  const rows: unknown[] = [];
  const failing = inOneStatement(pool, ADD_NOTE, async (row) => rows.push(row));
  await assert.rejects(failing, { code: 'P0007' });
  assert.deepEqual([rows, await countNotes(pool)], [[{ id: 7 }], 0]);
  const wrong = CompiledQuery.raw('SELECT 1 / 0 AS wrong') as CompiledQuery<{ wrong: number }>;
  await assert.rejects(
    inOneStatement(pool, wrong, async (row) => assert.equal(row, undefined)),
    { code: '22012' },
  );
});

test('what is made of the row of one statement may need the only connection', async (t) => {
  const pool = await openEmpty(t, 1);
  await pool.query('CREATE TABLE notes (id integer)');
  assert.equal(await inOneStatement(pool, ADD_NOTE, () => countNotes(pool)), 1);
});
