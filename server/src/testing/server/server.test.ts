import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createHeddleServer } from '../../app.ts';
import { startTestServer, type TestServer } from './server.ts';

/** The kinds of all jobs, after the server has done everything that is due. */
async function storedJobs({ app }: TestServer): Promise<readonly string[]> {
  await app.consumers.settled();
  await app.jobs.settled();
  const { rows } = await sql<{ kind: string }>`SELECT kind FROM jobs`.execute(app.db);
  return rows.map(({ kind }) => kind);
}

test('a test server runs no recurring job unless asked', async (t) => {
  const server = await startTestServer();
  t.after(() => server.stop());
  await server.user();
  assert.deepEqual(await storedJobs(server), []);
  // A process leaves alone what it does not know, even if it is due.
  await sql`INSERT INTO jobs (kind, key, payload, due_at) VALUES ('trim-logs', 'recurring', '{}', now())`.execute(
    server.app.db,
  );
  assert.deepEqual(await storedJobs(server), ['trim-logs']);
  const { rows } = await sql<{ attempts: number; isDue: boolean }>`
    SELECT attempts, due_at <= now() AS "isDue" FROM jobs`.execute(server.app.db);
  assert.deepEqual(rows, [{ attempts: 0, isDue: true }]);
});

test('a test server runs the recurring jobs that it is asked for, and refuses unknown names', async (t) => {
  const server = await startTestServer({ recurringJobs: ['trim-logs'] });
  t.after(() => server.stop());
  assert.deepEqual(await storedJobs(server), ['trim-logs']);
  const { rows } = await sql<{ isDue: boolean }>`SELECT due_at <= now() AS "isDue" FROM jobs`.execute(server.app.db);
  assert.deepEqual(rows, [{ isDue: false }], 'it has run');
  const misspelled = createHeddleServer(server.app, { recurringJobs: ['trim-log'] });
  await assert.rejects(misspelled, /there is no recurring job 'trim-log'/);
});
