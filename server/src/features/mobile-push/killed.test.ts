import { test } from 'node:test';
import { TestClient } from '../../testing/clients/client.ts';
import { accountAt } from '../../testing/faults/command-line-accounts.ts';
import { timesOf } from '../../testing/faults/kill-counts.ts';
import { type KillableServer, startKillable } from '../../testing/faults/killable-server.ts';
import { TestPhone, TestPushService } from '../../testing/services/push-service.ts';

const password = 'a shuttle flies through the shed';

async function ownerAt(server: KillableServer): Promise<TestClient> {
  const { url } = await server.listening;
  const form = { username: 'owner@localhost', password };
  const nobody = new TestClient({ url, host: new URL(url).host, userId: 0, name: 'Nobody' });
  const { user_id, email, api_key } = await nobody.ok('POST', '/fetch_api_key', form);
  return new TestClient({ url, host: new URL(url).host, email, apiKey: api_key, userId: user_id, name: 'Owner' });
}

// rules: mobile-push-22
test('a server that is killed after it accepted a message notifies phones after the restart', async (t) => {
  const service = await TestPushService.start();
  const killable = await startKillable(t, {
    ...service.environment,
    HEDDLE_LOG_LEVEL: 'silent',
    HEDDLE_RATE_LIMITS: 'off',
    HEDDLE_OWNER_PASSWORD: password,
  });
  t.after(() => service.stop());
  const account = await accountAt(killable, 'Reader');
  const { url } = await killable.listening;
  const reader = new TestClient({ ...account, url, host: new URL(url).host, name: 'Reader' });
  const phone = await new TestPhone().register(reader, service);
  for (let count = 1; count <= timesOf({ gate: 1, long: 3 }); count += 1) {
    const text = `number ${count}`;
    const owner = await ownerAt(killable);
    await owner.direct([reader.userId], text);
    await killable.kill();
    await killable.restart();
    await service.arrival(() => phone.received(service).some(({ content }) => content === text));
  }
});
