import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commitWords, openTestLog, type TestLog } from '../testing/database/log.ts';
import { hasKept } from './epoch.ts';
import type { LoggedEvent } from './event.ts';
import { readEvents } from './read.ts';

let log: TestLog;
before(async () => {
  log = await openTestLog();
});
after(() => log.stop());

/** A log with some words, as a process knows it. */
async function knownLog(): Promise<{ readonly id: number; readonly known: readonly LoggedEvent[] }> {
  const id = await log.organization();
  await commitWords(log.pool, id, 'one', 'two', 'three', 'four');
  return { id, known: await readEvents(log.db, id, 0, 100) };
}

const change = (id: number, what: string) => log.pool.query(`${what} WHERE organization_id = $1`, [id]);
const KEPT = { 'no change': [], 'more events': ['append'], 'redacted events': ['redact'], 'deleted events': ['trim'] };
const LOST = {
  'another body': ['body'],
  'another audience': ['audience'],
  'another type': ['type'],
  'a shorter log': ['cut'],
};

async function act(id: number, what: string): Promise<unknown> {
  switch (what) {
    case 'append':
      return commitWords(log.pool, id, 'five');
    case 'redact':
      return change(id, `UPDATE events SET audience = '{"to":"nobody"}', body = 'null'`);
    case 'trim':
      await log.pool.query('DELETE FROM events WHERE organization_id = $1 AND id <= 2', [id]);
      return change(id, 'UPDATE logs SET trimmed_through = 2');
    case 'body':
      return log.pool.query(`UPDATE events SET body = '"other"' WHERE organization_id = $1 AND id = 3`, [id]);
    case 'audience':
      return change(id, `UPDATE events SET audience = '{"to":"users","users":[1]}'`);
    case 'type':
      return log.pool.query(`UPDATE events SET type = 'other' WHERE organization_id = $1 AND id = 2`, [id]);
    default:
      return log.pool.query('DELETE FROM events WHERE organization_id = $1 AND id > 2', [id]);
  }
}

for (const [name, steps] of Object.entries(KEPT)) {
  test(`a log with ${name} has kept what a process knows`, async () => {
    const { id, known } = await knownLog();
    for (const step of steps) await act(id, step);
    assert.equal(await hasKept(log.db, id, known), true);
  });
}

for (const [name, steps] of Object.entries(LOST)) {
  test(`a log with ${name} has lost what a process knows`, async () => {
    const { id, known } = await knownLog();
    for (const step of steps) await act(id, step);
    assert.equal(await hasKept(log.db, id, known), false);
  });
}
