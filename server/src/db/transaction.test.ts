import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { testDatabase } from '../testing/database.ts';
import { lostLock } from './failures.ts';
import { openPool } from './pool.ts';
import { inTransaction } from './transaction.ts';

const nothing = { result: () => undefined };
const takeLock = (wait: number) => sql`SELECT set_config('lock_timeout', ${`${wait}`}, true), pg_advisory_xact_lock(1)`;

test('of statements that were sent together each tells why the transaction failed, whichever is heard first', async (t) => {
  const database = await testDatabase('empty');
  const { pool, close } = openPool(database.connection, pino({ enabled: false }));
  t.after(async () => {
    await close();
    await database.drop();
  });
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
