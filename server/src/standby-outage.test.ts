// timeouts: real
/**
 * A primary whose commits wait for a synchronous standby. The test pauses the standby. PostgreSQL then lets commits wait for ever, and
 * still serves reads.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { type ReplicatedCluster, startReplicatedCluster } from './testing/database/replicated-cluster.ts';
import { runCommand } from './testing/server/command-line.ts';
import { temporaryDataDirectory } from './testing/server/data-directory.ts';
import { startTestServer, type TestServer } from './testing/server/server.ts';
import { until } from './testing/server/until.ts';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly reason?: string;
}

const ERROR = 50;

let cluster: ReplicatedCluster;
let data: Awaited<ReturnType<typeof temporaryDataDirectory>>;
let server: TestServer;
const lines: Line[] = [];

before(async () => {
  [cluster, data] = await Promise.all([startReplicatedCluster(), temporaryDataDirectory()]);
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const shared = { url: cluster.url, dataDirectory: data.path };
  server = await startTestServer({ shared, log, isNew: true });
  await server.owner.subscribe('general');
  await cluster.waitForStandby();
});
after(async () => {
  await server.stop();
  await cluster.remove();
  await data.remove();
});

const send = (content: string) =>
  server.owner.call('POST', '/messages', { type: 'channel', to: 'general', topic: 'a', content });

async function readiness(): Promise<{ readonly status: number; readonly commits: object }> {
  const response = await fetch(`${server.url}/health/ready`);
  const { checks } = await response.json();
  return { status: response.status, commits: checks.commits };
}

/** Pauses the standby while `act` runs, and waits until changes are accepted again. */
async function withoutStandby(act: () => Promise<void>): Promise<void> {
  cluster.standby.pause();
  try {
    await act();
  } finally {
    cluster.standby.resume();
  }
  await until(async () => (await send('again')).status === 200, 'changes to be accepted again');
  await until(async () => (await readiness()).status === 200, 'the server to be ready again');
}

test('if no standby confirms, changes are refused with their outcome unknown or unchanged, and reads are served', async () => {
  lines.length = 0;
  await withoutStandby(async () => {
    const first = await send('nobody confirms this');
    assert.equal(first.status, 503);
    assert.equal(first.body.code, 'OUTCOME_UNKNOWN');
    const second = await send('refused at once');
    assert.equal(second.status, 503);
    assert.equal(second.body.code, 'SERVICE_UNAVAILABLE');
    assert.equal((await server.owner.call('POST', '/register', { event_types: ['message'] })).status, 503);
    const { messages } = await server.owner.ok('GET', '/messages', { anchor: 'newest', num_before: 9, num_after: 0 });
    assert(!messages.some(({ content }: { content: string }) => content.includes('refused at once')));
    assert.deepEqual(await readiness(), {
      status: 503,
      commits: { status: 'failed', reason: 'no standby confirms commits' },
    });
  });
  const errors = lines.filter(({ level }) => level >= ERROR);
  assert.deepEqual(
    errors.map(({ msg, reason }) => ({ msg, reason })),
    [{ msg: 'the database accepts no changes', reason: 'no synchronous standby confirms commits' }],
  );
  const ends = lines.filter(({ msg }) => msg === 'the database accepts changes again');
  assert.equal(ends.length, 1);
});

test('a message whose outcome was unknown is there once, when the standby has confirmed it', async () => {
  const { messages } = await server.owner.ok('GET', '/messages', {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    apply_markdown: false,
  });
  const found = messages.filter(({ content }: { content: string }) => content === 'nobody confirms this');
  assert.equal(found.length, 1);
});

test('without changes, readiness notices that no standby confirms', async () => {
  await withoutStandby(async () => {
    await until(async () => (await readiness()).status === 503, 'the server not to be ready');
  });
});

test('while no standby confirms, no client is told that its queue or its session has ended: the database may be a former primary', async () => {
  const { queue_id, last_event_id } = await server.owner.ok('POST', '/register', { event_types: ['message'] });
  const ofQueue = (id: string, after: number) =>
    server.owner.call('GET', '/events', { queue_id: id, last_event_id: after, dont_block: true });
  const unknownId = '5e939c80-1aaa-42ad-ba9c-79c8cd59391d';
  const unknownSession = () =>
    fetch(`${server.url}/json/users/me`, { headers: { cookie: `sessionid=${'a'.repeat(43)}` } });
  await withoutStandby(async () => {
    assert.equal((await ofQueue(unknownId, -1)).status, 503);
    assert.equal((await ofQueue(queue_id, last_event_id + 1_000)).status, 503);
    assert.equal((await unknownSession()).status, 503);
    assert.equal((await ofQueue(queue_id, last_event_id)).status, 200);
  });
  assert.equal((await ofQueue(unknownId, -1)).body.code, 'BAD_EVENT_QUEUE_ID');
  assert.equal((await ofQueue(queue_id, last_event_id + 1_000)).body.code, 'BAD_EVENT_QUEUE_ID');
  assert.equal((await unknownSession()).status, 401);
});

test('during an outage, changes take no connections of PostgreSQL', async () => {
  const sessions = async () =>
    (
      await cluster.primary.query<{ number: number }>(
        `SELECT count(*)::int AS number FROM pg_stat_activity WHERE wait_event = 'SyncRep'`,
      )
    )[0]?.number ?? 0;
  await withoutStandby(async () => {
    await send('the first one waits');
    await until(async () => (await readiness()).status === 503, 'the outage');
    const waiting = await sessions();
    for (let count = 0; count < 40; count += 1) {
      const { status } = await server.owner.call('POST', '/register', { event_types: ['message'] });
      assert.equal(status, 503);
      assert.equal((await server.owner.call('POST', '/saved_snippets', { title: 'a', content: 'b' })).status, 503);
    }
    assert((await sessions()) <= waiting + 1);
  });
});

test('doctor names a missing synchronous standby', async () => {
  const check = async () => {
    const { out } = await runCommand(['doctor', '--json'], {
      HEDDLE_DATA_DIR: data.path,
      HEDDLE_DATABASE_URL: cluster.url,
    });
    const { checks } = JSON.parse(out);
    return checks.find(({ check: name }: { check: string }) => name === 'standbys');
  };
  assert.equal((await check()).status, 'ok');
  await withoutStandby(async () => {
    const { status, message } = await check();
    assert.equal(status, 'failed');
    assert.match(message, /no synchronous standby confirms commits \(synchronous_standby_names = ANY 1 \(b\)\)/);
  });
});
