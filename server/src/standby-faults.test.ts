// timeouts: real
/** Standbys that fail, hang or are promoted while they serve searches and old history. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { databaseHosts } from './config/database-url.ts';
import { openPool } from './db/pool.ts';
import { PrimarySearch } from './db/primary-search.ts';
import { failureOf, Standbys } from './db/standbys.ts';
import { activeUser } from './directory/active-user.ts';
import type { Planning } from './directory/reading.ts';
import type { UserRecord } from './directory/records.ts';
import { StandbyReading } from './directory/standby-reading.ts';
import type { Json } from './testing/clients/json.ts';
import { servedBy } from './testing/database/history-reads.ts';
import { silent } from './testing/database/log.ts';
import { type ReplicatedCluster, startReplicatedCluster } from './testing/database/replicated-cluster.ts';
import { temporaryDataDirectory } from './testing/server/data-directory.ts';
import { startTestServer, type TestServer } from './testing/server/server.ts';
import { until } from './testing/server/until.ts';

let cluster: ReplicatedCluster;
let data: Awaited<ReturnType<typeof temporaryDataDirectory>>;
let server: TestServer;

before(async () => {
  [cluster, data] = await Promise.all([startReplicatedCluster(), temporaryDataDirectory()]);
  const shared = { url: cluster.url, dataDirectory: data.path };
  server = await startTestServer({ shared, isNew: true, environment: { HEDDLE_STANDBY_READS: 'on' } });
  await server.owner.subscribe('loom');
  await server.owner.ok('POST', '/messages', { type: 'channel', to: 'loom', topic: 'warp', content: 'a red shuttle' });
});
after(async () => {
  await server.stop();
  await cluster.remove();
  await data.remove();
});

/** Finds the message, and fails if it is not there. */
async function search(): Promise<void> {
  const fields = { anchor: 'newest', num_before: 50, num_after: 0, apply_markdown: false };
  const narrow = [{ operator: 'search', operand: 'shuttle' }];
  const { messages } = await server.owner.ok('GET', '/messages', { ...fields, narrow });
  assert.deepEqual(
    messages.map(({ content }: Json) => content),
    ['a red shuttle'],
  );
}

async function standbyServes(): Promise<void> {
  await cluster.caughtUp();
  await until(async () => (await servedBy(search)).includes('standby'), 'the standby to serve a search');
}

/** The first search finds out that the standby does not respond, unless a question to it did just before. The second one does not try. */
async function withoutStandby(): Promise<void> {
  const [first = ''] = await servedBy(search);
  assert(['unavailable', 'no_standby'].includes(first), first);
  assert.deepEqual(await servedBy(search), ['no_standby']);
}

async function organization() {
  const found = await server.app.organizations.bySubdomain('');
  assert(found !== undefined);
  return found;
}

test('no read waits to learn which host is a standby', async () => {
  await cluster.caughtUp();
  assert.deepEqual(await servedBy(search), ['no_standby']);
  await standbyServes();
});

test('if the standby hangs, the primary serves, and no further read waits for the standby until it responds again', async () => {
  await standbyServes();
  cluster.standby.pause();
  await withoutStandby();
  cluster.standby.resume();
  await standbyServes();
});

test('if the standby hangs in the middle of a read, the primary serves that read', async () => {
  await standbyServes();
  const found = await organization();
  const hosts: boolean[] = [];
  const plan = async ({ db }: Planning<UserRecord>) => {
    const { rows } = await sql<{ is: boolean }>`SELECT pg_is_in_recovery() AS is`.execute(db);
    hosts.push(rows[0]?.is === true);
    if (hosts.length === 1) cluster.standby.pause();
    await sql`SELECT`.execute(db);
    return { statement: sql`SELECT 1 AS one`, result: () => 'read' };
  };
  const caller = activeUser(found.directory, server.owner.userId);
  const served = await servedBy(async () => {
    assert.equal(await found.readAtOnce(caller, plan, { mayUseStandby: true }), 'read');
  });
  cluster.standby.resume();
  assert.deepEqual([hosts, served], [[true, false], ['unavailable']]);
  await standbyServes();
});

test('if the statements of a read take too long together on the standby, the primary serves it', async () => {
  await standbyServes();
  const found = await organization();
  const caller = activeUser(found.directory, server.owner.userId);
  const plan = async ({ db }: Planning<UserRecord>) => {
    const { rows } = await sql<{ is: boolean }>`SELECT pg_is_in_recovery() AS is`.execute(db);
    for (let times = 0; rows[0]?.is && times < 100; times++) await sql`SELECT pg_sleep(0.1)`.execute(db);
    return { statement: sql`SELECT 1 AS one`, result: () => 'read' };
  };
  const read = () =>
    servedBy(async () => {
      assert.equal(await found.readAtOnce(caller, plan, { mayUseStandby: true }), 'read');
    });
  // On a slow machine, the standby may seem to hang before.
  await until(async () => (await read()).includes('timeout'), 'a read that is too long for the standby');
  await standbyServes();
});

test('if the standby hangs, the primary is checked as well: this process may be cut off from both', async (t) => {
  const hosts = new PrimarySearch(databaseHosts(cluster.url) ?? []);
  await hosts.find();
  let checks = 0;
  const standbys = new Standbys(hosts, silent, () => {
    checks += 1;
  });
  t.after(() => standbys.close());
  const lend = () =>
    standbys.lend((standby) =>
      standby.read(async (db) => {
        cluster.standby.pause();
        await sql`SELECT`.execute(db);
      }),
    );
  const hung = until(async () => (await lend().then(() => 'read', failureOf)) === 'unavailable', 'a read to end');
  await until(() => checks > 0, 'a check of the primary');
  await hung;
  cluster.standby.resume();
});

test('if the standby has ended, the primary serves, until the standby runs again', async () => {
  await standbyServes();
  await cluster.standby.stop();
  await withoutStandby();
  await cluster.standby.start();
  await standbyServes();
});

test('a promoted standby serves nothing as a standby, and the process goes to it', async (t) => {
  const { primary, standby } = cluster;
  await standbyServes();
  const { id: organizationId, directory } = await organization();
  const hosts = new PrimarySearch(databaseHosts(cluster.url) ?? []);
  await hosts.find();
  const standbys = new Standbys(hosts, silent, () => undefined);
  const { pool, close } = openPool({ connectionString: primary.url }, silent);
  t.after(() => Promise.all([standbys.close(), close()]));
  const reading = new StandbyReading({ pool, standbys, organizationId, directory });
  const read = () => servedBy(() => reading.read(async () => undefined));
  await until(async () => (await read()).includes('standby'), 'the standby to serve a read');

  await standby.promote();
  const [first = ''] = await read();
  // A question may have found it out before.
  assert(['promoted', 'no_standby'].includes(first), first);
  assert.deepEqual(await read(), ['no_standby']);
  // On a slow machine, the host may not respond in time to the first question. Later reads ask it again.
  const isFound = async () => {
    await read();
    return hosts.known?.port === standby.port;
  };
  await until(isFound, 'the promoted host to be found');
  const isThere = async () => (await standby.connections()).includes('heddle');
  await until(isThere, 'the server to go to the promoted host');
});

test('a former primary that still accepts writes serves nothing', async () => {
  const { primary } = cluster;
  const seen = new Set<string>();
  const isMoved = async () => {
    for (const by of await servedBy(search)) seen.add(by);
    return (await primary.connections()).length === 0;
  };
  await until(isMoved, 'all connections to the former primary to end');
  for (const by of await servedBy(search)) seen.add(by);
  assert.deepEqual(seen, new Set(['no_standby']));
});
