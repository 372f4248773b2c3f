import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '@heddle/api/errors.ts';
import { MAX_WAITING_TRANSACTIONS } from '../db/timeouts.ts';
import { OneAtATime, TurnTimeoutError } from './one-at-a-time.ts';

test('tasks run one at a time, urgent ones first, and a failure affects only its own task', async () => {
  const turns = new OneAtATime();
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const task = (name: string, gate?: Promise<void>) => async () => {
    order.push(`${name} begins`);
    await gate;
    order.push(`${name} ends`);
    if (name === 'b') throw new Error(name);
    return name;
  };
  const results = Promise.allSettled([
    turns.run('in turn', task('a', first.promise)),
    turns.run('in turn', task('b')),
    turns.run('in turn', task('c')),
    turns.run('urgent', task('d')),
  ]);
  first.resolve();
  assert.deepEqual(
    (await results).map((result) => (result.status === 'fulfilled' ? result.value : `${result.reason.message} failed`)),
    ['a', 'b failed', 'c', 'd'],
  );
  assert.deepEqual(
    order,
    ['a', 'd', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  );
  await turns.settled();
});

test('a pause delays a normal task but not an urgent one', async () => {
  const rests = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const asked: number[] = [];
  const turns = new OneAtATime(undefined, () => {
    const rest = rests.shift();
    if (rest === undefined) return undefined;
    asked.push(rests.length);
    return rest.promise;
  });
  const order: string[] = [];
  const task = (name: string) => async () => void order.push(name);
  const [second] = rests.slice(1);
  const inTurn = turns.run('in turn', task('in turn'));
  await turns.run('urgent', task('urgent'));
  assert.deepEqual(order, ['urgent']);
  second?.resolve();
  await inTurn;
  assert.deepEqual(
    [order, asked],
    [
      ['urgent', 'in turn'],
      [1, 0],
    ],
  );
});

test('a task that exceeds its turn timeout does not run and delays no other task', async () => {
  const turns = new OneAtATime();
  const gate = Promise.withResolvers<void>();
  const order: string[] = [];
  const task = (name: string) => async () => void order.push(name);
  const long = turns.run('in turn', () => gate.promise);
  const behind = turns.run('urgent', task('behind'));
  await assert.rejects(turns.run('urgent', task('impatient'), 1), TurnTimeoutError);
  const patient = turns.run('urgent', task('patient'), 60_000);
  gate.resolve();
  await Promise.all([long, behind, patient]);
  await turns.run('urgent', task('at once'), 0);
  assert.deepEqual(order, ['behind', 'patient', 'at once']);
});

test('a failure that would affect every waiting task rejects all of them, and later tasks run', async () => {
  const turns = new OneAtATime((error) => error instanceof RangeError);
  const first = Promise.withResolvers<void>();
  const tried: string[] = [];
  const task = (name: string) => async () => {
    tried.push(name);
    await first.promise;
    if (name === 'a') throw new RangeError(name);
  };
  const results = Promise.allSettled([
    turns.run('in turn', task('a')),
    turns.run('in turn', task('b')),
    turns.run('urgent', task('c')),
  ]);
  const patient = assert.rejects(turns.run('urgent', task('has another way'), 60_000), TurnTimeoutError);
  first.resolve();
  for (const result of await results) assert(result.status === 'rejected' && result.reason instanceof RangeError);
  await patient;
  await turns.run('in turn', task('d'));
  assert.deepEqual(tried, ['a', 'd']);
});

test('a full queue refuses further tasks at once', async () => {
  const turns = new OneAtATime();
  const gate = Promise.withResolvers<void>();
  const run = () => turns.run('in turn', () => gate.promise);
  const line = Array.from({ length: MAX_WAITING_TRANSACTIONS + 1 }, run);
  await assert.rejects(run(), (error) => error instanceof ApiError && error.status === 503);
  gate.resolve();
  await Promise.all(line);
});
