import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { pino } from 'pino';
import { createHeddleServer } from './app.ts';
import { readConfig } from './config.ts';
import { connectionSettingsOf } from './db/connection-settings.ts';
import { MIN_LARGE_ORGANIZATION_USERS } from './features/events/spreading.ts';
import { createLogger } from './http/logging.ts';
import { type OpenApp, openApp } from './open-app.ts';
import { Preloading, type PreloadingOptions } from './preloading.ts';
import { addManyUsers } from './testing/database/many-users.ts';
import { startTestServer, type TestServer } from './testing/server/server.ts';
import { until } from './testing/server/until.ts';

/** What a test has opened is closed in the reverse order. */
class Opened {
  readonly #closings: (() => Promise<unknown>)[] = [];

  constructor(t: TestContext) {
    t.after(async () => {
      for (const close of this.#closings.reverse()) await close();
    });
  }

  add(close: () => Promise<unknown>): void {
    this.#closings.push(close);
  }
}

interface Process {
  readonly app: OpenApp;
  readonly url: string;
}

/** A process on the database of a first server. Nothing has asked it for an organization when it listens. */
async function startProcess(opened: Opened, { url, dataDirectory }: TestServer['shared']): Promise<Process> {
  const { config } = readConfig({ HEDDLE_PORT: '0', HEDDLE_DATA_DIR: dataDirectory, HEDDLE_DATABASE_URL: url });
  const log = createLogger('silent');
  const app = await openApp({ config, log, connection: connectionSettingsOf(url), purpose: 'serve' });
  opened.add(() => app.close());
  const server = await createHeddleServer(app, { recurringJobs: [] });
  opened.add(() => server.stop(5000));
  return { app, url: `http://localhost:${await server.listen()}` };
}

async function organizationsCheck({ url }: Process): Promise<{ readonly status: string; readonly reason?: string }> {
  const response = await fetch(`${url}/health/ready`);
  const { checks } = (await response.json()) as { checks: Record<string, { status: string; reason?: string }> };
  assert.ok(checks.organizations !== undefined);
  return checks.organizations;
}

async function organizationWith(t: TestContext, users: number) {
  const opened = new Opened(t);
  const first = await startTestServer();
  opened.add(() => first.stop());
  const id = (await first.app.organizations.bySubdomain(''))?.id ?? 0;
  const sql = new pg.Client({ connectionString: first.shared.url });
  await sql.connect();
  opened.add(() => sql.end());
  await addManyUsers(sql, id, users);
  return { opened, first, id, sql };
}

test('a process is not ready while it loads a large organization with event queues, and then has it in memory', async (t) => {
  const { opened, first, id, sql } = await organizationWith(t, MIN_LARGE_ORGANIZATION_USERS);
  await first.owner.ok('POST', '/register', { event_types: ['message'] });
  await sql.query('BEGIN');
  await sql.query('LOCK TABLE channels IN ACCESS EXCLUSIVE MODE');
  const second = await startProcess(opened, first.shared);
  assert.deepEqual(await organizationsCheck(second), {
    status: 'failed',
    reason: 'large organizations are being loaded',
  });
  assert.equal(second.app.organizations.inMemoryById(id), undefined);
  await sql.query('ROLLBACK');
  await until(async () => (await organizationsCheck(second)).status === 'ok', 'the loaded organization');
  assert.ok(second.app.organizations.inMemoryById(id) !== undefined);
});

test('a large organization without event queues is not loaded, and the process is ready as soon as it listens', async (t) => {
  const { opened, first } = await organizationWith(t, MIN_LARGE_ORGANIZATION_USERS);
  const second = await startProcess(opened, first.shared);
  assert.equal(second.app.preloading.isRunning, false);
  assert.deepEqual(await organizationsCheck(second), { status: 'ok' });
});

test('an organization of usual size is not loaded, and the process is ready as soon as it listens', async (t) => {
  const { opened, first } = await organizationWith(t, 100);
  await first.owner.ok('POST', '/register', { event_types: ['message'] });
  const second = await startProcess(opened, first.shared);
  assert.equal(second.app.preloading.isRunning, false);
  assert.deepEqual(await organizationsCheck(second), { status: 'ok' });
});

test('the four organizations with most event queues are loaded, in this order, and without those that cannot be loaded', async (t) => {
  const first = await startTestServer();
  t.after(() => first.stop());
  const ids: number[] = [];
  for (let queues = 1; queues <= 6; queues += 1) {
    const owner = await first.organization(`team${queues}`);
    for (let count = 0; count < queues; count += 1) await owner.register({ event_types: ['message'] });
    ids.push((await first.app.organizations.bySubdomain(`team${queues}`))?.id ?? 0);
  }
  const { background, organizations } = first.app;
  const most = ids.slice(2).reverse();
  assert.deepEqual(await loadedBy({ background, organizations }), most);
  const [broken, ...others] = most;
  const byId = async (id: number) => {
    if (id === broken) throw new Error('it cannot be loaded');
    return organizations.byId(id);
  };
  assert.deepEqual(await loadedBy({ background, organizations: { byId } }), others);
});

/** The organizations that are loaded, in their order. */
async function loadedBy(parts: Pick<PreloadingOptions, 'background' | 'organizations'>): Promise<readonly number[]> {
  const loaded: number[] = [];
  const write = (line: string): void => {
    const { msg, organization } = JSON.parse(line);
    if (msg === 'loaded a large organization') loaded.push(organization);
  };
  const preloading = new Preloading({ ...parts, log: pino({}, { write }), minUsers: 1 });
  await preloading.start();
  await preloading.ended();
  assert.equal(preloading.isRunning, false);
  return loaded;
}

test('a stop does not wait for an organization that is being loaded', async (t) => {
  const first = await startTestServer();
  t.after(() => first.stop());
  await first.owner.register({ event_types: ['message'] });
  const { background } = first.app;
  const byId = () => new Promise<never>(() => undefined);
  const preloading = new Preloading({ background, organizations: { byId }, log: createLogger('silent'), minUsers: 1 });
  await preloading.start();
  assert.equal(preloading.isRunning, true);
  await preloading.stop();
  assert.equal(preloading.isRunning, false);
});
