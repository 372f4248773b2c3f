import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { request } from 'node:http';
import { test } from 'node:test';
import { createLogger } from './http/logging.ts';
import { Readiness } from './readiness.ts';
import { startStallingProxy } from './testing/faults/stalling-proxy.ts';
import { startTestServer } from './testing/server/server.ts';
import { until } from './testing/server/until.ts';

const silent = { HEDDLE_LOG_LEVEL: 'silent' };
const log = createLogger('silent');

interface Probe {
  readonly status: number;
  readonly text: string;
  readonly checks: Readonly<Record<string, { readonly status: string; readonly reason?: string }>>;
}

/** Sends a probe, as a supervisor does: with any host. */
async function probe(url: string, path = '/health/ready', host = '10.1.2.3'): Promise<Probe> {
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    request(`${url}${path}`, { headers: { host } }, resolve).on('error', reject).end();
  });
  const text = Buffer.concat(await response.toArray()).toString();
  return { status: response.statusCode ?? 0, text, checks: JSON.parse(text).checks };
}

test('a server that can serve is live and ready, for any host, and names each check', async (t) => {
  const server = await startTestServer({ environment: silent });
  t.after(() => server.stop());
  await until(() => server.app.bus.isListening, 'the bus to listen');
  for (const host of ['10.1.2.3', 'nowhere.example.com', 'localhost']) {
    assert.equal((await probe(server.url, '/health/live', host)).status, 200);
    const { status, checks } = await probe(server.url, '/health/ready', host);
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(checks), [
      'database',
      'commits',
      'schema',
      'bus',
      'storage',
      'organizations',
      'lifecycle',
    ]);
    for (const check of Object.values(checks)) assert.deepEqual(check, { status: 'ok' });
  }
});

test('a database that does not respond makes the server not ready, and live', async (t) => {
  const well = await startTestServer({ environment: silent });
  const proxy = await startStallingProxy(well.shared.url);
  const cut = await startTestServer({ environment: silent, shared: { ...well.shared, url: proxy.url } });
  t.after(async () => {
    await cut.stop();
    await proxy.close();
    await well.stop();
  });
  await proxy.refuse();
  const { status, text } = await until(async () => {
    const found = await probe(cut.url);
    const { database, bus } = found.checks;
    return database?.status === 'failed' && bus?.status === 'failed' && found;
  }, 'failed checks of the database and of the bus');
  assert.equal(status, 503);
  assert.ok(!text.includes(new URL(proxy.url).port), 'the response shows where the database is');
  assert.equal((await probe(cut.url, '/health/live')).status, 200);
  await proxy.accept();
  await until(async () => (await probe(cut.url)).status === 200, 'a healthy server');
});

test('a data directory that is gone makes the storage fail, and no response shows its path', async (t) => {
  const server = await startTestServer({ environment: silent });
  t.after(() => server.stop());
  const { dataDirectory } = server.shared;
  await rename(dataDirectory, `${dataDirectory}-away`);
  const { status, text, checks } = await probe(server.url);
  // A load balancer leaves this check out: everything but files still works.
  const forTraffic = await probe(server.url, '/health/ready?without=storage');
  await rename(`${dataDirectory}-away`, dataDirectory);
  assert.equal(status, 503);
  assert.equal(forTraffic.status, 200);
  assert.deepEqual(forTraffic.checks, checks);
  assert.deepEqual(checks.storage, { status: 'failed', reason: 'not available' });
  assert.ok(!text.includes(dataDirectory));
});

test('a database without a migration of this version makes the schema fail', async (t) => {
  const server = await startTestServer({ environment: silent });
  t.after(() => server.stop());
  await server.app.db
    .deleteFrom('kysely_migration' as never)
    .where('name' as never, 'like', '0001%' as never)
    .execute();
  const { status, checks } = await probe(server.url);
  assert.equal(status, 503);
  assert.deepEqual(checks.schema, { status: 'failed', reason: 'migrations are missing' });
});

test('a server that drains is not ready, still serves, and closes each connection', async (t) => {
  const server = await startTestServer({ environment: silent });
  t.after(() => server.stop());
  const { owner } = server;
  server.beginDraining();
  const { status, checks } = await probe(server.url);
  assert.equal(status, 503);
  assert.deepEqual(checks.lifecycle, { status: 'failed', reason: 'the server is stopping' });
  assert.equal((await probe(server.url, '/health/ready?without=storage')).status, 503);
  const answer = await owner.call('GET', '/users/me');
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.connection, 'close');
});

test('many probes share one run of a check', async () => {
  let runs = 0;
  const begun = Promise.withResolvers<undefined>();
  const test = () => {
    runs += 1;
    return begun.promise;
  };
  const readiness = new Readiness([{ name: 'slow', validMs: 60_000, test }], log);
  const reports = Array.from({ length: 1_000 }, () => readiness.report());
  begun.resolve(undefined);
  await Promise.all(reports);
  await readiness.report();
  assert.equal(runs, 1);
});

test('a check that never ends fails after its timeout, and does not start again', async () => {
  let runs = 0;
  const test = () => {
    runs += 1;
    return new Promise<undefined>(() => undefined);
  };
  const readiness = new Readiness([{ name: 'stuck', validMs: 0, test }], log, 20);
  for (let probes = 0; probes < 3; probes += 1) {
    assert.deepEqual((await readiness.report()).stuck, { status: 'failed', reason: 'no response in time' });
  }
  assert.equal(runs, 1);
});
