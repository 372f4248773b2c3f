import assert from 'node:assert/strict';
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Connection } from '@heddle/client/calls/connection.ts';
import { startImport } from '@heddle/client/calls/operations.ts';
import { uploadFile } from '@heddle/client/calls/uploads.ts';
import { testDatabase, testPool } from '@heddle/server/testing/database/database.ts';
import { type HeddleServer, startHeddle } from '@heddle/server/testing/faults/heddle-process.ts';
import { runCommand } from '@heddle/server/testing/server/command-line.ts';
import { temporaryDataDirectory } from '@heddle/server/testing/server/data-directory.ts';
import { until } from '@heddle/server/testing/server/until.ts';
import type pg from 'pg';
import { writeZip } from '../testing/imported.ts';

const MESSAGES = 8_000;

const users = [{ id: 'U1', name: 'ada', profile: { email: 'ada@example.com', real_name: 'Ada' }, is_owner: true }];
const messages = Array.from({ length: MESSAGES }, (_, index) => ({
  ...{ type: 'message', user: 'U1', text: `number ${index}`, ts: `${1_700_000_000 + index}.000100` },
}));

test('an import in the browser continues after its server was killed in the middle', async (t) => {
  const [data, database] = await Promise.all([temporaryDataDirectory(), testDatabase()]);
  const directory = await mkdtemp(join(tmpdir(), 'heddle-killed-browser-'));
  const pool = testPool(database);
  let second: HeddleServer | undefined;
  // Its lock prevents the last step of the import, which deletes the row.
  let holder: pg.PoolClient | undefined = await pool.connect();
  await holder.query('BEGIN');
  const endHold = () => {
    holder?.release(true);
    holder = undefined;
  };
  t.after(async () => {
    endHold();
    await second?.stop();
    await pool.end();
    await database.drop();
    await data.remove();
    await rm(directory, { recursive: true });
  });
  const environment = {
    ...{ HEDDLE_DATA_DIR: data.path, HEDDLE_DATABASE_URL: database.url, HEDDLE_RATE_LIMITS: 'off' },
    HEDDLE_OWNER_PASSWORD: 'analytical engine',
  };
  const archive = join(directory, 'export.zip');
  await writeZip(archive, [
    ['users.json', JSON.stringify(users)],
    ['channels.json', JSON.stringify([{ id: 'C1', name: 'square', created: 1_690_000_000, members: ['U1'] }])],
    ['square/2023-11-14.json', JSON.stringify(messages)],
  ]);
  const first = await startHeddle(environment);
  const { out } = await runCommand(['user', 'api-key', '--email', 'owner@localhost', '--json'], environment);
  const credentials = { email: 'owner@localhost', apiKey: String(JSON.parse(out).api_key) };
  const connection = new Connection({ url: first.url, credentials });
  await uploadFile(connection, new File([await openAsBlob(archive)], 'export.zip'), { purpose: 'import' });
  await startImport(connection, { format: 'slack', email: 'ada@example.com' });
  await until(async () => {
    const found = await holder?.query<{ progress: Record<string, number> }>(
      'SELECT progress FROM imports FOR KEY SHARE',
    );
    return (found?.rows[0]?.progress.messages ?? 0) > 0;
  }, 'the first imported messages');
  await first.stop('SIGKILL');
  await until(async () => {
    const { rowCount } = await pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'heddle import'`,
    );
    return rowCount === 0;
  }, 'the process of the import has ended with its server');
  endHold();
  const before = await pool.query('SELECT state, failures FROM organization_imports');
  assert.deepEqual(before.rows, [{ state: 'running', failures: 0 }]);
  await pool.query(`UPDATE jobs SET due_at = now() WHERE kind = 'run-organization-import'`);

  second = await startHeddle(environment);
  await until(async () => {
    const { rows } = await pool.query('SELECT state FROM organization_imports');
    return rows[0]?.state === 'done';
  }, 'the import is done');
  const { rows } = await pool.query(`
    SELECT subdomain, (SELECT count(*)::integer FROM messages m WHERE m.organization_id = o.id) AS messages,
           (SELECT count(DISTINCT content)::integer FROM messages m WHERE m.organization_id = o.id) AS texts
      FROM organizations o`);
  assert.deepEqual(rows, [{ subdomain: '', messages: MESSAGES, texts: MESSAGES }]);
});
