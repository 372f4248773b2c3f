import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Turns } from './turns.ts';

test('tasks run one at a time, urgent ones before those that wait, and a failure is its own task’s alone', async () => {
  const turns = new Turns();
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
