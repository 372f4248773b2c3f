// timeouts: real
/** `heddle doctor --cluster` on real processes: each fault is one finding, which names the process and says what to do. */
import assert from 'node:assert/strict';
import { copyFile, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { LAST_MIGRATION } from '@heddle/server/db/migrate.ts';
import { testDatabase } from '@heddle/server/testing/database/database.ts';
import { startReplicatedCluster } from '@heddle/server/testing/database/replicated-cluster.ts';
import { type HeddleServer, runHeddle, startHeddle } from '@heddle/server/testing/faults/heddle-process.ts';
import { NEXT_MIGRATION, NEXT_VERSION, nextRelease } from '@heddle/server/testing/faults/next-release.ts';
import { ServerWithWorkers } from '@heddle/server/testing/faults/workers.ts';
import { runCommand } from '@heddle/server/testing/server/command-line.ts';
import { temporaryDataDirectory } from '@heddle/server/testing/server/data-directory.ts';
import { until } from '@heddle/server/testing/server/until.ts';
import { noNats, startNatsCluster } from '@heddle/server/testing/services/nats-server.ts';
import { freePort } from '@heddle/server/testing/services/ports.ts';
import { HEDDLE_VERSION } from '@heddle/server/version.ts';
import pg from 'pg';

type Environment = Readonly<Record<string, string>>;

interface Found {
  readonly check: string;
  readonly status: string;
  readonly message: string;
  readonly advice?: string;
}

const CHECKS = ['nodes', 'versions', 'schema', 'secrets', 'stores', 'clocks', 'bus', 'replication'];

/** The findings about the cluster. */
async function examine(environment: Environment) {
  const { code, out, err } = await runCommand(['doctor', '--cluster', '--json'], environment);
  assert.ok(out !== '', err);
  const { checks } = JSON.parse(out) as { checks: readonly Found[] };
  const found = checks.filter(({ check }) => CHECKS.includes(check));
  const faults = found.filter(({ status }) => status === 'failed');
  return { code, found, faults, in: (name: string) => found.filter(({ check }) => check === name) };
}

/** The only fault. */
async function onlyFault(environment: Environment): Promise<Found> {
  const { code, faults } = await examine(environment);
  assert.equal(code, 1);
  const [fault] = faults;
  assert.ok(fault !== undefined && faults.length === 1, JSON.stringify(faults, null, 1));
  return fault;
}

/** Resolves when so many processes have reported themselves at these places, which they do after they listen. */
async function untilReported(databaseUrl: string, places: string, count = 1): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const reports = `SELECT FROM server_processes WHERE node LIKE $1 AND report ? 'migration'`;
    const areThere = async () => (await client.query(reports, [places])).rowCount === count;
    await until(areThere, `${count} reports of ${places}`);
  } finally {
    await client.end();
  }
}

interface Node extends HeddleServer {
  readonly data: string;
  readonly environment: Environment;
  /** As the doctor calls it. */
  readonly name: RegExp;
}

/** Processes with data directories of their own, one secret and one folder of files, as on machines of a cluster. */
async function cluster(t: TestContext) {
  const database = await testDatabase();
  const undo: (() => Promise<unknown>)[] = [database.drop];
  t.after(async () => {
    for (const each of undo.reverse()) await each();
  });
  const directory = async () => {
    const made = await temporaryDataDirectory();
    undo.push(() => made.remove());
    return made.path;
  };
  let first: string | undefined;
  const shared = {
    HEDDLE_DATABASE_URL: database.url,
    HEDDLE_BUS: 'postgres',
    HEDDLE_LOG_LEVEL: 'error',
    HEDDLE_OWNER_PASSWORD: 'a shuttle flies through the shed',
  };
  /** The settings of a further process, and its directory. */
  const prepare = async (more: Environment = {}) => {
    const data = await directory();
    if (first === undefined) await mkdir(join(data, 'files'));
    else {
      await copyFile(join(first, 'secret'), join(data, 'secret'));
      await symlink(join(first, 'files'), join(data, 'files'));
    }
    first ??= data;
    return { data, environment: { ...shared, HEDDLE_DATA_DIR: data, HEDDLE_PORT: String(await freePort()), ...more } };
  };
  const node = async (more: Environment = {}, program?: string): Promise<Node> => {
    const { data, environment } = await prepare(more);
    const server = await startHeddle(environment, { ...(program !== undefined && { program }) });
    undo.push(() => server.stop('SIGKILL'));
    await untilReported(database.url, `%:${environment.HEDDLE_PORT}`);
    return { ...server, data, environment, name: new RegExp(`:${new URL(server.url).port}\\b`) };
  };
  const query = async (statement: string) => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  return { prepare, node, query, directory };
}

test('two processes that agree are well, and each is named', async (t) => {
  const { node } = await cluster(t);
  const [one, two] = [await node(), await node()];
  const { found, in: findings } = await examine(one.environment);
  for (const { check, status, message } of found)
    assert.equal(status, check === 'replication' ? 'skipped' : 'ok', `${check}: ${message}`);
  const [nodes] = findings('nodes');
  assert.match(nodes?.message ?? '', /^2 processes run: /);
  for (const { name } of [one, two]) assert.match(nodes?.message ?? '', name);
  assert.equal(findings('versions')[0]?.message, `all run Heddle ${HEDDLE_VERSION}`);
  assert.equal(findings('schema')[0]?.message, `all know the tables up to ${LAST_MIGRATION}`);
  assert.equal((await two.stop()).code, 0);
  assert.match((await examine(one.environment)).in('nodes')[0]?.message ?? '', /^1 process runs: /);
});

test('without --cluster, the doctor looks at this machine only', async (t) => {
  const { node } = await cluster(t);
  const { out } = await runCommand(['doctor', '--json'], (await node()).environment);
  const { checks } = JSON.parse(out) as { checks: readonly Found[] };
  assert.deepEqual(
    checks.filter(({ check }) => CHECKS.includes(check)),
    [],
  );
});

test('a process of another release is named, with its tables', async (t) => {
  const { node, directory } = await cluster(t);
  const one = await node();
  const program = await nextRelease(await directory(), 'export async function up() {}');
  const next = await node({}, program);
  const { faults } = await examine(one.environment);
  const [version, schema] = faults;
  assert.equal(faults.length, 2, JSON.stringify(faults, null, 1));
  assert.match(version?.message ?? '', next.name);
  assert.match(version?.message ?? '', new RegExp(`runs Heddle ${NEXT_VERSION}, and this machine has Heddle`));
  assert.match(version?.advice ?? '', /^Install one release on all machines/);
  assert.match(schema?.message ?? '', one.name);
  assert.match(schema?.message ?? '', new RegExp(`up to ${LAST_MIGRATION}, and a newer .* up to ${NEXT_MIGRATION}$`));
});

test('a process with another secret is named, whether it runs or refused to start', async (t) => {
  const { node, prepare } = await cluster(t);
  const [one, two] = [await node(), await node()];
  await rename(join(two.data, 'secret'), join(two.data, 'kept'));
  const lost = await onlyFault(one.environment);
  assert.equal(lost.check, 'secrets');
  assert.match(lost.message, two.name);
  assert.match(lost.message, /has lost the file secret/);
  await writeFile(join(two.data, 'secret'), 'ab'.repeat(32));
  const other = await onlyFault(one.environment);
  assert.match(other.message, /has another secret than the database knows/);
  assert.match(other.advice ?? '', /copy it from another process/);
  await writeFile(join(two.data, 'secret'), 'torn');
  assert.match((await onlyFault(one.environment)).message, /contains no secret/);
  await writeFile(join(two.data, 'secret'), await readFile(join(two.data, 'kept')));

  const third = await prepare();
  await writeFile(join(third.data, 'secret'), 'cd'.repeat(32));
  assert.equal((await runHeddle(['serve'], third.environment)).code, 1);
  const refused = await onlyFault(one.environment);
  assert.equal(refused.check, 'nodes');
  assert.match(
    refused.message,
    new RegExp(`:${third.environment.HEDDLE_PORT} did not start \\(\\d+ s ago\\): .*another server secret`),
  );
  await copyFile(join(one.data, 'secret'), join(third.data, 'secret'));
  const started = await startHeddle(third.environment);
  t.after(() => started.stop('SIGKILL'));
  await untilReported(third.environment.HEDDLE_DATABASE_URL, `%:${third.environment.HEDDLE_PORT}`);
  assert.deepEqual((await examine(one.environment)).faults, []);
});

test('a process with another store of files is named, whether it runs or refused to start', async (t) => {
  const { node, prepare } = await cluster(t);
  const [one, two] = [await node(), await node()];
  const files = join(two.data, 'files');
  await rm(files);
  await mkdir(files);
  const other = await onlyFault(one.environment);
  assert.equal(other.check, 'stores');
  assert.match(other.message, two.name);
  assert.match(other.message, /has another store of files than the others/);
  assert.match(other.advice ?? '', /HEDDLE_S3_BUCKET/);
  await rm(files, { recursive: true });
  await writeFile(files, 'no directory');
  assert.match((await onlyFault(one.environment)).message, /cannot use the store of files/);
  await rm(files);
  await symlink(join(one.data, 'files'), files);

  const third = await prepare();
  await rm(join(third.data, 'files'));
  await mkdir(join(third.data, 'files'));
  assert.equal((await runHeddle(['serve'], third.environment)).code, 1);
  assert.match((await onlyFault(one.environment)).message, /did not start .*another store of files/);
});

test('a process whose clock is wrong is named, with the direction', async (t) => {
  const { node } = await cluster(t);
  const one = await node();
  const ahead = 'const { now } = Date; Date.now = () => now() + 60_000;';
  const two = await node({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(ahead)}` });
  const fault = await onlyFault(one.environment);
  assert.equal(fault.check, 'clocks');
  assert.match(fault.message, two.name);
  assert.match(fault.message, /^the clock of .* is (?:5|6)\d\.\d s ahead of that of the database$/);
  assert.match(fault.advice ?? '', /^Synchronize the clocks/);
});

test('a process that hangs, one that was killed, and one without the bus are named', async (t) => {
  const { node, query } = await cluster(t);
  const [one, two] = [await node(), await node()];
  assert.deepEqual((await examine(one.environment)).faults, []);
  two.child.kill('SIGSTOP');
  const hung = await onlyFault(one.environment);
  assert.equal(hung.check, 'bus');
  assert.match(hung.message, two.name);
  assert.match(hung.message, /did not answer over the bus/);
  // It does not continue before, so it reports nothing after this.
  await two.stop('SIGKILL');
  await query(`UPDATE server_processes SET reported_at = reported_at - interval '5 minutes'`);
  const gone = await onlyFault(one.environment);
  assert.equal(gone.check, 'nodes');
  assert.match(gone.message, two.name);
  assert.match(gone.message, /has been gone for 5 min/);
  // The next start at the same place is well.
  const again = await startHeddle(two.environment);
  t.after(() => again.stop('SIGKILL'));
  assert.deepEqual((await examine(one.environment)).faults, []);
  await again.stop();
  const local = await node({ HEDDLE_BUS: 'local' });
  const alone = await onlyFault(one.environment);
  assert.match(alone.message, local.name);
  assert.match(alone.message, /runs with HEDDLE_BUS=local/);
});

test('processes that lost NATS are named, and those of another bus', { skip: noNats }, async (t) => {
  const { node } = await cluster(t);
  const [nats, other] = [await startNatsCluster(1), await startNatsCluster(1)];
  t.after(() => Promise.all([nats.stop(), other.stop()]));
  const one = await node({ HEDDLE_BUS: nats.url });
  const two = await node({ HEDDLE_BUS: other.url });
  await until(async () => (await examine(one.environment)).faults.length === 0, 'both to be connected to NATS');
  await other.stop();
  await until(async () => (await examine(one.environment)).faults.length > 0, 'a process to lose NATS');
  const lost = await onlyFault(one.environment);
  assert.equal(lost.check, 'bus');
  assert.match(lost.message, two.name);
  assert.match(lost.message, /is not connected to NATS/);
  await other.start();
  await until(async () => (await examine(one.environment)).faults.length === 0, 'the process to be connected again');
  const postgres = await node();
  const mixed = await onlyFault(one.environment);
  assert.match(mixed.message, postgres.name);
  assert.match(mixed.message, /runs with HEDDLE_BUS=postgres and others with NATS/);
});

test('workers are named, and a replaced one is not missing', async (t) => {
  const database = await testDatabase();
  t.after(database.drop);
  const server = await ServerWithWorkers.start(2, { HEDDLE_DATABASE_URL: database.url });
  t.after(() => server.end());
  await untilReported(database.url, '%', 2);
  const data = await temporaryDataDirectory();
  t.after(() => data.remove());
  const environment = { HEDDLE_DATABASE_URL: database.url, HEDDLE_DATA_DIR: data.path, HEDDLE_PORT: '0' };
  const { faults, in: findings } = await examine(environment);
  assert.deepEqual(faults, []);
  assert.match(findings('nodes')[0]?.message ?? '', /^2 processes run: .* \(worker 1\), .* \(worker 2\)$/);
});

test('before the first start, no process is named as the fault', async (t) => {
  const { prepare } = await cluster(t);
  const { environment } = await prepare();
  const fault = await onlyFault(environment);
  assert.deepEqual([fault.check, fault.message], ['nodes', 'no process of Heddle runs']);
});

test('a restored backup brings no processes with it', async (t) => {
  const { node, directory } = await cluster(t);
  const { environment } = await node();
  const backup = join(await directory(), 'backup');
  assert.equal((await runCommand(['backup', backup], environment)).code, 0);
  const empty = await testDatabase('empty');
  t.after(empty.drop);
  const elsewhere = { ...environment, HEDDLE_DATABASE_URL: empty.url, HEDDLE_DATA_DIR: await directory() };
  const { code, err } = await runCommand(['restore', backup], elsewhere);
  assert.equal(code, 0, err);
  assert.equal((await onlyFault(elsewhere)).message, 'no process of Heddle runs');
});

test('standbys: one that follows is well; one that is paused, stopped, promoted or a former primary is named', async (t) => {
  const { primary, standby, url, waitForStandby, remove } = await startReplicatedCluster();
  t.after(remove);
  const data = await temporaryDataDirectory();
  t.after(() => data.remove());
  const environment = { HEDDLE_DATABASE_URL: url, HEDDLE_DATA_DIR: data.path, HEDDLE_PORT: '0' };
  const [first, second] = [primary, standby].map((node) => `127.0.0.1:${node.port}`);
  const replication = async () => (await examine(environment)).in('replication');
  const [unsafe] = await replication();
  assert.deepEqual([unsafe?.status, /failover can lose/.test(unsafe?.message ?? '')], ['warning', true]);
  await waitForStandby();
  const well = `${first} is the primary, and ${second} has replayed its last change`;
  assert.deepEqual(
    (await replication()).map(({ status, message }) => [status, message]),
    [['ok', well]],
  );

  // As when its disk is full: it takes no mark, and standbys are looked at all the same.
  await primary.set('default_transaction_read_only', 'on');
  assert.deepEqual(
    (await replication()).map(({ status }) => status),
    ['ok'],
  );
  await primary.set('default_transaction_read_only', 'off');

  await standby.query('SELECT pg_wal_replay_pause()');
  const [paused] = await replication();
  assert.match(
    paused?.message ?? '',
    new RegExp(`^the standby ${second} is .* behind the primary: its replay is paused$`),
  );
  assert.match(paused?.advice ?? '', /pg_wal_replay_resume/);
  await standby.query('SELECT pg_wal_replay_resume()');

  const [sender] = await primary.query<{ pid: number }>('SELECT pid FROM pg_stat_replication');
  assert(sender !== undefined);
  process.kill(sender.pid, 'SIGSTOP');
  const [cut] = await replication();
  process.kill(sender.pid, 'SIGCONT');
  assert.match(cut?.message ?? '', /does not receive changes$/);

  await standby.stop();
  const [stopped] = await replication();
  assert.deepEqual(
    [stopped?.status, stopped?.message],
    ['failed', `the PostgreSQL ${second} cannot be used: nothing listens at ${second}`],
  );

  await standby.start();
  await standby.promote();
  const [both] = await replication();
  assert.match(both?.message ?? '', new RegExp(`^${first} and ${second} all accept writes$`));

  // The former primary has written more than the new one.
  await primary.query(
    "SELECT pg_logical_emit_message(false, 'test', repeat('x', 1000000)) FROM generate_series(1, 20)",
  );
  await primary.stop();
  await primary.startAsStandby();
  const stray = (await replication()).find(({ status }) => status === 'failed');
  assert.equal(
    stray?.message,
    `the standby ${first} does not follow the primary: it has changes that the primary lacks`,
  );
  assert.match(stray?.advice ?? '', /pg_rewind/);
});
