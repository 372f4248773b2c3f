import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '@heddle/api/errors.ts';
import { until } from '../../testing/server/until.ts';
import { Spreading } from './spreading.ts';

/** Registrations that end when the test says so. */
function registrations() {
  const running: (() => void)[] = [];
  let begun = 0;
  return {
    get begun() {
      return begun;
    },
    register: (): Promise<string> => {
      begun += 1;
      return new Promise((resolve) => running.push(() => resolve('state')));
    },
    endOne: () => running.shift()?.(),
  };
}

const rules = { atOnce: 2, maxRestMs: 0, maxWaitMs: 1_000, maxRetryAfterSeconds: 300 };

// rules: register-31
test('two registrations of large organizations run at a time, and the others wait for their turn', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const spreading = new Spreading(rules);
  const some = registrations();
  const all = Array.from({ length: 5 }, () => spreading.run(some.register, 0));
  for (let ended = 0; ended < 5; ended += 1) {
    await until(() => some.begun === Math.min(5, ended + 2), `registration ${ended + 2}`);
    some.endOne();
  }
  assert.deepEqual(await Promise.all(all), Array(5).fill('state'));
});

// rules: register-31
test('a registration that would wait for too long is refused with 503, and each refused client is told a later time', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const spreading = new Spreading(rules);
  const some = registrations();
  // A pause of this process between two of them would change their `Retry-After`.
  const clock = t.mock.method(performance, 'now', () => 0);
  const outcomes = Array.from({ length: 400 }, () => spreading.run(some.register, 0).catch((error: unknown) => error));
  clock.mock.restore();
  // A registration is expected to take 120 ms: 17 wait for up to a second.
  const refusals: number[] = [];
  let served = 0;
  const counted = outcomes.map(async (outcome) => {
    const end = await outcome;
    if (end === 'state') served += 1;
    else {
      assert.ok(end instanceof ApiError && end.code === 'SERVICE_UNAVAILABLE');
      refusals.push(Number(end.extra['retry-after']));
    }
  });
  await until(() => refusals.length > 300, 'the refusals');
  await until(() => {
    some.endOne();
    return served + refusals.length === 400;
  }, 'the registrations that waited');
  await Promise.all(counted);
  assert.ok(served >= 17 && served <= 21, `${served} were served`);
  assert.deepEqual(
    refusals,
    refusals.toSorted((one, other) => one - other),
  );
  assert.ok(refusals[0] !== undefined && refusals[0] >= 1);
  // Some 380 others return one after the other, within half a minute.
  assert.equal(new Set(refusals).size >= 8, true);
});

// rules: register-31
test('nobody is told to return later than after five minutes', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const spreading = new Spreading({ ...rules, maxRetryAfterSeconds: 3 });
  const some = registrations();
  const refusals: number[] = [];
  const outcomes = Array.from({ length: 400 }, () =>
    spreading.run(some.register, 0).catch((error: unknown) => {
      if (error instanceof ApiError) refusals.push(Number(error.extra['retry-after']));
    }),
  );
  await until(() => refusals.length > 300, 'the refusals');
  let isOver = false;
  const all = Promise.all(outcomes).then(() => {
    isOver = true;
  });
  await until(() => {
    some.endOne();
    return isOver;
  }, 'the registrations that waited');
  await all;
  assert.ok(Math.max(...refusals) <= 3);
});

test('a failed registration frees its slot, and its client gets the error', async () => {
  const spreading = new Spreading({ ...rules, atOnce: 1 });
  await assert.rejects(
    spreading.run(() => Promise.reject(new Error('no database')), 0),
    /no database/,
  );
  assert.equal(await spreading.run(async () => 'state', 0), 'state');
});

// rules: register-31
test('a registration waits for eight seconds at most, also if those before it take longer than expected', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const spreading = new Spreading(rules);
  const some = registrations();
  const running = [spreading.run(some.register, 0), spreading.run(some.register, 0)];
  const waiting = spreading.run(some.register, 0);
  t.mock.timers.tick(rules.maxWaitMs);
  await assert.rejects(waiting, { code: 'SERVICE_UNAVAILABLE' });
  assert.equal(some.begun, 2);
  some.endOne();
  some.endOne();
  assert.deepEqual(await Promise.all(running), ['state', 'state']);
});

// rules: register-31
test('what a client waited before, for other devices of its account, counts in its eight seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const spreading = new Spreading(rules);
  const some = registrations();
  const inTime = spreading.run(some.register, 2 * rules.maxWaitMs);
  const running = [inTime, spreading.run(some.register, 0)];
  let code: string | undefined;
  const waiting = spreading.run(some.register, 600).catch((error) => (code = error.code));
  t.mock.timers.tick(399);
  await nextTurn();
  assert.equal(code, undefined);
  t.mock.timers.tick(1);
  await nextTurn();
  assert.equal(code, 'SERVICE_UNAVAILABLE');
  await waiting;
  some.endOne();
  some.endOne();
  assert.deepEqual(await Promise.all(running), ['state', 'state']);
});

test('registrations that fail at once let no more clients wait', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const spreading = new Spreading(rules);
  for (let failed = 0; failed < 100; failed += 1) {
    await assert.rejects(spreading.run(() => Promise.reject(new Error('no database')), 0));
  }
  const some = registrations();
  let refused = 0;
  let served = 0;
  const all = Array.from({ length: 100 }, () =>
    spreading.run(some.register, 0).then(
      () => (served += 1),
      () => (refused += 1),
    ),
  );
  await until(() => {
    some.endOne();
    return served + refused === 100;
  }, 'the registrations that waited');
  await Promise.all(all);
  assert.ok(served <= 21, `${served} were served`);
});
