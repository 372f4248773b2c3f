// timeouts: real
/** Failovers of PostgreSQL: the URL names both hosts, and no proxy or name server says which of them is the primary. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { TestClient } from './testing/clients/client.ts';
import {
  type PostgresNode,
  type ReplicatedCluster,
  startReplicatedCluster,
} from './testing/database/replicated-cluster.ts';
import { ownerAccount } from './testing/faults/command-line-accounts.ts';
import { runCommand, type ServeCommand, startServe } from './testing/server/command-line.ts';
import { temporaryDataDirectory } from './testing/server/data-directory.ts';
import { until } from './testing/server/until.ts';

const password = 'a shuttle flies through the shed';

interface Tidying {
  after(tidy: () => Promise<void>): void;
}

/** A cluster whose standby lacks no commit. */
async function startCluster(t: Tidying): Promise<ReplicatedCluster> {
  const cluster = await startReplicatedCluster();
  t.after(() => cluster.remove());
  await cluster.waitForStandby();
  return cluster;
}

async function environmentFor(t: Tidying, databaseUrl: string): Promise<Readonly<Record<string, string>>> {
  const data = await temporaryDataDirectory();
  t.after(() => data.remove());
  return {
    HEDDLE_DATA_DIR: data.path,
    HEDDLE_DATABASE_URL: databaseUrl,
    HEDDLE_BUS: 'postgres',
    HEDDLE_RATE_LIMITS: 'off',
    HEDDLE_LOG_LEVEL: 'silent',
    HEDDLE_OWNER_PASSWORD: password,
  };
}

/** Repeats a send until it succeeds. Returns the id of the message. */
async function insistOnSending(client: TestClient, content: string): Promise<number> {
  return await until(async () => {
    const fields = { type: 'channel', to: 'loom', topic: 'warp', content };
    const { status, body } = await client.call('POST', '/messages', fields);
    assert(status === 200 || status === 503, JSON.stringify(body));
    return status === 200 && body.id;
  }, 'a successful send');
}

interface Failure {
  readonly name: string;
  /** Whether the connections to the primary end. A commit that waits for a standby keeps its own for ever. */
  readonly endsConnections: boolean;
  fail(primary: PostgresNode): Promise<void> | void;
}

const failures: readonly Failure[] = [
  { name: 'is killed', endsConnections: false, fail: (primary) => primary.kill() },
  { name: 'hangs', endsConnections: true, fail: (primary) => primary.pause() },
  {
    name: 'becomes read-only',
    endsConnections: true,
    fail: (primary) => primary.set('default_transaction_read_only', 'on'),
  },
  { name: 'only loses its standby', endsConnections: false, fail: () => undefined },
];

for (const { name, endsConnections, fail } of failures)
  test(`when the primary ${name} and the standby is promoted, all connections go to the new primary, and no event is missed`, async (t) => {
    const servers: ServeCommand[] = [];
    const { primary, standby, url: both } = await startCluster(t);
    const environment = await environmentFor(t, both);
    t.after(async () => {
      for (const server of servers) await server.stop();
    });
    for (const _ of [1, 2]) servers.push(await startServe(environment));
    const [one, two] = servers;
    assert(one !== undefined && two !== undefined);
    const account = await ownerAccount(one.url, password);
    const [writer, reader] = [one.url, two.url].map(
      (url) => new TestClient({ ...account, url, host: 'localhost', name: 'Owner' }),
    );
    assert(writer !== undefined && reader !== undefined);
    await writer.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'loom' }] });
    const queue = await reader.register({ event_types: ['message'] });
    await insistOnSending(writer, 'before');
    assert.equal((await queue.take(1))[0]?.message.content, 'before');

    const waiting = queue.next();
    await fail(primary);
    await standby.promote();
    const sent = await insistOnSending(writer, 'after');
    // A send with an unknown outcome may be stored, so the message can arrive more than once.
    const events = [...(await waiting)];
    await until(async () => {
      if (events.at(-1)?.message.id < sent) events.push(...(await queue.next()));
      return events.at(-1)?.message.id === sent;
    }, 'the message');
    assert.deepEqual(new Set(events.map(({ message }) => message.content)), new Set(['after']));
    await insistOnSending(reader, 'from the other process');

    const listeners = async () => (await standby.connections()).filter((each) => each === 'heddle bus').length === 2;
    await until(listeners, 'both processes to listen at the new primary');
    if (!endsConnections) return;
    // A primary that hung accepts writes again. Its timeline is older.
    primary.resume();
    await until(
      async () => (await primary.connections()).length === 0,
      'the end of all connections to the old primary',
    );
    const { code, err } = await runCommand(
      ['user', 'create', '--email', 'ada@example.com', '--name', 'Ada'],
      environment,
    );
    assert.equal(code, 0, err);
    const accounts = await standby.query("SELECT FROM users WHERE email = 'ada@example.com'");
    assert.equal(accounts.length, 1);
  });

test('commands, backups and the doctor find the primary, also if a standby comes first', async (t) => {
  const { primary, standby } = await startCluster(t);
  // The standby comes first.
  const url = new URL(primary.url);
  const [hosts, ports] = [
    [standby.socketDirectory, primary.socketDirectory],
    [standby.port, primary.port],
  ];
  url.search = `host=${hosts}&port=${ports}`;
  const environment = await environmentFor(t, url.href);
  await (await startServe(environment)).stop();
  const run = async (...args: readonly string[]) => {
    const { code, out, err } = await runCommand(args, environment);
    assert.equal(code, 0, `${args.join(' ')}: ${err}`);
    return out;
  };
  await run('user', 'create', '--email', 'ada@example.com', '--name', 'Ada');
  const backups = await temporaryDataDirectory();
  t.after(() => backups.remove());
  await run('backup', join(backups.path, 'monday'));
  const { checks } = JSON.parse((await runCommand(['doctor', '--json'], environment)).out);
  assert.equal(checks.find(({ check }: { check: string }) => check === 'database').status, 'ok');
});

test('a start without a primary names the standby, and so does the doctor', async (t) => {
  const { primary, standby, url: both } = await startCluster(t);
  await primary.kill();
  const { host } = new URL(standby.url);
  for (const [url, reason] of [
    [standby.url, /The database at HEDDLE_DATABASE_URL is a standby, and Heddle needs to write\./],
    [both, new RegExp(`no host accepts writes: .* cannot be used \\(.*\\); ${host} is a standby`)],
  ] as const) {
    const environment = await environmentFor(t, url);
    const { code, err } = await runCommand(['serve'], environment);
    assert.equal(code, 1);
    assert.match(err, reason);
    const { checks } = JSON.parse((await runCommand(['doctor', '--json'], environment)).out);
    const found = checks.find(({ check }: { check: string }) => check === 'database');
    assert.equal(found.status, 'failed');
    assert.match(found.message, reason);
    assert.match(found.advice, /^Connect to the primary/);
  }
});
