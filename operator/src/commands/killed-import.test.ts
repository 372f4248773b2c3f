import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase, testPool } from '@heddle/server/testing/database/database.ts';
import { startCommand } from '@heddle/server/testing/faults/heddle-process.ts';
import { beginCommand, runCommand, startServe } from '@heddle/server/testing/server/command-line.ts';
import { temporaryDataDirectory } from '@heddle/server/testing/server/data-directory.ts';
import { until } from '@heddle/server/testing/server/until.ts';
import type pg from 'pg';
import { writeTar } from '../testing/tar-archives.ts';

const MESSAGES = 5000;

let database: TestDatabase;
let data: Awaited<ReturnType<typeof temporaryDataDirectory>>;
let directory: string;
let archive: string;
let place: Readonly<Record<string, string>>;
let pool: pg.Pool;

/** wire name: the tables of the reference server */
const tables = {
  zerver_realm: [{ id: 2, name: 'Old Loom', date_created: 1_700_000_000 }],
  zerver_userprofile: [501, 502].map((id) => ({
    ...{
      id,
      full_name: `User ${id}`,
      delivery_email: `${id}@example.com`,
      is_active: true,
      role: id === 501 ? 100 : 400,
    },
  })),
  zerver_stream: [{ id: 31, name: 'square', date_created: 1_700_000_000 }],
  zerver_recipient: [{ id: 61, type: 2, type_id: 31 }],
  zerver_subscription: [501, 502].map((id) => ({ user_profile: id, recipient: 61, active: true })),
  zerver_reaction: Array.from({ length: MESSAGES }, (_, index) => ({
    ...{ message: index + 1, user_profile: 502, emoji_name: 'heart' },
  })),
};

before(async () => {
  [data, database] = await Promise.all([temporaryDataDirectory(), testDatabase()]);
  directory = await mkdtemp(join(tmpdir(), 'heddle-killed-'));
  place = { HEDDLE_DATA_DIR: data.path, HEDDLE_DATABASE_URL: database.url, HEDDLE_RATE_LIMITS: 'off' };
  pool = testPool(database);
  archive = join(directory, 'export.tar.gz');
  const messages = Array.from({ length: MESSAGES }, (_, index) => ({
    ...{
      id: index + 1,
      sender: 501,
      recipient: 61,
      subject: 'warp',
      content: `number ${index} [f](/user_uploads/2/f${index % 50}.txt)`,
    }, // wire name: its column
    date_sent: 1_700_000_000 + index,
  }));
  const uploads = Array.from({ length: 50 }, (_, index) => ({ path: `2/f${index}.txt`, user_profile_id: 501 }));
  await writeTar(archive, [
    { path: 'export/realm.json', content: JSON.stringify(tables) }, // wire name: its file
    { path: 'export/messages-000001.json', content: JSON.stringify({ zerver_message: messages }) },
    { path: 'export/uploads/records.json', content: JSON.stringify(uploads) },
    ...uploads.map(({ path }) => ({ path: `export/uploads/${path}`, content: `the file ${path}` })),
  ]);
});
after(async () => {
  await pool.end();
  await database.drop();
  await data.remove();
  await rm(directory, { recursive: true });
});

/** Reads the progress of an import. Meanwhile, the import cannot end: its last step deletes the row that this has locked. */
async function watchImport(subdomain: string) {
  const client = await pool.connect();
  await client.query('BEGIN');
  return {
    async progress(): Promise<Readonly<Record<string, number>> | undefined> {
      const locked = 'SELECT progress FROM imports WHERE subdomain = $1 FOR KEY SHARE';
      const { rows } = await client.query(locked, [subdomain]);
      return rows[0]?.progress;
    },
    [Symbol.dispose]() {
      client.release(true);
    },
  };
}

/** PostgreSQL ends the connections of a killed process later than the process. Until then they lock the subdomain. */
async function untilDisconnected(): Promise<void> {
  await until(async () => {
    const { rowCount } = await pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'heddle import'`,
    );
    return rowCount === 0;
  }, 'the connection of the killed import to end');
}

async function workDirectories(): Promise<readonly string[]> {
  return await readdir(join(data.path, 'imports')).catch(() => []);
}

/** Kills the import at different moments. `send` keeps the other organization busy meanwhile. */
async function killAtMoments(command: readonly string[], send: () => Promise<void>): Promise<void> {
  using watched = await watchImport('moved');
  const moments: readonly (() => Promise<boolean>)[] = [
    async () => (await workDirectories()).length > 0,
    async () => (await watched.progress())?.channels !== undefined,
    async () => Number((await watched.progress())?.attachments) > 0,
    async () => Number((await watched.progress())?.messages) >= 4000,
  ];
  for (const [index, isReached] of moments.entries()) {
    const { child, ended } = startCommand(command, place);
    await until(async () => {
      if (await isReached()) return true;
      await send();
      return false;
    }, `moment ${index} of the import`);
    child.kill('SIGKILL');
    const { signal, err } = await ended;
    assert.equal(signal, 'SIGKILL', `moment ${index}: ${err}`);
    await untilDisconnected();
    const { rowCount } = await pool.query(`SELECT FROM organizations WHERE subdomain = 'moved'`);
    assert.equal(rowCount, 0, 'the import is not visible');
  }
}

test('an import that is killed at any point continues, beside a running server, and repeats nothing', async () => {
  const server = await startServe({ ...place, HEDDLE_OWNER_PASSWORD: 'analytical engine' });
  const key = JSON.parse(
    (await runCommand(['user', 'api-key', '--email', 'owner@localhost', '--json'], place)).out,
  ).api_key;
  const headers = { authorization: `Basic ${Buffer.from(`owner@localhost:${key}`).toString('base64')}` };
  let sent = 0;
  const send = async () => {
    const body = new URLSearchParams({ type: 'direct', to: '["owner@localhost"]', content: `message ${sent}` });
    const response = await fetch(`${server.url}/api/v1/messages`, { method: 'POST', headers, body });
    assert.equal(response.status, 200);
    sent += 1;
  };
  const command = ['import', 'zulip', archive, '--subdomain', 'moved', '--json'];
  await killAtMoments(command, send);
  // One of two imports at once is refused.
  const both = await Promise.all([runCommand(command, place), runCommand(command, place)]);
  const [done, refused] = both.toSorted((a, b) => Number(a.code) - Number(b.code));
  assert.deepEqual([done?.code, refused?.code], [0, 1], done?.err ?? '');
  assert.match(
    refused?.err ?? '',
    /Another process imports into this subdomain|There is an organization at 'moved' already/,
  );
  const out = done?.out ?? '';
  const result = JSON.parse(out);
  assert.deepEqual([result.continued, result.imported.messages, result.not_imported], [true, MESSAGES, []]);
  const { rows } = await pool.query(`
    SELECT count(*)::integer AS messages, count(DISTINCT content)::integer AS texts,
           (SELECT count(*)::integer FROM reactions r WHERE r.organization_id = o.id) AS reactions,
           (SELECT count(*)::integer FROM attachments a WHERE a.organization_id = o.id) AS files,
           (SELECT count(*)::integer FROM attachment_messages a WHERE a.organization_id = o.id) AS links,
           (SELECT count(DISTINCT rendered_content)::integer FROM messages n WHERE n.organization_id = o.id) AS rendered
      FROM messages m JOIN organizations o ON o.id = organization_id WHERE subdomain = 'moved' GROUP BY o.id`);
  assert.deepEqual(rows, [
    { messages: MESSAGES, texts: MESSAGES, reactions: MESSAGES, files: 50, links: MESSAGES, rendered: MESSAGES },
  ]);
  assert.deepEqual(await workDirectories(), [], 'no temporary file is left');
  const own = await pool.query(`SELECT count(*)::integer AS count FROM messages WHERE content LIKE 'message %'`);
  assert.equal(own.rows[0].count, sent, 'the other organization has all of its messages');
  assert.equal((await server.stop()).code, 0);
});

async function endConnections(): Promise<void> {
  await pool.query(`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name <> ''`);
}

test('an import that loses the database says what to do, and continues', async () => {
  const command = ['import', 'zulip', archive, '--subdomain', 'lost', '--json'];
  const { ended } = beginCommand(command, place);
  {
    using watched = await watchImport('lost');
    await until(async () => Number((await watched.progress())?.messages ?? 0) > 0, 'the first imported messages');
    await endConnections();
  }
  const { code, err } = await ended;
  assert.equal(code, 1);
  assert.match(err, /The database is not available\. Run the command again to continue the import\./);
  await untilDisconnected();
  const { out } = await runCommand(command, place);
  const { continued, imported } = JSON.parse(out);
  assert.deepEqual([continued, imported.messages], [true, MESSAGES]);
});

test('cancelling a killed import removes its temporary files', async () => {
  const { child, ended } = startCommand(['import', 'zulip', archive, '--subdomain', 'gone'], place);
  await until(async () => (await workDirectories()).length > 0, 'the directory of the import');
  child.kill('SIGKILL');
  await ended;
  await untilDisconnected();
  assert.equal((await workDirectories()).length, 1);
  await runCommand(['import', 'cancel', '--subdomain', 'gone'], place);
  assert.deepEqual(await workDirectories(), []);
});
