import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, lstatSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { locatePackage, prepareBinaries } from './binaries.ts';
import { canEnter, chooseUser, type OsUser } from './os-user.ts';
import { postmasterPid } from './processes.ts';
import { clusterOf, query, serve, serveElsewhere, temporaryDirectory } from './testing/fixture.ts';

const isRoot = process.platform === 'linux' && process.geteuid?.() === 0;
const skip = isRoot ? false : 'only root (of a Linux) can run PostgreSQL as another user';

async function someUser(t: TestContext): Promise<OsUser> {
  const directory = temporaryDirectory(t);
  const user = await chooseUser(directory, join(directory, 'none'));
  assert.ok(user !== null);
  return user;
}

/** A directory that only root may enter, like root's home. */
function closedDirectory(t: TestContext): string {
  const directory = join(temporaryDirectory(t), 'closed');
  mkdirSync(directory, { mode: 0o700 });
  return directory;
}

test('root runs PostgreSQL as an unprivileged user, which owns the cluster', { skip }, async (t) => {
  const dataDirectory = join(temporaryDirectory(t), 'data');
  const embedded = await serve(dataDirectory);
  const { uid } = statSync(clusterOf(dataDirectory));
  assert.notEqual(uid, 0);
  assert.equal(statSync(`/proc/${postmasterPid(clusterOf(dataDirectory))}`).uid, uid);
  await embedded.stop();
});

test('a data directory below one that PostgreSQL’s user cannot enter works, and its parent stays closed', {
  skip,
}, async (t) => {
  const closed = closedDirectory(t);
  const dataDirectory = join(closed, 'data');
  const user = await someUser(t);
  for (const _start of ['first', 'second']) {
    const embedded = await serve(dataDirectory);
    assert.equal(await canEnter(user, dataDirectory), false);
    assert.deepEqual(await query(embedded.connection, 'SELECT 1 AS one'), [{ one: 1 }]);
    await embedded.stop();
  }
  assert.equal(statSync(closed).mode & 0o777, 0o700);
});

test('a closed data directory with a path too long for a socket works', { skip }, async (t) => {
  const dataDirectory = join(closedDirectory(t), 'x'.repeat(120));
  const embedded = await serve(dataDirectory);
  assert.deepEqual(await query(embedded.connection, 'SELECT 1 AS one'), [{ one: 1 }]);
  await embedded.stop();
});

test('a strict umask does not prevent access for PostgreSQL’s user', { skip }, async (t) => {
  const dataDirectory = join(temporaryDirectory(t), 'data');
  const umask = process.umask(0o077);
  t.after(() => process.umask(umask));
  const embedded = await serve(dataDirectory);
  assert.deepEqual(await query(embedded.connection, 'SELECT 1 AS one'), [{ one: 1 }]);
  await embedded.stop();
});

test('binaries that PostgreSQL’s user cannot reach are copied once to a directory that it can reach', {
  skip,
}, async (t) => {
  const user = await someUser(t);
  const parent = temporaryDirectory(t);
  chmodSync(parent, 0o755);
  const cache = join(parent, 'cache');
  const unreachable = join(closedDirectory(t), 'package');
  cpSync(locatePackage(), unreachable, { recursive: true, verbatimSymlinks: true });
  const binaries = await prepareBinaries(unreachable, user, cache);
  assert.ok(binaries.postgres.startsWith(cache));
  execFileSync(binaries.initdb, ['--version'], { uid: user.uid, gid: user.gid, cwd: '/' });
  assert.equal(lstatSync(binaries.postgres).uid, 0);
  const { ino } = lstatSync(binaries.postgres);
  assert.equal(lstatSync((await prepareBinaries(unreachable, user, cache)).postgres).ino, ino);
});

test('a copy of the binaries that other users could change is not executed', { skip }, async (t) => {
  const user = await someUser(t);
  const parent = temporaryDirectory(t);
  chmodSync(parent, 0o755);
  const cache = join(parent, 'cache');
  mkdirSync(cache);
  chownSync(cache, user.uid, user.gid);
  const unreachable = join(closedDirectory(t), 'package');
  cpSync(locatePackage(), unreachable, { recursive: true, verbatimSymlinks: true });
  await assert.rejects(prepareBinaries(unreachable, user, cache), /only root can write/);
});

test('a cluster that root has copied is given to PostgreSQL’s user', { skip }, async (t) => {
  const directory = temporaryDirectory(t);
  const original = join(directory, 'original');
  const first = await serve(original);
  await query(first.connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await first.stop();
  const copy = join(directory, 'data');
  cpSync(original, copy, { recursive: true });
  assert.equal(statSync(clusterOf(copy)).uid, 0);
  rmSync(original, { recursive: true });

  const second = await serve(copy);
  assert.deepEqual(await query(second.connection, 'SELECT answer FROM kept'), [{ answer: 42 }]);
  await second.stop();
});

test('a data directory is run by its owner, whether root or the owner starts the server', { skip }, async (t) => {
  const user = await someUser(t);
  const parent = temporaryDirectory(t);
  chmodSync(parent, 0o755);
  const dataDirectory = join(parent, 'data');
  mkdirSync(dataDirectory);
  chownSync(dataDirectory, user.uid, user.gid);
  const owners = await serveElsewhere(t, dataDirectory, { uid: user.uid, gid: user.gid });
  await query(owners.connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
  assert.equal(statSync(`/proc/${postmasterPid(clusterOf(dataDirectory))}`).uid, user.uid);
  await owners.stop();

  const roots = await serve(dataDirectory);
  assert.deepEqual(await query(roots.connection, 'SELECT answer FROM kept'), [{ answer: 42 }]);
  assert.equal(statSync(`/proc/${postmasterPid(clusterOf(dataDirectory))}`).uid, user.uid);
  await roots.stop();
});
