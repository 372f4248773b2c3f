import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventsOfOthers } from '../../measures.ts';
import type { TestClient } from '../../testing/clients/client.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { type NatsCluster, noNats, startNatsCluster } from '../../testing/services/nats-server.ts';

const skip = noNats;

/** Two servers on one database, which wake each other through a cluster of NATS. */
let cluster: NatsCluster;
let servers: readonly TestServer[];
/** The same writer at each of them. */
let writers: readonly TestClient[];
let reader: TestClient;

before(async () => {
  if (skip) return;
  cluster = await startNatsCluster(3);
  const environment = { HEDDLE_BUS: cluster.url };
  const one = await startTestServer({ environment });
  const two = await startTestServer({ environment, shared: one.shared });
  servers = [one, two];
  reader = await one.user({ name: 'Reader' });
  const writer = await one.user({ name: 'Writer' });
  const organization = await two.app.organizations.bySubdomain('');
  await organization?.catchUp();
  writers = [writer, await two.sameUser(writer)];
  await reader.subscribe('shared');
});
after(async () => {
  for (const server of servers?.toReversed() ?? []) await server.stop();
  await cluster?.stop();
});

async function fromBus(): Promise<number> {
  const { values } = await eventsOfOthers.get();
  return values.find(({ labels }) => labels.source === 'bus')?.value ?? 0;
}

test('the loss of servers of NATS delays messages, and loses, repeats and reorders none', { skip }, async () => {
  const queue = await reader.register({ event_types: ['message'] });
  const before = await fromBus();
  const sent: number[] = [];
  const sendSome = async () => {
    for (let index = 0; index < 10; index += 1)
      for (const writer of writers) sent.push(await writer.send('shared', 'topic', `${sent.length}`));
  };
  const faults = [
    () => cluster.kill(0),
    () => cluster.signal(1, 'SIGSTOP'),
    () => cluster.kill(2),
    () => cluster.kill(1),
    () => cluster.start(),
    () => {},
  ];
  for (const fault of faults) {
    const sending = sendSome();
    await fault();
    await sending;
  }
  await sendSome();
  const events = await queue.take(sent.length);
  assert.deepEqual(
    events.map((event) => event.message.id),
    sent,
  );
  assert((await fromBus()) > before, 'wake-ups carried events');
});
