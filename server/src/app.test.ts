import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createHeddleServer } from './app.ts';
import { readConfig } from './config.ts';
import { createLogger } from './http/logging.ts';
import { openApp } from './open-app.ts';
import { testDatabase } from './testing/database/database.ts';

test('a start that fails stops the work that it has begun', async (t) => {
  const database = await testDatabase();
  const dataDirectory = await mkdtemp(join(tmpdir(), 'heddle-test-'));
  const { config } = readConfig({ HEDDLE_DATA_DIR: dataDirectory, HEDDLE_DATABASE_URL: database.url });
  const connection = { connectionString: database.url };
  const app = await openApp({ config, log: createLogger('silent'), connection, purpose: 'serve' });
  t.after(async () => {
    await app.close();
    await database.drop();
    await rm(dataDirectory, { recursive: true });
  });
  await sql`ALTER TABLE jobs RENAME TO missing_jobs`.execute(app.db);
  await assert.rejects(createHeddleServer(app), /relation "jobs" does not exist/);
  const { rows } = await sql<{ application_name: string }>`
    SELECT application_name FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'heddle jobs'`.execute(app.db);
  assert.deepEqual(rows, []);
});
