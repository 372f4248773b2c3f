import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, type TestContext, test } from 'node:test';
import { smallDisk } from '@heddle/embedded-postgres/testing/small-disk.ts';
import { Visitor } from '@heddle/server/testing/clients/visitor.ts';
import { testDatabase } from '@heddle/server/testing/database/database.ts';
import { runHeddle, startHeddle } from '@heddle/server/testing/faults/heddle-process.ts';
import { runCommand, startServe } from '@heddle/server/testing/server/command-line.ts';
import { temporaryDataDirectory } from '@heddle/server/testing/server/data-directory.ts';
import { until } from '@heddle/server/testing/server/until.ts';
import pg from 'pg';

const root = join(import.meta.dirname, '..', '..', '..');

const settled: (() => Promise<void>)[] = [];
after(async () => {
  for (const tidy of settled.reverse()) await tidy();
});

/** A place without an organization. Its database has tables already, unless it is `empty`: then the first start creates them. */
async function newPlace(content: 'migrated' | 'empty' = 'migrated') {
  const [data, database] = await Promise.all([temporaryDataDirectory(), testDatabase(content)]);
  settled.push(() => data.remove(), database.drop);
  return { HEDDLE_DATA_DIR: data.path, HEDDLE_DATABASE_URL: database.url };
}

async function logIn(url: string, username: string, password: string): Promise<Response> {
  return fetch(`${url}/api/v1/fetch_api_key`, { method: 'POST', body: new URLSearchParams({ username, password }) });
}

test('on an empty data directory, serve creates the database, an organization and its owner, once', async () => {
  const data = await temporaryDataDirectory();
  try {
    const environment = { HEDDLE_DATA_DIR: data.path };
    const first = await startHeddle(environment);
    const output = first.output.join('\n');
    const email = /email +(\S+)/.exec(output)?.[1] ?? '';
    const password = /password +(\S+)/.exec(output)?.[1] ?? '';
    assert.equal(email, 'owner@localhost');
    const settings = await fetch(`${first.url}/api/v1/server_settings`);
    assert.equal((await settings.json()).realm_name, 'Heddle');
    assert.equal((await logIn(first.url, email, password)).status, 200);

    const ada = ['--email', 'ada@example.com', '--name', 'Ada', '--password', 'analytical engine'];
    assert.equal((await runHeddle(['user', 'create', ...ada], environment)).code, 0);
    assert.equal((await logIn(first.url, 'ada@example.com', 'analytical engine')).status, 200);

    const { code, err } = await first.stop();
    assert.equal(code, 0, err);
    assert.ok(!err.includes(password), 'the log contains the password');
    assert.ok((await readdir(data.path)).includes('secret'));

    const key = await runCommand(['user', 'api-key', '--email', 'ada@example.com'], environment);
    assert.match(key.out, /^\w{32}\n$/, key.err);

    const second = await startHeddle(environment);
    assert.deepEqual(second.output, []);
    assert.equal((await logIn(second.url, email, password)).status, 200);
    assert.equal((await second.stop('SIGINT')).code, 0);
  } finally {
    await data.remove();
  }
});

test('the first start creates the owner from the settings, and does not print a given password', async () => {
  const environment = {
    ...(await newPlace('empty')),
    HEDDLE_OWNER_EMAIL: 'ada@example.com',
    HEDDLE_OWNER_NAME: 'Ada',
    HEDDLE_OWNER_PASSWORD: 'analytical engine',
    HEDDLE_ORGANIZATION_NAME: 'Analysts',
  };
  const server = await startServe(environment);
  assert.match(server.output.join('\n'), /Analysts.*ada@example\.com/s);
  const answer = await logIn(server.url, 'ada@example.com', 'analytical engine');
  assert.equal((await answer.json()).email, 'ada@example.com');
  const { code, out, err } = await server.stop();
  assert.equal(code, 0);
  assert.ok(!`${out}${err}`.includes('analytical engine'));
});

test('invalid owner settings end the first start with code 2 before it creates a database, and the error names only them', async () => {
  const data = await temporaryDataDirectory();
  settled.push(() => data.remove());
  const owner = { HEDDLE_OWNER_PASSWORD: '12345678', HEDDLE_OWNER_NAME: 'Ada @ home' };
  const { code, out, err } = await runCommand(['serve'], { HEDDLE_DATA_DIR: data.path, HEDDLE_PORT: '0', ...owner });
  assert.equal(code, 2);
  assert.equal(
    err,
    'HEDDLE_OWNER_NAME is not valid: Invalid characters in name!\n' +
      'HEDDLE_OWNER_PASSWORD is not valid: This password is easy to guess: it is a keyboard pattern.\n',
  );
  assert.equal(out, '');
  assert.deepEqual(await readdir(data.path), []);
  const server = await startServe(await newPlace());
  assert.match(server.output.join('\n'), /Created the organization Heddle/);
  assert.equal((await server.stop()).code, 0);
});

test('two servers that start at once on an empty database create one organization', async () => {
  const place = { ...(await newPlace('empty')), HEDDLE_BUS: 'postgres' };
  const servers = await Promise.all([startServe(place), startServe(place)]);
  assert.equal(servers.filter(({ output }) => output.join('\n').includes('Created the organization')).length, 1);
  for (const server of servers) assert.equal((await server.stop()).code, 0);
});

test('a process with another store of files does not start beside the others; doctor explains it, and a moved store is accepted', async () => {
  const place = { ...(await newPlace('empty')), HEDDLE_BUS: 'postgres' };
  await (await startServe({ ...place, HEDDLE_BUS: 'local' })).stop();
  const other = await temporaryDataDirectory();
  settled.push(() => other.remove());
  await copyFile(join(place.HEDDLE_DATA_DIR, 'secret'), join(other.path, 'secret'));
  const elsewhere = { ...place, HEDDLE_DATA_DIR: other.path };
  const first = await startServe(place);
  const refused = await runCommand(['serve'], elsewhere);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /have another store of files than this one\. Give all processes one store/);
  const { out } = await runCommand(['doctor', '--json'], elsewhere);
  const found = JSON.parse(out).checks.find(({ check }: { check: string }) => check === 'store');
  assert.equal(found.status, 'failed');
  assert.match(found.advice, /^Give all processes one store: .* heddle restored/);
  await (await startServe(place)).stop();
  await first.stop();
  // The folder of files alone may be shared, and it keeps its marker when it is copied.
  await cp(join(place.HEDDLE_DATA_DIR, 'files'), join(other.path, 'files'), { recursive: true });
  await (await startServe(elsewhere)).stop();
  await rm(join(other.path, 'files'), { recursive: true });
  assert.equal((await runCommand(['serve'], elsewhere)).code, 1);
  assert.equal((await runCommand(['restored'], elsewhere)).code, 0);
  await (await startServe(elsewhere)).stop();
  assert.equal((await runCommand(['serve'], place)).code, 1);
});

test('a restored backup starts with a new store of files', async () => {
  const place = { ...(await newPlace('empty')), HEDDLE_BUS: 'postgres' };
  await (await startServe(place)).stop();
  const backups = await temporaryDataDirectory();
  settled.push(() => backups.remove());
  const backup = join(backups.path, 'backup');
  assert.deepEqual(await runCommand(['backup', backup], place).then(({ code, err }) => [code, err]), [0, '']);
  const target = { ...(await newPlace('empty')), HEDDLE_BUS: 'postgres' };
  assert.equal((await runCommand(['restore', backup], target)).code, 0);
  await (await startServe(target)).stop();
});

test('an invalid setting ends serve with code 2 before it changes anything', async () => {
  const data = await temporaryDataDirectory();
  try {
    const { code, out, err } = await runCommand(['serve'], { HEDDLE_DATA_DIR: data.path, HEDDLE_PORT: 'abc' });
    assert.deepEqual({ code, out }, { code: 2, out: '' });
    assert.match(err, /^HEDDLE_PORT must be a whole number from 0 to 65535, but it is "abc"\.$/m);
    assert.deepEqual(await readdir(data.path), []);
  } finally {
    await data.remove();
  }
});

test('an error names a data directory that is a file, for both kinds of databases', async () => {
  const [data, database] = [await temporaryDataDirectory(), await testDatabase('empty')];
  settled.push(() => data.remove(), database.drop);
  const path = join(data.path, 'file');
  await writeFile(path, '');
  for (const url of [{}, { HEDDLE_DATABASE_URL: database.url }]) {
    const { code, err } = await runCommand(['serve'], { HEDDLE_DATA_DIR: path, HEDDLE_PORT: '0', ...url });
    assert.equal(code, 1);
    assert.equal(err, `The data directory ${path} is a file, or is below one. Set HEDDLE_DATA_DIR to a directory.\n`);
  }
});

test('a port in use is reported, with code 1', async () => {
  const place = await newPlace();
  const server = await startServe(place);
  const { port } = new URL(server.url);
  const { code, err } = await runCommand(['serve'], { ...place, HEDDLE_PORT: port });
  assert.equal(code, 1);
  assert.match(err, new RegExp(`Cannot listen on 127.0.0.1 port ${port}`));
  assert.equal((await server.stop()).code, 0);
});

test('a used port of the mail gateway or of the metrics ends the start with the setting to change', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  t.after(() => other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const place = { ...(await newPlace()), HEDDLE_PORT: '0', HEDDLE_LOG_LEVEL: 'silent' };
  // The system gives out higher ones.
  const free = 21_000 + (process.pid % 10_000);
  const cases = [
    [port, { HEDDLE_MAIL_GATEWAY: `127.0.0.1:${port}` }, 'Set HEDDLE_MAIL_GATEWAY.'],
    [port, { HEDDLE_METRICS_PORT: `${port}` }, 'Set HEDDLE_METRICS_HOST or HEDDLE_METRICS_PORT.'],
    [
      free,
      { HEDDLE_PORT: `${free}`, HEDDLE_METRICS_PORT: `${free}` },
      'Set HEDDLE_METRICS_HOST or HEDDLE_METRICS_PORT.',
    ],
  ] as const;
  for (const [used, setting, advice] of cases) {
    const { code, out, err } = await runCommand(['serve'], { ...place, ...setting });
    // Nothing was created, so no password is printed.
    assert.deepEqual(
      { code, out, err },
      { code: 1, out: '', err: `Cannot listen on 127.0.0.1 port ${used}: another program uses this port. ${advice}\n` },
    );
  }
});

test('a database of a development build before 0.2.0 is refused with one sentence and code 1, and is not changed', async (t) => {
  const place = await newPlace('empty');
  const client = new pg.Client({ connectionString: place.HEDDLE_DATABASE_URL });
  await client.connect();
  t.after(() => client.end());
  await client.query('CREATE TABLE kysely_migration (name varchar(255) PRIMARY KEY, timestamp varchar(255) NOT NULL)');
  await client.query(`INSERT INTO kysely_migration VALUES ('0001-spine', '2026-01-01T00:00:00.000Z')`);
  for (const command of ['serve', 'migrate']) {
    const { code, out, err } = await runCommand([command], { ...place, HEDDLE_PORT: '0' });
    assert.deepEqual({ code, out }, { code: 1, out: '' });
    assert.equal(
      err,
      'This database is from a development build before Heddle 0.2.0 and cannot be upgraded. ' +
        'Use an empty data directory or database, or run that build.\n',
    );
  }
  const { rows } = await client.query(
    `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  );
  assert.deepEqual(rows, [{ relname: 'kysely_migration' }]);
});

test('a port in use ends the first start with one sentence, before it creates a database, an organization or a password', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  t.after(() => other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const data = await temporaryDataDirectory();
  settled.push(() => data.remove());
  const { code, out, err } = await runCommand(['serve'], { HEDDLE_DATA_DIR: data.path, HEDDLE_PORT: String(port) });
  assert.deepEqual({ code, out }, { code: 1, out: '' });
  assert.equal(
    err,
    `Cannot listen on 127.0.0.1 port ${port}: another program uses this port. Set HEDDLE_HOST or HEDDLE_PORT.\n`,
  );
  assert.deepEqual(await readdir(data.path), []);
});

test('an error names a data directory that is not writable or cannot be created, for both kinds of databases', async (t) => {
  const readOnly = readOnlyDirectory(t);
  if (readOnly === null) return;
  const database = await testDatabase('empty');
  settled.push(database.drop);
  const ours = { HEDDLE_DATABASE_URL: database.url };
  const tries = [
    [readOnly, ours],
    [join(readOnly, 'not', 'there'), ours],
    [join(readOnly, 'not', 'there'), {}],
  ] as const;
  for (const [path, url] of tries) {
    const { code, err } = await runCommand(['serve'], { HEDDLE_DATA_DIR: path, HEDDLE_PORT: '0', ...url });
    assert.equal(code, 1);
    assert.equal(err.split(' (E')[0], `Cannot write to the data directory ${path}`, err);
    assert.equal(err.trim().split('\n').length, 1, err);
  }
  // Its file system refuses directories with the error for a missing parent.
  for (const url of [ours, {}]) {
    const { code, err } = await runCommand(['serve'], {
      HEDDLE_DATA_DIR: '/proc/heddle/data',
      HEDDLE_PORT: '0',
      ...url,
    });
    assert.equal(code, 1);
    assert.match(err, /^Cannot use the data directory \/proc\/heddle\/data \(ENOENT/);
  }
});

/** Returns a read-only directory. Returns null and skips the test if mounting is not permitted. */
function readOnlyDirectory(t: TestContext): string | null {
  const disk = smallDisk(t, 1);
  if (disk !== null) execFileSync('mount', ['-o', 'remount,ro', disk]);
  return disk;
}

test('without a mail server, the log names the directory of mails at start, and the file of each mail', async () => {
  const place = { ...(await newPlace()), HEDDLE_OWNER_EMAIL: 'ada@example.com' };
  const server = await startServe(place);
  const lines = createInterface(server.err)[Symbol.asyncIterator]();
  const visitor = new Visitor(server.url);
  await visitor.get('/accounts/password/reset/');
  await visitor.submit('/accounts/password/reset/', { email: 'ada@example.com' });
  const line: { msg: string; file?: string } = await until(async () => {
    const next = JSON.parse((await lines.next()).value ?? assert.fail('the server ended'));
    return next.msg.startsWith('wrote a mail to a file') ? next : undefined;
  }, 'a line about a mail in the log');
  assert.equal(dirname(line.file ?? ''), join(place.HEDDLE_DATA_DIR, 'mail'));
  assert.match(await readFile(line.file ?? '', 'utf8'), /To: ada@example\.com/);
  const { err } = await server.stop();
  assert.match(err, new RegExp(`"directory":"${place.HEDDLE_DATA_DIR}/mail","msg":"HEDDLE_SMTP_URL is not set`));
});

test('an unusable database is reported without its password, with code 1', async () => {
  const data = await temporaryDataDirectory();
  try {
    const url = 'postgresql://heddle:hunter2@127.0.0.1:1/heddle';
    const { code, err } = await runCommand(['serve'], { HEDDLE_DATA_DIR: data.path, HEDDLE_DATABASE_URL: url });
    assert.equal(code, 1);
    assert.match(err, /Cannot use the database at HEDDLE_DATABASE_URL: .*ECONNREFUSED/);
    assert.ok(!err.includes('hunter2'));
  } finally {
    await data.remove();
  }
});

test('the database refuses a server with another secret', async () => {
  const place = await newPlace();
  assert.equal((await (await startServe(place)).stop()).code, 0);
  const other = await temporaryDataDirectory();
  settled.push(() => other.remove());
  const { code, err } = await runCommand(['serve'], { ...place, HEDDLE_DATA_DIR: other.path, HEDDLE_PORT: '0' });
  assert.equal(code, 1);
  assert.match(err, /another server secret/);
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} ends a pending poll with a response, then the server exits with code 0`, async () => {
    const place = { ...(await newPlace()), HEDDLE_OWNER_PASSWORD: 'analytical engine' };
    const server = await startServe(place);
    const { api_key: key, email } = await (await logIn(server.url, 'owner@localhost', 'analytical engine')).json();
    const headers = { authorization: `Basic ${btoa(`${email}:${key}`)}` };
    const registered = await fetch(`${server.url}/api/v1/register`, { method: 'POST', headers });
    const { queue_id: queueId, last_event_id: last } = await registered.json();
    const query = new URLSearchParams({ queue_id: queueId, last_event_id: String(last) });
    const poll = fetch(`${server.url}/api/v1/events?${query}`, { headers });
    // The poll was sent before this request, so it has arrived when this one gets its response.
    await fetch(`${server.url}/api/v1/server_settings`);
    const ended = server.stop(signal);
    const answer = await poll;
    assert.equal(answer.status, 200);
    assert.equal((await answer.json()).result, 'success');
    assert.equal((await ended).code, 0);
  });
}

test('a SIGTERM to npm start, which may run a shell, reaches the server', async () => {
  const place = { ...(await newPlace()), HEDDLE_PORT: '0' };
  const { PATH = '', HOME = '', HEDDLE_TIMEOUT_FACTOR = '' } = process.env;
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { PATH, HOME, HEDDLE_TIMEOUT_FACTOR, ...place },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  for await (const line of createInterface(child.stdout)) if (line.startsWith('Heddle is listening on http://')) break;
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});
