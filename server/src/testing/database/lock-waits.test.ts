import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { testDatabase } from './database.ts';
import { isWaitedFor } from './lock-waits.ts';

test('a waiter for a lock is found, also one that connects after the first check', async (t) => {
  const database = await testDatabase();
  const [holder, late] = [0, 1].map(() => new pg.Client({ connectionString: database.url }));
  assert(holder !== undefined && late !== undefined);
  t.after(async () => {
    await holder.end();
    await late.end();
    await database.drop();
  });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT pg_advisory_xact_lock(1)');
  const seen = isWaitedFor(holder);
  // Connections answer in order, so the first check is done.
  await holder.query('SELECT 1');
  await late.connect();
  const waiting = late.query('SELECT pg_advisory_xact_lock(1)');
  await seen;
  await holder.query('ROLLBACK');
  await waiting;
});
