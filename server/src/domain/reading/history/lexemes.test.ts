import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { Lexemes } from './lexemes.ts';
import { Estimates } from './search.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

/** Forms of words, and the number of statements that they have needed. */
function counted() {
  let statements = 0;
  const db = server.app.db.withPlugin({
    transformQuery: ({ node }) => {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const lexemes = new Lexemes();
  const formsOf = (sought: string, words: Iterable<string>) => lexemes.formsOf(db, sought, words);
  return { formsOf, statements: () => statements };
}

test('words whose lexemes are known need no statement, and have the same forms', async () => {
  const { formsOf, statements } = counted();
  const words = ['weaving', 'Weaves', 'loom', 'don’t', '4711', 'straße', 'the'];
  const first = await formsOf('weave strasse 4711', words);
  assert.deepEqual([...first], ['weaving', 'Weaves', '4711']);
  assert.equal(statements(), 1);
  assert.deepEqual(await formsOf('weave strasse 4711', words), first);
  assert.equal(statements(), 1);
  assert.deepEqual([...(await formsOf('looms', [...words, 'looming']))], ['loom', 'looming']);
  assert.equal(statements(), 2);
});

test('very long words are not kept in memory', async () => {
  const { formsOf, statements } = counted();
  const words = [`${'weave'.repeat(100)}s`];
  for (const asked of [1, 2]) {
    await formsOf('weave', words);
    assert.equal(statements(), asked);
  }
});

test('the planner is asked once for the same words, page after page', async () => {
  const estimates = new Estimates();
  let asked = 0;
  const reckon = async () => (asked += 1);
  for (const text of ['loom', 'loom', 'shuttle', 'loom']) await estimates.of(text, reckon);
  assert.equal(asked, 2);
});
