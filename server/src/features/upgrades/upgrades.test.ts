import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import pg from 'pg';
import { TestClient, type TestQueue } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { testDatabase } from '../../testing/database/database.ts';
import { OLDER, servedByOlder } from '../../testing/operations/upgrading.ts';
import { startServe } from '../../testing/server/command-line.ts';
import { temporaryDataDirectory } from '../../testing/server/data-directory.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { type ServerIdentity, THIS_SERVER, VERSION_FIELDS } from '../../version.ts';
import { tellVersion } from './actions.ts';

const TYPES = ['restart', 'web_reload_client', 'message'];

/** Two servers on one database. */
let one: TestServer;
let two: TestServer;
let member: TestClient;
before(async () => {
  const environment = { HEDDLE_BUS: 'postgres' };
  one = await startTestServer({ environment });
  two = await startTestServer({ environment, shared: one.shared });
  member = await one.user();
  await member.subscribe('shed');
});
after(async () => {
  await two.stop();
  await one.stop();
});

/** Announces a version to the clients of the root organization through a server, as this process or as another. */
async function announce({ app }: TestServer, as?: ServerIdentity): Promise<void> {
  const organization = await app.organizations.bySubdomain('');
  assert(organization !== undefined);
  await tellVersion(app.db, organization, as);
}

/** Returns the events of the queue before a message that is sent now. */
async function eventsSoFar(queue: TestQueue): Promise<Json[]> {
  await member.send('shed', 'topic', 'and then');
  const events = await queue.upTo(({ type }) => type === 'message');
  return events.filter(({ type }) => type !== 'message');
}

const types = (events: readonly Json[]) => events.map(({ type }) => type);

/** A `heddle serve` that a test stops and restarts on the same data. */
async function place(t: TestContext) {
  const [data, database] = await Promise.all([temporaryDataDirectory(), testDatabase()]);
  const password = 'a shuttle flies through the shed';
  const environment = {
    HEDDLE_DATA_DIR: data.path,
    HEDDLE_DATABASE_URL: database.url,
    HEDDLE_OWNER_PASSWORD: password,
  };
  let stop: (() => Promise<unknown>) | undefined;
  t.after(async () => {
    await stop?.();
    await database.drop();
    await data.remove();
  });
  return {
    /** Restarts the server. Returns a client of the owner. */
    async restart(): Promise<TestClient> {
      await stop?.();
      const server = await startServe(environment);
      stop = () => server.stop();
      const body = new URLSearchParams({ username: 'owner@localhost', password });
      const answer: Json = await (await fetch(`${server.url}/api/v1/fetch_api_key`, { method: 'POST', body })).json();
      const { user_id: userId, email, api_key: apiKey } = answer;
      return new TestClient({ url: server.url, host: new URL(server.url).host, email, apiKey, userId, name: 'Owner' });
    },
    async note(server: ServerIdentity): Promise<void> {
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      await client.query('UPDATE organizations SET told_server = $1', [JSON.stringify(server)]);
      await client.end();
    },
  };
}

// rules: register-25
test('a queue that survives an upgrade receives a restart event with the new version, and web_reload_client', async (t) => {
  const { restart, note } = await place(t);
  const { state } = await (await restart()).register({ event_types: TYPES });
  const queue = { queue_id: state.queue_id, last_event_id: state.last_event_id };
  // The state that a server of another version would have left.
  await note(OLDER);
  const upgraded = await restart();
  const { events } = await upgraded.ok('GET', '/events', queue);
  const { state: now } = await upgraded.register();
  const [{ id, ...restarted }, { id: next, ...reload }] = events;
  assert.deepEqual(restarted, { type: 'restart', ...VERSION_FIELDS, server_generation: now.server_generation });
  assert.deepEqual(reload, { type: 'web_reload_client', immediate: false });
  assert.deepEqual([id, next], [queue.last_event_id + 1, queue.last_event_id + 2]);

  const again = await restart();
  await again.send('general', 'topic', 'the same version as before');
  const later = await again.ok('GET', '/events', { ...queue, last_event_id: next });
  assert.deepEqual(types(later.events), ['message']);
});

// rules: register-25
test('clients receive the version once, however many processes announce it', async () => {
  const queue = await member.register({ event_types: TYPES });
  await servedByOlder(one);
  await Promise.all([announce(one), announce(two), announce(one), announce(two)]);
  assert.deepEqual(types(await eventsSoFar(queue)), ['restart', 'web_reload_client']);
  await announce(two);
  assert.deepEqual(await eventsSoFar(queue), []);
});

// rules: register-25
test('an older process beside a newer one announces nothing, and one started after the newer one does', async () => {
  await servedByOlder(one);
  await announce(one);
  const queue = await member.register({ event_types: TYPES });
  await announce(two, OLDER);
  assert.deepEqual(await eventsSoFar(queue), []);
  const back = { ...OLDER, generation: THIS_SERVER.generation + 1 };
  await announce(two, back);
  const [restart] = await eventsSoFar(queue);
  assert.equal(restart.zulip_feature_level, OLDER.featureLevel);
  assert.equal(restart.service_version, OLDER.version);
  assert.equal(restart.server_generation, back.generation);
  await announce(one, { ...THIS_SERVER, generation: back.generation + 1 });
});

// rules: register-25
test('a restart with the same version and a new organization send no events', async () => {
  const queue = await member.register({ event_types: TYPES });
  await announce(one, { ...THIS_SERVER, generation: THIS_SERVER.generation + 100 });
  assert.deepEqual(await eventsSoFar(queue), []);
  const owner = await one.organization('fresh');
  const { state } = await owner.register();
  const { told_server } = await one.app.db
    .selectFrom('organizations')
    .select('told_server')
    .where('subdomain', '=', 'fresh')
    .executeTakeFirstOrThrow();
  assert.deepEqual(told_server, { ...THIS_SERVER, generation: state.server_generation });
});

// rules: register-25
test('queues for other event types do not receive the version', async () => {
  const queue = await member.register({ event_types: ['message'] });
  await servedByOlder(one);
  await announce(one);
  assert.deepEqual(await eventsSoFar(queue), []);
});
