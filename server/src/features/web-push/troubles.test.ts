import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { sql } from 'kysely';
import { Networks } from '../../outbound/networks.ts';
import type { TestClient } from '../../testing/clients/client.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { until } from '../../testing/server/until.ts';
import { TestWebPushDevice, TestWebPushService } from '../../testing/services/web-push-service.ts';
import { webPushOf } from './running.ts';
import { sendPush } from './sending.ts';
import { claimDue } from './waiting.ts';

const password = 'correct horse battery';

interface Scene {
  readonly service: TestWebPushService;
  readonly server: TestServer;
  readonly sender: TestClient;
  readonly person: TestClient;
  readonly device: TestWebPushDevice;
}

async function begin(): Promise<Scene & AsyncDisposable> {
  const service = await TestWebPushService.start();
  const server = await startTestServer({ environment: quiet(service) });
  const person = await server.user({ password });
  return {
    service,
    server,
    sender: await server.user(),
    person,
    device: await TestWebPushDevice.of(person, { url: server.url, password, service }),
    async [Symbol.asyncDispose]() {
      await server.stop();
      await service.stop();
      assert.deepEqual(service.problems, []);
    },
  };
}

function quiet(service: TestWebPushService) {
  return { ...service.environment, HEDDLE_LOG_LEVEL: 'silent' };
}

async function allDue({ app }: TestServer): Promise<void> {
  await webPushOf(app).settled();
  await sql`UPDATE web_push_notifications SET due_at = now() WHERE due_at IS NOT NULL`.execute(app.db);
  await webPushOf(app).settled();
}

const bytes = (text: string) => Buffer.from(text, 'base64url');

async function rowsOf({ app }: TestServer) {
  const { rows } = await sql<{ state: string; attempts: number; wait: number }>`
    SELECT state, attempts, extract(epoch FROM due_at - now()) AS wait FROM web_push_notifications ORDER BY message_id`.execute(
    app.db,
  );
  return rows;
}

// rules: web-push-12
test('two processes that share the work send each notification once', async () => {
  await using scene = await begin();
  const { service, server, sender, person, device } = scene;
  const other = await startTestServer({ environment: quiet(service), shared: server.shared });
  try {
    const both = () => Promise.all([webPushOf(server.app).settled(), webPushOf(other.app).settled()]);
    const ids: number[] = [];
    for (let index = 0; index < 30; index += 1) {
      ids.push(await sender.direct([person.userId], `message ${index}`));
      await both();
    }
    await both();
    assert.deepEqual(device.shown, ids);
    const news = device.received.flatMap(({ payload }) =>
      payload.kind === 'message' && !payload.is_update ? [payload.message_id] : [],
    );
    assert.equal(new Set(news).size, news.length);
  } finally {
    await other.stop();
  }
});

// rules: web-push-9, web-push-12
test('two processes that notify of one conversation at once leave a notification for both messages', async () => {
  await using scene = await begin();
  const { service, server, sender, person, device } = scene;
  const other = await startTestServer({ environment: quiet(service), shared: server.shared });
  try {
    const held: ServerResponse[] = [];
    service.behaviour = (response) => !!held.push(response);
    const first = await sender.direct([person.userId], 'first');
    await until(() => held.length === 1, 'the request about the first message');
    service.behaviour = undefined;
    // The process that sends the first one does not look meanwhile.
    const second = await sender.direct([person.userId], 'second');
    await Promise.all([server, other].map(({ app }) => app.consumers.settled()));
    await until(() => device.shown.includes(second), 'the second message');
    assert.deepEqual(device.shown, [first, second]);
    for (const response of held) response.writeHead(201).end();
    await Promise.all([server, other].map(({ app }) => webPushOf(app).settled()));
    assert.deepEqual(device.shown, [first, second]);
  } finally {
    await other.stop();
  }
});

for (const status of [401, 403, 404, 410]) {
  // rules: web-push-13
  test(`a subscription that has ended or has another key, says the push service (${status}), is deleted, and no other`, async () => {
    await using scene = await begin();
    const { service, server, sender, person, device } = scene;
    const other = await TestWebPushDevice.of(person, { url: server.url, password, service });
    service.behaviour = (response, to) => to === device && !!response.writeHead(status).end();
    await sender.direct([person.userId], 'hello');
    await allDue(server);
    const { devices } = (await device.call('GET', '/web_push/devices')).json;
    assert.deepEqual(
      devices.map(({ device_id }: { device_id: number }) => device_id),
      [other.deviceId],
    );
    assert.equal(other.shown.length, 1);
    assert.equal((await rowsOf(server)).length, 1);
  });
}

// rules: web-push-13
test('a push service that wants fewer requests gets none for as long as it says, and then everything', async () => {
  await using scene = await begin();
  const { service, server, sender, person, device } = scene;
  service.behaviour = (response) => !!response.writeHead(429, { 'retry-after': '600' }).end();
  const one = await sender.direct([person.userId], 'one');
  await webPushOf(server.app).settled();
  const { requests } = service;
  assert.equal(requests, 1);
  const [row] = await rowsOf(server);
  assert.deepEqual([row?.state, row?.attempts], ['due', 1]);
  assert(row !== undefined && row.wait > 500 && row.wait <= 600);
  service.behaviour = undefined;
  await allDue(server);
  assert.deepEqual(device.shown, [one]);
});

// rules: web-push-13
test('a service that wants fewer requests for one subscription gets those for others, until it wants that of a second one', async () => {
  await using scene = await begin();
  const { service, server, sender, person, device } = scene;
  const people = [await server.user({ password }), await server.user({ password })] as const;
  const others: TestWebPushDevice[] = [];
  for (const one of people) others.push(await TestWebPushDevice.of(one, { url: server.url, password, service }));
  const asked: TestWebPushDevice[] = [];
  let limited = [device];
  service.behaviour = (response, to) => {
    asked.push(to);
    return limited.includes(to) && !!response.writeHead(429, { 'retry-after': '600' }).end();
  };
  const send = async () => {
    for (const { userId } of [person, ...people]) await sender.direct([userId], 'hello');
    await server.app.consumers.settled();
  };
  /** No row is due or claimed: a claim lasts a minute. */
  const isQuiet = async () => (await rowsOf(server)).every(({ wait }) => wait === null || wait > 100);
  for (const count of [1, 2]) {
    await send();
    await until(isQuiet, 'the end of the runs');
    assert.deepEqual(
      others.map(({ shown }) => shown.length),
      [count, count],
    );
  }
  assert.equal(asked.filter((to) => to === device).length, 1);
  limited = [device, ...others];
  await send();
  await until(isQuiet, 'the end of the runs');
  // One run asks for all.
  await allDue(server);
  const before = asked.length;
  limited = [];
  await send();
  assert.deepEqual(
    [asked.length, (await rowsOf(server)).filter(({ wait }) => wait !== null && wait <= 0).length],
    [before, 3],
  );
  await allDue(server);
  assert.deepEqual(
    [device, ...others].map(({ shown }) => shown.length),
    [4, 4, 4],
  );
});

// rules: web-push-13
test('six attempts are made, and none after an hour', async () => {
  await using scene = await begin();
  const { service, server, sender, person, device } = scene;
  service.behaviour = (response) => !!response.writeHead(500).end();
  await sender.direct([person.userId], 'never');
  await webPushOf(server.app).settled();
  assert.equal(service.requests, 1);
  for (let attempt = 2; attempt < 9; attempt += 1) await allDue(server);
  assert.equal(service.requests, 6);
  assert.deepEqual(await rowsOf(server), []);
  await sender.direct([person.userId], 'too late');
  await webPushOf(server.app).settled();
  await sql`UPDATE web_push_notifications SET added_at = now() - interval '2 hours'`.execute(server.app.db);
  service.behaviour = undefined;
  await allDue(server);
  assert.equal(device.shown.length, 0);
});

for (const status of [302, 400, 413]) {
  // rules: web-push-13
  test(`a notification that the push service refuses (${status}) is not sent again, and later ones are sent`, async () => {
    await using scene = await begin();
    const { service, server, sender, person, device } = scene;
    service.behaviour = (response) => !!response.writeHead(status).end();
    await sender.direct([person.userId], 'refused');
    await allDue(server);
    assert.deepEqual([service.requests, await rowsOf(server)], [1, []]);
    service.behaviour = undefined;
    const id = await sender.direct([person.userId], 'taken');
    await allDue(server);
    assert.deepEqual(device.shown, [id]);
  });
}

async function anHourPasses({ app }: TestServer): Promise<void> {
  await sql`UPDATE web_push_notifications SET added_at = now() - interval '2 hours'`.execute(app.db);
}

// rules: web-push-9, web-push-13
test('a removal has six attempts, also an hour after its message', async () => {
  await using scene = await begin();
  const { service, server, sender, person, device } = scene;
  const id = await sender.direct([person.userId], 'hello');
  await allDue(server);
  assert.deepEqual(device.shown, [id]);
  await anHourPasses(server);
  service.behaviour = (response) => !!response.writeHead(500).end();
  await person.ok('POST', '/mark_all_as_read');
  for (let attempt = 1; attempt < 5; attempt += 1) await allDue(server);
  assert.deepEqual(
    (await rowsOf(server)).map(({ state, attempts }) => [state, attempts]),
    [['leaving', 5]],
  );
  service.behaviour = undefined;
  await allDue(server);
  assert.deepEqual([device.shown, await rowsOf(server)], [[], []]);
});

// rules: web-push-10, web-push-13
test('an edit that the push service never takes leaves the notification as it is, and a read removes it', async () => {
  await using scene = await begin();
  const { service, server, sender, person, device } = scene;
  const id = await sender.direct([person.userId], 'frist');
  await allDue(server);
  await anHourPasses(server);
  service.behaviour = (response) => !!response.writeHead(500).end();
  await sender.ok('PATCH', `/messages/${id}`, { content: 'first' });
  for (let attempt = 1; attempt < 9; attempt += 1) await allDue(server);
  assert.equal(service.requests, 1 + 6);
  assert.deepEqual(
    (await rowsOf(server)).map(({ state, attempts }) => [state, attempts]),
    [['shown', 0]],
  );
  service.behaviour = undefined;
  await person.ok('POST', '/mark_all_as_read');
  await allDue(server);
  assert.deepEqual([device.shown, await rowsOf(server)], [[], []]);
});

// rules: web-push-13
test('a notification that a silent push service may have accepted is removed after the last attempt', async () => {
  await using scene = await begin();
  const { service, server, sender, person, device } = scene;
  service.behaviour = (response) => {
    response.destroy();
    return true;
  };
  const id = await sender.direct([person.userId], 'perhaps');
  for (let attempt = 1; attempt < 7; attempt += 1) await allDue(server);
  service.behaviour = undefined;
  await allDue(server);
  assert.deepEqual(
    device.received.map(({ payload }) => [payload.kind, payload.removed_ids]),
    [['remove', [id]]],
  );
  assert.deepEqual(await rowsOf(server), []);
});

// rules: web-push-9, web-push-13
test('a message that is read during the last attempt to notify of it is removed with new attempts', async () => {
  await using scene = await begin();
  const { service, server, sender, person, device } = scene;
  service.behaviour = (response) => !!response.writeHead(500).end();
  const id = await sender.direct([person.userId], 'on its way');
  await webPushOf(server.app).settled();
  await sql`UPDATE web_push_notifications SET attempts = 5`.execute(server.app.db);
  const held: ServerResponse[] = [];
  service.behaviour = (response) => !!held.push(response);
  const isLast = allDue(server);
  await until(() => held.length > 0, 'the last request');
  await person.ok('POST', '/mark_all_as_read');
  await until(async () => (await rowsOf(server))[0]?.state === 'leaving', 'the state "leaving"');
  service.behaviour = undefined;
  for (const response of held) response.writeHead(500).end();
  await isLast;
  await allDue(server);
  assert.deepEqual(
    device.received.map(({ payload }) => [payload.kind, payload.removed_ids]),
    [['remove', [id]]],
  );
});

// rules: web-push-13
test('a redirect is never followed, and an address that is not public is never called', async () => {
  await using scene = await begin();
  const { service, server, sender, person, device } = scene;
  const other = await TestWebPushDevice.of(person, { url: server.url, password, service });
  service.behaviour = (response, to) => to === device && !!response.writeHead(307, { location: other.endpoint }).end();
  await sender.direct([person.userId], 'hello');
  await webPushOf(server.app).settled();
  assert.deepEqual([service.requests, device.received.length, other.received.length], [2, 0, 1]);
});

// rules: web-push-13
test('an address that is not public is never called, also not behind a name', async () => {
  await using scene = await begin();
  const { service, server, device } = scene;
  const { identity } = webPushOf(server.app);
  const keys = { publicKey: bytes(device.subscription.p256dh), authSecret: bytes(device.subscription.auth) };
  const resolve = async () => [{ address: '127.0.0.1', family: 4 as const }];
  const push = { keys, payload: Buffer.from('{}'), topic: 'topic', isUrgent: true };
  for (const host of ['127.0.0.1', 'push.example.com']) {
    const endpoint = device.endpoint.replace('127.0.0.1', host);
    const outcome = await sendPush({ reach: { networks: new Networks([]), resolve }, identity }, { ...push, endpoint });
    assert.deepEqual(outcome, { kind: 'refused', reason: 'its address is not public' });
  }
  assert.equal(service.requests, 0);
});

test('the pushes of a run share connections, and one with a long answer loses its own', async () => {
  await using scene = await begin();
  const { service, server, sender, person, device } = scene;
  const channel = await server.emptyChannel(sender, 'busy place', { principals: [person.userId] });
  const held: ServerResponse[] = [];
  service.behaviour = (response) => !!held.push(response);
  await sender.direct([person.userId], 'first');
  await until(() => held.length > 0, 'the request of the first run');
  for (let topic = 1; topic <= 60; topic += 1) {
    await sender.send(channel, `topic ${topic}`, `@**${person.name}|${person.userId}**`);
  }
  await server.app.consumers.settled();
  const before = service.connections;
  service.behaviour = undefined;
  for (const response of held) response.writeHead(201).end();
  await webPushOf(server.app).settled();
  assert.equal(device.shown.length, 60);
  // There are 32 requests at a time.
  assert(service.connections - before <= 32, `${service.connections - before} connections`);
  service.behaviour = (response) => !!response.writeHead(201).end('x'.repeat(100_000));
  await sender.direct([person.userId], 'a long answer');
  await allDue(server);
  assert.deepEqual(
    (await rowsOf(server)).filter(({ state }) => state !== 'shown'),
    [],
  );
});

// rules: web-push-14
test('a push service that never responds does not delay others', async () => {
  await using scene = await begin();
  const { service, server, sender, person, device } = scene;
  const dead = await TestWebPushService.start();
  const held: ServerResponse[] = [];
  dead.behaviour = (response) => !!held.push(response);
  await TestWebPushDevice.of(person, { url: server.url, password, service: dead });
  for (let index = 0; index < 5; index += 1) {
    const id = await sender.direct([person.userId], `number ${index}`);
    const isIt = ({ payload }: { payload: { kind: string } }) =>
      payload.kind === 'message' && (payload as { message_id?: number }).message_id === id;
    await service.arrival(isIt);
  }
  assert.equal(device.shown.length, 5);
  await until(() => held.length > 0, 'the request to the dead service');
  for (const response of held) response.writeHead(410).end();
  await dead.stop();
});

// rules: web-push-14
test('an organization whose notifications cannot be made delays no other one, and gets no more than six attempts', async () => {
  await using scene = await begin();
  const { service, server, sender, person, device } = scene;
  const { db } = server.app;
  const owner = await server.organization('other');
  const other = await TestWebPushDevice.of(owner, { url: server.url, password, service });
  const colleague = await server.user({ subdomain: 'other' });
  service.behaviour = (response) => !!response.writeHead(503).end();
  await sender.direct([person.userId], 'broken');
  const id = await colleague.direct([owner.userId], 'fine');
  await webPushOf(server.app).settled();
  service.behaviour = undefined;
  const broken = sql`
    organization_id = (SELECT organization_id FROM web_push_subscriptions WHERE endpoint = ${device.endpoint})`;
  // No push can be encrypted for this key.
  await sql`UPDATE web_push_subscriptions SET public_key = '\\x00' WHERE ${broken}`.execute(db);
  // Both are in the next run.
  await sql`
    UPDATE web_push_notifications
       SET attempts = 5, due_at = now() - make_interval(secs => CASE WHEN ${broken} THEN 60 ELSE 30 END)`.execute(db);
  await webPushOf(server.app).settled();
  assert.deepEqual([device.shown, other.shown], [[], [id]]);
  assert.deepEqual(
    (await rowsOf(server)).map(({ state, attempts }) => [state, attempts]),
    [['shown', 0]],
  );
});

// rules: web-push-14
test('an organization with many notifications delays no other one at the same push service', async () => {
  await using scene = await begin();
  const { service, server, sender, person, device } = scene;
  const { db } = server.app;
  const owner = await server.organization('other');
  const other = await TestWebPushDevice.of(owner, { url: server.url, password, service });
  const held: ServerResponse[] = [];
  service.behaviour = (response) => !!held.push(response);
  await sender.direct([person.userId], 'hello');
  // Now the server serves the push service, and claims nothing more for it.
  await until(() => held.length > 0, 'the request');
  const { host } = new URL(device.endpoint);
  await sql`
    INSERT INTO web_push_notifications
      (organization_id, user_id, subscription_id, message_id, conversation, host, cause, state, due_at)
    SELECT organization_id, user_id, id, -number, 'direct 0', host, 'direct', 'due', now() - make_interval(secs => 1000 - number)
      FROM web_push_subscriptions, generate_series(1, 500) AS number
     WHERE endpoint = ${device.endpoint} OR (endpoint = ${other.endpoint} AND number > 490)`.execute(db);
  const claimed = await claimDue(db, host);
  const ids = Map.groupBy(claimed, ({ subscription_id: id }) => (id === device.deviceId ? 'many' : 'few'));
  const oldest = (count: number, from: number) => Array.from({ length: count }, (_, at) => -(from + at));
  const idsOf = (name: 'many' | 'few') =>
    ids
      .get(name)
      ?.map(({ message_id: id }) => id)
      .toSorted((a, b) => b - a);
  assert.deepEqual([idsOf('many'), idsOf('few')], [oldest(190, 1), oldest(10, 491)]);
  for (const response of held) response.writeHead(201).end();
});

// rules: web-push-10
test('edits within seconds are one push', async () => {
  await using scene = await begin();
  const { service, server, sender, person, device } = scene;
  const { db } = server.app;
  const id = await sender.direct([person.userId], 'frist');
  await allDue(server);
  const held: ServerResponse[] = [];
  service.behaviour = (response) => !!held.push(response);
  const { rows } = await sql<{ soon: Date }>`SELECT now() + interval '5 seconds' AS soon`.execute(db);
  const dueAt = async () =>
    (await sql<{ due_at: Date | null }>`SELECT due_at FROM web_push_notifications`.execute(db)).rows[0]?.due_at ??
    undefined;
  await sender.ok('PATCH', `/messages/${id}`, { content: 'fist' });
  const first = await until(dueAt, 'the edit to be noted');
  assert(rows[0] !== undefined && first.getTime() >= rows[0].soon.getTime());
  await sender.ok('PATCH', `/messages/${id}`, { content: 'first' });
  await server.app.consumers.settled();
  service.behaviour = undefined;
  for (const response of held) response.writeHead(201).end();
  await allDue(server);
  const last = device.received.at(-1)?.payload;
  assert.deepEqual(last?.kind === 'message' && [last.text, last.is_update], ['first', true]);
});

// rules: web-push-9
test('a message that is read while its notification is on its way is removed afterwards', async () => {
  await using scene = await begin();
  const { service, server, sender, person, device } = scene;
  const held: ServerResponse[] = [];
  service.behaviour = (response) => !!held.push(response);
  const id = await sender.direct([person.userId], 'on its way');
  await until(() => held.length > 0, 'the request');
  await person.ok('POST', '/mark_all_as_read');
  await until(async () => (await rowsOf(server))[0]?.state === 'leaving', 'the state "leaving"');
  service.behaviour = undefined;
  for (const response of held) response.writeHead(201).end();
  await allDue(server);
  assert.deepEqual(
    device.received.map(({ payload }) => [payload.kind, payload.removed_ids]),
    [['remove', [id]]],
  );
  assert.deepEqual(await rowsOf(server), []);
});

// rules: web-push-10
test('a message that is edited while its notification is on its way is sent again afterwards', async () => {
  await using scene = await begin();
  const { service, server, sender, person, device } = scene;
  const held: ServerResponse[] = [];
  service.behaviour = (response) => !!held.push(response);
  const id = await sender.direct([person.userId], 'frist');
  await until(() => held.length > 0, 'the request');
  await sender.ok('PATCH', `/messages/${id}`, { content: 'first' });
  const isChanged = sql<{ is_changed: boolean }>`SELECT is_changed FROM web_push_notifications`;
  await until(async () => (await isChanged.execute(server.app.db)).rows[0]?.is_changed, 'the edit to be noted');
  service.behaviour = undefined;
  for (const response of held) response.writeHead(201).end();
  await allDue(server);
  assert.deepEqual(
    device.received.map(({ payload }) => (payload.kind === 'message' ? [payload.text, payload.is_update] : [])),
    [['first', true]],
  );
});

// rules: web-push-3
test('what waits for a browser goes with its session', async () => {
  await using scene = await begin();
  const { service, server, sender, person, device } = scene;
  service.behaviour = (response) => !!response.writeHead(500).end();
  await sender.direct([person.userId], 'secret');
  await webPushOf(server.app).settled();
  await device.visitor.get('/accounts/sessions/');
  await device.visitor.submit('/accounts/logout/');
  assert.deepEqual(await rowsOf(server), []);
  service.behaviour = undefined;
  await allDue(server);
  assert.deepEqual(device.received, []);
});
