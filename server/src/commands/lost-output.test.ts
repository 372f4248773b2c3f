import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { readLockRecord } from '@heddle/embedded-postgres/lock.ts';
import { clusterDirectoryIn } from '@heddle/embedded-postgres/place.ts';
import { isAlive, postgresProcessesIn, until } from '@heddle/embedded-postgres/processes.ts';
import { temporaryDataDirectory } from '../testing/heddle-process.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const PATIENCE = 60_000;

async function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const server = createServer().listen(0, '127.0.0.1', () => {
    const address = server.address();
    server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
  });
  return promise;
}

/** Runs the server in a shell's pipeline whose reader goes at once, lets it serve, ends it as `end` says, and looks at what is left. */
async function outlive(pipeline: string, end: (serverPid: number, groupPid: number) => void): Promise<void> {
  const data = await temporaryDataDirectory();
  const port = await freePort();
  try {
    const { PATH = '', HOME = '' } = process.env;
    const environment = { PATH, HOME, HEDDLE_DATA_DIR: data.path, HEDDLE_PORT: String(port) };
    const shell = spawn('sh', ['-c', pipeline], { cwd: root, env: environment, stdio: 'ignore', detached: true });
    const answers = () =>
      fetch(`http://127.0.0.1:${port}/api/v1/server_settings`).then(
        ({ ok }) => ok,
        () => false,
      );
    const deadline = performance.now() + PATIENCE;
    while (!(await answers())) assert(performance.now() < deadline, `nothing came of ${pipeline}`);
    const pid = readLockRecord(data.path)?.pid ?? assert.fail('nobody holds the data directory');
    assert(postgresProcessesIn(clusterDirectoryIn(data.path)).length > 0);
    assert(await answers());
    end(pid, shell.pid ?? assert.fail());
    assert(await until(() => !isAlive(pid), PATIENCE), 'the server is still there');
    assert.deepEqual(postgresProcessesIn(clusterDirectoryIn(data.path)), []);
    assert(!existsSync(join(data.path, 'heddle.lock')), 'the lock file is still there');
    assert(
      await until(() => shell.exitCode !== null || shell.signalCode !== null, PATIENCE),
      'the pipeline is still there',
    );
  } finally {
    await data.remove();
  }
}

test('a server whose output nobody reads any more goes on, and a SIGTERM ends it and its PostgreSQL in order', () =>
  outlive('npm start | head -1', (pid) => process.kill(pid, 'SIGTERM')));

test('the same where the log is lost too, which npm does not survive', () =>
  outlive('npm start 2>&1 | head -1', (pid) => process.kill(pid, 'SIGTERM')));

test('the same with a closed standard error, and Ctrl-C, which reaches all of the pipeline', () =>
  outlive('npm start 2>&- | head -1', (_, group) => process.kill(-group, 'SIGINT')));
