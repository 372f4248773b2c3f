import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { openTestLog, type TestLog } from '../testing/database/log.ts';
import { countGrown } from './statistics.ts';
import { allow } from './transaction.ts';

let log: TestLog;
before(async () => {
  log = await openTestLog();
  // It would also count the rows.
  await sql`ALTER TABLE events SET (autovacuum_enabled = false)`.execute(log.db);
});
after(() => log.stop());

async function grow(organizationId: number, events: number): Promise<void> {
  await sql`
    WITH grown AS (UPDATE logs SET head = head + ${events} WHERE organization_id = ${organizationId} RETURNING head)
    INSERT INTO events (organization_id, id, type, audience, body, ephemeral)
    SELECT ${organizationId}, head - n, 'word', '{"to":"everyone"}', '"a word"', false
      FROM grown, generate_series(0, ${events} - 1) n`.execute(log.db);
}

/** The number of events that PostgreSQL's planner expects for the organization. */
async function expectedOf(organizationId: number): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    EXPLAIN (FORMAT JSON) SELECT FROM events WHERE organization_id = ${sql.lit(organizationId)}`.execute(log.db);
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
}

test('the planner expects the real number of rows of an organization that grew, however large the others are', async () => {
  const [large, young] = [await log.organization(), await log.organization()];
  await grow(large, 20_000);
  assert.equal(await countGrown(log.db), true);
  await grow(young, 2000);
  assert((await expectedOf(young)) < 100);
  assert.equal(await countGrown(log.db), true);
  const expected = await expectedOf(young);
  assert(expected > 1000 && expected < 3000, `${expected}`);
});

test('tables are analyzed again only after a log has doubled', async () => {
  const organization = await log.organization();
  await grow(organization, 900);
  assert.equal(await countGrown(log.db), false);
  await grow(organization, 200);
  assert.deepEqual([await countGrown(log.db), await countGrown(log.db)], [true, false]);
  await grow(organization, 2000);
  assert.equal(await countGrown(log.db), false);
  await grow(organization, 200);
  assert.equal(await countGrown(log.db), true);
});

test('the job stops at a table that is being vacuumed, and analyzes all tables on its next run', async () => {
  const organization = await log.organization();
  await grow(organization, 2000);
  await log.db.transaction().execute(async (cleaner) => {
    await allow(cleaner, { pause: 60_000 });
    await sql`LOCK TABLE events IN SHARE UPDATE EXCLUSIVE MODE`.execute(cleaner);
    assert.equal(await countGrown(log.db), false);
  });
  assert.equal(await countGrown(log.db), true);
});
