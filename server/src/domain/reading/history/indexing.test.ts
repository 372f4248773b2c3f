import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { indexMessages } from './indexing.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

const index = (comparesAll: boolean) => indexMessages(server.app, new AbortController().signal, comparesAll);

async function isIndexed(): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    SELECT message_head = through AND old_words_through = 0 AND
           through = (SELECT count(*) FROM message_words) AS is
      FROM logs JOIN indexed_messages USING (organization_id)`.execute(server.app.db);
  return rows[0]?.is === true;
}

/** As after an import, or after a long outage: there are messages, and no events about them. */
async function forget(oldWordsThrough: number): Promise<void> {
  await server.app.consumers.settled();
  await server.app.db.transaction().execute(async (db) => {
    await sql`DELETE FROM events`.execute(db);
    await sql`UPDATE logs SET trimmed_through = head`.execute(db);
    await sql`DELETE FROM message_words`.execute(db);
    await sql`UPDATE indexed_messages SET through = 0, old_words_through = ${oldWordsThrough}`.execute(db);
  });
}

test('messages are indexed after an event, after an import, and with the next comparison of all organizations', async () => {
  await server.owner.send('general', 'warp', 'a new message');
  await index(false);
  assert(await isIndexed());
  await forget(-1);
  await index(false);
  assert(await isIndexed());
  await forget(0);
  await index(false);
  assert(!(await isIndexed()));
  await index(true);
  assert(await isIndexed());
});
