import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { openTestLog, type TestLog } from '../testing/database/log.ts';
import { until } from '../testing/server/until.ts';
import { endStalledHolders } from './stalled.ts';

let log: TestLog;
before(async () => {
  log = await openTestLog();
});
after(() => log.stop());

/** A connection in a transaction that holds a lock, with the id of its backend process. */
async function holding(t: { after(act: () => unknown): void }, lock: string): Promise<pg.Client & { pid: number }> {
  const client = new pg.Client(log.connection);
  client.on('error', () => undefined);
  await client.connect();
  t.after(() => client.connection.stream.destroy()); // wire name: Node's word for the socket
  await client.query('BEGIN');
  await client.query(`SELECT ${lock}`);
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  return Object.assign(client, { pid: rows[0].pid });
}

/** Leaves a result unread that is too large for the buffers between the two. */
function stall(client: pg.Client): void {
  client.query("SELECT repeat('x', 1000) FROM generate_series(1, 100000)").catch(() => undefined);
  client.connection.stream.pause(); // wire name: Node's word for the socket
}

async function areThere(...clients: readonly { pid: number }[]): Promise<readonly boolean[]> {
  const { rows } = await log.pool.query('SELECT pid FROM pg_stat_activity');
  return clients.map(({ pid }) => rows.some((row) => row.pid === pid));
}

test('only a stalled connection that blocks an organization is ended', async (t) => {
  const id = await log.organization();
  const other = await log.organization();
  const row = (organization: number) => `FROM logs WHERE organization_id = ${organization} FOR NO KEY UPDATE`;
  const migration = await holding(t, 'pg_advisory_xact_lock(3853314791062309107)');
  const pair = await holding(t, `pg_advisory_xact_lock(${id}, 1)`);
  const working = await holding(t, row(other));
  working.query('SELECT pg_sleep(600)').catch(() => undefined);
  const holder = await holding(t, row(id));
  for (const client of [migration, pair, holder]) stall(client);
  await until(async () => {
    await endStalledHolders(log.pool);
    return !(await areThere(holder))[0];
  }, 'the stalled connection to end');
  assert.deepEqual(await areThere(migration, pair, working), [true, true, true]);
  await log.pool.query('SELECT pg_terminate_backend(pid) FROM unnest($1::integer[]) AS pid', [
    [migration.pid, pair.pid, working.pid],
  ]);
});
