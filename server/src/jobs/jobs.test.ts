import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, beforeEach, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import {
  makeDue,
  makeWords,
  storedJobs,
  untilDone,
  type word,
  wordKind,
  writeWord,
  writtenWords,
} from '../testing/database/job-table.ts';
import { openTestLog, silent, type TestLog } from '../testing/database/log.ts';
import { addJob } from './adding.ts';
import { dropJob, failedJobs, retryJob } from './failed.ts';
import { Jobs } from './jobs.ts';
import { type Job, type JobKind, job } from './kind.ts';

let log: TestLog;

before(async () => {
  log = await openTestLog();
  await makeWords(log.db);
});
after(() => log.stop());
beforeEach(() => sql`TRUNCATE jobs, words`.execute(log.db));

/** The running workers of one process. The test stops them. */
async function work(t: TestContext, kinds: readonly Job[], concurrency = 4): Promise<Jobs> {
  const jobs = new Jobs({ settings: log.connection, log: silent, concurrency });
  t.after(() => jobs.stop(5000));
  await jobs.start(kinds);
  return jobs;
}

const kind = wordKind('word');
const writing = job(kind, ({ db, payload }) => writeWord(db, payload.word));
const add = (text: string, more: { key?: string; dueAt?: Date } = {}, of: JobKind<typeof word> = kind) =>
  addJob(log.db, of, { organizationId: null, payload: { word: text }, ...more });

test('a job runs once and is then deleted', async (t) => {
  const jobs = await work(t, [writing]);
  await add('a');
  await jobs.settled();
  assert.deepEqual(await writtenWords(log.db), ['a']);
  assert.deepEqual(await storedJobs(log.db), []);
});

test('a job starts at once if its process calls wake', async (t) => {
  const done = Promise.withResolvers<void>();
  const jobs = await work(t, [job(kind, async ({ afterCommit }) => afterCommit(() => done.resolve()))]);
  await jobs.settled();
  await add('a');
  jobs.wake();
  await done.promise;
  assert.deepEqual(await storedJobs(log.db), []);
});

test('a job does not exist if its transaction was rolled back', async (t) => {
  const jobs = await work(t, [writing]);
  const rolledBack = log.db.transaction().execute(async (transaction) => {
    await addJob(transaction, kind, { organizationId: null, payload: { word: 'a' } });
    throw new Error('no');
  });
  await assert.rejects(rolledBack, /no/);
  await jobs.settled();
  assert.deepEqual(await writtenWords(log.db), []);
});

test('a job waits until it is due, and jobs run in the order of their due times', async (t) => {
  const jobs = await work(t, [writing], 1);
  const hour = (hours: number) => new Date(Date.now() + hours * 3_600_000);
  await add('third', { dueAt: hour(3) });
  await add('first', { dueAt: hour(1) });
  await add('second', { dueAt: hour(2) });
  await jobs.settled();
  assert.deepEqual(await writtenWords(log.db), []);
  await sql`UPDATE jobs SET due_at = due_at - interval '4 hours'`.execute(log.db);
  await jobs.settled();
  assert.deepEqual(await writtenWords(log.db), ['first', 'second', 'third']);
});

test('processes share the jobs, and each job runs in one of them', async (t) => {
  const by = new Map<string, string[]>();
  const begun = { one: Promise.withResolvers<void>(), two: Promise.withResolvers<void>() };
  const writer = (name: keyof typeof begun) =>
    job(kind, async ({ db, payload }) => {
      // Otherwise the first process could be done before the second one looks.
      begun[name].resolve();
      await Promise.all([begun.one.promise, begun.two.promise]);
      by.set(payload.word, [...(by.get(payload.word) ?? []), name]);
      await writeWord(db, payload.word);
    });
  const one = await work(t, [writer('one')]);
  const two = await work(t, [writer('two')]);
  const words = Array.from({ length: 200 }, (_, index) => `w${index}`);
  for (const text of words) await add(text);
  await Promise.all([one.settled(), two.settled()]);
  assert.deepEqual((await writtenWords(log.db)).sort(), words.toSorted());
  assert.ok([...by.values()].every((names) => names.length === 1));
  assert.equal(new Set([...by.values()].flat()).size, 2);
});

test('no more jobs run at once than configured', async (t) => {
  const reached = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  const waiting = job(kind, async () => {
    running += 1;
    most = Math.max(most, running);
    if (running === 2) reached.resolve();
    await go.promise;
    running -= 1;
  });
  for (let count = 0; count < 6; count += 1) await add('x');
  const jobs = await work(t, [waiting], 2);
  await reached.promise;
  go.resolve();
  await jobs.settled();
  assert.equal(most, 2);
});

test('a failing job is retried after increasing pauses, its writes are rolled back, and finally it counts as failed', async (t) => {
  const failing = job(kind, async ({ db, payload, attempt }) => {
    await writeWord(db, payload.word);
    throw new Error(`attempt ${attempt} failed`);
  });
  const jobs = await work(t, [failing]);
  await add('a');
  const pauses: number[] = [];
  for (const attempt of [1, 2]) {
    await jobs.settled();
    const [stored] = await storedJobs(log.db);
    assert.deepEqual(
      [stored?.attempts, stored?.failed, stored?.last_error],
      [attempt, false, `attempt ${attempt} failed`],
    );
    pauses.push(stored?.due_in ?? 0);
    await makeDue(log.db);
  }
  assert.ok((pauses[1] ?? 0) > (pauses[0] ?? 0) * 1.5, String(pauses));
  await jobs.settled();
  assert.deepEqual(await writtenWords(log.db), []);
  const [failed] = await failedJobs(log.db, 10);
  assert.deepEqual([failed?.kind, failed?.attempts, failed?.reason], ['word', 3, 'attempt 3 failed']);
  await jobs.settled();
  assert.equal((await failedJobs(log.db, 10)).length, 1, 'the failed job is kept');
});

test('an operator can retry or delete a failed job', async (t) => {
  let isMended = false;
  const mending = job(wordKind('word', { maximumAttempts: 1 }), async ({ db, payload }) => {
    if (!isMended) throw new Error('broken');
    await writeWord(db, payload.word);
  });
  const jobs = await work(t, [mending]);
  await add('a');
  await add('b');
  await jobs.settled();
  const [one, two] = await failedJobs(log.db, 10);
  assert.ok(one && two);
  isMended = true;
  assert.equal(await retryJob(log.db, one.id), true);
  assert.equal(await retryJob(log.db, one.id), false);
  assert.equal(await dropJob(log.db, two.id), true);
  await jobs.settled();
  assert.equal((await writtenWords(log.db)).length, 1);
  assert.deepEqual(await storedJobs(log.db), []);
});

test('a job of an unknown kind is left for other builds', async (t) => {
  const jobs = await work(t, [writing]);
  await add('a', {}, wordKind('of-tomorrow'));
  await jobs.settled();
  assert.equal((await storedJobs(log.db))[0]?.attempts, 0);
  const newer = await work(t, [job(wordKind('of-tomorrow'), ({ db, payload }) => writeWord(db, payload.word))]);
  await newer.settled();
  assert.deepEqual(await writtenWords(log.db), ['a']);
});

test('a payload has a limited size, and one that the build does not understand fails the job', async (t) => {
  await assert.rejects(add('x'.repeat(70_000)), RangeError);
  await sql`INSERT INTO jobs (kind, payload) VALUES ('word', '{"w": 1}')`.execute(log.db);
  const jobs = await work(t, [writing]);
  await jobs.settled();
  assert.match((await storedJobs(log.db))[0]?.last_error ?? '', /payload/);
});

test('a job replaces one of the same organization with the same key', async (t) => {
  const dueAt = new Date(Date.now() + 3_600_000);
  const organizations = [null, await log.organization(), await log.organization()];
  for (const organizationId of organizations) {
    for (const text of ['old', 'new']) {
      await addJob(log.db, kind, { organizationId, payload: { word: `${text} ${organizationId}` }, key: 'k', dueAt });
    }
  }
  assert.equal((await storedJobs(log.db)).length, 3);
  const jobs = await work(t, [writing]);
  await makeDue(log.db);
  await jobs.settled();
  assert.deepEqual((await writtenWords(log.db)).sort(), organizations.map((id) => `new ${id}`).sort());
});

test('a job that exceeds its timeout is rolled back and cannot write any more', async (t) => {
  const refused = Promise.withResolvers<unknown>();
  const slow = job(wordKind('word', { withinSeconds: 0.2 }), async ({ db, payload, signal }) => {
    // On a slow machine, the time can be over before or during this.
    await writeWord(db, payload.word).catch(() => undefined);
    if (!signal.aborted) await once(signal, 'abort');
    // The job ignores the signal.
    setImmediate(() => writeWord(db, 'late').then(refused.resolve, refused.resolve));
    await new Promise(() => undefined);
  });
  const jobs = await work(t, [slow]);
  await add('a');
  await jobs.settled();
  assert.match(String(await refused.promise), /is over/);
  assert.match((await storedJobs(log.db))[0]?.last_error ?? '', /longer than 0.2 s/);
  assert.deepEqual(await writtenWords(log.db), []);
});

test('a statement that exceeds the timeout is cancelled with its job, and its locks are released', async (t) => {
  const sleeping = job(wordKind('word', { withinSeconds: 0.2 }), async ({ db }) => {
    await sql`LOCK TABLE words IN EXCLUSIVE MODE`.execute(db);
    await sql`SELECT pg_sleep(600)`.execute(db);
  });
  const jobs = await work(t, [sleeping]);
  await add('a');
  await jobs.settled();
  await writeWord(log.db, 'b');
  assert.deepEqual(await writtenWords(log.db), ['b']);
});

test('stopping waits for running jobs, and returns unfinished ones to the queue', async (t) => {
  const begun = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const jobs = await work(t, [
    job(kind, async ({ db, payload }) => {
      begun.resolve();
      await go.promise;
      await writeWord(db, payload.word);
    }),
  ]);
  await add('a');
  jobs.wake();
  await begun.promise;
  const stopped = jobs.stop(60_000);
  go.resolve();
  await stopped;
  assert.deepEqual(await writtenWords(log.db), ['a']);

  const hanging = Promise.withResolvers<void>();
  const others = await work(t, [
    job(kind, async () => {
      hanging.resolve();
      await new Promise(() => undefined);
    }),
  ]);
  await add('b');
  others.wake();
  await hanging.promise;
  await others.stop(1);
  const [stored] = await storedJobs(log.db);
  assert.equal(stored?.attempts, 0);
  assert.ok((stored?.due_in ?? 1) <= 0);
});

test('a recurring job exists once, runs again after its pause, and never fails permanently', async (t) => {
  let isBroken = false;
  const clean = { ...wordKind('clean', { maximumAttempts: 1, everySeconds: 3600 }), payload: {} };
  const cleaning = job(clean, async ({ db }) => {
    await writeWord(db, 'cleaned');
    if (isBroken) throw new Error('broken');
  });
  const one = await work(t, [cleaning]);
  const two = await work(t, [cleaning]);
  await Promise.all([one.settled(), two.settled()]);
  assert.deepEqual(await writtenWords(log.db), ['cleaned']);
  const [stored, ...others] = await storedJobs(log.db);
  assert.deepEqual(others, []);
  assert.ok(stored && stored.due_in > 3500 && stored.due_in < 3700);
  isBroken = true;
  for (let count = 0; count < 3; count += 1) {
    await makeDue(log.db);
    await one.settled();
  }
  assert.deepEqual(await failedJobs(log.db, 10), []);
  isBroken = false;
  await makeDue(log.db);
  await one.settled();
  assert.deepEqual(await writtenWords(log.db), ['cleaned', 'cleaned']);
});

const worker = join(import.meta.dirname, '..', 'testing', 'faults', 'job-worker.ts');

test('the job of a killed process is retried, and what the process wrote is rolled back', async (t) => {
  await add('a');
  for (const attempt of [1, 2]) {
    const child = fork(worker, [log.connection.connectionString ?? '', 'hang']);
    for (let said = ''; said !== 'writing'; ) [said] = (await once(child, 'message')) as [string];
    child.kill('SIGKILL');
    await once(child, 'exit');
    const [stored] = await storedJobs(log.db);
    assert.equal(stored?.attempts, attempt);
    await makeDue(log.db);
  }
  const jobs = await work(t, [writing]);
  // The backend of the killed process rolls back when it notices that its client has disconnected.
  await untilDone(log.db, jobs);
  assert.deepEqual(await writtenWords(log.db), ['a']);
});

test('a job that kills its process in every attempt finally counts as failed', async (t) => {
  await add('a');
  // Each attempt was claimed, and its process then disappeared.
  await sql`UPDATE jobs SET attempts = 3`.execute(log.db);
  const jobs = await work(t, [writing]);
  await jobs.settled();
  assert.deepEqual(await writtenWords(log.db), []);
  assert.match((await failedJobs(log.db, 10))[0]?.reason ?? '', /process ended/);
});
