/**
 * What a job writes in its transaction exists exactly once if the job is done, and not at all if it failed, whatever
 * breaks.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { makeDue, makeWords, wordKind, writeWord, writtenWords } from '../testing/database/job-table.ts';
import { openTestLog, silent, type TestLog } from '../testing/database/log.ts';
import { until } from '../testing/server/until.ts';
import { addJob } from './adding.ts';
import { failedJobs } from './failed.ts';
import { Jobs } from './jobs.ts';
import { type Job, job } from './kind.ts';

let log: TestLog;

before(async () => {
  log = await openTestLog();
  await makeWords(log.db);
});
after(() => log.stop());

/**
 * How an attempt ends. It succeeds, throws before or after it wrote, loses its connection like a killed process, or
 * hangs until the process stops.
 */
const fate = fc.constantFrom('done', 'throws first', 'throws last', 'loses its connection', 'hangs');
type Fate = 'done' | 'throws first' | 'throws last' | 'loses its connection' | 'hangs';

const kind = wordKind('word', { maximumAttempts: 4 });

/** The attempts of a job end as its list says, in order. Later ones succeed. */
function jobOf(fates: ReadonlyMap<string, Fate[]>, onHang: () => void): Job {
  return job(kind, async ({ db, payload: { word }, signal }) => {
    const own = fates.get(word)?.shift() ?? 'done';
    if (own === 'throws first') throw new Error('first');
    await writeWord(db, word);
    if (own === 'throws last') throw new Error('last');
    if (own === 'loses its connection') await sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(db);
    if (own === 'hangs') {
      onHang();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    }
  });
}

async function start(work: Job): Promise<Jobs> {
  const jobs = new Jobs({ settings: log.connection, log: silent, concurrency: 3 });
  await jobs.start([work]);
  return jobs;
}

/** Resolves when only jobs that hang are left in the process. They end with it. */
async function runUntilStuck(work: (onHang: () => void) => Job): Promise<void> {
  const hung = Promise.withResolvers<void>();
  const jobs = await start(work(hung.resolve));
  await Promise.race([jobs.settled(), hung.promise]);
  await jobs.stop(1);
}

test('what a job writes in its transaction is written exactly once', async () => {
  const dealt = fc.array(fc.array(fate, { maxLength: 5 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(dealt, async (hands) => {
      await sql`TRUNCATE jobs, words`.execute(log.db);
      const fates = new Map(hands.map((hand, index) => [`w${index}`, [...hand]]));
      for (const word of fates.keys()) await addJob(log.db, kind, { organizationId: null, payload: { word } });
      await until(async () => {
        // Two processes run at once. Both end, and others follow.
        await Promise.all([1, 2].map(() => runUntilStuck((onHang) => jobOf(fates, onHang))));
        await makeDue(log.db);
        const { rows } = await sql`SELECT id FROM jobs WHERE failed_at IS NULL`.execute(log.db);
        return rows.length === 0;
      }, 'all jobs to be done or to have failed');
      const failed = await failedJobs(log.db, 100);
      const { rows } = await sql<{ word: string }>`SELECT payload->>'word' AS word FROM jobs`.execute(log.db);
      assert.equal(rows.length, failed.length);
      const lost = new Set(rows.map(({ word }) => word));
      const expected = [...fates.keys()].filter((word) => !lost.has(word));
      assert.deepEqual((await writtenWords(log.db)).sort(), expected.sort());
    }),
    { numRuns: 15 },
  );
});
