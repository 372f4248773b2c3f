import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { openWatch } from './client.ts';
import { postgresProcessesIn, postmasterPid } from './processes.ts';
import {
  clusterOf,
  command,
  directoryWithCluster,
  type LogLine,
  query,
  reaches,
  serve,
  temporaryDirectory,
} from './testing/fixture.ts';

const levels = { warn: 40, error: 50 };
const isOfOutage = ({ level }: LogLine): boolean => level >= levels.warn;

test('kill -9 of the postmaster is an outage, after which PostgreSQL returns with all committed data', async (t) => {
  const dataDirectory = await directoryWithCluster(t);
  const embedded = await serve(dataDirectory);
  await query(embedded.connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
  for (const _time of [1, 2]) {
    const [down, up] = [reaches(embedded, 'down'), reaches(embedded, 'up')];
    kill(postmasterPid(clusterOf(dataDirectory)));
    const begun = await down;
    assert.equal(begun.level, levels.error);
    assert.match(begun.reason ?? '', /killed by SIGKILL|terminat|closed/);
    await up;
    assert.deepEqual(await query(embedded.connection, 'SELECT answer FROM kept'), [{ answer: 42 }]);
  }
  await embedded.stop();
});

test('kill -9 of a backend is an outage, because PostgreSQL resets itself', async (t) => {
  const dataDirectory = await directoryWithCluster(t);
  const embedded = await serve(dataDirectory);
  const postmaster = postmasterPid(clusterOf(dataDirectory));
  const [down, up] = [reaches(embedded, 'down'), reaches(embedded, 'up')];
  const victim = new pg.Client({ ...embedded.connection });
  victim.on('error', () => undefined);
  await victim.connect();
  const { rows } = await victim.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  kill(rows[0]?.pid);
  // The reason that PostgreSQL itself reports, for the operator.
  const begun = await down;
  assert.match(begun.postgres?.join() ?? '', /terminated by signal 9/);
  await up;
  assert.equal(postmasterPid(clusterOf(dataDirectory)), postmaster);
  assert.deepEqual(await query(embedded.connection, 'SELECT 1 AS one'), [{ one: 1 }]);
  await embedded.stop();
});

test('a backend that does not notice the death of its postmaster does not prevent the next start', async (t) => {
  const dataDirectory = await directoryWithCluster(t);
  const embedded = await serve(dataDirectory);
  const busy = new pg.Client({ ...embedded.connection });
  busy.on('error', () => undefined);
  await busy.connect();
  const { rows } = await busy.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const backend = rows[0]?.pid;
  assert.ok(backend !== undefined);
  // A stopped process notices nothing.
  process.kill(backend, 'SIGSTOP');
  const up = reaches(embedded, 'up');
  kill(postmasterPid(clusterOf(dataDirectory)));
  await up;
  assert.ok(!postgresProcessesIn(clusterOf(dataDirectory)).includes(backend));
  assert.deepEqual(await query(embedded.connection, 'SELECT 1 AS one'), [{ one: 1 }]);
  await embedded.stop();
});

test('a stop is not an outage, and a stop during an outage ends everything', async (t) => {
  const dataDirectory = await directoryWithCluster(t);
  const embedded = await serve(dataDirectory);
  const down = reaches(embedded, 'down');
  kill(postmasterPid(clusterOf(dataDirectory)));
  await down;
  await embedded.stop();
  assert.equal(embedded.said.filter(({ level }) => level === levels.error).length, 1);
  assert.ok(!embedded.said.some(({ msg }) => msg === 'the database is available again'));
  assert.deepEqual(postgresProcessesIn(clusterOf(dataDirectory)), []);
  await (await serve(dataDirectory)).stop();
});

test('a stop ends a frozen PostgreSQL, which closes no connection', async (t) => {
  const dataDirectory = await directoryWithCluster(t);
  const embedded = await serve(dataDirectory);
  for (const pid of postgresProcessesIn(clusterOf(dataDirectory))) process.kill(pid, 'SIGSTOP');
  await embedded.stop();
  assert.deepEqual(postgresProcessesIn(clusterOf(dataDirectory)), []);
  await (await serve(dataDirectory)).stop();
});

test('a stop ends an attempt to connect to a frozen PostgreSQL', async (t) => {
  const host = temporaryDirectory(t);
  const arrived = Promise.withResolvers<void>();
  const frozen = createServer(() => arrived.resolve()).listen(join(host, '.s.PGSQL.5432'));
  t.after(() => frozen.close());
  const stopped = new AbortController();
  const connection = { host, port: 5432, user: 'postgres', database: 'postgres' };
  const connecting = openWatch(connection, 'heddle-test', stopped.signal);
  await arrived.promise;
  stopped.abort();
  await assert.rejects(connecting, { name: 'AbortError' });
});

test('an attached command is notified of the outage and reconnects after it', async (t) => {
  const dataDirectory = await directoryWithCluster(t);
  const server = await serve(dataDirectory);
  const attached = await command(dataDirectory);
  const [down, up] = [reaches(attached, 'down'), reaches(attached, 'up')];
  kill(postmasterPid(clusterOf(dataDirectory)));
  await down;
  await up;
  assert.deepEqual(
    attached.said.filter(isOfOutage).map(({ msg }) => msg),
    ['the database is unavailable', 'the database is available again'],
  );
  await attached.stop();
  await server.stop();
});

function kill(pid: number | null | undefined): void {
  assert.ok(pid);
  process.kill(pid, 'SIGKILL');
}
