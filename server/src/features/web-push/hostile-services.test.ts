/** Push services that members have chosen to harm others. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { TestServer } from '../../testing/server/server.ts';
import { until } from '../../testing/server/until.ts';
import { allDue, begin, password, rowsOf } from '../../testing/services/web-push-scene.ts';
import { TestWebPushDevice, TestWebPushService } from '../../testing/services/web-push-service.ts';
import { MAX_BROWSERS_PER_USER } from './subscriptions.ts';

const YEAR_SECONDS = 365 * 86_400;

/** No row is due or claimed: a claim lasts a minute. */
async function isQuiet(server: TestServer): Promise<boolean> {
  return (await rowsOf(server)).every(({ wait }) => wait === null || wait > 100);
}

for (const [what, retryAfter] of [
  ['as seconds', String(YEAR_SECONDS)],
  ['as a date', new Date(Date.now() + YEAR_SECONDS * 1000).toUTCString()],
  ['that no clock can count', '9'.repeat(400)],
] as const) {
  // rules: web-push-13
  test(`a push service that wants a pause of a year (${what}) gets one of an hour`, async () => {
    await using scene = await begin();
    const { service, server, sender, person } = scene;
    service.behaviour = (response) => !!response.writeHead(429, { 'retry-after': retryAfter }).end();
    await sender.direct([person.userId], 'hello');
    await until(async () => service.requests > 0 && (await isQuiet(server)), 'the answer to be noted');
    const [{ wait, state } = { wait: 0, state: '' }] = await rowsOf(server);
    assert(state === 'due' && wait > 3500 && wait <= 3600, `it waits for ${wait} s`);
  });
}

// rules: web-push-13
test('one user’s browsers never pause a push service for others', async () => {
  await using scene = await begin();
  const { service, server, sender, person, device } = scene;
  const other = await server.user({ password });
  const bystander = await TestWebPushDevice.of(other, { url: server.url, password, service });
  const all = [device];
  for (let number = 2; number <= MAX_BROWSERS_PER_USER; number += 1) {
    all.push(await TestWebPushDevice.of(person, { url: server.url, password, service }));
  }
  for (const answer of [
    (response: ServerResponse) => response.writeHead(429, { 'retry-after': '600' }).end(),
    (response: ServerResponse) => response.writeHead(500).end(),
    (response: ServerResponse) => response.destroy(),
  ]) {
    const before = service.requests;
    service.behaviour = (response, to) => to !== bystander && !!answer(response);
    await sender.direct([person.userId], 'hello');
    await until(async () => service.requests >= before + all.length, 'all requests');
    const id = await sender.direct([other.userId], 'hello');
    await until(() => bystander.shown.includes(id), 'the push for the other user');
    service.behaviour = undefined;
    await allDue(server);
  }
});

// rules: web-push-14
test('ten browsers with services that never answer delay nobody’s push', async () => {
  await using scene = await begin();
  const { service, server, sender, person } = scene;
  const other = await server.user({ password });
  // One answer makes a service a quick one.
  const known = await TestWebPushDevice.of(other, { url: server.url, password, service });
  await sender.direct([other.userId], 'first');
  await allDue(server);
  const held: ServerResponse[] = [];
  const dead: TestWebPushService[] = [];
  for (let number = 1; number < MAX_BROWSERS_PER_USER; number += 1) {
    const one = await TestWebPushService.start();
    one.behaviour = (response) => !!held.push(response);
    await TestWebPushDevice.of(person, { url: server.url, password, service: one });
    dead.push(one);
  }
  await sender.direct([person.userId], 'hello');
  await until(() => held.length >= 8, 'all lanes of unknown services to be taken');
  const id = await sender.direct([other.userId], 'second');
  await until(() => known.shown.includes(id), 'the push for the other user');
  for (const response of held) response.writeHead(410).end();
  for (const one of dead) {
    one.behaviour = (response) => !!response.writeHead(410).end();
  }
  await allDue(server);
  for (const one of dead) await one.stop();
});

// rules: web-push-3
test('a browser that subscribes and unsubscribes again and again leaves nothing behind', async () => {
  await using scene = await begin();
  const { service, server, device } = scene;
  const { db } = server.app;
  for (let round = 1; round <= 30; round += 1) {
    const endpoint = service.add(device);
    const { status } = await device.call('POST', '/web_push/subscription', { ...device.subscription, endpoint });
    assert.equal(status, 200);
    if (round % 3 === 0) await device.call('DELETE', '/web_push/subscription');
  }
  const { rows } = await sql`SELECT FROM web_push_subscriptions`.execute(db);
  assert.equal(rows.length, 0);
});

// rules: web-push-2
test('keys and addresses beyond their sizes are refused before anything is computed or stored', async () => {
  await using scene = await begin();
  const { server, device } = scene;
  const huge = 'A'.repeat(1_000_000);
  for (const wrong of [{ p256dh: huge }, { auth: huge }, { endpoint: `https://push.example.com/${huge}` }]) {
    const { status } = await device.call('POST', '/web_push/subscription', { ...device.subscription, ...wrong });
    assert(status === 400 || status === 413, `${Object.keys(wrong)}: ${status}`);
  }
  const { rows } = await sql<{ endpoint: string }>`SELECT endpoint FROM web_push_subscriptions`.execute(server.app.db);
  assert.deepEqual(
    rows.map(({ endpoint }) => endpoint),
    [device.endpoint],
  );
});
