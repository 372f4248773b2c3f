/** A rolling restart: two processes on one database, one stops after the other, and clients notice nothing but a new connection. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestClient } from './testing/clients/client.ts';
import { testDatabase } from './testing/database/database.ts';
import { newAccount, ownerAccount } from './testing/faults/command-line-accounts.ts';
import { type HeddleServer, startHeddle } from './testing/faults/heddle-process.ts';
import { startLoad } from './testing/faults/steady-load.ts';
import { temporaryDataDirectory } from './testing/server/data-directory.ts';
import { startBalancer } from './testing/services/balancer.ts';

const password = 'a shuttle flies through the shed';

test('during a rolling restart under load, no request fails, no event is lost or repeated, and no client registers again', async (t) => {
  const [data, database, balancer] = [await temporaryDataDirectory(), await testDatabase(), await startBalancer()];
  const running = new Set<HeddleServer>();
  t.after(async () => {
    await balancer.close();
    for (const server of running) await server.stop('SIGKILL');
    await data.remove();
    await database.drop();
  });
  const environment = {
    HEDDLE_DATA_DIR: data.path,
    HEDDLE_DATABASE_URL: database.url,
    HEDDLE_BUS: 'postgres',
    HEDDLE_RATE_LIMITS: 'off',
    HEDDLE_LOG_LEVEL: 'error',
    HEDDLE_OWNER_PASSWORD: password,
    // A slow balancer notices it in time.
    HEDDLE_DRAIN_SECONDS: '5',
  };
  const start = async (): Promise<HeddleServer> => {
    const server = await startHeddle(environment);
    running.add(server);
    return server;
  };
  let [one, two] = [await start(), await start()];
  balancer.use([one.url, two.url]);
  await balancer.ready([one.url, two.url]);
  const account = await ownerAccount(one.url, password);
  const accounts = [account, await newAccount({ environment, urls: [one.url, two.url] }, 'Reader')];
  const clients = accounts.map(
    (each) => new TestClient({ ...each, url: balancer.url, host: 'localhost', name: each.email }),
  );
  const [sender, reader] = clients;
  assert(sender !== undefined && reader !== undefined);
  await sender.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'loom' }],
    principals: [sender.userId, reader.userId],
  });

  const load = await startLoad(sender, reader);
  const replace = async (old: HeddleServer, other: HeddleServer): Promise<HeddleServer> => {
    await load.more();
    const stopped = old.stop('SIGTERM');
    await balancer.ready([other.url]);
    await load.more();
    const { code, err } = await stopped;
    running.delete(old);
    assert.deepEqual({ code, err }, { code: 0, err: '' });
    const fresh = await start();
    balancer.use([other.url, fresh.url]);
    await balancer.ready([other.url, fresh.url]);
    return fresh;
  };
  one = await replace(one, two);
  two = await replace(two, one);
  await load.more();
  await load.finish();
  assert.equal(new Set(balancer.served).size, 4);
});
