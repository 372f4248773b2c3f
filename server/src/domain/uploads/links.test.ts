import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

/** Inserts this number of files of the owner, without stored content. Returns a text that links to all of them. */
async function manyFiles(count: number): Promise<string> {
  const { rows } = await sql<{ path_id: string }>`
    INSERT INTO attachments (organization_id, owner_id, path_id, storage_key, name, content_type, size, unlinked_since)
    SELECT 1, ${server.owner.userId}, '1/aa/' || lpad(n::text, 24, '0') || '/f', lpad(n::text, 32, '0'), 'f', 'text/plain', 1, now()
      FROM generate_series(1, ${count}::integer) AS n
    RETURNING path_id`.execute(server.app.db);
  return rows.map(({ path_id: path }) => `[](/user_uploads/${path})`).join('');
}

// rules: files-7
test('attachment events of a message with many files contain only a few earlier links per file', async () => {
  const { owner } = server;
  const content = await manyFiles(150);
  const send = () => owner.ok('POST', '/messages', { type: 'direct', to: JSON.stringify([owner.userId]), content });
  for (let sent = 0; sent < 12; sent += 1) await send();
  const { queue_id, last_event_id } = await owner.ok('POST', '/register', { event_types: ['attachment'] });
  const { id } = await send();
  const { events } = await owner.ok('GET', '/events', { queue_id, last_event_id, dont_block: true });
  assert.equal(events.length, 150);
  for (const { attachment } of events) {
    assert.equal(attachment.messages[0].id, id);
    assert.equal(attachment.messages.length, 1 + 6);
  }
  const { attachments } = await owner.ok('GET', '/attachments');
  assert.equal(attachments.length, 150);
  for (const { messages } of attachments) assert.equal(messages.length, 13);
});
