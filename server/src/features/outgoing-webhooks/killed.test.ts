import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestClient } from '../../testing/clients/client.ts';
import { timesOf } from '../../testing/faults/kill-counts.ts';
import { type KillableServer, startKillable } from '../../testing/faults/killable-server.ts';
import { until } from '../../testing/server/until.ts';
import { LOCAL_SERVICES, TestBotService } from '../../testing/services/bot-service.ts';

const password = 'a shuttle flies through the shed';

async function ownerAt(server: KillableServer): Promise<TestClient> {
  const { url } = await server.listening;
  const form = { username: 'owner@localhost', password };
  const nobody = new TestClient({ url, host: new URL(url).host, userId: 0, name: 'Nobody' });
  const { user_id, email, api_key } = await nobody.ok('POST', '/fetch_api_key', form);
  return new TestClient({ url, host: new URL(url).host, email, apiKey: api_key, userId: user_id, name: 'Owner' });
}

// rules: bots-12
test('a server that is killed after it accepted a message calls the service after the restart', async (t) => {
  const service = await TestBotService.start();
  const killable = await startKillable(t, {
    ...LOCAL_SERVICES,
    HEDDLE_OUTGOING_TIMEOUT_SECONDS: '1',
    HEDDLE_LOG_LEVEL: 'silent',
    HEDDLE_RATE_LIMITS: 'off',
    HEDDLE_OWNER_PASSWORD: password,
  });
  t.after(() => service.stop());
  const fields = { full_name: 'Undying', short_name: 'undying', bot_type: 3, payload_url: service.url };
  const { user_id } = await (await ownerAt(killable)).ok('POST', '/bots', fields);
  for (let count = 1; count <= timesOf({ gate: 1, long: 3 }); count += 1) {
    const text = `number ${count}`;
    const owner = await ownerAt(killable);
    await owner.direct([user_id], text);
    await killable.kill();
    await killable.restart();
    await service.call(({ body }) => body.data === text);
  }
});

// rules: bots-12
test('a server killed during the call repeats it, and posts the reply once', async (t) => {
  const service = await TestBotService.start();
  const killable = await startKillable(t, {
    ...LOCAL_SERVICES,
    // A request that takes longer is repeated, too. The claim of the killed server is ten seconds longer.
    HEDDLE_OUTGOING_TIMEOUT_SECONDS: '5',
    HEDDLE_LOG_LEVEL: 'silent',
    HEDDLE_RATE_LIMITS: 'off',
    HEDDLE_OWNER_PASSWORD: password,
  });
  t.after(() => service.stop());
  const fields = { full_name: 'Thinker', short_name: 'thinker', bot_type: 3, payload_url: service.url };
  const owner = await ownerAt(killable);
  const { user_id } = await owner.ok('POST', '/bots', fields);
  service.answering = () => undefined;
  await owner.direct([user_id], 'think');
  await service.call();
  await killable.kill();
  service.answering = () => ({ content: 'thought' });
  await killable.restart();
  const again = await ownerAt(killable);
  // Without a queue: on a slow machine the reply arrives before this client can register one.
  const contents = async () => {
    const window = { anchor: 'newest', num_before: 10, num_after: 0, apply_markdown: false };
    return (await again.ok('GET', '/messages', window)).messages.map(({ content }: { content: string }) => content);
  };
  const found = await until(async () => {
    const shown = await contents();
    return shown.includes('thought') ? shown : undefined;
  }, 'the reply of the bot');
  assert.deepEqual(found.slice(-2), ['think', 'thought']);
  assert.equal(service.calls.length, 2);
});
