/** Processes, organizations and subscriptions that share a push service. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { sql } from 'kysely';
import { startTestServer } from '../../testing/server/server.ts';
import { until } from '../../testing/server/until.ts';
import { allDue, begin, password, quiet, rowsOf } from '../../testing/services/web-push-scene.ts';
import { TestWebPushDevice, TestWebPushService } from '../../testing/services/web-push-service.ts';
import { webPushOf } from './running.ts';
import { claimDue } from './waiting.ts';

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
    SELECT organization_id, user_id, id, -number, 'direct 0', host, 'direct', 'due', now() - make_interval(secs => 4000 - number)
      FROM web_push_subscriptions, generate_series(1, 3000) AS number
     WHERE endpoint = ${device.endpoint} OR (endpoint = ${other.endpoint} AND number > 2990)`.execute(db);
  const claimed = await claimDue(db, host);
  const ids = Map.groupBy(claimed, ({ subscription_id: id }) => (id === device.deviceId ? 'many' : 'few'));
  const oldest = (count: number, from: number) => Array.from({ length: count }, (_, at) => -(from + at));
  const idsOf = (name: 'many' | 'few') =>
    ids
      .get(name)
      ?.map(({ message_id: id }) => id)
      .toSorted((a, b) => b - a);
  assert.deepEqual([idsOf('many'), idsOf('few')], [oldest(1990, 1), oldest(10, 2991)]);
  for (const response of held) response.writeHead(201).end();
});

test('the pushes of a run share connections, and one with a long answer loses its own', async () => {
  await using scene = await begin();
  const { service, server, sender, person, device } = scene;
  const channel = await server.emptyChannel(sender, 'busy place', { principals: [person.userId] });
  const held: ServerResponse[] = [];
  service.behaviour = (response) => !!held.push(response);
  await sender.direct([person.userId], 'first');
  await until(() => held.length > 0, 'the request of the first run');
  for (let topic = 1; topic <= 150; topic += 1) {
    await sender.send(channel, `topic ${topic}`, `@**${person.name}|${person.userId}**`);
  }
  await server.app.consumers.settled();
  const before = service.connections;
  service.behaviour = undefined;
  for (const response of held) response.writeHead(201).end();
  await webPushOf(server.app).settled();
  assert.equal(device.shown.length, 150);
  // There are 100 requests at a time.
  assert(service.connections - before <= 100, `${service.connections - before} connections`);
  service.behaviour = (response) => !!response.writeHead(201).end('x'.repeat(100_000));
  await sender.direct([person.userId], 'a long answer');
  await allDue(server);
  assert.deepEqual(
    (await rowsOf(server)).filter(({ state }) => state !== 'shown'),
    [],
  );
});
