import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readLockRecord } from '@heddle/embedded-postgres/lock.ts';
import { clusterDirectoryIn } from '@heddle/embedded-postgres/place.ts';
import { isAlive, postgresProcessesIn } from '@heddle/embedded-postgres/processes.ts';
import { temporaryDataDirectory } from '@heddle/server/testing/server/data-directory.ts';
import { until } from '@heddle/server/testing/server/until.ts';
import { freePort } from '@heddle/server/testing/services/ports.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/**
 * Runs the server in a shell pipeline whose reader exits at once. Waits until it serves, ends it with `end`, and checks
 * what is left.
 */
async function outlive(pipeline: string, end: (serverPid: number, groupPid: number) => void): Promise<void> {
  const data = await temporaryDataDirectory();
  const port = await freePort();
  try {
    const { PATH = '', HOME = '', HEDDLE_TIMEOUT_FACTOR = '' } = process.env;
    const own = { HEDDLE_DATA_DIR: data.path, HEDDLE_PORT: String(port) };
    const environment = { PATH, HOME, HEDDLE_TIMEOUT_FACTOR, ...own };
    const shell = spawn('sh', ['-c', pipeline], { cwd: root, env: environment, stdio: 'ignore', detached: true });
    const answers = () =>
      fetch(`http://127.0.0.1:${port}/api/v1/server_settings`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(answers, `${pipeline} to serve`);
    const pid = readLockRecord(data.path)?.pid ?? assert.fail('the data directory is not locked');
    assert(postgresProcessesIn(clusterDirectoryIn(data.path)).length > 0);
    assert(await answers());
    end(pid, shell.pid ?? assert.fail());
    await until(() => !isAlive(pid), 'the server to end');
    assert.deepEqual(postgresProcessesIn(clusterDirectoryIn(data.path)), []);
    assert(!existsSync(join(data.path, 'heddle.lock')), 'the lock file still exists');
    await until(() => shell.exitCode !== null || shell.signalCode !== null, 'the pipeline to end');
  } finally {
    await data.remove();
  }
}

test('a server whose output has no reader keeps running, and SIGTERM ends it and its PostgreSQL cleanly', () =>
  outlive('npm start | head -1', (pid) => process.kill(pid, 'SIGTERM')));

test('the same holds if the log is lost too, which npm does not survive', () =>
  outlive('npm start 2>&1 | head -1', (pid) => process.kill(pid, 'SIGTERM')));

test('the same holds with a closed standard error, and for Ctrl-C, which reaches the whole pipeline', () =>
  outlive('npm start 2>&- | head -1', (_, group) => process.kill(-group, 'SIGINT')));
