import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { PostgresNode } from '@heddle/server/testing/database/replicated-cluster.ts';
import { ownerAccount } from '@heddle/server/testing/faults/command-line-accounts.ts';
import { runCommand, startServe } from '@heddle/server/testing/server/command-line.ts';
import { temporaryDataDirectory } from '@heddle/server/testing/server/data-directory.ts';
import { noPgBouncer, startPgBouncer } from '@heddle/server/testing/services/pgbouncer.ts';
import pg from 'pg';

const REASON = /HEDDLE_DATABASE_URL leads to a pooler that does not keep sessions/;
const password = 'a shuttle flies through the shed';

// PgBouncer's user may not be able to enter the directory of the run's socket. This one has a TCP port.
let node: PostgresNode | undefined;
before(async () => {
  if (!noPgBouncer) node = await PostgresNode.create();
});
after(() => node?.remove());

async function behindPooler(t: TestContext, settings: Readonly<Record<string, string>>) {
  assert(node !== undefined);
  const data = await temporaryDataDirectory();
  const pooler = await startPgBouncer(node.url, settings);
  t.after(async () => {
    await pooler.stop();
    await data.remove();
  });
  return {
    HEDDLE_DATA_DIR: data.path,
    HEDDLE_DATABASE_URL: pooler.url,
    HEDDLE_PORT: '0',
    HEDDLE_LOG_LEVEL: 'error',
    HEDDLE_OWNER_PASSWORD: password,
  };
}

/** Lets the pooler open this many backends, which are then idle. */
async function openBackends(url: string, count: number): Promise<void> {
  const clients = Array.from({ length: count }, () => new pg.Client({ connectionString: url }));
  for (const client of clients) {
    await client.connect();
    await client.query('BEGIN');
  }
  for (const client of clients) {
    await client.query('COMMIT');
    await client.end();
  }
}

const cases = [
  { name: 'in transaction mode', settings: { pool_mode: 'transaction' }, idle: 0 },
  { name: 'in transaction mode with idle backends', settings: { pool_mode: 'transaction' }, idle: 4 },
  {
    name: 'in transaction mode that takes turns among two backends',
    settings: { pool_mode: 'transaction', server_round_robin: '1' },
    idle: 2,
  },
  {
    name: 'in transaction mode that takes turns among many backends',
    settings: { pool_mode: 'transaction', server_round_robin: '1' },
    idle: 7,
  },
];

for (const { name, settings, idle } of cases)
  test(`a start behind a pooler ${name} is refused, and the doctor says why`, { skip: noPgBouncer }, async (t) => {
    const environment = await behindPooler(t, settings);
    await openBackends(environment.HEDDLE_DATABASE_URL, idle);
    const { code, err } = await runCommand(['serve'], environment);
    assert.equal(code, 1);
    assert.match(err, REASON);
    const { checks } = JSON.parse((await runCommand(['doctor', '--json'], environment)).out);
    const found = checks.find(({ check }: { check: string }) => check === 'database');
    assert.equal(found.status, 'failed');
    assert.match(found.message, REASON);
    assert.match(found.advice, /pool_mode = session/);
  });

test('a start behind a pooler in statement mode is refused', { skip: noPgBouncer }, async (t) => {
  const { code, err } = await runCommand(['serve'], await behindPooler(t, { pool_mode: 'statement' }));
  assert.equal(code, 1);
  assert.match(err, /Cannot use the database at HEDDLE_DATABASE_URL: .*statement/);
});

test('a server works behind a pooler in session mode', { skip: noPgBouncer }, async (t) => {
  const server = await startServe(await behindPooler(t, { pool_mode: 'session', default_pool_size: '40' }));
  t.after(async () => {
    await server.stop();
  });
  const { email, apiKey } = await ownerAccount(server.url, password);
  const authorization = `Basic ${btoa(`${email}:${apiKey}`)}`;
  const body = () => new URLSearchParams({ type: 'direct', to: JSON.stringify([email]), content: 'hello' });
  const sends = Array.from({ length: 20 }, () =>
    fetch(`${server.url}/api/v1/messages`, { method: 'POST', headers: { authorization }, body: body() }),
  );
  assert.deepEqual(new Set((await Promise.all(sends)).map(({ status }) => status)), new Set([200]));
});
