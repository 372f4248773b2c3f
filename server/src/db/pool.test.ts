import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { testDatabase } from '../testing/database.ts';
import { openPool } from './pool.ts';
import { executePrepared } from './prepared.ts';

test('a connection that breaks between two statements fails the second, and not the process', async (t) => {
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
    // Not by `once`, which would listen for the error too.
    const ended = new Promise((resolve) => client.on('end', resolve));
    await pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    await ended;
    await sql`SELECT 1`.execute(transaction);
  });
  await assert.rejects(broken);
  assert.equal((await pool.query('SELECT 1 AS one')).rows[0].one, 1);
});

test('a prepared statement’s name stands for one text, with whatever values', async (t) => {
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
});
