import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completed } from '@heddle/api/contract.ts';
import { registerQueue } from '@heddle/api/endpoints/events.ts';
import pg from 'pg';
import type { TestClient } from '../../testing/clients/client.ts';
import { addManyUsers } from '../../testing/database/many-users.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { until } from '../../testing/server/until.ts';
import { registerInTurn } from './in-turn.ts';
import { queueSettings } from './queue-settings.ts';
import type { Registration } from './register.ts';
import { MIN_LARGE_ORGANIZATION_USERS } from './spreading.ts';

/** What `POST /register` of this client asks for. */
async function registrationOf({ app }: TestServer, { userId }: TestClient): Promise<Registration> {
  const organization = await app.organizations.bySubdomain('');
  const user = organization?.directory.user(userId);
  assert(organization !== undefined && user !== undefined);
  const settings = queueSettings(completed(registerQueue, {}), 'tests', app.presenters);
  const { pool, queues } = app;
  return { pool, queues, organization, user, client: 'tests', settings, types: null, stateParts: [] };
}

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
  // It has used up its eight seconds before, so it does not wait behind the others.
  await assert.rejects(registerInTurn(await registrationOf(server, one), -Infinity), { code: 'SERVICE_UNAVAILABLE' });
  // It is behind the others on its way, so they have arrived when it has.
  const small = one.ok('POST', '/register', { fetch_event_types: ['message'] });
  await until(async () => (await running()) >= 3, 'the registration without users');
  assert.equal(await running(), 3);
  await sql.query('ROLLBACK');
  for (const { queue_id } of await Promise.all([...large, small])) assert.equal(typeof queue_id, 'string');
});
