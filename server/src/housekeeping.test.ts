/** The jobs have their own tests (`log/retention.test.ts`, `db/statistics.test.ts`). These check that they run. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { startTestServer, type TestServer } from './testing/server/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer({ recurringJobs: ['trim-logs', 'count-rows'] });
});
after(() => server.stop());

/** Makes the job due, and waits until it has run. */
async function turnOf(kind: string): Promise<void> {
  await server.app.jobs.settled();
  await sql`UPDATE jobs SET due_at = now() WHERE kind = ${kind}`.execute(server.app.db);
  await server.app.jobs.settled();
}

test('a job deletes old events that no queue needs', async () => {
  await sql`UPDATE events SET created_at = now() - interval '2 days'`.execute(server.app.db);
  await turnOf('trim-logs');
  const { rows } = await sql`SELECT trimmed_through = head AS "areAllGone" FROM logs`.execute(server.app.db);
  assert.deepEqual(rows, [{ areAllGone: true }]);
});

test('a job analyzes the tables after an organization has grown', async () => {
  await sql`
    WITH grown AS (UPDATE logs SET head = head + 2000 RETURNING organization_id, head)
    INSERT INTO events (organization_id, id, type, audience, body)
    SELECT organization_id, head - n, 'word', '{"to":"nobody"}', '"a word"' FROM grown, generate_series(0, 1999) n`.execute(
    server.app.db,
  );
  await turnOf('count-rows');
  const { rows } = await sql`
    SELECT counted.head = logs.head AS "isCounted"
      FROM logs LEFT JOIN counted_logs counted USING (organization_id)`.execute(server.app.db);
  assert.deepEqual(rows, [{ isCounted: true }]);
});
