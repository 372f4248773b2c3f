import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { isUnavailable, lostLock } from '../db/failures.ts';
import { TRANSACTION_PAUSE_TIMEOUT_MS } from '../db/timeouts.ts';
import { commitWords, openTestLog, type TestLog, word } from '../testing/database/log.ts';
import { isRefusal } from './append.ts';
import { commitLocked, commitOptimistic } from './change.ts';
import { readEvents, readPosition } from './read.ts';

let log: TestLog;
before(async () => {
  log = await openTestLog();
});
after(() => log.stop());

async function wordsOf(organization: number): Promise<unknown[]> {
  return (await readEvents(log.db, organization, 0, 100)).map((event) => event.body);
}

async function hasRow(key: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM server_facts WHERE key = ${key}`.execute(log.db);
  return rows.length > 0;
}

function changeDirectory(organization: number): Promise<unknown> {
  return commitLocked(log.pool, organization, async ({ append }) => append({ ...word('directory'), deltas: [] }));
}

test('an optimistic transaction gets its ids last: others append while it runs', async () => {
  const organization = await log.organization();
  const { result, events } = await commitOptimistic(log.pool, organization, 0, async ({ db, append }) => {
    await sql`INSERT INTO server_facts VALUES ('ordinary', '')`.execute(db);
    append(word('slow'));
    await commitWords(log.pool, organization, 'quick');
    return 'done';
  });
  assert.equal(result, 'done');
  assert.deepEqual(
    events.map(({ id, body }) => [id, body]),
    [[2, 'slow']],
  );
  assert.deepEqual(await wordsOf(organization), ['quick', 'slow']);
});

test('an optimistic transaction fails if the directory has changed since, and leaves nothing', async () => {
  const organization = await log.organization();
  const change = commitOptimistic(log.pool, organization, 0, async ({ db, append }) => {
    await sql`INSERT INTO server_facts VALUES ('refused', '')`.execute(db);
    append(word('lost'));
    await changeDirectory(organization);
  });
  await assert.rejects(change, isRefusal);
  assert.equal(await hasRow('refused'), false);
  assert.deepEqual(await wordsOf(organization), ['directory']);
});

test('an optimistic transaction that waits too long for the log rolls back, so that the holder of the log continues', async () => {
  const organization = await log.organization();
  await sql`INSERT INTO server_facts VALUES ('contested', '')`.execute(log.db);
  const holdsRow = Promise.withResolvers<void>();
  const holdsLog = Promise.withResolvers<void>();
  const optimistic = commitOptimistic(log.pool, organization, 0, async ({ db, append }) => {
    await sql`UPDATE server_facts SET value = 'ordinary' WHERE key = 'contested'`.execute(db);
    holdsRow.resolve();
    await holdsLog.promise;
    append(word('ordinary'));
  });
  const directory = commitLocked(log.pool, organization, async ({ db, append }) => {
    await holdsRow.promise;
    holdsLog.resolve();
    await sql`UPDATE server_facts SET value = 'directory' WHERE key = 'contested'`.execute(db);
    append(word('directory'));
  });
  const [first, second] = await Promise.allSettled([optimistic, directory]);
  assert(first.status === 'rejected' && lostLock(first.reason));
  assert.equal(second.status, 'fulfilled');
  assert.deepEqual(await wordsOf(organization), ['directory']);
});

test('a change fails if the ids that it promised are taken: no event is lost silently', async () => {
  const organization = await log.organization();
  const change = commitLocked(log.pool, organization, async ({ db, append }) => {
    await sql`INSERT INTO server_facts VALUES ('promised', '')`.execute(db);
    append(word('promised'));
    // Writes to the log inside the transaction, unknown to the change.
    await sql`UPDATE logs SET head = head + 1 WHERE organization_id = ${organization}`.execute(db);
  });
  await assert.rejects(change, isRefusal);
  assert.equal(await hasRow('promised'), false);
  assert.equal((await readPosition(log.db, organization)).head, 0);
});

test('a change fails if one of its statements failed and nothing noticed it', async () => {
  const organization = await log.organization();
  const change = commitLocked(log.pool, organization, async ({ db }) => {
    await sql`SELECT 1 / 0`.execute(db).catch(() => undefined);
  });
  await assert.rejects(change, /a failed statement had ended the transaction/);
  const withEvents = commitLocked(log.pool, organization, async ({ db, append }) => {
    await sql`SELECT 1 / 0`.execute(db).catch(() => undefined);
    append(word('never'));
  });
  await assert.rejects(withEvents, /aborted/);
  assert.deepEqual(await wordsOf(organization), []);
});

test('a connection whose transaction cannot be ended is not used again', async () => {
  const organization = await log.organization();
  const change = commitLocked(log.pool, organization, async ({ db }) => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db);
    await log.db.executeQuery(sql`SELECT pg_terminate_backend(${rows[0]?.pid})`.compile(log.db));
    await sql`SELECT 1`.execute(db);
  });
  await assert.rejects(change);
  await Promise.all(Array.from({ length: 30 }, () => sql`SELECT 1`.execute(log.db)));
});

test('the locks of a paused process are released after a bounded time, and it learns that its change was ended', async () => {
  const organization = await log.organization();
  const timeout = sql<{ milliseconds: number }>`
    SELECT setting::int AS milliseconds FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout'`;
  const expected = [{ milliseconds: TRANSACTION_PAUSE_TIMEOUT_MS }];
  const { result: ofOptimistic } = await commitOptimistic(log.pool, organization, 0, ({ db }) => timeout.execute(db));
  assert.deepEqual(ofOptimistic.rows, expected);
  const change = commitLocked(log.pool, organization, async ({ db, append }) => {
    append(word('late'));
    assert.deepEqual((await timeout.execute(db)).rows, expected);
    await sql`SET LOCAL idle_in_transaction_session_timeout = 1`.execute(db);
    // Waits for the lock that this change loses because it pauses.
    await log.db.updateTable('logs').set({ head: 0 }).where('organization_id', '=', organization).execute();
    await sql`SELECT 1`.execute(db);
  });
  await assert.rejects(change, isUnavailable);
  assert.deepEqual(await wordsOf(organization), []);
});
