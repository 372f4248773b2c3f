import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { TestClient } from '../../testing/clients/client.ts';
import { accountAt } from '../../testing/faults/command-line-accounts.ts';
import { timesOf } from '../../testing/faults/kill-counts.ts';
import { type KillableServer, startKillable } from '../../testing/faults/killable-server.ts';
import { randomOf } from '../../testing/random/random.ts';
import { until } from '../../testing/server/until.ts';
import { type Pushed, TestWebPushDevice, TestWebPushService } from '../../testing/services/web-push-service.ts';

const password = 'a shuttle flies through the shed';

async function ownerAt(server: KillableServer): Promise<TestClient> {
  const { url } = await server.listening;
  const nobody = new TestClient({ url, host: new URL(url).host, userId: 0, name: 'Nobody' });
  const { user_id, email, api_key } = await nobody.ok('POST', '/fetch_api_key', {
    username: 'owner@localhost',
    password,
  });
  return new TestClient({ url, host: new URL(url).host, email, apiKey: api_key, userId: user_id, name: 'Owner' });
}

async function query({ environment }: KillableServer, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: environment.HEDDLE_DATABASE_URL });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** As if the minute of each claim were over. */
async function endClaims(server: KillableServer): Promise<void> {
  await query(server, 'UPDATE web_push_notifications SET due_at = now() WHERE due_at IS NOT NULL');
}

const isAbout =
  (id: number) =>
  ({ payload }: Pushed): boolean =>
    payload.kind === 'message' && payload.message_ids.includes(id);

/** A server that a test kills, its push service, and somebody who writes. */
async function begin(t: TestContext) {
  const service = await TestWebPushService.start();
  const killable = await startKillable(t, {
    ...service.environment,
    HEDDLE_LOG_LEVEL: 'silent',
    HEDDLE_RATE_LIMITS: 'off',
    HEDDLE_OWNER_PASSWORD: password,
  });
  t.after(() => service.stop());
  const account = await accountAt(killable, 'Writer');
  const writerAt = async () => {
    const { url } = await killable.listening;
    return new TestClient({ ...account, url, host: new URL(url).host, name: 'Writer' });
  };
  const owner = await ownerAt(killable);
  const { url } = await killable.listening;
  const deviceOf = () => TestWebPushDevice.of(owner, { url, password, service });
  return { service, killable, owner, writerAt, deviceOf };
}

// rules: web-push-12
test('a killed server loses no notification, and repeats only one whose answer it had not stored', async (t) => {
  const { service, killable, owner, writerAt, deviceOf } = await begin(t);
  const device = await deviceOf();
  const ids: number[] = [];
  for (let count = 1; count <= timesOf({ gate: 1, long: 3 }); count += 1) {
    // Killed before or while it sends.
    const early = await (await writerAt()).direct([owner.userId], `early ${count}`);
    await killable.kill();
    await endClaims(killable);
    await killable.restart();
    await service.arrival(isAbout(early));

    // Killed after the push service has accepted, before the answer arrived.
    const held: ServerResponse[] = [];
    service.behaviour = (response) => !!held.push(response);
    const late = await (await writerAt()).direct([owner.userId], `late ${count}`);
    await until(() => held.length > 0, 'the push');
    await killable.kill();
    service.behaviour = undefined;
    await endClaims(killable);
    await killable.restart();
    await service.arrival(isAbout(late));
    ids.push(early, late);
  }
  // A repeated one has the same tag, and so is the same notification.
  assert.deepEqual(device.shown, ids);
  assert.equal(device.notifications.length, 1);
  assert.deepEqual(service.problems, []);
});

const DEVICES = 10;
const TOPICS = 20;

// rules: web-push-12
test('a server that is killed between hundreds of pushes loses none, and repeats none that it had noted', async (t) => {
  const random = randomOf(t);
  const { service, killable, owner, writerAt, deviceOf } = await begin(t);
  const devices: TestWebPushDevice[] = [];
  for (let number = 1; number <= DEVICES; number += 1) devices.push(await deviceOf());
  const writer = await writerAt();
  await owner.ok('PATCH', '/settings', { enable_stream_push_notifications: true });
  const { id: channel } = await owner.ok('POST', '/channels/create', {
    name: 'looms',
    subscribers: [owner.userId, writer.userId],
  });
  for (let count = 1; count <= timesOf({ gate: 1, long: 10 }); count += 1) {
    const before = service.pushed.length;
    const sender = await writerAt();
    const ids = await Promise.all(
      Array.from({ length: TOPICS }, (_, topic) => sender.send(channel, `topic ${count} ${topic}`, 'The loom stops.')),
    );
    const pushes = 1 + random.integerBelow(DEVICES * TOPICS - 1);
    await until(() => service.pushed.length >= before + pushes, `${pushes} pushes`);
    await killable.kill();
    const noted = new Set(
      (
        await query(killable, "SELECT subscription_id, message_id FROM web_push_notifications WHERE state = 'shown'")
      ).map(({ subscription_id, message_id }) => `${subscription_id} ${message_id}`),
    );
    await endClaims(killable);
    await killable.restart();
    await until(() => devices.every(({ shown }) => ids.every((id) => shown.includes(id))), 'all notifications');
    for (const device of devices) {
      for (const id of ids) {
        const times = device.received.filter(({ payload }) => payload.kind === 'message' && payload.message_id === id);
        const most = noted.has(`${device.deviceId} ${id}`) ? 1 : 2;
        assert(times.length <= most, `${times.length} pushes for a message, at most ${most} expected`);
      }
    }
  }
  assert.deepEqual(service.problems, []);
});
