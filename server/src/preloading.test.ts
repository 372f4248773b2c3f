import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { MIN_LARGE_ORGANIZATION_USERS } from './features/events/spreading.ts';
import { addManyUsers } from './testing/database/many-users.ts';
import { startTestServer, type TestServer } from './testing/server/server.ts';
import { until } from './testing/server/until.ts';

/** A second server on the database of a first one, which serves no requests meanwhile. */
async function beside(t: TestContext, first: TestServer): Promise<TestServer> {
  const second = await startTestServer({ shared: first.shared, environment: { HEDDLE_LOG_LEVEL: 'silent' } });
  t.after(() => second.stop());
  return second;
}

async function organizationsCheck(server: TestServer): Promise<{ readonly status: string; readonly reason?: string }> {
  const response = await fetch(`${server.url}/health/ready`);
  const { checks } = (await response.json()) as { checks: Record<string, { status: string; reason?: string }> };
  assert.ok(checks.organizations !== undefined);
  return checks.organizations;
}

async function organizationWith(
  t: TestContext,
  users: number,
): Promise<{ first: TestServer; id: number; sql: pg.Client }> {
  const first = await startTestServer();
  t.after(() => first.stop());
  const id = (await first.app.organizations.bySubdomain(''))?.id ?? 0;
  const sql = new pg.Client({ connectionString: first.shared.url });
  await sql.connect();
  t.after(() => sql.end());
  await addManyUsers(sql, id, users);
  return { first, id, sql };
}

test('a process is not ready while it loads a large organization with event queues, and then has it in memory', async (t) => {
  const { first, id, sql } = await organizationWith(t, MIN_LARGE_ORGANIZATION_USERS);
  await first.owner.ok('POST', '/register', { event_types: ['message'] });
  await sql.query('BEGIN');
  await sql.query('LOCK TABLE channels IN ACCESS EXCLUSIVE MODE');
  const second = await startTestServer({ shared: first.shared, environment: { HEDDLE_LOG_LEVEL: 'silent' } });
  t.after(() => second.stop());
  assert.deepEqual(await organizationsCheck(second), {
    status: 'failed',
    reason: 'large organizations are being loaded',
  });
  assert.equal(second.app.organizations.inMemoryById(id), undefined);
  await sql.query('ROLLBACK');
  await until(async () => (await organizationsCheck(second)).status === 'ok', 'the loaded organization');
  assert.ok(second.app.organizations.inMemoryById(id) !== undefined);
});

test('a large organization without event queues is not loaded, and the process is ready as soon as it listens', async (t) => {
  const { first } = await organizationWith(t, MIN_LARGE_ORGANIZATION_USERS);
  const second = await beside(t, first);
  assert.equal(second.app.preloading.isRunning, false);
  assert.deepEqual(await organizationsCheck(second), { status: 'ok' });
});

test('an organization of usual size is not loaded, and the process is ready as soon as it listens', async (t) => {
  const { first } = await organizationWith(t, 100);
  await first.owner.ok('POST', '/register', { event_types: ['message'] });
  const second = await beside(t, first);
  assert.equal(second.app.preloading.isRunning, false);
  assert.deepEqual(await organizationsCheck(second), { status: 'ok' });
});
