import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { atHost } from '@heddle/server/testing/clients/at-host.ts';
import { type TestDatabase, testDatabase, testPool } from '@heddle/server/testing/database/database.ts';
import {
  beginCommand,
  type RunningCommand,
  runCommand,
  startServe,
} from '@heddle/server/testing/server/command-line.ts';
import { temporaryDataDirectory } from '@heddle/server/testing/server/data-directory.ts';
import { until } from '@heddle/server/testing/server/until.ts';
import { fromBufferPromise } from 'yauzl';

let database: TestDatabase;
let data: Awaited<ReturnType<typeof temporaryDataDirectory>>;
let directory: string;
let place: Readonly<Record<string, string>>;

before(async () => {
  [data, database] = await Promise.all([temporaryDataDirectory(), testDatabase()]);
  directory = await mkdtemp(join(tmpdir(), 'heddle-export-'));
  place = { HEDDLE_DATA_DIR: data.path, HEDDLE_DATABASE_URL: database.url, HEDDLE_RATE_LIMITS: 'off' };
});
after(async () => {
  await database.drop();
  await data.remove();
  await rm(directory, { recursive: true });
});

async function heddle(...args: readonly string[]) {
  const { code, out, err } = await runCommand([...args, '--json'], place);
  assert.equal(code, 0, `${args.join(' ')}: ${err}`);
  return JSON.parse(out);
}

async function entriesOf(path: string): Promise<readonly string[]> {
  const zip = await fromBufferPromise(await readFile(path), { lazyEntries: true });
  return (await Array.fromAsync(zip.eachEntry())).map(({ fileName }) => fileName);
}

test('export writes an archive beside a running server, and import creates an organization from it that users can enter', async () => {
  const password = 'analytical engine';
  const server = await startServe({ ...place, HEDDLE_OWNER_PASSWORD: password });
  const { path, size } = await heddle('export', '', join(directory, 'new', 'folder'));
  const { mode, size: written } = await stat(path);
  assert.deepEqual([mode & 0o777, written], [0o600, size]);
  const entries = await entriesOf(path);
  assert(entries.includes('messages.jsonl') && entries.at(-1) === 'manifest.json');

  const { out } = await runCommand(
    ['import', 'heddle', path, '--subdomain', 'copy', '--send-mails', 'owners', '--name', 'A Copy'],
    place,
  );
  assert.match(out, /^The organization is at http:\/\/copy\./);
  assert.match(out, /Everything in the archive was imported\./);
  assert.match(out, /Mails with a link that sets a password are queued for 1 users\./);
  const organizations = await heddle('org', 'list');
  assert.deepEqual(
    organizations.map(({ subdomain, name, is_deactivated: is }: Record<string, unknown>) => [subdomain, name, is]),
    [
      ['', 'Heddle', false],
      ['copy', 'A Copy', false],
    ],
  );
  await heddle('user', 'set-password', '--email', 'owner@localhost', '--subdomain', 'copy', '--password', password);
  const host = `copy.localhost:${new URL(server.url).port}`;
  const body = new URLSearchParams({ username: 'owner@localhost', password });
  const logIn = await atHost(server.url, host, '/api/v1/fetch_api_key', { method: 'POST', body });
  assert.equal(logIn.status, 200);
  assert.equal((await server.stop()).code, 0);
});

test('export names a missing organization, leaves no partial archive, and import refuses a taken subdomain', async () => {
  const missing = await runCommand(['export', 'nowhere', directory], place);
  assert.deepEqual([missing.code, missing.err], [1, "There is no organization at 'nowhere'.\n"]);
  const { path } = await heddle('export', 'copy', directory, '--type', 'everything');
  assert.equal(readdirSync(directory).filter((name) => name.endsWith('.partial')).length, 0);
  const taken = await runCommand(['import', 'heddle', path, '--subdomain', ''], place);
  assert.match(taken.err, /There is an organization at the root domain already\. Choose another subdomain\./);
  const none = await runCommand(['import', 'cancel', '--subdomain', 'other'], place);
  assert.deepEqual([none.code, none.err], [1, "There is no interrupted import into 'other'.\n"]);
});

test('export refuses a directory that is empty, a file, below a file, or cannot be created', async () => {
  const { path } = await heddle('export', 'copy', directory);
  const refusals: readonly (readonly [string, number, RegExp])[] = [
    ['', 2, /^DIR is empty\. Name the directory for the archive\.$/m],
    [path, 1, /\.zip is not a directory, or is below a file\.$/m],
    [join(path, 'below'), 1, /below is not a directory, or is below a file\.$/m],
    ['/proc/1/x', 1, /^Cannot create the directory \/proc\/1\/x \(E[A-Z]+\)\.$/m],
  ];
  for (const [target, code, message] of refusals) {
    const refused = await runCommand(['export', 'copy', target], place);
    assert.equal(refused.code, code, refused.err);
    assert.match(refused.err, message);
  }
});

test('an export that is interrupted or loses the database says so, and leaves no file', async (t) => {
  const pool = testPool(database);
  t.after(() => pool.end());
  const isWaiting = async () => {
    const { rows } = await pool.query(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  };
  const stopped = async (stop: (command: RunningCommand) => unknown, waitsForLock = false) => {
    const target = await mkdtemp(join(directory, 'stopped-'));
    const client = await pool.connect();
    await client.query('BEGIN; LOCK TABLE messages');
    const command = beginCommand(['export', 'copy', target], place);
    let isOver = false;
    const ended = command.ended.finally(() => {
      isOver = true;
    });
    const hasFile = async () => /^heddle-copy-.*\.zip\.partial$/.test((await readdir(target)).join());
    // Its wait for the lock has a timeout, so a signal must not come late.
    await until(async () => isOver || (await hasFile()), 'the file of the export');
    if (waitsForLock) await until(async () => isOver || (await isWaiting()), 'the export to wait for the lock');
    await stop(command);
    client.release(true);
    const { code, err } = await ended;
    assert.deepEqual([code, await readdir(target)], [1, []]);
    return err;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    assert.equal(await stopped((command) => command.signal(signal)), 'The export was interrupted.\n');
  const end = () =>
    pool.query(`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'heddle%'`);
  const lost = await stopped(end, true);
  assert.match(lost, /^The database is not available\. Run the command again\.$/m);
  assert.doesNotMatch(lost, /^ +at /m);
});
