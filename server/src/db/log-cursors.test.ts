import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { testDatabase } from '../testing/database/database.ts';
import { silent } from '../testing/database/log.ts';
import { migrate } from './migrate.ts';
import { openPool } from './pool.ts';
import { MIGRATION_TIMEOUTS } from './timeouts.ts';

test('the migration to one table of log cursors keeps the positions of mobile push and outgoing webhooks', async (t) => {
  const database = await testDatabase('empty');
  const { db, close } = openPool(database.connection, silent, { timeouts: MIGRATION_TIMEOUTS });
  t.after(async () => {
    await close();
    await database.drop();
  });
  await migrate(db, silent, '0001-initial');
  await sql`
    WITH made AS (
      INSERT INTO organizations (subdomain, name) VALUES ('one', 'One'), ('two', 'Two') RETURNING id
    ), phones AS (
      INSERT INTO push_cursors SELECT id, 10 * id FROM made
    )
    INSERT INTO outgoing_cursors SELECT min(id), 7 FROM made`.execute(db);
  await migrate(db, silent);
  const { rows } = await sql`
    SELECT subdomain, consumer, position FROM log_cursors JOIN organizations ON id = organization_id
     ORDER BY 1, 2`.execute(db);
  assert.deepEqual(rows, [
    { subdomain: 'one', consumer: 'mobile-push', position: 10 },
    { subdomain: 'one', consumer: 'outgoing-webhooks', position: 7 },
    { subdomain: 'two', consumer: 'mobile-push', position: 20 },
  ]);
});
