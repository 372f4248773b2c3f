import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

test('messages too large to fetch together are refused with a clear error, and smaller pages succeed', async () => {
  const { owner, app } = server;
  await owner.subscribe('heavy');
  const ids: number[] = [];
  for (let index = 0; index < 20; index++) ids.push(await owner.send('heavy', 'picks', `pick ${index}`));
  await sql`UPDATE messages SET rendered_content = repeat('x', 1024 * 1024) WHERE id = ANY (${ids}::bigint[])`.execute(
    app.db,
  );

  const around = { anchor: 'newest', num_after: 0, narrow: [['channel', 'heavy']] };
  const refused = await owner.fails('GET', '/messages', { ...around, num_before: 200 });
  assert.match(refused.msg, /too large to fetch together/);
  const named = await owner.fails('GET', '/messages', {
    message_ids: [...ids, ...Array.from({ length: 40 }, () => ids[0])],
  });
  assert.match(named.msg, /too large to fetch together/);

  const { messages } = await owner.ok('GET', '/messages', { ...around, num_before: 10 });
  assert.equal(messages.length, 10);
});
