import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';

const refusal = (waiting: number) => new RangeError(`${waiting} wait`);

/** A limiter with tasks that end when the test releases them. */
function start(rule: { readonly atOnce: number; readonly maxWaiting?: number; readonly maxWaitingWeight?: number }) {
  const limiter = new ConcurrencyLimiter({ maxWaiting: 100, refusal, ...rule });
  const begun: string[] = [];
  const gates = new Map<string, () => void>();
  const run = (key: string, name: string, weight?: number, signal?: AbortSignal) => {
    const gate = Promise.withResolvers<void>();
    gates.set(name, gate.resolve);
    const task = async (hasWaited: boolean) => {
      begun.push(hasWaited ? `${name} after a wait` : name);
      await gate.promise;
    };
    return limiter.run(key, task, weight, signal);
  };
  return { limiter, begun, run, letGo: (name: string) => gates.get(name)?.() };
}

test('tasks with the same key run one at a time, others run concurrently, and keys without tasks take no memory', async () => {
  const turns = new ConcurrencyLimiter({ atOnce: 1, maxWaiting: 100, refusal });
  const first = Promise.withResolvers<void>();
  const order: string[] = [];
  const note =
    (name: string, after = Promise.resolve()) =>
    async () => {
      order.push(`${name} begins`);
      await after;
      order.push(`${name} ends`);
    };
  const ofA = [turns.run('a', note('1', first.promise)), turns.run('a', note('2'))];
  await turns.run('b', note('3'));
  assert.equal(turns.size, 1);
  const failing = turns.run('a', async () => {
    throw new Error('refused');
  });
  first.resolve();
  await Promise.all(ofA);
  await assert.rejects(failing, /refused/);
  assert.deepEqual(order, ['1 begins', '3 begins', '3 ends', '1 ends', '2 begins', '2 ends']);
  assert.equal(turns.size, 0);
});

test('some tasks of a key run at once, and a slot goes to the task that has waited longest', async () => {
  const { limiter, begun, run, letGo } = start({ atOnce: 2 });
  const all = ['1', '2', '3', '4'].map((name) => run('a', name));
  assert.deepEqual(begun, ['1', '2']);
  letGo('2');
  await all[1];
  assert.deepEqual(begun, ['1', '2', '3 after a wait']);
  for (const name of ['1', '3', '4']) letGo(name);
  await Promise.all(all);
  assert.equal(limiter.size, 0);
});

test('the number and the weight of waiting tasks are bounded, for each key', async () => {
  const { run, letGo } = start({ atOnce: 1, maxWaiting: 2, maxWaitingWeight: 10 });
  const all = [run('a', '1', 100), run('a', '2', 10)];
  await assert.rejects(run('a', 'too heavy', 1), { message: '1 wait' });
  all.push(run('a', '3', 0));
  await assert.rejects(run('a', 'one too many', 0), { message: '2 wait' });
  all.push(run('b', '4', 100));
  letGo('1');
  await all[0];
  all.push(run('a', '5', 10));
  for (const name of ['2', '3', '4', '5']) letGo(name);
  await Promise.all(all);
});

test('a waiting task whose signal is aborted does not run, and frees its place in the queue', async () => {
  const { limiter, begun, run, letGo } = start({ atOnce: 1, maxWaiting: 1, maxWaitingWeight: 5 });
  const first = run('a', '1');
  const stop = new AbortController();
  const second = run('a', '2', 5, stop.signal);
  stop.abort();
  await assert.rejects(second, RangeError);
  await assert.rejects(run('a', '3', 5, stop.signal), RangeError);
  const fourth = run('a', '4', 5);
  letGo('1');
  letGo('4');
  await Promise.all([first, fourth]);
  assert.deepEqual(begun, ['1', '4 after a wait']);
  assert.equal(limiter.size, 0);
});
