/** A worker that loads a large organization, beside one that serves. */
import assert from 'node:assert/strict';
import { get } from 'node:http';
import { test } from 'node:test';
import { MIN_LARGE_ORGANIZATION_USERS } from '@heddle/server/features/events/spreading.ts';
import { testDatabase } from '@heddle/server/testing/database/database.ts';
import { addManyUsers } from '@heddle/server/testing/database/many-users.ts';
import { ServerWithWorkers } from '@heddle/server/testing/faults/workers.ts';
import { until } from '@heddle/server/testing/server/until.ts';
import pg from 'pg';

const ROUNDS = 20;
const PROBES_PER_ROUND = 4;

/** Asks whether the server is ready, with a connection of its own. The primary process passes each to the next worker that listens. */
function probe(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(`${url}/health/ready`, { agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
}

test('a worker that starts again gets no connection while it loads a large organization, so the server stays ready', async (t) => {
  const database = await testDatabase();
  const sql = new pg.Client({ connectionString: database.url });
  const watcher = new pg.Client({ connectionString: database.url });
  const server = await ServerWithWorkers.start(2, { HEDDLE_DATABASE_URL: database.url });
  t.after(async () => {
    await Promise.all([sql.end(), watcher.end()]);
    await server.end();
    await database.drop();
  });
  await Promise.all([sql.connect(), watcher.connect()]);
  const { url } = server.server;
  await server.connect().ok('POST', '/register', { event_types: '["message"]' });
  server.closeConnections();
  const { rows } = await sql.query("SELECT id FROM organizations WHERE subdomain = ''");
  // The other worker has the organization in memory without them. It gets only probes.
  await addManyUsers(sql, rows[0].id, MIN_LARGE_ORGANIZATION_USERS);
  const served = server.lines('a worker serves').length;
  const [victim] = server.workers;
  assert(victim !== undefined);
  await sql.query('BEGIN');
  await sql.query('LOCK TABLE channels IN ACCESS EXCLUSIVE MODE');
  process.kill(victim, 'SIGKILL');
  await until(async () => {
    const { rowCount } = await watcher.query(
      `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'select * from "channels" where "organization_id" = %'`,
    );
    return rowCount === 1;
  }, 'the new worker to load the organization');
  const statuses = new Set<number | undefined>();
  let rounds = 0;
  await until(async () => {
    const answers = await Promise.all(Array.from({ length: PROBES_PER_ROUND }, () => probe(url)));
    for (const status of answers) statuses.add(status);
    rounds += 1;
    return rounds === ROUNDS;
  }, 'all probes');
  assert.deepEqual([...statuses], [200]);
  await sql.query('ROLLBACK');
  await until(() => server.lines('a worker serves').length === served + 1, 'the new worker to serve');
});
