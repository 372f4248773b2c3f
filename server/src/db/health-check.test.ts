import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { testDatabase } from '../testing/database/database.ts';
import { type StallingProxy, startStallingProxy } from '../testing/faults/stalling-proxy.ts';
import { until } from '../testing/server/until.ts';
import { isUnavailable } from './failures.ts';
import { HealthCheck } from './health-check.ts';
import { type DatabasePool, openPool } from './pool.ts';

interface Line {
  readonly level: number;
  readonly msg: string;
}

interface Watched extends DatabasePool {
  readonly proxy: StallingProxy;
  readonly healthCheck: HealthCheck;
  /** The lines of level `error` and `warn` about the availability of the database. */
  readonly logged: readonly Line[];
}

async function watchedPool(t: TestContext, { endIsReported = false } = {}): Promise<Watched> {
  const database = await testDatabase('empty');
  const proxy = await startStallingProxy(database.url);
  const logged: Line[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const settings = { connectionString: proxy.url };
  const healthCheck = new HealthCheck({ settings, log, endIsReported });
  const pool = openPool(settings, log, { healthCheck });
  t.after(async () => {
    await pool.close();
    await healthCheck.close();
    await proxy.close();
    await database.drop();
  });
  return {
    ...pool,
    proxy,
    healthCheck,
    get logged() {
      return logged.filter(({ msg }) => /^the database is/.test(msg));
    },
  };
}

const warn = 40;
const error = 50;

/** Repeats a query until it succeeds. */
async function served({ pool }: Watched): Promise<void> {
  await until(
    () =>
      pool.query('SELECT 1').then(
        () => true,
        (failure) => assert(isUnavailable(failure), String(failure)),
      ),
    'a response of the database',
  );
}

async function isLogged(watched: Watched, level: number): Promise<void> {
  await until(() => watched.logged.some((line) => line.level === level), `a line of level ${level} in the log`);
}

test('when the database is silent, waiting and new requests are refused at once, and service returns without a restart', async (t) => {
  const watched = await watchedPool(t);
  const { pool, proxy, healthCheck } = watched;
  await served(watched);
  proxy.hold();
  // On open connections, on new ones, and in the queue.
  const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => pool.query('SELECT 1')));
  for (const outcome of outcomes) assert(outcome.status === 'rejected' && isUnavailable(outcome.reason));
  assert(healthCheck.isOut);
  const connections = pool.totalCount;
  await assert.rejects(pool.query('SELECT 1'), isUnavailable);
  assert.equal(pool.totalCount, connections, 'no new connection is opened while the database does not respond');
  proxy.resume();
  await served(watched);
  await isLogged(watched, warn);
  assert.deepEqual(
    watched.logged.map(({ level, msg }) => ({ level, msg })),
    [
      { level: error, msg: 'the database is unavailable' },
      { level: warn, msg: 'the database is available again' },
    ],
  );
});

test('an outage of an external database is logged once when it begins and once when it ends; the supervisor logs those of the embedded one', async (t) => {
  for (const endIsReported of [false, true]) {
    const watched = await watchedPool(t, { endIsReported });
    const { pool, proxy, healthCheck } = watched;
    await served(watched);
    await proxy.refuse();
    for (let tries = 0; tries < 20; tries++) await assert.rejects(pool.query('SELECT 1'), isUnavailable);
    await until(() => healthCheck.isOut, 'an outage of the database');
    await proxy.accept();
    await served(watched);
    const levels = () => watched.logged.map(({ level }) => level);
    if (endIsReported) assert.deepEqual(levels(), []);
    else {
      await isLogged(watched, warn);
      assert.deepEqual(levels(), [error, warn]);
    }
  }
});

test('a long-running statement is not an outage', async (t) => {
  const watched = await watchedPool(t);
  await watched.pool.query('SELECT pg_sleep(1.6)');
  assert.deepEqual(watched.logged, []);
});

/**
 * Waits until the health check has a response on the connection that it keeps. Opening that connection takes several
 * round trips.
 */
async function connectionIsKept({ pool, healthCheck }: Watched): Promise<void> {
  await until(async () => {
    healthCheck.doubt();
    const { rowCount } = await pool.query(`
      SELECT FROM pg_stat_activity
       WHERE application_name = 'heddle healthCheck' AND datname = current_database() AND state = 'idle' AND query = 'SELECT 1'`);
    return rowCount === 1;
  }, 'the connection of the health check');
}

test('a response that a busy process reads late is not a missing response', async (t) => {
  const watched = await watchedPool(t);
  await served(watched);
  await connectionIsKept(watched);
  for (let round = 0; round < 3; round++) {
    watched.healthCheck.doubt();
    // The query is sent. Then the event loop stops, as in a paused process.
    await nextTurn();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_300);
    await watched.pool.query('SELECT 1');
  }
  assert.deepEqual(watched.logged, []);
});
