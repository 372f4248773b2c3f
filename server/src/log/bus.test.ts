import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { openPool } from '../db/pool.ts';
import { testDatabase } from '../testing/database/database.ts';
import { openTestLog, silent, type TestLog } from '../testing/database/log.ts';
import { startStallingProxy } from '../testing/faults/stalling-proxy.ts';
import { until } from '../testing/server/until.ts';
import { createBus } from './bus.ts';

let log: TestLog;
before(async () => {
  log = await openTestLog();
});
after(() => log.stop());

/** The bus of one process, with its wake-ups. Undefined: some may have been lost. */
async function joined() {
  const { pool, settings, close } = openPool(log.connection, silent, { size: 1 });
  const bus = createBus({ pool, settings, log: silent, announces: true });
  const woken: (number | undefined)[] = [];
  bus.subscribe((organizationId) => woken.push(organizationId));
  await until(() => woken.length > 0, 'the first wake-up');
  return {
    bus,
    woken,
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
