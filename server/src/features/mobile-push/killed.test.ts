import { test } from 'node:test';
import { TestClient } from '../../testing/clients/client.ts';
import { runHeddle, temporaryDataDirectory } from '../../testing/faults/heddle-process.ts';
import { KillableServer } from '../../testing/faults/killable-server.ts';
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
  const data = await temporaryDataDirectory();
  const killable = new KillableServer(data.path, {
    ...service.environment,
    HEDDLE_LOG_LEVEL: 'silent',
    HEDDLE_RATE_LIMITS: 'off',
    HEDDLE_OWNER_PASSWORD: password,
  });
  t.after(async () => {
    await killable.end();
    await data.remove();
    await service.stop();
  });
  await killable.listening;
  const options = ['--email', 'reader@example.com', '--name', 'Reader', '--json'];
  const { out } = await runHeddle(['user', 'create', ...options], { HEDDLE_DATA_DIR: data.path });
  const { user_id, email, api_key } = JSON.parse(out);
  const { url } = await killable.listening;
  const reader = new TestClient({
    url,
    host: new URL(url).host,
    email,
    apiKey: api_key,
    userId: user_id,
    name: 'Reader',
  });
  const phone = await new TestPhone().register(reader, service);
  for (const text of ['one', 'two', 'three']) {
    const owner = await ownerAt(killable);
    await owner.direct([reader.userId], text);
    await killable.kill();
    await killable.restart();
    await service.arrival(() => phone.received(service).some(({ content }) => content === text));
  }
});
