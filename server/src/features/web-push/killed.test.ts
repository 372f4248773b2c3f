import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import pg from 'pg';
import { TestClient } from '../../testing/clients/client.ts';
import { accountAt } from '../../testing/faults/command-line-accounts.ts';
import { timesOf } from '../../testing/faults/kill-counts.ts';
import { type KillableServer, startKillable } from '../../testing/faults/killable-server.ts';
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

/** As if the minute of each claim were over. */
async function endClaims({ environment }: KillableServer): Promise<void> {
  const client = new pg.Client({ connectionString: environment.HEDDLE_DATABASE_URL });
  await client.connect();
  await client.query('UPDATE web_push_notifications SET due_at = now() WHERE due_at IS NOT NULL');
  await client.end();
}

const isAbout =
  (id: number) =>
  ({ payload }: Pushed): boolean =>
    payload.kind === 'message' && payload.message_ids.includes(id);

// rules: web-push-12
test('a killed server loses no notification, and repeats only one whose answer it had not stored', async (t) => {
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
  const device = await TestWebPushDevice.of(owner, { url, password, service });
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
