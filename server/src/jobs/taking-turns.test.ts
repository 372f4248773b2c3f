import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { makeWords, wordKind } from '../testing/database/job-table.ts';
import { openTestLog, silent, type TestLog } from '../testing/database/log.ts';
import { until } from '../testing/server/until.ts';
import { addJob } from './adding.ts';
import { Jobs } from './jobs.ts';
import { job } from './kind.ts';
import { claimJobs } from './store.ts';

let log: TestLog;
before(async () => {
  log = await openTestLog();
  await makeWords(log.db);
});
after(() => log.stop());

test('accounts take turns: each has one job at a time, and the one that waited longest comes first', async (t) => {
  await sql`TRUNCATE jobs`.execute(log.db);
  const kind = { ...wordKind('in-turn'), atOnce: 2, turnsBy: 'word' };
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const jobs = new Jobs({ settings: log.connection, log: silent, concurrency: 4 });
  t.after(async () => {
    for (const end of ends) end();
    await jobs.stop(5000);
  });
  for (const word of ['a', 'a', 'a', 'a', 'b', 'b', 'c', 'd'])
    await addJob(log.db, kind, { organizationId: null, payload: { word } });
  await jobs.start([
    job(kind, async ({ payload }) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      begun.push(payload.word);
      ends.push(resolve);
      await promise;
    }),
  ]);
  // The end of the first, the second and so on lets one more begin.
  const expected = ['a', 'b', 'c', 'd', 'a', 'b', 'a'];
  for (let count = 2; count <= expected.length; count += 1) {
    await until(() => begun.length >= count, `${count} jobs to begin`);
    assert.deepEqual(begun, expected.slice(0, count));
    ends[count - 2]?.();
  }
});

test('accounts take turns among the oldest 5,000 jobs, so that a claim does not sort all that an import adds', async () => {
  await sql`TRUNCATE jobs`.execute(log.db);
  const kind = { ...wordKind('in-turn'), atOnce: 1, turnsBy: 'word' };
  await sql`
    INSERT INTO jobs (kind, payload, due_at)
    SELECT ${kind.name}::text, jsonb_build_object('word', 'a'), now() FROM generate_series(1, 5000)`.execute(log.db);
  await addJob(log.db, kind, { organizationId: null, payload: { word: 'b' } });
  const next = async () => {
    const { claimed } = await claimJobs(log.db, [kind], 1, { field: 'word', busy: [], served: ['/a'] });
    return claimed.map(({ payload }) => payload);
  };
  assert.deepEqual(await next(), [{ word: 'a' }]);
  assert.deepEqual(await next(), [{ word: 'b' }]);
});
