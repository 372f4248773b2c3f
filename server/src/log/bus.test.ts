import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openPool } from '../db/pool.ts';
import { openTestLog, silent, type TestLog } from '../testing/log.ts';
import { createBus } from './bus.ts';

let log: TestLog;
before(async () => {
  log = await openTestLog();
});
after(() => log.stop());

/** The bus of one process, with what it was woken for; undefined: something may have been missed. */
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

test('a process is woken for what others have committed, and not for what it has committed itself', async () => {
  const [one, two] = await Promise.all([joined(), joined()]);
  one.bus.publish(1);
  while (!two.woken.includes(1)) await nextTurn();
  two.bus.publish(2);
  // PostgreSQL keeps the order: what one said itself would have come before.
  while (!one.woken.includes(2)) await nextTurn();
  assert.deepEqual(one.woken, [undefined, 2]);
  one.bus.publish(3);
  while (!two.woken.includes(3)) await nextTurn();
  assert.deepEqual(two.woken, [undefined, 1, 3]);
  await Promise.all([one.leave(), two.leave()]);
});
