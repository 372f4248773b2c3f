import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

// rules: other-2
test('GET /messages/matches_narrow returns the readable messages that are in the narrow', async () => {
  const [author, reader] = [await server.user(), await server.user()];
  const open = await server.emptyChannel(author, 'open', { principals: [reader.userId] });
  const closed = await server.emptyChannel(author, 'closed', { invite_only: true });
  const inside = await author.send(open, 'a < b', '*slanted*');
  const elsewhere = await author.send(open, 'other', 'x');
  const hidden = await author.send(closed, 'a < b', 'secret');
  const msg_ids = [inside, elsewhere, hidden, 999_999];
  const narrow = [{ operator: 'topic', operand: 'a < b' }];
  const { messages } = await reader.ok('GET', '/messages/matches_narrow', { msg_ids, narrow });
  const match = { match_content: '<p><em>slanted</em></p>', match_subject: 'a &lt; b' };
  assert.deepEqual(messages, { [inside]: match });
  const all = await reader.ok('GET', '/messages/matches_narrow', { msg_ids, narrow: [] });
  assert.deepEqual(Object.keys(all.messages), [String(inside), String(elsewhere)]);
  const { code } = await reader.fails('GET', '/messages/matches_narrow', { msg_ids, narrow: [['bogus', 'x']] });
  assert.equal(code, 'BAD_NARROW');
  await reader.fails('GET', '/messages/matches_narrow', { msg_ids: Array.from({ length: 1001 }, () => 1), narrow: [] });
});
