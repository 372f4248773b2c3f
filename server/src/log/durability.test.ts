import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { readConfig } from '../config.ts';
import type { Organization } from '../directory/organization.ts';
import { createOrganization } from '../domain/joining/founding/actions.ts';
import { type OpenApp, openApp } from '../open-app.ts';
import { answerTo } from '../testing/clients/poll.ts';
import { addQueue } from '../testing/clients/queues.ts';
import { startTestCluster, type TestCluster } from '../testing/database/cluster.ts';
import { silent, word } from '../testing/database/log.ts';
import { until } from '../testing/server/until.ts';
import { createFlush } from './durability.ts';
import type { Queue } from './queue.ts';
import type { NewQueue } from './queue-store.ts';

/**
 * A cluster whose disk the test can block. Commits that wait for durability also wait for a standby that does not
 * exist. Commits that do not wait for durability succeed.
 */
let cluster: TestCluster;
let dataDirectory: string;
let app: OpenApp;
let admin: pg.Client;
let organization: Organization;
let queue: Queue;

before(async () => {
  cluster = await startTestCluster();
  dataDirectory = await mkdtemp(join(tmpdir(), 'heddle-test-'));
  const { config } = readConfig({ HEDDLE_DATA_DIR: dataDirectory });
  app = await openApp({ config, log: silent, connection: cluster.connection, purpose: 'serve' });
  app.presenters.add('word', { present: (event) => ({ type: 'word', text: event.body }) });
  admin = new pg.Client({ ...cluster.connection });
  await admin.connect();
  const { id, owner } = await createOrganization(app, {
    subdomain: '',
    name: 'Organization',
    ownerEmail: 'owner@example.com',
    ownerName: 'Owner',
  });
  const loaded = await app.organizations.byId(id);
  assert(loaded !== undefined);
  organization = loaded;
  const capabilities = {} as Queue['settings']['capabilities'];
  const newQueue = {
    organizationId: id,
    userId: owner.id,
    client: 'test',
    settings: {
      eventTypes: ['word'],
      narrow: [],
      allPublicChannels: false,
      applyMarkdown: true,
      clientGravatar: true,
      slimPresence: true,
      includeSubscribers: 'false',
      capabilities,
    },
  } satisfies NewQueue;
  queue = await addQueue(app.db, app.queues, newQueue, organization.position);
});

after(async () => {
  await app.close();
  await admin.end();
  await cluster.stop();
  await rm(dataDirectory, { recursive: true });
});

/** From now on, a commit that waits for the disk blocks until `releaseDisk`. */
async function holdDisk(): Promise<void> {
  await admin.query("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
  await admin.query('SELECT pg_reload_conf()');
  // PostgreSQL applies the setting at some later time. A commit that hangs shows that it has.
  const probe = new pg.Client({ ...cluster.connection, application_name: 'probe' });
  await probe.connect();
  let hangs = false;
  probes.push(
    (async () => {
      // timing: it commits until a commit hangs
      while (!hangs) await probe.query("SELECT pg_logical_emit_message(true, 'probe', '')");
      await probe.end();
    })(),
  );
  await until(async () => (await hanging()).includes('probe'), 'a commit to hang');
  hangs = true;
}

const probes: Promise<void>[] = [];

/** The names of the connections whose commits hang. */
async function hanging(): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    "SELECT application_name AS name FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
  );
  return rows.map((row) => row.name);
}

async function releaseDisk(): Promise<void> {
  await admin.query('ALTER SYSTEM RESET synchronous_standby_names');
  await admin.query('SELECT pg_reload_conf()');
  await Promise.all(probes.splice(0));
}

function poll(lastEventId: number, block: boolean) {
  return answerTo(organization.polls.poll({ queue, lastEventId, block }));
}

test('I6: typing commits without waiting for the disk, blocks no other change, and is delivered when it is on the disk', async () => {
  const start = organization.position;
  await holdDisk();
  let isAnswered = false;
  const answer = poll(start, true).finally(() => {
    isAnswered = true;
  });
  await organization.announce(word('one'));
  await until(async () => (await hanging()).includes('heddle signals'), 'a hanging commit of signals');
  await organization.announce(word('two'));
  const { rows } = await admin.query('SELECT head FROM logs');
  assert.equal(Number(rows[0].head), start + 2, 'both are committed, the second while the flush of the first hangs');

  // Other processes would see them too, and so does a read of the table here.
  const caughtUp = organization.catchUp();
  const inChange = Promise.withResolvers<number>();
  const change = organization.transact('server', 'exclusive', async ({ position, append }) => {
    append(word('three'));
    inChange.resolve(position.head);
  });
  assert.equal(await inChange.promise, start + 2, 'a change does not wait for the disk before it commits');
  assert.equal(isAnswered, false);
  assert.equal(organization.position, start);
  assert.deepEqual(await poll(start, false), { events: [] });

  const again = poll(start, true);
  assert.deepEqual(await answer, { events: [] }, 'a newer request ends the older one');
  await releaseDisk();
  await Promise.all([caughtUp, change]);
  const first = await again;
  assert('events' in first && `${first.events[0]}` === `{"id":${start + 1},"type":"word","text":"one"}`);
  const all = await poll(start, false);
  assert('events' in all);
  assert.deepEqual(
    all.events.map((bytes) => JSON.parse(bytes.toString()).text),
    ['one', 'two', 'three'],
  );
});

test('an organization is loaded only at a position that is on the disk', async () => {
  await holdDisk();
  await organization.announce(word('typing'));
  const { config } = app;
  // Loads the organization as another process would. Its migration writes nothing, so it does not hang.
  const other = await openApp({ config, log: silent, connection: cluster.connection, purpose: 'serve' });
  let isLoaded = false;
  const loading = other.organizations.byId(organization.id).then((loaded) => {
    isLoaded = true;
    return loaded;
  });
  await until(
    async () => (await hanging()).filter((name) => name === 'heddle signals').length >= 2,
    'two hanging commits of signals',
  );
  assert.equal(isLoaded, false);
  await releaseDisk();
  const loaded = await loading;
  await organization.catchUp();
  assert.equal(loaded?.position, organization.position);
  await other.close();
});

test('flushes that are requested during a flush share the next one', async () => {
  const pool = new pg.Pool({ ...cluster.connection, max: 1 });
  pool.on('error', () => undefined);
  let queries = 0;
  const flush = createFlush(
    new Proxy(pool, {
      get(target, name) {
        if (name === 'query') queries += 1;
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }),
  );
  const first = flush();
  await nextTurn();
  await Promise.all([first, flush(), flush(), flush()]);
  assert.equal(queries, 2);
  await pool.end();
});

test('a flush on a new connection does not count: the database may have lost earlier commits', async () => {
  const pool = new pg.Pool({ ...cluster.connection, max: 1, idleTimeoutMillis: 0, application_name: 'flushing' });
  pool.on('error', () => undefined);
  const flush = createFlush(pool);
  await flush();
  await holdDisk();
  const broken = assert.rejects(flush(), /terminat/);
  await until(async () => (await hanging()).includes('flushing'), 'a hanging flush');
  const renewed = assert.rejects(flush(), /Connection terminated before the flush/);
  await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'flushing'");
  await broken;
  await releaseDisk();
  await renewed;
  await flush();
  await pool.end();
});
