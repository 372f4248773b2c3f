import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { TestClient } from '../../testing/clients/client.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { until } from '../../testing/server/until.ts';
import { refuse, TestPhone, TestPushService } from '../../testing/services/push-service.ts';
import { pushOf } from './running.ts';

interface Scene {
  readonly service: TestPushService;
  readonly server: TestServer;
  readonly sender: TestClient;
  readonly person: TestClient;
  readonly phone: TestPhone;
}

async function begin(): Promise<Scene & AsyncDisposable> {
  const service = await TestPushService.start();
  const server = await startTestServer({ environment: quiet(service) });
  const person = await server.user();
  return {
    service,
    server,
    sender: await server.user(),
    person,
    phone: await new TestPhone().register(person, service),
    async [Symbol.asyncDispose]() {
      await server.stop();
      await service.stop();
    },
  };
}

function quiet(service: TestPushService) {
  return { ...service.environment, HEDDLE_LOG_LEVEL: 'silent' };
}

/** Sends pending notifications as if they were due now. */
async function allDue({ app }: TestServer): Promise<void> {
  await pushOf(app).settled();
  await sql`UPDATE push_notifications SET due_at = now() WHERE due_at IS NOT NULL`.execute(app.db);
  await pushOf(app).settled();
}

async function waiting({ app }: TestServer): Promise<number> {
  return (await app.db.selectFrom('push_notifications').select('user_id').where('due_at', 'is not', null).execute())
    .length;
}

/** Holds the service's responses until the returned function releases them. */
function holding(service: TestPushService) {
  const held: ServerResponse[] = [];
  service.behaviour = (_, response) => {
    held.push(response);
    return true;
  };
  return () => {
    service.behaviour = undefined;
    for (const response of held) response.end(JSON.stringify({ result: 'success', delete_device_ids: [] }));
  };
}

// rules: mobile-push-22
test('two processes that share the work send each notification once', async () => {
  await using scene = await begin();
  const { service, server, sender, person, phone } = scene;
  const other = await startTestServer({ environment: quiet(service), shared: server.shared });
  try {
    const texts = Array.from({ length: 40 }, (_, index) => `message ${index}`);
    for (const text of texts) {
      await sender.direct([person.userId], text);
      await Promise.all([pushOf(server.app).settled(), pushOf(other.app).settled()]);
    }
    await Promise.all([pushOf(server.app).settled(), pushOf(other.app).settled()]);
    assert.deepEqual(
      phone
        .received(service)
        .map(({ content }) => content)
        .toSorted(),
      texts.toSorted(),
    );
  } finally {
    await other.stop();
  }
});

// rules: mobile-push-19
test('a message that is read while its notification is being sent is removed from the phone afterwards', async () => {
  await using scene = await begin();
  const { service, server, sender, person, phone } = scene;
  const letGo = holding(service);
  const id = await sender.direct([person.userId], 'on its way');
  await service.arrival(({ endpoint }) => endpoint === 'push/e2ee/notify');
  await person.ok('POST', '/mark_all_as_read');
  // The server processes the log while it sends the notification.
  await sender.direct([sender.userId], 'to oneself');
  const read = sql<{ state: string }>`SELECT state FROM push_notifications WHERE message_id = ${id}`;
  await until(async () => (await read.execute(server.app.db)).rows[0]?.state === 'leaving', 'the state "leaving"');
  letGo();
  await allDue(server);
  assert.deepEqual(
    phone.received(service).map(({ type, message_ids }) => [type, message_ids]),
    [['remove', [id]]],
  );
  assert.deepEqual((await read.execute(server.app.db)).rows, []);
});

// rules: mobile-push-22
test('an unavailable push service does not block messages, and later receives what is still to be notified', async () => {
  await using scene = await begin();
  const { service, server, sender, person, phone } = scene;
  service.behaviour = (_, response) => !!response.socket?.destroy();
  const first = await sender.direct([person.userId], 'first');
  await sender.direct([person.userId], 'second');
  await allDue(server);
  await person.ok('POST', '/messages/flags', { messages: [first], op: 'add', flag: 'read' });
  service.behaviour = undefined;
  await allDue(server);
  const messages = phone.received(service).filter(({ type }) => type === 'message');
  assert.deepEqual(
    messages.map(({ content }) => content),
    ['second'],
  );
});

// rules: mobile-push-22
test('a notification or organization that the push service refuses does not block others', async () => {
  await using scene = await begin();
  const { service, server, sender, person } = scene;
  const elsewhere = await server.organization('elsewhere');
  const theirs = await new TestPhone().register(elsewhere, service);
  const writer = await server.user({ subdomain: 'elsewhere' });
  const older = await server.user();
  for (const one of [person, older]) {
    await one.ok('POST', '/users/me/android_gcm_reg_id', { token: `android ${one.userId}` });
  }
  await allDue(server);
  const { body } = await service.arrival(({ endpoint }) => endpoint === 'push/register');
  service.behaviour = (endpoint, response, { realm_uuid, user_id }) => {
    if (endpoint === 'push/notify' && user_id === person.userId) refuse(response, 400, 'SOMETHING_NEW');
    else if (endpoint === 'push/e2ee/notify' && realm_uuid === body.realm_uuid) refuse(response, 400, 'SOMETHING_NEW');
    else return false;
    return true;
  };
  await sender.direct([person.userId], 'not taken');
  await sender.direct([older.userId], 'taken');
  await writer.direct([elsewhere.userId], 'elsewhere');
  await allDue(server);
  const plain = service.arrivals.filter(({ endpoint }) => endpoint === 'push/notify');
  assert.deepEqual(
    plain.map((one) => one.body.gcm_payload.content),
    ['taken'],
  );
  service.behaviour = (_, response, { realm_uuid }) => {
    if (realm_uuid === body.realm_uuid) refuse(response, 403, 'MISSING_REMOTE_REALM');
    return realm_uuid === body.realm_uuid;
  };
  await sender.direct([person.userId], 'still not taken');
  await writer.direct([elsewhere.userId], 'elsewhere again');
  await allDue(server);
  assert.deepEqual(
    theirs.received(service).map(({ content }) => content),
    ['elsewhere', 'elsewhere again'],
  );
});

// rules: mobile-push-22
test('notifications that cannot be sent for a long time are dropped', async () => {
  await using scene = await begin();
  const { service, server, sender, person, phone } = scene;
  service.behaviour = (_, response) => !!response.writeHead(500).end();
  await sender.direct([person.userId], 'never');
  for (let attempt = 0; attempt < 7; attempt += 1) await allDue(server);
  assert.equal(await waiting(server), 0);
  await sender.direct([person.userId], 'too late');
  await allDue(server);
  await sql`UPDATE push_notifications SET added_at = now() - interval '2 hours'`.execute(server.app.db);
  await allDue(server);
  service.behaviour = undefined;
  await allDue(server);
  assert.deepEqual(phone.received(service), []);
});

// rules: mobile-push-22
test('pending notifications per organization are bounded: the oldest are dropped', async () => {
  await using scene = await begin();
  const { service, server, sender, person } = scene;
  service.behaviour = (_, response) => !!response.writeHead(500).end();
  await pushOf(server.app).settled();
  await sql`
    INSERT INTO push_notifications (organization_id, user_id, message_id, cause, state, attempts, due_at)
    SELECT organization_id, id, -n, 'direct', 'due', 1, now() + interval '1 hour' FROM users, generate_series(1, 20000) AS n
     WHERE id = ${person.userId}`.execute(server.app.db);
  await sender.direct([person.userId], 'newest');
  await pushOf(server.app).settled();
  const { rows } = await sql<{ count: number; oldest: number }>`
    SELECT count(*), min(message_id) AS oldest FROM push_notifications`.execute(server.app.db);
  assert.deepEqual(rows, [{ count: 20_000, oldest: -19_999 }]);
});

// rules: mobile-push-19
test('the server removes at most the 200 newest messages of a user from phones', async () => {
  await using scene = await begin();
  const { service, server, sender, person, phone } = scene;
  await sql`
    INSERT INTO push_notifications (organization_id, user_id, message_id, cause, state)
    SELECT organization_id, id, -n, 'direct', 'shown' FROM users, generate_series(1, 220) AS n
     WHERE id = ${person.userId}`.execute(server.app.db);
  const id = await sender.direct([person.userId], 'newest');
  await allDue(server);
  await person.ok('POST', '/mark_all_as_read');
  await allDue(server);
  const removal = phone.received(service).at(-1);
  assert.deepEqual([removal.message_ids.length, removal.message_ids.at(-1)], [200, id]);
  assert.deepEqual(await server.app.db.selectFrom('push_notifications').select('user_id').execute(), []);
});
