import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { until } from '../../testing/server/until.ts';

let server: TestServer;
let client: TestClient;
before(async () => {
  server = await startTestServer({ environment: { HEDDLE_LOG_LEVEL: 'fatal' } });
  client = await server.user();
  await client.subscribe('weaving');
});
after(() => server.stop());

interface Row {
  readonly type: string;
  readonly audience?: object;
  readonly body?: object | null;
}

/** Rows with a type, a body and an audience that this build does not know. */
const ROWS: readonly Row[] = [
  { type: 'weather', body: { sun: true } },
  { type: 'realm_user', body: null },
  { type: 'realm', audience: { to: 'whoever' }, body: { op: 'update', settings: {} } },
];

/** Writes events as a newer or a defective version might. */
async function write(rows: readonly Row[]): Promise<void> {
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  for (const { type, audience = { to: 'everyone' }, body = null } of rows) {
    await sql`
      WITH taken AS (UPDATE logs SET head = head + 1 WHERE organization_id = ${organization.id} RETURNING head)
      INSERT INTO events (organization_id, id, type, audience, body)
      SELECT ${organization.id}, head, ${type}, ${JSON.stringify(audience)}, ${JSON.stringify(body)}
        FROM taken`.execute(server.app.db);
  }
  await organization.catchUp();
}

const contents = (events: readonly Json[]) => events.map((event) => event.message?.content);

for (const row of ROWS) {
  const what = JSON.stringify(row);

  test(`a reader skips an event that cannot be presented, and the server counts it: ${what}`, async () => {
    const before = server.app.presenters.skipped;
    const queue = await client.register();
    await client.send('weaving', 'topic', 'before');
    await write([row]);
    await client.send('weaving', 'topic', 'after');
    assert.deepEqual(contents(await queue.now()).filter(Boolean), ['before', 'after']);
    assert.equal(server.app.presenters.skipped, before + 1);
    assert.deepEqual(await queue.now(), [], 'the reader does not meet the event again');
    assert.equal(server.app.presenters.skipped, before + 1);
  });

  test(`a waiting poll skips the event and returns the next one: ${what}`, async () => {
    const before = server.app.presenters.skipped;
    // A client cannot request unknown types: only a queue for all types meets them.
    const queue = await client.register();
    const waiting = queue.next();
    const organization = await server.app.organizations.bySubdomain('');
    await until(() => organization?.polls.waiting === 1, 'the held poll');
    await write([row]);
    await client.send('weaving', 'topic', 'after');
    assert.deepEqual(contents(await waiting), ['after']);
    assert.equal(server.app.presenters.skipped, before + 1);
    await client.ok('DELETE', '/events', { queue_id: queue.id });
  });
}

test('a queue for other event types does not skip or count such events', async () => {
  const before = server.app.presenters.skipped;
  const queue = await client.register({ event_types: ['message'] });
  await write(ROWS);
  assert.deepEqual(await queue.now(), []);
  assert.equal(server.app.presenters.skipped, before);
});
