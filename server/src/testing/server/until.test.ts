import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until, untilWithin } from './until.ts';

const short = { limitMs: 20, minChecks: 3 };

test('a wait returns the first truthy value', async () => {
  const values = [false, 0, '', null, undefined, 'here', 'too late'];
  assert.equal(await until(() => values.shift(), 'a value'), 'here');
});

test('after its limit, a wait fails with what it waited for and the last value', async () => {
  let checks = 0;
  const wait = untilWithin(
    short,
    () => {
      checks += 1;
      return 0;
    },
    'three looms',
  );
  await assert.rejects(wait, /^Error: waited [\d.]+ s for three looms; the last value was 0$/);
  assert(checks >= short.minChecks);
});

test('a slow machine gets its number of checks, also after the limit', async () => {
  let checks = 0;
  const slow = async () => {
    checks += 1;
    // timing: each check takes longer than the limit
    await new Promise((resolve) => setTimeout(resolve, 25));
    return checks === 3;
  };
  assert.equal(await untilWithin({ ...short, minChecks: 4 }, slow, 'the third check'), true);
});

test('a check that never ends ends the wait', async () => {
  const wait = untilWithin(short, () => new Promise<boolean>(() => undefined), 'an answer');
  await assert.rejects(wait, /for an answer; no check has ended/);
});

test('an error of the condition ends the wait at once', async () => {
  const wait = until(() => assert.fail('broken'), 'nothing');
  await assert.rejects(wait, /broken/);
});
