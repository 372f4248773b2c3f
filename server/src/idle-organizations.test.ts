/** What the background work of a server reads, beside organizations that nobody uses. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { openPool } from './db/pool.ts';
import type { Db } from './db/schema.ts';
import { BACKUP_TIMEOUTS } from './db/timeouts.ts';
import { indexMessages } from './domain/reading/history/indexing.ts';
import { serveMetrics } from './monitoring/metrics-server.ts';
import { type TestDatabase, testDatabase } from './testing/database/database.ts';
import { addIdleOrganizations } from './testing/database/idle-organizations.ts';
import { silent } from './testing/database/log.ts';
import { temporaryDataDirectory } from './testing/server/data-directory.ts';
import { richOrganization } from './testing/server/rich-organization.ts';
import { startTestServer } from './testing/server/server.ts';

const IDLE_ORGANIZATIONS = 1500;

let database: TestDatabase;
let data: Awaited<ReturnType<typeof temporaryDataDirectory>>;
before(async () => {
  [database, data] = [await testDatabase(), await temporaryDataDirectory()];
});
after(async () => {
  await database.drop();
  await data.remove();
});

const shared = () => ({ url: database.url, dataDirectory: data.path });

/** The statistics of PostgreSQL are complete when all connections have ended. */
async function withPool<Result>(act: (db: Db) => Promise<Result>): Promise<Result> {
  const { db, close } = openPool(database.connection, silent, { timeouts: BACKUP_TIMEOUTS });
  try {
    return await act(db);
  } finally {
    await close();
  }
}

/** Rows and entries of indexes that were read, and scans that were begun, by table. */
type Work = ReadonlyMap<string, number>;

/** Lets a server do its background work once. Requests of three organizations cause some. */
async function workOnce(): Promise<Work> {
  // Plans follow from the statistics of tables.
  await withPool(async (db) => {
    await sql`VACUUM ANALYZE`.execute(db);
  });
  await withPool(async (db) => {
    await sql`SELECT pg_stat_reset()`.execute(db);
  });
  const server = await startTestServer({
    shared: shared(),
    recurringJobs: 'all',
    environment: { HEDDLE_LOG_LEVEL: 'silent', HEDDLE_METRICS_PORT: '0' },
  });
  const { app } = server;
  const metrics = await serveMetrics(app);
  try {
    for (const client of [server.owner]) await client.send('general', 'warp', 'hello');
    await sql`UPDATE jobs SET due_at = now()`.execute(app.db);
    await app.jobs.settled();
    await app.consumers.settled();
    await app.scheduler.settled();
    const response = await fetch(`http://127.0.0.1:${metrics?.port}/metrics`);
    assert.equal(response.status, 200);
  } finally {
    await metrics?.stop();
    await server.stop();
  }
  return withPool(async (db) => {
    const { rows } = await sql<{ table: string; work: number }>`
      SELECT relname AS table,
             seq_tup_read + seq_scan + coalesce((SELECT sum(idx_tup_read + idx_scan) FROM pg_stat_user_indexes AS index
                                                  WHERE index.relid = tables.relid), 0)::bigint AS work
        FROM pg_stat_user_tables AS tables`.execute(db);
    // Each look for jobs reads all rows of this small table, and a slow machine needs more looks. Idle organizations have no jobs.
    return new Map(rows.filter(({ table }) => table !== 'jobs').map(({ table, work }) => [table, work]));
  });
}

test('background work and metrics read no more rows beside idle organizations, and begin no more statements', async () => {
  const server = await startTestServer({ shared: shared(), isNew: true, recurringJobs: 'all' });
  await richOrganization(server);
  // Today is the day of the weekly digest.
  const weekday = new Date().getUTCDay();
  await server.owner.ok('PATCH', '/realm', { digest_emails_enabled: true, digest_weekday: (weekday + 6) % 7 });
  await server.app.consumers.settled();
  // An idle organization has no mail to send.
  await sql`DELETE FROM missed_batches`.execute(server.app.db);
  await indexMessages(server.app, new AbortController().signal);
  await server.stop();
  const before = await workOnce();
  await withPool((db) => addIdleOrganizations(db, 1, IDLE_ORGANIZATIONS));
  // The first run finds that nothing new is there. The next look at digests is due a week later, and that at channels half a year later.
  await workOnce();
  const beside = await workOnce();
  const grown = [...beside].map(([table, work]) => ({ table, more: work - (before.get(table) ?? 0) }));
  assert.deepEqual(
    grown.filter(({ more }) => more > IDLE_ORGANIZATIONS / 2),
    [],
  );
});
