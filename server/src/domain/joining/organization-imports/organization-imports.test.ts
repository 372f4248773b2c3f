import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, test } from 'node:test';
import { promisify } from 'node:util';
import { Connection } from '@heddle/client/calls/connection.ts';
import { uploadFile } from '@heddle/client/calls/uploads.ts';
import { writeZip } from '@heddle/operator/testing/imported.ts';
import { sql } from 'kysely';
import { Role } from '../../../directory/records.ts';
import type { TestClient } from '../../../testing/clients/client.ts';
import { Visitor } from '../../../testing/clients/visitor.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { slackTeam } from '../../../testing/server/slack-team.ts';
import { until, untilEqual } from '../../../testing/server/until.ts';

const OPERATIONS = [
  ['GET', '/import'],
  ['POST', '/import'],
  ['DELETE', '/import'],
  ['POST', '/import/mails'],
] as const;

const PASSWORD = 'correct horse battery';
const archivePath = join(tmpdir(), `heddle-browser-import-${process.pid}.zip`);
await writeZip(archivePath, await slackTeam());
const archive = await readFile(archivePath);
after(() => rm(archivePath));

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.stop());

function upload(client: TestClient, content: Uint8Array = archive, name = 'Loom Slack export.zip') {
  const { email, apiKey = '' } = client;
  const connection = new Connection({ url: server.url, credentials: { email, apiKey } });
  return uploadFile(connection, new File([new Uint8Array(content)], name), { purpose: 'import' });
}

const importOf = async (client: TestClient) =>
  (await client.ok('GET', '/import')).import as Record<string, never> | null;

/** As the owner's browser, whose login moves with the import. */
async function logIn(): Promise<Visitor> {
  const visitor = new Visitor(server.url);
  const { status } = await visitor.logIn(server.owner.email, PASSWORD);
  assert.equal(status, 303);
  return visitor;
}

/** A request of the app in the browser. */
async function json(visitor: Visitor, method: string, path: string) {
  const csrf = visitor.jar.get('csrftoken') ?? visitor.jar.get('__Host-csrftoken') ?? '';
  const response = await visitor.send(method, path, method === 'GET' ? undefined : {}, {
    ...(method !== 'GET' && { 'x-csrftoken': csrf }),
  });
  assert.equal(response.status, 200, response.text);
  return response.json;
}

const stateIn = async (visitor: Visitor) => (await json(visitor, 'GET', '/json/import')).import;

const imported = async (state: string) =>
  until(async () => {
    const { rows } = await sql<{ state: string; problem: string | null }>`
      SELECT state, problem FROM organization_imports`.execute(server.app.db);
    return rows[0]?.state === state ? rows[0] : undefined;
  }, `the import is ${state}`);

test('an import replaces the new organization, and its owner keeps password and sessions', async () => {
  const browser = await logIn();
  await upload(server.owner);
  const uploaded = await importOf(server.owner);
  assert.deepEqual(
    [uploaded?.state, uploaded?.filename, uploaded?.size],
    ['uploaded', 'Loom Slack export.zip', archive.length],
  );
  await server.owner.ok('POST', '/import', { format: 'slack', name: 'The Loom', email: 'Ada@weavers.example' });
  await imported('done');
  const done = await until(async () => {
    const found = await stateIn(browser).catch(() => undefined);
    return found?.state === 'done' ? found : undefined;
  }, 'the browser has the imported organization');
  const report = done.report as { imported: Record<string, number>; messages_left_out: number };
  assert.equal(report.messages_left_out, 0);
  assert.equal(report.imported.channels, 4);
  const { rows } = await sql<Record<string, unknown>>`
    SELECT o.name, o.subdomain, (SELECT count(*)::integer FROM messages m WHERE m.organization_id = o.id) AS messages,
           (SELECT string_agg(full_name, ',') FROM users u WHERE u.organization_id = o.id AND role = 100) AS owners,
           (SELECT count(*)::integer FROM sessions s WHERE s.organization_id = o.id) AS sessions
      FROM organizations o`.execute(server.app.db);
  assert.deepEqual(rows, [
    { name: 'The Loom', subdomain: '', messages: report.imported.messages, owners: 'Ada Lovelace', sessions: 1 },
  ]);
  const again = new Visitor(server.url);
  assert.equal((await again.logIn('ada@weavers.example', PASSWORD)).status, 303, 'the password is the same');
  assert.equal((await server.owner.call('GET', '/users/me')).status, 401, 'the old API key is not valid');
  const leftovers = await sql`SELECT FROM storage_leftovers WHERE due_at <= now()`.execute(server.app.db);
  assert.equal(leftovers.rows.length, 1, 'the archive will be deleted');
  // The import ends before its copy of the archive is deleted.
  await untilEqual(() => readdir(join(server.shared.dataDirectory, 'imports')), [], 'the directory of imports');

  const mails = await json(browser, 'POST', '/json/import/mails');
  assert.deepEqual([mails.queued, mails.without_address], [3, 0], 'everybody but the caller and who has left');
  assert.deepEqual((await json(browser, 'POST', '/json/import/mails')).queued, 3);
  const jobs = await sql`SELECT FROM account_links`.execute(server.app.db);
  assert.equal(jobs.rows.length, 3, 'mails are sent once');
  await json(browser, 'DELETE', '/json/import');
  assert.equal(await stateIn(browser), null);
});

test('an owner whom the archive does not know gets an account in the default channels', async () => {
  const browser = await logIn();
  await upload(server.owner);
  await server.owner.ok('POST', '/import', { format: 'slack' });
  await imported('done');
  await until(async () => (await stateIn(browser).catch(() => undefined))?.state === 'done', 'the browser has it');
  const me = await json(browser, 'GET', '/json/users/me');
  assert.deepEqual([me.full_name, me.role, me.delivery_email], ['Olive Owner', 100, server.owner.email]);
  const { subscriptions } = await json(browser, 'GET', '/json/users/me/subscriptions');
  assert.ok((subscriptions as { name: string }[]).some(({ name }) => name === 'general'));
});

test('only an organization that is new and alone on its server can be replaced', async () => {
  const refusalOf = async () => (await server.owner.ok('GET', '/import')).refusal;
  assert.equal(await refusalOf(), null);
  const { id: message } = await server.owner.ok('POST', '/messages', {
    type: 'stream',
    to: 'general',
    topic: 'a',
    content: 'b',
  });
  assert.equal(await refusalOf(), 'in_use');
  await assert.rejects(upload(server.owner), /This organization is not new/);
  await server.owner.ok('DELETE', `/messages/${message}`);
  assert.equal(await refusalOf(), null, 'a deleted message is gone');
  await upload(server.owner);
  const admin = await server.user({ role: Role.administrator });
  for (const [method, path] of OPERATIONS)
    assert.equal((await admin.fails(method, path, { format: 'slack' })).code, 'UNAUTHORIZED_PRINCIPAL');
  await assert.rejects(upload(admin), /Must be an organization owner/);
  assert.equal(await refusalOf(), 'in_use');
  await server.owner.fails('POST', '/import', { format: 'slack' });
});

test('another organization of the server switches imports off', async () => {
  await upload(server.owner);
  await server.organization('other');
  assert.equal((await server.owner.ok('GET', '/import')).refusal, 'other_organizations');
  await server.owner.fails('POST', '/import', { format: 'slack' });
});

test('a person who joins during the import stops it, and nothing is lost', async () => {
  await upload(server.owner);
  await server.owner.ok('POST', '/import', { format: 'slack' });
  const member = await server.user();
  const { problem } = await imported('failed');
  assert.match(problem ?? '', /This organization is not new/);
  await member.ok('GET', '/users/me');
  const { rows } = await sql`SELECT FROM organizations`.execute(server.app.db);
  assert.equal(rows.length, 1, 'the imported organization is removed');
});

test('an archive that is none fails with a sentence, and another one can follow', async () => {
  await upload(server.owner, Buffer.from('no zip archive at all'));
  await server.owner.ok('POST', '/import', { format: 'slack' });
  const { problem } = await imported('failed');
  assert.match(problem ?? '', /zip/i);
  await upload(server.owner);
  assert.equal((await importOf(server.owner))?.state, 'uploaded');
  const { rows } = await sql`SELECT FROM storage_leftovers WHERE due_at <= now()`.execute(server.app.db);
  assert.equal(rows.length, 1, 'the earlier archive is deleted');
});

test('an archive of another program than the chosen one fails with a sentence', async () => {
  await upload(server.owner);
  await server.owner.ok('POST', '/import', { format: 'mattermost' });
  const { problem } = await imported('failed');
  assert.match(problem ?? '', /A bulk export of Mattermost has one/);
  await server.owner.ok('POST', '/import', { format: 'slack' });
  await imported('done');
});

test('another process serves the imported organization with the same session', async () => {
  const second = await startTestServer({ shared: server.shared });
  try {
    await servesMovedSession(second);
  } finally {
    await second.stop();
  }
});

async function servesMovedSession(second: TestServer): Promise<void> {
  const browser = await logIn();
  const other = new Visitor(second.url);
  for (const [name, value] of browser.jar) other.jar.set(name, value);
  assert.equal(await stateIn(other), null);
  await upload(server.owner);
  await server.owner.ok('POST', '/import', { format: 'slack', email: 'ada@weavers.example' });
  await imported('done');
  // A process that does not know yet refuses the session with 503, and never with 401.
  const statuses = new Set<number>();
  await until(async () => {
    const { status } = await other.send('GET', '/json/users/me', undefined);
    statuses.add(status);
    return status === 200 && (await json(other, 'GET', '/json/users/me')).full_name === 'Ada Lovelace';
  }, 'the other process has the imported organization');
  assert.ok(
    [...statuses].every((status) => status === 200 || status === 503),
    [...statuses].join(),
  );
}

test('a cancelled import leaves nothing', async () => {
  await upload(server.owner);
  await server.owner.ok('POST', '/import', { format: 'slack' });
  await server.owner.ok('DELETE', '/import');
  await until(async () => (await importOf(server.owner)) === null, 'the import has gone');
  const { rows } = await sql`
    SELECT (SELECT count(*)::integer FROM organizations) AS organizations, (SELECT count(*)::integer FROM imports) AS imports`.execute(
    server.app.db,
  );
  assert.deepEqual(rows, [{ organizations: 1, imports: 0 }]);
});

test('an import whose process is killed continues', async () => {
  await upload(server.owner);
  await server.owner.ok('POST', '/import', { format: 'slack' });
  const pid = await until(() => processOfImport(), 'the process of the import');
  process.kill(pid, 'SIGKILL');
  await until(async () => {
    const { rows } = await sql`SELECT FROM organization_imports WHERE failures = 1`.execute(server.app.db);
    return rows.length === 1;
  }, 'the failure is counted');
  assert.match(String((await server.owner.fails('POST', '/import', { format: 'slack' })).msg), /An import is running/);
  await assert.rejects(upload(server.owner), /An import is running/);
  await sql`UPDATE jobs SET due_at = now() WHERE kind = 'run-organization-import'`.execute(server.app.db);
  server.app.jobs.wake();
  await imported('done');
});

/** The process of `import uploaded` that this server has started. */
async function processOfImport(): Promise<number | undefined> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)]);
  const line = stdout.split('\n').find((one) => one.includes('import uploaded'));
  return line === undefined ? undefined : Number.parseInt(line, 10);
}
