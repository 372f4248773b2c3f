// timeouts: real
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import type * as timeouts from './timeouts.ts';

type Values = typeof timeouts;

/** The timeouts in a process with this factor. */
function timeoutsWith(factor: string): Values {
  const code = `console.log(JSON.stringify(await import(${JSON.stringify(import.meta.resolve('./timeouts.ts'))})))`;
  const env = { ...process.env, HEDDLE_TIMEOUT_FACTOR: factor };
  const out = execFileSync(process.execPath, ['--input-type=module', '--eval', code], { env, encoding: 'utf8' });
  return JSON.parse(out) as Values;
}

const usual = timeoutsWith('');

for (const factor of ['1', '7', '100']) {
  test(`with the factor ${factor}, all timeouts keep their order`, () => {
    const of = timeoutsWith(factor);
    const times = Number(factor);
    assert.equal(of.TRANSACTION_PAUSE_TIMEOUT_MS, usual.TRANSACTION_PAUSE_TIMEOUT_MS * times);
    assert.equal(of.REQUEST_TIMEOUTS.statement, usual.REQUEST_TIMEOUTS.statement * times);
    assert(of.LOCK_TIMEOUT_MS > of.TRANSACTION_PAUSE_TIMEOUT_MS, 'a wait for a paused transaction succeeds');
    assert(2 * of.LOCK_TIMEOUT_MS < 2_000 * times, 'both waits of a queue end in time');
    assert(
      2 * of.HEALTH_CHECK_INTERVAL_MS + of.HEALTH_CHECK_TIMEOUT_MS < 2_000 * times,
      'an outage is noticed in time',
    );
    assert(of.EXPORT.statement + of.EXPORT_SNAPSHOT_TIMEOUT_MS < of.MIGRATION_TIMEOUTS.lock);
    assert(of.BACKUP_TIMEOUTS.statement + of.RESPONSE_GRACE_MS < 2 ** 31, 'timers of Node.js can be that long');
  });
}

test('an invalid factor counts as 1 until the settings refuse it', () => {
  assert.deepEqual(timeoutsWith('0'), usual);
});
