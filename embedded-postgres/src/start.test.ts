import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../server/src/testing/server/until.ts';
import { EmbeddedPostgresError } from './index.ts';
import { postgresProcessesIn, postmasterPid } from './processes.ts';
import { clusterOf, directoryWithCluster, query, serve, startHolder, temporaryDirectory } from './testing/fixture.ts';

const noProc = process.platform === 'linux' ? false : 'read from /proc, which only Linux has';

test('a new data directory gets a cluster with checksums, durable settings and no TCP port', async (t) => {
  const dataDirectory = join(temporaryDirectory(t), 'data');
  const embedded = await serve(dataDirectory);
  const rows = await query(
    embedded.connection,
    `SELECT current_database() AS database, current_setting('data_checksums') AS checksums,
            current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
            current_setting('full_page_writes') AS pages, current_setting('listen_addresses') AS addresses,
            current_setting('server_encoding') AS encoding, datlocprovider AS provider, datlocale AS locale
       FROM pg_database WHERE datname = current_database()`,
  );
  assert.deepEqual(rows, [
    {
      database: 'heddle',
      checksums: 'on',
      fsync: 'on',
      commit: 'on',
      pages: 'on',
      addresses: '',
      encoding: 'UTF8',
      provider: 'b',
      locale: 'PG_UNICODE_FAST',
    },
  ]);
  await embedded.stop();
});

test('written data survives a stop and a start, and no process runs in between', async (t) => {
  const dataDirectory = join(temporaryDirectory(t), 'data');
  const first = await serve(dataDirectory);
  await query(first.connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await first.stop();
  assert.deepEqual(postgresProcessesIn(clusterOf(dataDirectory)), []);
  assert.equal(existsSync(join(dataDirectory, 'heddle.lock')), false);

  const second = await serve(dataDirectory);
  assert.deepEqual(await query(second.connection, 'SELECT answer FROM kept'), [{ answer: 42 }]);
  await second.stop();
});

test('a clean stop leaves nothing to recover', async (t) => {
  const dataDirectory = join(temporaryDirectory(t), 'data');
  const embedded = await serve(dataDirectory);
  await query(embedded.connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await embedded.stop();
  assert.match(
    readFileSync(join(dataDirectory, 'postgres', 'postgres.log'), 'utf8'),
    /database system is shut down\n$/,
  );
});

test('lower() in the database and toLowerCase() in JavaScript agree on every character that both know', async (t) => {
  const dataDirectory = join(temporaryDirectory(t), 'data');
  const embedded = await serve(dataDirectory);
  const rows = await query(
    embedded.connection,
    `SELECT i AS code, lower(chr(i)) AS lower FROM generate_series(1, 1114111) AS i
      WHERE i NOT BETWEEN 55296 AND 57343 AND unicode_assigned(chr(i))`,
  );
  const differing = rows.filter(({ code, lower }) => String.fromCodePoint(Number(code)).toLowerCase() !== lower);
  assert.ok(rows.length > 150_000);
  assert.deepEqual(differing, []);
  assert.deepEqual(await query(embedded.connection, `SELECT lower('ΛΟΓΟΣ') AS word`), [
    { word: 'ΛΟΓΟΣ'.toLowerCase() },
  ]);
  await embedded.stop();
});

test('only PostgreSQL’s user can enter the cluster and the directory of the socket', async (t) => {
  const dataDirectory = join(temporaryDirectory(t), 'data');
  const embedded = await serve(dataDirectory);
  for (const directory of [clusterOf(dataDirectory), embedded.connection.host]) {
    assert.equal(statSync(directory).mode & 0o777, 0o700);
  }
  await embedded.stop();
});

test('an interrupt in the terminal does not reach PostgreSQL, which has its own session', {
  skip: noProc,
}, async (t) => {
  const dataDirectory = join(temporaryDirectory(t), 'data');
  const embedded = await serve(dataDirectory);
  const postmaster = postmasterPid(clusterOf(dataDirectory));
  const fields = readFileSync(`/proc/${postmaster}/stat`, 'utf8').split(') ')[1]?.split(' ');
  assert.deepEqual([fields?.[2], fields?.[3]], [String(postmaster), String(postmaster)]);
  await embedded.stop();
});

test('a path too long for a socket gets a private directory elsewhere, which commands find and a stop removes', async (t) => {
  const dataDirectory = join(temporaryDirectory(t), 'data', 'x'.repeat(60), 'y'.repeat(60));
  const embedded = await serve(dataDirectory);
  const { host } = embedded.connection;
  assert.ok(!host.startsWith(dataDirectory));
  assert.equal(statSync(host).mode & 0o777, 0o700);
  assert.equal(JSON.parse(readFileSync(join(dataDirectory, 'heddle.lock'), 'utf8')).connection.host, host);
  assert.deepEqual(await query(embedded.connection, 'SELECT 1 AS one'), [{ one: 1 }]);
  await embedded.stop();
  assert.equal(existsSync(host), false);
});

/** The unfinished clusters of a data directory. */
function draftsIn(dataDirectory: string): readonly string[] {
  const home = join(dataDirectory, 'postgres');
  const names = existsSync(home) ? readdirSync(home) : [];
  return names.filter((name) => name.includes('initializing')).map((name) => join(home, name));
}

/** Returns whether the initialization was killed before its end. A test process that gets no processor time is too late. */
async function killInitialization(dataDirectory: string): Promise<boolean> {
  const holder = startHolder(dataDirectory);
  const exited = once(holder, 'exit');
  const isHalfWay = () => draftsIn(dataDirectory).some((draft) => existsSync(join(draft, 'global')));
  await until(() => isHalfWay() || existsSync(clusterOf(dataDirectory)), 'a half initialized cluster');
  holder.kill('SIGKILL');
  await exited;
  return !existsSync(clusterOf(dataDirectory));
}

test('an initialization that was killed is started again', async (t) => {
  const dataDirectory = await until(async () => {
    const directory = join(temporaryDirectory(t), 'data');
    return (await killInitialization(directory)) && directory;
  }, 'a killed initialization');

  const embedded = await serve(dataDirectory);
  assert.deepEqual(draftsIn(dataDirectory), []);
  assert.deepEqual(await query(embedded.connection, 'SELECT 1 AS one'), [{ one: 1 }]);
  await embedded.stop();
});

test('a first start that was killed before it created the database is completed by the next start', async (t) => {
  const dataDirectory = join(temporaryDirectory(t), 'data');
  const first = await serve(dataDirectory);
  await query({ ...first.connection, database: 'postgres' }, 'DROP DATABASE heddle WITH (FORCE)');
  await first.stop();
  const second = await serve(dataDirectory);
  assert.deepEqual(await query(second.connection, 'SELECT 1 AS one'), [{ one: 1 }]);
  await second.stop();
});

test('a cluster of another major version is refused with both versions, and is not changed', async (t) => {
  const dataDirectory = join(temporaryDirectory(t), 'data');
  await (await serve(dataDirectory)).stop();
  const versionFile = join(clusterOf(dataDirectory), 'PG_VERSION');
  writeFileSync(versionFile, '17\n');
  await assert.rejects(serve(dataDirectory), hasCode('WRONG_MAJOR_VERSION', /PostgreSQL 17.*PostgreSQL 18.*pg_dump/s));
  writeFileSync(versionFile, '18\n');
  await (await serve(dataDirectory)).stop();
});

test('a directory with files but without a cluster is refused, and is not changed', async (t) => {
  const dataDirectory = join(temporaryDirectory(t), 'data');
  const foreign = join(clusterOf(dataDirectory), 'holiday.jpg');
  mkdirSync(dirname(foreign), { recursive: true });
  writeFileSync(foreign, 'sea');
  await assert.rejects(
    serve(dataDirectory),
    hasCode('DATA_DIRECTORY_UNUSABLE', /contains files but no PostgreSQL cluster/),
  );
  assert.equal(readFileSync(foreign, 'utf8'), 'sea');
});

test('a data directory that is a file is refused with the reason', async (t) => {
  const path = join(temporaryDirectory(t), 'data');
  writeFileSync(path, '');
  await assert.rejects(serve(path), hasCode('DATA_DIRECTORY_UNUSABLE', /HEDDLE_DATA_DIR/));
});

test('if PostgreSQL does not start, the error has its output, and the lock is released', async (t) => {
  const dataDirectory = join(temporaryDirectory(t), 'data');
  await (await serve(dataDirectory)).stop();
  truncateSync(join(clusterOf(dataDirectory), 'global', 'pg_control'), 10);
  for (const _attempt of [1, 2]) {
    await assert.rejects(serve(dataDirectory), hasCode('START_FAILED', /pg_control/));
    assert.deepEqual(postgresProcessesIn(clusterOf(dataDirectory)), []);
  }
});

test('a start that fails after PostgreSQL is ready stops it before the lock is free', async (t) => {
  const dataDirectory = await directoryWithCluster(t);
  const starting = serve(dataDirectory);
  // Now the lock is held. A directory with the name of its draft prevents the announcement that PostgreSQL is ready.
  const obstacle = join(dataDirectory, 'heddle.lock.new');
  mkdirSync(obstacle);
  await assert.rejects(starting, hasCode('DATA_DIRECTORY_UNUSABLE', /EISDIR/));
  assert.deepEqual(postgresProcessesIn(clusterOf(dataDirectory)), []);
  rmSync(obstacle, { recursive: true });
  await (await serve(dataDirectory)).stop();
});

test('a large log file is rotated at start, and PostgreSQL continues with a new one', async (t) => {
  const dataDirectory = join(temporaryDirectory(t), 'data');
  await (await serve(dataDirectory)).stop();
  const log = join(dataDirectory, 'postgres', 'postgres.log');
  truncateSync(log, 17 * 1024 * 1024);
  await (await serve(dataDirectory)).stop();
  assert.equal(statSync(`${log}.1`).size, 17 * 1024 * 1024);
  assert.match(readFileSync(log, 'utf8'), /^\d[^\n]*starting PostgreSQL/);
});

test('a missing library link is created again', async (t) => {
  const { createMissingSymlinks, locatePackage } = await import('./binaries.ts');
  const directory = temporaryDirectory(t);
  const declared = readFileSync(join(locatePackage(), 'native', 'pg-symlinks.json'), 'utf8');
  mkdirSync(join(directory, 'native', 'lib'), { recursive: true });
  writeFileSync(join(directory, 'native', 'pg-symlinks.json'), declared);
  for (const { source } of JSON.parse(declared)) {
    mkdirSync(dirname(join(directory, source)), { recursive: true });
    writeFileSync(join(directory, source), source);
  }
  createMissingSymlinks(directory);
  for (const { source, target } of JSON.parse(declared)) {
    assert.ok(lstatSync(join(directory, target)).isSymbolicLink());
    assert.equal(readFileSync(join(directory, target), 'utf8'), source);
  }
  rmSync(join(directory, 'native'), { recursive: true });
});

function hasCode(code: string, message: RegExp): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof EmbeddedPostgresError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  };
}
