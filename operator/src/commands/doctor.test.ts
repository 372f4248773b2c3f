import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createListener } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readConfig } from '@heddle/server/config.ts';
import { testDatabase } from '@heddle/server/testing/database/database.ts';
import { runCommand, startServe } from '@heddle/server/testing/server/command-line.ts';
import { temporaryDataDirectory } from '@heddle/server/testing/server/data-directory.ts';
import { startProvider } from '@heddle/server/testing/services/login-provider.ts';
import { TestMailServer } from '@heddle/server/testing/services/mail-server.ts';
import { freePort } from '@heddle/server/testing/services/ports.ts';
import { startSlapd, withoutSlapd } from '@heddle/server/testing/services/slapd.ts';
import pg from 'pg';
import { runChecks } from '../doctor/check.ts';
import { webPushCheck } from '../doctor/services.ts';

const settled: (() => Promise<void>)[] = [];
after(async () => {
  for (const tidy of settled.reverse()) await tidy();
});

async function place() {
  const [data, database] = [await temporaryDataDirectory(), await testDatabase()];
  settled.push(() => data.remove(), database.drop);
  return { HEDDLE_DATA_DIR: data.path, HEDDLE_DATABASE_URL: database.url, HEDDLE_PORT: '0' };
}

async function doctor(environment: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const { code, out, err } = await runCommand(['doctor', '--json', ...args], environment);
  assert.ok(out !== '', err);
  const { healthy, checks } = JSON.parse(out) as {
    healthy: boolean;
    checks: readonly { check: string; status: string; message: string; advice?: string }[];
  };
  const by = (name: string) => checks.find(({ check }) => check === name);
  return { code, healthy, checks, by };
}

test('the key for browsers is checked where the server has a secret and an address with https', async () => {
  const environment = await place();
  const found = async (more: Readonly<Record<string, string>> = {}) => {
    const [finding] = await runChecks([webPushCheck(readConfig({ ...environment, ...more }).config)]);
    return [finding?.status, finding?.message.replace(/key [\w-]{12}…/, 'key K')];
  };
  const missing = 'the key for browsers follows from the secret, which does not exist yet';
  assert.deepEqual(await found(), ['skipped', missing]);
  await writeFile(join(environment.HEDDLE_DATA_DIR, 'secret'), 'ab'.repeat(32), { mode: 0o600 });
  assert.equal((await found())[0], 'skipped');
  assert.deepEqual(await found({ HEDDLE_URL: 'https://chat.example.com' }), [
    'ok',
    'browsers get notifications with the key K, which all processes must show, and the contact https://chat.example.com',
  ]);
});

test('jobs that fail are named with the reason, also those that are retried', async () => {
  const environment = await place();
  await (await startServe(environment)).stop();
  assert.equal((await doctor(environment)).by('jobs')?.message, 'no job fails');
  const client = new pg.Client({ connectionString: environment.HEDDLE_DATABASE_URL });
  await client.connect();
  await client.query(`UPDATE jobs SET attempts = 13, last_error = 'invalid input' WHERE kind = 'delete-expired'`);
  await client.query(
    `INSERT INTO jobs (kind, payload, failed_at, attempts, last_error) VALUES ('word', '{}', now(), 3, 'no network')`,
  );
  await client.end();
  const found = (await doctor(environment)).by('jobs');
  assert.equal(found?.status, 'warning');
  assert.match(
    found.message,
    /^delete-expired failed 13 times and is retried: invalid input; word \(\d+\) failed: no network$/,
  );
});

test('a server with mail and an address is healthy: the mail arrives, and no file remains', async () => {
  const mail = await TestMailServer.start();
  settled.push(() => mail.stop());
  const environment = { ...(await place()), ...mail.environment };
  const server = await startServe(environment);
  const { code, healthy, checks, by } = await doctor(
    { ...environment, HEDDLE_PORT: new URL(server.url).port, HEDDLE_URL: server.url.replace('127.0.0.1', 'localhost') },
    '--mail-to',
    'ada@example.com',
  );
  assert.deepEqual(
    checks.filter(({ status }) => status === 'failed'),
    [],
  );
  assert.deepEqual({ code, healthy }, { code: 0, healthy: true });
  for (const name of [
    'settings',
    'disk',
    'database',
    'migrations',
    'secret',
    'clock',
    'jobs',
    'storage',
    'mail',
    'dns',
    'port',
    'address',
  ]) {
    assert.equal(by(name)?.status, 'ok', JSON.stringify(by(name)));
  }
  assert.equal(by('push')?.status, 'skipped');
  assert.match(mail.received.join(), /shows that Heddle can send mails/);
  const files = await readdir(join(environment.HEDDLE_DATA_DIR, 'files'), { recursive: true, withFileTypes: true });
  assert.deepEqual(
    files.filter((entry) => entry.isFile()),
    [],
  );
  assert.equal((await server.stop()).code, 0);
});

test('each fault is found, with advice and code 1, and the other checks still run', async () => {
  const environment = {
    ...(await place()),
    HEDDLE_DATABASE_URL: 'postgresql://heddle:hidden@127.0.0.1:9/heddle',
    HEDDLE_SMTP_URL: 'smtp://heddle:hidden@127.0.0.1:9',
    HEDDLE_PUSH_URL: 'http://127.0.0.1:9',
    HEDDLE_PUSH_ID: '6c8d1f6e-6d3a-4b6e-9d61-3f6f3f6b1f11',
    HEDDLE_PUSH_KEY: 'hidden',
    HEDDLE_S3_BUCKET: 'heddle-files',
    HEDDLE_S3_ENDPOINT: 'http://127.0.0.1:9',
    HEDDLE_S3_ACCESS_KEY_ID: 'heddle',
    HEDDLE_S3_SECRET_ACCESS_KEY: 'hidden',
    HEDDLE_URL: 'https://heddle.invalid',
    HEDDLE_PROT: '9991',
  };
  const { code, healthy, checks, by } = await doctor(environment, '--mail-to', 'ada@example.com');
  assert.deepEqual({ code, healthy }, { code: 1, healthy: false });
  for (const name of ['migrations', 'secret', 'clock'])
    assert.equal(by(name)?.status, 'skipped', 'its reason is that of the database');
  for (const name of ['database', 'storage', 'mail', 'push', 'dns']) {
    assert.equal(by(name)?.status, 'failed', JSON.stringify(by(name)));
    assert.ok(by(name)?.advice);
  }
  assert.equal(by('settings')?.status, 'warning');
  assert.match(by('settings')?.message ?? '', /Did you mean HEDDLE_PORT/);
  assert.ok(!JSON.stringify(checks).includes('hidden'), 'a secret is shown');
});

test('a clock that differs from that of the database is found', async (t) => {
  const environment = await place();
  const { now } = Date;
  t.mock.method(Date, 'now', () => now() + 60_000);
  const { code, by } = await doctor(environment);
  assert.equal(code, 1);
  assert.equal(by('clock')?.status, 'failed');
  assert.match(by('clock')?.message ?? '', /^the clocks of this machine and the database differ by (?:5|6)\d\.\d s$/);
  assert.match(by('clock')?.advice ?? '', /^Synchronize the clocks/);
});

test('the advice fits the reason, and the reason names no codes', async () => {
  const environment = await place();
  const other = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const missing = new URL(environment.HEDDLE_DATABASE_URL);
  missing.pathname = '/no_such_database';
  const { by } = await doctor({
    ...environment,
    HEDDLE_DATABASE_URL: missing.href,
    HEDDLE_PORT: String(port),
    HEDDLE_SMTP_URL: 'smtp://127.0.0.1:9',
    HEDDLE_URL: 'https://chat.invalid',
  });
  assert.match(by('database')?.message ?? '', /: database "no_such_database" does not exist$/);
  assert.match(by('database')?.advice ?? '', /^Create it with createdb/);
  assert.match(by('mail')?.message ?? '', /nothing listens at 127\.0\.0\.1:9$/);
  assert.match(by('mail')?.advice ?? '', /^Correct the host and the port/);
  assert.equal(by('dns')?.message, 'no name server knows chat.invalid');
  assert.equal(by('port')?.message, `another program uses 127.0.0.1:${port}`);
  other.close();
  other.closeAllConnections();
  const stopped = await doctor({ ...environment, HEDDLE_PORT: String(port) });
  assert.equal(stopped.by('port')?.advice, 'Start the server. If it ended, its last log lines say why.');
});

test('the reasons of the push service and of the bucket say what happened', async () => {
  const other = createServer((_, response) => response.writeHead(403).end()).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const environment = {
    ...(await place()),
    HEDDLE_PUSH_ID: '6c8d1f6e-6d3a-4b6e-9d61-3f6f3f6b1f11',
    HEDDLE_PUSH_KEY: 'hidden',
    HEDDLE_S3_BUCKET: 'heddle-files',
    HEDDLE_S3_ENDPOINT: `http://127.0.0.1:${port}`,
    HEDDLE_S3_ACCESS_KEY_ID: 'heddle',
    HEDDLE_S3_SECRET_ACCESS_KEY: 'hidden',
  };
  const { by } = await doctor({ ...environment, HEDDLE_PUSH_URL: 'http://127.0.0.1:9' });
  assert.equal(by('push')?.message, 'the push service cannot be reached: bad port');
  assert.equal(by('storage')?.message, 'the bucket heddle-files cannot be used: the store responded with status 403');
  other.close();
  other.closeAllConnections();
  const closed = await doctor({ ...environment, HEDDLE_PUSH_URL: `http://127.0.0.1:${port}` });
  assert.equal(closed.by('push')?.message, 'the push service cannot be reached: ECONNREFUSED');
  assert.match(closed.by('storage')?.message ?? '', /cannot be used: nothing listens at 127\.0\.0\.1/);
});

test('the directory of logins is checked as a login uses it', { skip: withoutSlapd }, async () => {
  const directory = await startSlapd([]);
  const environment = {
    ...(await place()),
    HEDDLE_LDAP_URL: directory.url,
    HEDDLE_LDAP_BASE: directory.base,
    HEDDLE_LDAP_BIND_DN: directory.bindDn,
  };
  const { host } = new URL(directory.url);
  const good = (await doctor({ ...environment, HEDDLE_LDAP_BIND_PASSWORD: directory.bindPassword })).by('ldap');
  assert.deepEqual([good?.status, good?.message], ['ok', `the directory ${host} lets this server search`]);
  const wrong = (await doctor({ ...environment, HEDDLE_LDAP_BIND_PASSWORD: 'wrong' })).by('ldap');
  assert.equal(wrong?.status, 'failed');
  assert.match(wrong.message, /cannot be used: .*Code: 0x31/);
  assert.match(wrong.advice ?? '', /HEDDLE_LDAP_BIND_PASSWORD/);
  await directory.stop();
  const closed = (await doctor({ ...environment, HEDDLE_LDAP_BIND_PASSWORD: 'wrong' })).by('ldap');
  assert.equal(closed?.message, `the directory ${host} cannot be used: nothing listens at ${host}`);
});

test('the provider of single sign-on is checked as a login uses it', async () => {
  const provider = await startProvider();
  const environment = {
    ...(await place()),
    HEDDLE_OIDC_ISSUER: provider.issuer,
    HEDDLE_OIDC_CLIENT_ID: 'heddle',
    HEDDLE_OIDC_CLIENT_SECRET: 'hidden',
  };
  assert.equal((await doctor(environment)).by('oidc')?.status, 'ok');
  const other = (await doctor({ ...environment, HEDDLE_OIDC_ISSUER: `${provider.issuer}/other` })).by('oidc');
  assert.equal(other?.status, 'failed');
  await provider.stop();
  const closed = (await doctor(environment)).by('oidc');
  assert.equal(closed?.status, 'failed');
  assert.match(closed.message, /nothing listens at/);
  assert.match(closed.advice ?? '', /^Check HEDDLE_OIDC_ISSUER/);
});

test('the gateway for mail is checked: it listens, nothing listens, or another program does', async () => {
  // No other program gets this port when it is free again.
  const port = await freePort();
  const other = createListener((socket) => socket.end('220 other.example.com ESMTP\r\n')).listen(port, '127.0.0.1');
  await once(other, 'listening');
  const environment = { ...(await place()), HEDDLE_MAIL_GATEWAY: `127.0.0.1:${port}` };
  const used = (await doctor(environment)).by('gateway');
  assert.deepEqual([used?.status, used?.message], ['failed', `another program uses 127.0.0.1:${port}`]);
  assert.match(used?.advice ?? '', /or set HEDDLE_MAIL_GATEWAY\.$/);
  other.close();
  await once(other, 'close');
  const stopped = (await doctor(environment)).by('gateway');
  assert.deepEqual(
    [stopped?.status, stopped?.message],
    ['warning', `no gateway for mail runs: nothing listens on 127.0.0.1:${port}`],
  );
  const server = await startServe(environment);
  assert.equal((await doctor(environment)).by('gateway')?.status, 'ok');
  assert.equal((await server.stop()).code, 0);
  assert.equal((await doctor({ ...environment, HEDDLE_MAIL_GATEWAY: '127.0.0.1:0' })).by('gateway')?.status, 'skipped');
});

test('a secret of another server is found, and a lost one, and doctor creates none', async () => {
  const environment = await place();
  assert.equal((await doctor(environment)).by('secret')?.status, 'skipped');
  const server = await startServe(environment);
  assert.equal((await server.stop()).code, 0);
  assert.equal((await doctor(environment)).by('secret')?.status, 'ok');
  const path = join(environment.HEDDLE_DATA_DIR, 'secret');
  await writeFile(path, 'a'.repeat(64));
  const other = await doctor(environment);
  assert.deepEqual([other.code, other.by('secret')?.status], [1, 'failed']);
  assert.match(other.by('secret')?.message ?? '', /^the database was used with another secret/);
  await rm(path);
  const lost = await doctor(environment);
  assert.match(lost.by('secret')?.message ?? '', /has no file secret/);
  assert.match(lost.by('secret')?.advice ?? '', /^Restore the file from a backup/);
  assert.ok(!existsSync(path));
  await writeFile(path, '');
  assert.match((await doctor(environment)).by('secret')?.message ?? '', /does not contain a secret of 64 hexadecimal/);
});

test('an invalid secret beside a new database is found, as the first start would', async () => {
  const database = await testDatabase('empty');
  settled.push(database.drop);
  const environment = { ...(await place()), HEDDLE_DATABASE_URL: database.url };
  await writeFile(join(environment.HEDDLE_DATA_DIR, 'secret'), 'abc');
  const { code, by } = await doctor(environment);
  assert.deepEqual([code, by('secret')?.status], [1, 'failed']);
  assert.match(by('secret')?.message ?? '', /does not contain a secret of 64 hexadecimal digits/);
});

test('an empty data directory stays empty, also without a database of the operator', async () => {
  const data = await temporaryDataDirectory();
  settled.push(() => data.remove());
  const missing = join(data.path, 'missing');
  for (const path of [data.path, missing]) {
    const { by } = await doctor({ HEDDLE_DATA_DIR: path, HEDDLE_PORT: '0' });
    assert.equal(by('database')?.message, `${path} has no database: the first start creates it`);
    for (const name of ['database', 'migrations', 'storage']) assert.equal(by(name)?.status, 'skipped');
  }
  assert.deepEqual(await readdir(data.path), []);
});

test('a data directory that is a file is called so', async () => {
  const environment = await place();
  const path = join(environment.HEDDLE_DATA_DIR, 'file');
  await writeFile(path, '');
  const { by } = await doctor({ ...environment, HEDDLE_DATA_DIR: path });
  assert.equal(by('disk')?.message, `the data directory ${path} is not a directory`);
});

test('the advice for a database without a free connection names the limit', async () => {
  const environment = await place();
  const url = new URL(environment.HEDDLE_DATABASE_URL);
  const name = url.pathname.slice(1);
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(`CREATE ROLE ${name} LOGIN PASSWORD 'full' CONNECTION LIMIT 0`);
  if (url.searchParams.has('user')) url.searchParams.set('user', name);
  else url.username = name;
  const { by } = await doctor({ ...environment, HEDDLE_DATABASE_URL: url.href });
  assert.match(by('database')?.message ?? '', /too many connections/);
  assert.match(by('database')?.advice ?? '', /raise max_connections: 22 per process/);
  await client.query(`DROP ROLE ${name}`);
  await client.end();
});

test('a missing data directory is found, and a new database has migrations to run', async () => {
  const database = await testDatabase('empty');
  settled.push(database.drop);
  const { code, by } = await doctor({ HEDDLE_DATA_DIR: '/nonexistent/heddle', HEDDLE_DATABASE_URL: database.url });
  assert.equal(code, 1);
  assert.equal(by('disk')?.status, 'failed');
  assert.equal(by('storage')?.status, 'skipped');
  assert.ok(!existsSync('/nonexistent'));
  assert.equal(by('migrations')?.status, 'warning');
  assert.equal(by('jobs')?.status, 'skipped');
});

test('for people, each check is a line, with the advice below', async () => {
  const { out, code } = await runCommand(['doctor'], await place());
  assert.match(out, /^ok {8}database {4}PostgreSQL \d+/m);
  assert.match(out, /^warning {3}mail {8}HEDDLE_SMTP_URL is not set.*\n {22}Set it to your mail server\.$/m);
  assert.equal(code, 0);
});

test('a check that throws or never ends fails, and the next one runs', async () => {
  const findings = await runChecks(
    [
      { name: 'broken', run: () => Promise.reject(new Error('no reason')) },
      { name: 'stuck', run: () => new Promise(() => undefined) },
      { name: 'well', run: async () => ({ status: 'ok', message: 'well' }) },
    ],
    10,
  );
  assert.deepEqual(
    findings.map(({ status }) => status),
    ['failed', 'failed', 'ok'],
  );
});
