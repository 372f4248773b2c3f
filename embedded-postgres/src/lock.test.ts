import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { EmbeddedPostgresError } from './index.ts';
import { isAlive, postgresProcessesIn, postmasterPid, startOf } from './processes.ts';
import {
  clusterOf,
  command,
  directoryWithCluster,
  query,
  serve,
  serveElsewhere,
  temporaryDirectory,
} from './testing/fixture.ts';

function isInUseBy(pid: number): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof EmbeddedPostgresError, String(error));
    assert.equal(error.code, 'DATA_DIRECTORY_IN_USE');
    assert.match(error.message, new RegExp(`is in use by process ${pid}\\.`));
    return true;
  };
}

test('a second server on a data directory is refused, naming the first, which goes on', async (t) => {
  const dataDirectory = await directoryWithCluster(t);
  const first = await serveElsewhere(t, dataDirectory);
  await assert.rejects(serve(dataDirectory), isInUseBy(first.pid));
  assert.deepEqual(await query(first.connection, 'SELECT 1 AS one'), [{ one: 1 }]);
  await first.stop();
  await (await serve(dataDirectory)).stop();
});

test('a second server in the same process is refused as well', async (t) => {
  const dataDirectory = await directoryWithCluster(t);
  const first = await serve(dataDirectory);
  await assert.rejects(serve(dataDirectory), isInUseBy(process.pid));
  await first.stop();
});

test('of servers that start at the same moment exactly one wins', async (t) => {
  const dataDirectory = join(temporaryDirectory(t), 'data');
  const results = await Promise.allSettled([serve(dataDirectory), serve(dataDirectory), serve(dataDirectory)]);
  const winners = results.filter((result) => result.status === 'fulfilled');
  assert.equal(winners.length, 1);
  await winners[0]?.value.stop();
});

test('the record of a dead process, or of one whose id was given to another, does not keep a server out', async (t) => {
  const dataDirectory = join(temporaryDirectory(t), 'data');
  mkdirSync(dataDirectory);
  const dead = spawn('true');
  await once(dead, 'exit');
  const records = [
    { pid: dead.pid, started: 'then' },
    { pid: process.ppid, started: 'before that process began' },
  ];
  for (const record of records) {
    const path = join(dataDirectory, 'heddle.lock');
    writeFileSync(path, JSON.stringify({ ...record, purpose: 'serve', state: 'ready', connection: null }));
    const server = await serve(dataDirectory);
    assert.equal(JSON.parse(readFileSync(path, 'utf8')).pid, process.pid);
    await server.stop();
  }
});

test('after kill -9 of the server its PostgreSQL is stopped and another started; what was committed is there', async (t) => {
  const dataDirectory = await directoryWithCluster(t);
  const killed = await serveElsewhere(t, dataDirectory);
  await query(killed.connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
  const orphan = postmasterPid(clusterOf(dataDirectory));
  assert.ok(orphan !== null);
  await killed.kill();
  assert.ok(isAlive(orphan));

  const server = await serve(dataDirectory);
  assert.notEqual(postmasterPid(clusterOf(dataDirectory)), orphan);
  assert.equal(startOf(orphan), null);
  assert.deepEqual(await query(server.connection, 'SELECT answer FROM kept'), [{ answer: 42 }]);
  await server.stop();
});

test('a transaction that the killed server left open cannot commit beside its successor', async (t) => {
  const dataDirectory = await directoryWithCluster(t);
  const killed = await serveElsewhere(t, dataDirectory);
  await query(killed.connection, 'CREATE TABLE heads (head int)', 'INSERT INTO heads VALUES (1)');
  const left = query(killed.connection, 'BEGIN', 'UPDATE heads SET head = 2', 'SELECT pg_sleep(600)', 'COMMIT');
  const rejected = assert.rejects(left);
  await killed.kill();
  const server = await serve(dataDirectory);
  await rejected;
  assert.deepEqual(await query(server.connection, 'UPDATE heads SET head = head + 10 RETURNING head'), [{ head: 11 }]);
  await server.stop();
});

test('a stale postmaster.pid that names a living process of someone else is no obstacle', async (t) => {
  const dataDirectory = await directoryWithCluster(t);
  const first = await serve(dataDirectory);
  const pidFile = join(clusterOf(dataDirectory), 'postmaster.pid');
  const socketLock = join(first.connection.host, '.s.PGSQL.5432.lock');
  const [text, lockText] = [readFileSync(pidFile, 'utf8'), readFileSync(socketLock, 'utf8')];
  await first.stop();
  assert.equal(existsSync(pidFile), false);

  // The process id is reused by a process of the same user, which is what PostgreSQL itself would be misled by.
  const { uid, gid } = statSync(clusterOf(dataDirectory));
  const bystander = spawn('sleep', ['600'], process.geteuid?.() === 0 ? { uid, gid } : {});
  t.after(() => bystander.kill());
  writeFileSync(pidFile, text.replace(/^\d+/, String(bystander.pid)));
  writeFileSync(socketLock, lockText.replace(/^\d+/, String(bystander.pid)));

  const second = await serve(dataDirectory);
  assert.deepEqual(await query(second.connection, 'SELECT 1 AS one'), [{ one: 1 }]);
  assert.equal(bystander.exitCode, null);
  await second.stop();
});

test('a command beside a running server uses its cluster and leaves it running', async (t) => {
  const dataDirectory = await directoryWithCluster(t);
  const server = await serveElsewhere(t, dataDirectory);
  const attached = await command(dataDirectory);
  assert.deepEqual(attached.connection, server.connection);
  await attached.stop();
  assert.deepEqual(await query(server.connection, 'SELECT 1 AS one'), [{ one: 1 }]);
  await server.stop();
});

test('a command without a server runs the cluster itself, for as long as another command needs it', async (t) => {
  const dataDirectory = await directoryWithCluster(t);
  const host = await command(dataDirectory);
  const guest = await command(dataDirectory);
  assert.deepEqual(guest.connection, host.connection);

  let isStopped = false;
  const stopping = host.stop().then(() => {
    isStopped = true;
  });
  assert.deepEqual(await query(guest.connection, 'CREATE TABLE late AS SELECT 1 AS one', 'SELECT one FROM late'), [
    { one: 1 },
  ]);
  assert.equal(isStopped, false);
  await guest.stop();
  await stopping;
  assert.deepEqual(postgresProcessesIn(clusterOf(dataDirectory)), []);
});

test('a command that comes while another one ends waits and then runs the cluster itself', async (t) => {
  const dataDirectory = await directoryWithCluster(t);
  const host = await command(dataDirectory);
  const [, next] = await Promise.all([host.stop(), command(dataDirectory)]);
  assert.deepEqual(await query(next.connection, 'SELECT 1 AS one'), [{ one: 1 }]);
  await next.stop();
  assert.deepEqual(postgresProcessesIn(clusterOf(dataDirectory)), []);
});

test('a server waits for a command to finish', async (t) => {
  const dataDirectory = await directoryWithCluster(t);
  const running = await command(dataDirectory);
  const starting = serve(dataDirectory);
  await query(running.connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await running.stop();
  const server = await starting;
  assert.deepEqual(await query(server.connection, 'SELECT answer FROM kept'), [{ answer: 42 }]);
  await server.stop();
});
