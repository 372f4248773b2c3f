import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { commitWords, openTestLog, type TestLog } from '../testing/database/log.ts';
import { addCursor, type Behind, organizationsBehind } from './consumer.ts';
import { trimLogs } from './retention.ts';

let log: TestLog;
before(async () => {
  log = await openTestLog();
});
after(() => log.stop());

/** Adds organizations whose events were all read and then deleted. */
async function addIdle(count: number): Promise<void> {
  await sql`
    WITH made AS (
      INSERT INTO organizations (subdomain, name)
      SELECT 'idle' || number || '-' || ${count}, 'Idle' FROM generate_series(1, ${count}::int) AS number RETURNING id
    ), cursors AS (
      INSERT INTO log_cursors (organization_id, consumer, position) SELECT id, 'reader', 9 FROM made
    )
    INSERT INTO logs (organization_id, head, trimmed_through) SELECT id, 9, 9 FROM made`.execute(log.db);
  await sql`ANALYZE`.execute(log.db);
}

const idsOf = (behind: readonly Behind[]): readonly number[] => behind.map(({ id }) => id);

/** The organizations behind, and the number of rows that the statement reads. */
async function look(): Promise<{ readonly ids: readonly number[]; readonly rows: number }> {
  return log.db.transaction().execute(async (db) => {
    const ids = idsOf(await organizationsBehind(db, 'reader', { limit: 20, addsMissing: true }));
    const { rows } = await sql<{ rows: number }>`
      SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int AS rows
        FROM pg_stat_xact_user_tables WHERE relname IN ('logs', 'log_cursors', 'events')`.execute(db);
    return { ids, rows: rows[0]?.rows ?? 0 };
  });
}

test('the search for organizations with unread events reads no row of an idle organization', async () => {
  const [behind, current] = [await log.organization(), await log.organization()];
  await log.db.transaction().execute((db) => addCursor(db, behind, 'reader'));
  await commitWords(log.pool, behind, 'one', 'two');
  await commitWords(log.pool, current, 'one');
  await log.db.transaction().execute((db) => addCursor(db, current, 'reader'));
  await addIdle(3000);
  const { ids, rows } = await look();
  assert.deepEqual(ids, [behind]);
  assert(rows < 100, `${rows} rows`);
});

test('a consumer of all organizations reads a new one from its first event, and writes no cursor for one without events', async () => {
  const [fresh, empty] = [await log.organization(), await log.organization()];
  await commitWords(log.pool, fresh, 'first');
  const ids = idsOf(await organizationsBehind(log.db, 'newcomer', { limit: 1000, addsMissing: true }));
  assert(ids.includes(fresh) && !ids.includes(empty));
  const { rows } = await sql<{ position: number }>`
    SELECT position FROM log_cursors WHERE consumer = 'newcomer' AND organization_id IN (${fresh}, ${empty})`.execute(
    log.db,
  );
  assert.deepEqual(rows, [{ position: 0 }]);
});

test('a log whose events are all deleted has no unread events', async () => {
  const id = await log.organization();
  await log.db.transaction().execute((db) => addCursor(db, id, 'late'));
  await commitWords(log.pool, id, 'one');
  const behind = await organizationsBehind(log.db, 'late', { limit: 20, addsMissing: false });
  assert.deepEqual(behind, [{ id, position: 0 }]);
  // The server of this test does not run the consumer, so retention does not wait for it.
  await trimLogs(log.db, { minSeconds: 0, maxSeconds: 0, maxEvents: 0 });
  assert.deepEqual(await organizationsBehind(log.db, 'late', { limit: 20, addsMissing: false }), []);
});

test('the search begins with organizations that the caller names', async () => {
  const ids: number[] = [];
  for (let count = 0; count < 12; count += 1) {
    const id = await log.organization();
    await log.db.transaction().execute((db) => addCursor(db, id, 'chooser'));
    await commitWords(log.pool, id, 'one');
    ids.push(id);
  }
  const first = ids.slice(3, 5);
  const behind = await organizationsBehind(log.db, 'chooser', { limit: 2, addsMissing: false, first });
  assert.deepEqual(idsOf(behind).toSorted(), first);
});
