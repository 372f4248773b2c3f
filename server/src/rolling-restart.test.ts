/** A rolling restart: two processes on one database, one stops after the other, and clients notice nothing but a new connection. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestClient } from './testing/clients/client.ts';
import { EventCursor } from './testing/clients/event-cursor.ts';
import { testDatabase } from './testing/database/database.ts';
import { newAccount, ownerAccount } from './testing/faults/command-line-accounts.ts';
import { type HeddleServer, startHeddle } from './testing/faults/heddle-process.ts';
import { temporaryDataDirectory } from './testing/server/data-directory.ts';
import { until } from './testing/server/until.ts';
import { startBalancer } from './testing/services/balancer.ts';

const password = 'a shuttle flies through the shed';
const SENDERS = 2;
const LAST = 'the last message';

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
    HEDDLE_DRAIN_SECONDS: '2',
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

  // The reader polls one queue from the beginning to the end. Any response but a success fails the test.
  const received: string[] = [];
  const queue = await reader.ok('POST', '/register', { event_types: ['message'] });
  const reading = (async () => {
    const cursor = new EventCursor(queue.last_event_id);
    // timing: it reads until the last message
    while (received.at(-1)?.includes(LAST) !== true) {
      const fields = { queue_id: queue.queue_id, last_event_id: cursor.lastEventId };
      const { events } = await reader.ok('GET', '/events', fields);
      cursor.accept(events);
      for (const event of events) if (event.type === 'message') received.push(event.message.content);
    }
  })();

  const sent: string[] = [];
  let isLoaded = true;
  const send = async (content: string) => {
    await sender.ok('POST', '/messages', { type: 'channel', to: 'loom', topic: 'warp', content });
    sent.push(content);
  };
  const sending = Array.from({ length: SENDERS }, async (_, lane) => {
    for (let count = 0; isLoaded; count += 1) await send(`${lane}.${count}`);
  });
  const load = Promise.all([...sending, reading]);
  const noted = load.then(
    () => undefined,
    (error: unknown) => error,
  );
  const more = () =>
    until(
      (
        (before) => () =>
          sent.length > before + 20
      )(sent.length),
      '20 more messages',
    );

  const replace = async (old: HeddleServer, other: HeddleServer): Promise<HeddleServer> => {
    await more();
    const stopped = old.stop('SIGTERM');
    await balancer.ready([other.url]);
    await more();
    const { code, err } = await stopped;
    running.delete(old);
    assert.deepEqual({ code, err }, { code: 0, err: '' });
    const fresh = await start();
    balancer.use([other.url, fresh.url]);
    await balancer.ready([other.url, fresh.url]);
    return fresh;
  };
  const replacing = (async () => {
    one = await replace(one, two);
    two = await replace(two, one);
    await more();
    isLoaded = false;
    await Promise.all(sending);
    await send(LAST);
  })();
  const failed = await Promise.race([noted, replacing.then(() => undefined)]);
  assert.equal(failed, undefined);
  await load;
  // The reader may receive the last message before its sender gets the response.
  await replacing;
  assert.deepEqual(received.map((html) => html.replaceAll(/<[^>]+>/g, '')).toSorted(), sent.toSorted());
  assert.equal(new Set(balancer.served).size, 4);
});
