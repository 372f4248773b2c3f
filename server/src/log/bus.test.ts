import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openPool } from '../db/pool.ts';
import { openTestLog, silent, type TestLog } from '../testing/database/log.ts';
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
  while (woken.length === 0) await nextTurn();
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
  while (!two.woken.includes(1)) await nextTurn();
  two.bus.publish(2);
  // PostgreSQL keeps the order of notifications, so an own wake-up would have arrived before.
  while (!one.woken.includes(2)) await nextTurn();
  assert.deepEqual(one.woken, [undefined, 2]);
  one.bus.publish(3);
  while (!two.woken.includes(3)) await nextTurn();
  assert.deepEqual(two.woken, [undefined, 1, 3]);
  await Promise.all([one.leave(), two.leave()]);
});
