import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { addManyUsers } from '../../testing/database/many-users.ts';
import { startTestServer } from '../../testing/server/server.ts';
import { until } from '../../testing/server/until.ts';
import { MIN_LARGE_ORGANIZATION_USERS } from './spreading.ts';

// rules: register-31
test('two registrations of a large organization run at a time, if they fetch its users; the others wait', async (t) => {
  const first = await startTestServer();
  const clients = [await first.user(), await first.user(), await first.user(), await first.user(), first.owner];
  const id = (await first.app.organizations.bySubdomain(''))?.id ?? 0;
  const sql = new pg.Client({ connectionString: first.shared.url });
  await sql.connect();
  await addManyUsers(sql, id, MIN_LARGE_ORGANIZATION_USERS);
  const server = await startTestServer({ shared: first.shared });
  const [one, ...others] = await Promise.all(clients.map((client) => server.sameUser(client)));
  assert(one !== undefined);
  await sql.query('BEGIN');
  await sql.query('LOCK TABLE queues IN EXCLUSIVE MODE');
  const watcher = new pg.Client({ connectionString: first.shared.url });
  await watcher.connect();
  t.after(async () => {
    await sql.end();
    await watcher.end();
    await server.stop();
    await first.stop();
  });
  const running = async (): Promise<number> => {
    const { rows } = await watcher.query(
      `SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO queues%'`,
    );
    return rows[0].count;
  };
  const large = others.map((client) => client.ok('POST', '/register', { fetch_event_types: ['realm_user'] }));
  await until(async () => (await running()) === 2, 'two registrations');
  // It is behind the others on its way, so they have arrived when it has.
  const small = one.ok('POST', '/register', { fetch_event_types: ['message'] });
  await until(async () => (await running()) >= 3, 'the registration without users');
  assert.equal(await running(), 3);
  await sql.query('ROLLBACK');
  for (const { queue_id } of await Promise.all([...large, small])) assert.equal(typeof queue_id, 'string');
});
