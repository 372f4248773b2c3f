import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { sql } from 'kysely';
import { Networks } from '../../outbound/networks.ts';
import type { TestServer } from '../../testing/server/server.ts';
import { until } from '../../testing/server/until.ts';
import { allDue, begin, password, rowsOf } from '../../testing/services/web-push-scene.ts';
import { TestWebPushDevice } from '../../testing/services/web-push-service.ts';
import { encryptFor } from './encrypting.ts';
import { webPushOf } from './running.ts';
import { sendPush } from './sending.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');

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

// rules: web-push-10, web-push-13
test('a notification that an attempt may have shown is removed there when it is shown where its message has moved', async () => {
  await using scene = await begin();
  const { service, server, sender, person, device } = scene;
  const id = await server.emptyChannel(sender, 'looms', { principals: [person.userId] });
  service.behaviour = (response) => {
    // The browser gets the push, and the server never learns that.
    response.writeHead = () => response.destroy();
    return false;
  };
  const message = await sender.send(id, 'before', `@**${person.name}|${person.userId}** first`);
  await webPushOf(server.app).settled();
  service.behaviour = undefined;
  assert.deepEqual(device.shown, [message]);
  await sender.ok('PATCH', `/messages/${message}`, { topic: 'after', send_notification_to_new_thread: false });
  await allDue(server);
  const last = device.received.at(-1)?.payload;
  assert(last?.kind === 'message');
  assert.deepEqual([last.removed_ids, last.message_ids, device.notifications.length], [[message], [message], 1]);
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
  const push = { body: encryptFor(keys, Buffer.from('{}')), topic: 'topic', isUrgent: true };
  for (const host of ['127.0.0.1', 'push.example.com']) {
    const endpoint = device.endpoint.replace('127.0.0.1', host);
    const outcome = await sendPush({ reach: { networks: new Networks([]), resolve }, identity }, { ...push, endpoint });
    assert.deepEqual(outcome, { kind: 'refused', reason: 'its address is not public' });
  }
  assert.equal(service.requests, 0);
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
