import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { WorkerLimitError, WorkerProcess } from './worker-process.ts';

const program = join(import.meta.dirname, '..', 'testing', 'services', 'obedient-worker.ts');

let worker: WorkerProcess;
beforeEach(() => {
  worker = new WorkerProcess({
    program,
    maxHeapMegabytes: 64,
    maxMilliseconds: 10_000,
    maxDelayMilliseconds: 100_000,
    maxResponseBytes: 1_000_000,
    maxWaiting: 2,
    refusal: () => new Error('busy'),
  });
});
afterEach(() => worker.stop());

const ask = (value: unknown, bytes: readonly (readonly Buffer[])[] = []) => worker.run(() => ({ value, bytes }));

test('a worker answers with a value and bytes, and keeps its process for the next request', async () => {
  const pieces = [Buffer.from('one '), Buffer.alloc(300_000, 'x'), Buffer.from(' two')];
  const { value, bytes } = await ask({ some: 'ünïcode' }, [pieces, []]);
  const { value: given, pid } = value as { value: unknown; pid: number };
  assert.deepEqual(given, { some: 'ünïcode' });
  assert.notEqual(pid, process.pid);
  assert.deepEqual(bytes, [Buffer.concat(pieces), Buffer.alloc(0)]);
  assert.equal(((await ask(1)).value as { pid: number }).pid, pid);
});

test('a request that fails, takes too long or fills the memory is refused, and the next one works', async () => {
  await assert.rejects(
    ask('fail'),
    (error) => error instanceof WorkerLimitError && /input is wrong/.test(error.message),
  );
  for (const what of ['fill the memory', 'one large value']) await assert.rejects(ask(what), WorkerLimitError, what);
  assert.ok(await ask('next'));
  const limited = async (maxMilliseconds: number, maxDelayMilliseconds: number) => {
    await worker.stop();
    const limits = { maxHeapMegabytes: 64, maxResponseBytes: 1000, maxWaiting: 2 };
    const times = { maxMilliseconds, maxDelayMilliseconds };
    worker = new WorkerProcess({ program, ...times, ...limits, refusal: () => new Error('busy') });
  };
  await limited(500, 100_000);
  await assert.rejects(ask('hang'), /it takes too long/);
  // Another process may have taken its time, so the input is not to blame.
  await limited(100_000, 500);
  await assert.rejects(
    ask('wait'),
    (error) => error instanceof Error && !(error instanceof WorkerLimitError) && /SIGKILL/.test(error.message),
  );
});

test('an unexpected end and a response that is too large are errors of this server, and the next request works', async () => {
  for (const what of ['exit', 'much']) {
    await assert.rejects(ask(what), (error) => error instanceof Error && !(error instanceof WorkerLimitError), what);
    assert.ok(await ask('next'));
  }
});

test('requests run in order of arrival, and those that may not wait are refused', async () => {
  const order: number[] = [];
  const run = (n: number) => ask(n).then(() => order.push(n));
  const waiting = [run(1), run(2), run(3)];
  await assert.rejects(ask(4), /busy/);
  await Promise.all(waiting);
  assert.deepEqual(order, [1, 2, 3]);
});

test('the process gets no settings of the server', async () => {
  process.env.HEDDLE_TEST_SECRET = 'secret';
  const { value } = await ask('environment');
  delete process.env.HEDDLE_TEST_SECRET;
  assert.ok(!(value as string[]).some((name) => name.startsWith('HEDDLE')));
});
