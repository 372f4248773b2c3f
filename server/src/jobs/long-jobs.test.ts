/** Long jobs, which no transaction holds: one process runs each, and a lost connection gives it back. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, beforeEach, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import {
  heldLongJobs,
  makeDue,
  makeWords,
  storedJobs,
  untilDone,
  wordKind,
  writeWord,
  writtenWords,
} from '../testing/database/job-table.ts';
import { openTestLog, silent, type TestLog } from '../testing/database/log.ts';
import { addJob } from './adding.ts';
import { Jobs } from './jobs.ts';
import { type Job, type LongJobKind, longJob } from './kind.ts';

let log: TestLog;

before(async () => {
  log = await openTestLog();
  await makeWords(log.db);
});
after(() => log.stop());
beforeEach(() => sql`TRUNCATE jobs, words`.execute(log.db));

const kind = { ...wordKind('long word'), isLong: true } satisfies LongJobKind;

async function work(t: TestContext, ...jobs: readonly Job[]): Promise<Jobs> {
  const worker = new Jobs({ settings: log.connection, log: silent });
  t.after(() => worker.stop(5000));
  await worker.start(jobs);
  return worker;
}

const add = (word: string) => addJob(log.db, kind, { organizationId: null, payload: { word }, key: word });

const writing = longJob(kind, ({ payload }) => writeWord(log.db, payload.word));

/** A job that waits in its first attempt. */
function waiting() {
  const begun = Promise.withResolvers<AbortSignal>();
  const go = Promise.withResolvers<void>();
  let attempts = 0;
  const job = longJob(kind, async ({ payload, signal }) => {
    attempts += 1;
    begun.resolve(signal);
    if (attempts === 1) await go.promise;
    // An abandoned attempt must not write into the table of the next test.
    signal.throwIfAborted();
    await writeWord(log.db, payload.word);
  });
  return { job, begun: begun.promise, go: go.resolve, attempts: () => attempts };
}

test('a running long job has no transaction, and is deleted when it is done', async (t) => {
  const { job, begun, go } = waiting();
  await add('a');
  const jobs = await work(t, job);
  await begun;
  const [held, ...others] = await heldLongJobs(log.db);
  assert.deepEqual([held?.state, held?.backend_xid, held?.backend_xmin, others], ['idle', null, null, []]);
  go();
  await jobs.settled();
  assert.deepEqual(await writtenWords(log.db), ['a']);
  assert.deepEqual(await storedJobs(log.db), []);
  assert.deepEqual(await heldLongJobs(log.db), []);
});

test('no other process runs a running long job or counts an attempt, although it is due', async (t) => {
  const { job, begun, go, attempts } = waiting();
  await add('a');
  const one = await work(t, job);
  await begun;
  await makeDue(log.db);
  const two = await work(t, job);
  await Promise.all([two.settled(), two.settled()]);
  assert.equal((await storedJobs(log.db))[0]?.attempts, 1);
  go();
  await one.settled();
  await two.settled();
  assert.equal(attempts(), 1);
  assert.deepEqual(await writtenWords(log.db), ['a']);
  assert.deepEqual(await storedJobs(log.db), []);
});

test('a long job that loses its connection is aborted, and runs again', async (t) => {
  const { job, begun, go, attempts } = waiting();
  await add('a');
  const jobs = await work(t, job);
  const signal = await begun;
  const [held] = await heldLongJobs(log.db);
  await sql`SELECT pg_terminate_backend(${held?.pid})`.execute(log.db);
  if (!signal.aborted) await once(signal, 'abort');
  await jobs.settled();
  const [stored] = await storedJobs(log.db);
  assert.deepEqual([stored?.attempts, stored?.last_error], [1, 'the connection that held the job ended']);
  await makeDue(log.db);
  await jobs.settled();
  assert.equal(attempts(), 2);
  assert.deepEqual(await storedJobs(log.db), []);
  go();
});

test('a long job that fails, or exceeds its timeout, can run again at once', async (t) => {
  let attempts = 0;
  const failing = longJob({ ...kind, withinSeconds: 1 }, async ({ payload }) => {
    attempts += 1;
    if (attempts === 1) throw new Error('first');
    if (attempts === 2) await new Promise(() => undefined);
    await writeWord(log.db, payload.word);
  });
  await add('a');
  const jobs = await work(t, failing);
  await jobs.settled();
  assert.equal((await storedJobs(log.db))[0]?.last_error, 'first');
  await makeDue(log.db);
  await jobs.settled();
  assert.match((await storedJobs(log.db))[0]?.last_error ?? '', /longer than 1 s/);
  // The backend of the second attempt releases the lock when it notices that its connection is closed.
  await untilDone(log.db, jobs);
  assert.equal(attempts, 3);
  assert.deepEqual(await writtenWords(log.db), ['a']);
});

test('stopping returns an unfinished long job to the queue', async (t) => {
  const { job, begun, go } = waiting();
  await add('a');
  const jobs = await work(t, job);
  await begun;
  await jobs.stop(1);
  const [stored] = await storedJobs(log.db);
  assert.equal(stored?.attempts, 0);
  assert.ok((stored?.due_in ?? 1) <= 0);
  go();
});

test('the long job of a killed process runs again', async (t) => {
  await add('a');
  const worker = join(import.meta.dirname, '..', 'testing', 'faults', 'job-worker.ts');
  const child = fork(worker, [log.connection.connectionString ?? '', 'hang']);
  await once(child, 'message');
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.equal((await storedJobs(log.db))[0]?.attempts, 1);
  const jobs = await work(t, writing);
  await untilDone(log.db, jobs);
  assert.deepEqual(await writtenWords(log.db), ['a']);
});
