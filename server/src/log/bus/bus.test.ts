import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { natsServers } from '../../config/nats-servers.ts';
import { openPool } from '../../db/pool.ts';
import { testDatabase } from '../../testing/database/database.ts';
import { openTestLog, silent, type TestLog } from '../../testing/database/log.ts';
import { startStallingProxy } from '../../testing/faults/stalling-proxy.ts';
import { until } from '../../testing/server/until.ts';
import { noNats, startNatsCluster } from '../../testing/services/nats-server.ts';
import { type BusOptions, createBus } from './bus.ts';
import type { CarriedEvents } from './wake-up.ts';

let log: TestLog;
before(async () => {
  log = await openTestLog();
});
after(() => log.stop());

/** The bus of one process, with its wake-ups (undefined: some may have been lost), and the texts of events that they carried. */
async function joined(nats?: BusOptions['nats']) {
  const { pool, settings, close } = openPool(log.connection, silent, { size: 1 });
  const bus = createBus({ pool, settings, log: silent, announces: true, ...(nats && { nats }) });
  const woken: (number | undefined)[] = [];
  const carried: unknown[] = [];
  bus.subscribe((wakeUp) => {
    woken.push(wakeUp?.organizationId);
    carried.push(...(wakeUp?.carried()?.events.map(({ body }) => body) ?? []));
  });
  await until(() => woken.length > 0, 'the first wake-up');
  return {
    bus,
    woken,
    carried,
    async leave() {
      await bus.close();
      await close();
    },
  };
}

test('commits of other processes wake a process, and its own do not', async () => {
  const [one, two] = await Promise.all([joined(), joined()]);
  one.bus.publish(1);
  await until(() => two.woken.includes(1), 'the first wake-up of the second process');
  two.bus.publish(2);
  // PostgreSQL keeps the order of notifications, so an own wake-up would have arrived before.
  await until(() => one.woken.includes(2), 'a wake-up of the first process');
  assert.deepEqual(one.woken, [undefined, 2]);
  one.bus.publish(3);
  await until(() => two.woken.includes(3), 'the second wake-up of the second process');
  assert.deepEqual(two.woken, [undefined, 1, 3]);
  await Promise.all([one.leave(), two.leave()]);
});

/** Events of an organization, for a wake-up. */
const carrying = (organizationId: number, ...bodies: readonly string[]): CarriedEvents => ({
  epoch: 'one',
  events: bodies.map((body, index) => ({
    organizationId,
    id: index + 1,
    type: 'note',
    audience: { to: 'nobody' },
    body,
    ephemeral: false,
  })),
});

test('wake-ups carry events through PostgreSQL, up to its size', async () => {
  const [one, two] = await Promise.all([joined(), joined()]);
  one.bus.publish(1, carrying(1, 'a', 'b'));
  await until(() => two.carried.length === 2, 'two events');
  one.bus.publish(1, carrying(1, 'x'.repeat(9_000)));
  one.bus.publish(2, carrying(2, 'c'));
  one.bus.publish(2, carrying(2, 'd'));
  await until(() => two.carried.length === 4, 'the later ones, which waited together');
  assert.deepEqual(two.carried, ['a', 'b', 'c', 'd']);
  assert.deepEqual(two.woken, [undefined, 1, 1, 2], 'also for the long one, and once for those that waited');
  await Promise.all([one.leave(), two.leave()]);
});

test('wake-ups go through a cluster of NATS, and through PostgreSQL while all its servers are down', {
  skip: noNats,
}, async (t) => {
  const cluster = await startNatsCluster(3, 'user:p%40ss');
  t.after(() => cluster.stop());
  const servers = natsServers(cluster.url);
  assert(servers !== undefined);
  const nats = { servers, secret: Buffer.from('secret') };
  const other = { servers, secret: Buffer.from('of another installation') };
  const processes = await Promise.all([joined(nats), joined(nats), joined(nats), joined(other)]);
  const [one, two, three, stranger] = processes;
  const isConnected = ({ woken }: typeof one) => woken.length >= 2;
  await until(() => processes.every(isConnected), 'the first wake-ups of PostgreSQL and of NATS');
  // Too long for PostgreSQL.
  const long = 'x'.repeat(20_000);
  one.bus.publish(1, carrying(1, long));
  await until(() => two.carried.includes(long) && three.carried.includes(long), 'the event at the others');
  for (const index of [0, 1]) await cluster.kill(index);
  let sent = 0;
  const reaches = async () => {
    sent += 1;
    one.bus.publish(1, carrying(1, `${long} ${sent}`));
    await nextTurn();
    return [two, three].every(({ carried }) => carried.some((body) => String(body).startsWith(`${long} `)));
  };
  await until(reaches, 'the events through the third server');
  await cluster.kill(2);
  const arrives = async () => {
    one.bus.publish(2, carrying(2, 'short'));
    await nextTurn();
    return [two, three].every(({ carried }) => carried.includes('short'));
  };
  await until(arrives, 'the events through PostgreSQL');
  const before = two.woken.filter((id) => id === undefined).length;
  await cluster.start();
  await until(() => two.woken.filter((id) => id === undefined).length > before, 'the connection after the outage');
  assert.deepEqual(one.carried, [], 'a process does not hear itself');
  assert(!stranger.carried.includes(long), 'another installation does not hear it through NATS');
  await Promise.all(processes.map((each) => each.leave()));
});

test('an outage is one line of the log, although the bus tries to connect again and again', async () => {
  const database = await testDatabase('empty');
  const proxy = await startStallingProxy(database.url);
  const lines: { readonly level: number; readonly msg: string }[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const { pool, settings, close } = openPool({ connectionString: proxy.url }, silent, { size: 1 });
  const bus = createBus({ pool, settings, log: logger, announces: true });
  bus.subscribe(() => undefined);
  const said = () => lines.filter(({ msg }) => /the bus lost/.test(msg));
  for (const outage of [1, 2]) {
    await until(() => bus.isListening, 'the bus to listen');
    await proxy.refuse();
    await until(() => said().length >= 3 * outage, 'three lost connections');
    await proxy.accept();
  }
  await until(() => bus.isListening, 'the bus to listen again');
  assert.equal(said().filter(({ level }) => level === pino.levels.values.warn).length, 2);
  await bus.close();
  await close();
  await proxy.close();
  await database.drop();
});
