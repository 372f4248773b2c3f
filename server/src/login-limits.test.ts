/** The limits of failed logins hold for all processes of a database together. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { type TestDatabase, testDatabase, testPool } from './testing/database/database.ts';
import { KillableServer } from './testing/faults/killable-server.ts';
import { temporaryDataDirectory } from './testing/server/data-directory.ts';
import { until } from './testing/server/until.ts';

const password = 'a shuttle flies through the shed';
/** `loginAccount` and `loginAddress` in `http/limits/limits.ts`. */
const PER_ACCOUNT = 10;
const PER_ADDRESS = 50;

let database: TestDatabase;
let data: Awaited<ReturnType<typeof temporaryDataDirectory>>;
let pool: pg.Pool;
const servers: KillableServer[] = [];

before(async () => {
  [database, data] = await Promise.all([testDatabase(), temporaryDataDirectory()]);
  pool = testPool(database);
  const environment = {
    HEDDLE_DATABASE_URL: database.url,
    HEDDLE_BUS: 'postgres',
    HEDDLE_LOG_LEVEL: 'fatal',
    HEDDLE_OWNER_PASSWORD: password,
  };
  for (let started = 0; started < 2; started += 1) {
    servers.push(new KillableServer(data.path, environment));
    await servers.at(-1)?.listening;
  }
});
after(async () => {
  for (const server of servers) await server.end();
  await pool.end();
  await database.drop();
  await data.remove();
});

/** Tries to get the API key at one of the servers, and returns the status. */
async function logIn(attempt: number, username: string, secret: string): Promise<number> {
  const server = servers[attempt % servers.length];
  assert(server !== undefined);
  const { url } = await server.listening;
  const body = new URLSearchParams({ username, password: secret });
  const { status } = await fetch(`${url}/api/v1/fetch_api_key`, { method: 'POST', body });
  return status;
}

/** The numbers of responses by status. */
async function outcomes(count: number, username: (attempt: number) => string): Promise<Record<number, number>> {
  const found: Record<number, number> = {};
  for (let attempt = 0; attempt < count; attempt += 1) {
    const status = await logIn(attempt, username(attempt), 'wrong');
    found[status] = (found[status] ?? 0) + 1;
  }
  return found;
}

const reset = () => pool.query('DELETE FROM attempt_windows');

// rules: limits-13
test('wrong passwords of an account count together at all processes, and after a restart', async () => {
  await reset();
  assert.deepEqual(await outcomes(PER_ACCOUNT + 6, () => 'owner@localhost'), { 401: PER_ACCOUNT, 429: 6 });
  assert.equal(await logIn(0, 'owner@localhost', password), 429);
  await servers[0]?.kill();
  await servers[0]?.restart();
  assert.equal(await logIn(0, 'owner@localhost', password), 429);
});

test('concurrent attempts at two processes get no further than the limit', async () => {
  await reset();
  const statuses = await Promise.all(
    Array.from({ length: 3 * PER_ACCOUNT }, (_, attempt) => logIn(attempt, 'owner@localhost', 'wrong')),
  );
  assert.equal(statuses.filter((status) => status === 401).length, PER_ACCOUNT);
});

test('failed logins from an address count together at all processes', async () => {
  await reset();
  const found = await outcomes(PER_ADDRESS + 4, (attempt) => `nobody${attempt}@example.com`);
  assert.deepEqual(found, { 401: PER_ADDRESS, 429: 4 });
});

test('a right login clears the failures of the account at all processes', async () => {
  await reset();
  await outcomes(PER_ACCOUNT - 1, () => 'owner@localhost');
  assert.equal(await logIn(0, 'owner@localhost', password), 200);
  await outcomes(PER_ACCOUNT - 1, () => 'owner@localhost');
  assert.equal(await logIn(1, 'owner@localhost', password), 200);
});

test('a database that refuses changes lets people log in, and lets an attacker try as often at each process as the limit says', async () => {
  await reset();
  for (const server of servers) await server.kill();
  // The first login of an account that is not new sends a mail about it.
  await pool.query("UPDATE users SET date_joined = date_joined - interval '1 day'");
  for (const server of servers) await server.restart();
  const name = new URL(database.url).pathname.slice(1);
  const end = () =>
    pool.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
  await pool.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  await end();
  try {
    await until(async () => (await logIn(0, 'owner@localhost', password)) === 200, 'a login at the first process');
    await until(async () => (await logIn(1, 'owner@localhost', password)) === 200, 'a login at the second process');
    assert.deepEqual(await outcomes(4 * PER_ACCOUNT, () => 'owner@localhost'), {
      401: servers.length * PER_ACCOUNT,
      429: 4 * PER_ACCOUNT - servers.length * PER_ACCOUNT,
    });
  } finally {
    await pool.query('SET default_transaction_read_only = off');
    await pool.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await end();
  }
});
