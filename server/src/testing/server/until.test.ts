import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until, untilEqual, untilWithin } from './until.ts';

/** Stops the clock of waits. The returned function moves it forward. */
function falseClock(t: TestContext): (milliseconds: number) => void {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  return (milliseconds) => {
    now += milliseconds;
  };
}

test('a wait returns the first truthy value', async () => {
  const values = [false, 0, '', null, undefined, 'here', 'too late'];
  assert.equal(await until(() => values.shift(), 'a value'), 'here');
});

test('after its limit, a wait fails with what it waited for and the last value', async (t) => {
  const pass = falseClock(t);
  let checks = 0;
  const wait = untilWithin(
    { limitMs: 60_000, minChecks: 3 },
    () => {
      checks += 1;
      pass(25_000);
      return 0;
    },
    'three looms',
  );
  await assert.rejects(wait, /^Error: waited 75 s for three looms; the last value was 0$/);
  assert.equal(checks, 3);
});

test('a slow machine gets its number of checks, also after the limit', async (t) => {
  const pass = falseClock(t);
  let checks = 0;
  const slow = () => {
    checks += 1;
    pass(100_000);
    return checks === 4;
  };
  assert.equal(await untilWithin({ limitMs: 60_000, minChecks: 4 }, slow, 'the fourth check'), true);
});

test('a check that never ends ends the wait', async () => {
  const wait = untilWithin({ limitMs: 20, minChecks: 3 }, () => new Promise<boolean>(() => undefined), 'an answer');
  await assert.rejects(wait, /for an answer; no check has ended/);
});

test('an error of the condition ends the wait at once', async () => {
  const wait = until(() => assert.fail('broken'), 'nothing');
  await assert.rejects(wait, /broken/);
});

test('a wait for a value ends when it is read, and names the last one otherwise', async (t) => {
  const values = [[], ['warp'], ['warp', 'weft'], ['too late']];
  await untilEqual(async () => values.shift(), ['warp', 'weft']);
  assert.deepEqual(values, [['too late']]);
  const pass = falseClock(t);
  const read = async () => {
    pass(1000);
    return ['warp'];
  };
  const error = /^Error: waited 3 s for the threads to be \[ 'weft' \]; the last value was \[ 'warp' \]$/;
  await assert.rejects(untilEqual(read, ['weft'], 'the threads', { limitMs: 2000, minChecks: 3 }), error);
});
