import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { TestClient } from '../../testing/clients/client.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let member: TestClient;
let other: TestClient;
before(async () => {
  server = await startTestServer();
  member = await server.user();
  other = await server.user();
});
after(() => server.stop());

const PATH = '/saved_snippets';

async function save(client: TestClient, title = 'Hello', content = '**Hello**, world'): Promise<number> {
  return (await client.ok('POST', PATH, { title, content })).saved_snippet_id;
}

async function all(client: TestClient) {
  return (await client.ok('GET', PATH)).saved_snippets;
}

// rules: saved-snippets-1
test('a saved snippet is listed, in the initial state, and in an event to its user only', async () => {
  const queue = await member.register({ event_types: ['saved_snippets'] });
  const otherQueue = await other.register({ event_types: ['saved_snippets'] });
  const id = await save(member, '  Hello ', ' **Hello**, world\n');
  const [snippet] = await all(member);
  assert.deepEqual(snippet, { id, title: 'Hello', content: '**Hello**, world', date_created: snippet.date_created });
  assert.deepEqual((await member.register({ event_types: ['saved_snippets'] })).state.saved_snippets, [snippet]);
  const [event] = await queue.take(1);
  assert.deepEqual({ ...event, id: 0 }, { id: 0, type: 'saved_snippets', op: 'add', saved_snippet: snippet });
  assert.deepEqual(await otherQueue.now(), []);
  assert.deepEqual(await all(other), []);
});

// rules: saved-snippets-2
test('PATCH changes the given fields, and its event has the whole snippet; without fields it sends none', async () => {
  const id = await save(member);
  const queue = await member.register({ event_types: ['saved_snippets'] });
  await member.ok('PATCH', `${PATH}/${id}`, { title: 'Bye' });
  await member.ok('PATCH', `${PATH}/${id}`);
  await member.ok('PATCH', `${PATH}/${id}`, { content: 'See you' });
  const events = await queue.take(2);
  assert.deepEqual(
    events.map(({ op, saved_snippet: { title, content } }) => [op, title, content]),
    [
      ['update', 'Bye', '**Hello**, world'],
      ['update', 'Bye', 'See you'],
    ],
  );
  assert.equal((await all(member)).find((snippet: { id: number }) => snippet.id === id).content, 'See you');
});

test('DELETE removes a snippet and sends an event', async () => {
  const id = await save(member);
  const queue = await member.register({ event_types: ['saved_snippets'] });
  await member.ok('DELETE', `${PATH}/${id}`);
  const [event] = await queue.take(1);
  assert.deepEqual([event.op, event.saved_snippet_id], ['remove', id]);
  assert(!(await all(member)).some((snippet: { id: number }) => snippet.id === id));
});

// rules: saved-snippets-3
test('an unknown snippet and one of another user get the same refusal', async () => {
  const theirs = await save(other);
  for (const id of [theirs, 1_000_000]) {
    for (const method of ['PATCH', 'DELETE']) {
      const { status, body } = await member.call(method, `${PATH}/${id}`, {});
      assert.deepEqual([status, body.code, body.msg], [404, 'BAD_REQUEST', 'Saved snippet does not exist.']);
    }
  }
  assert.equal((await all(other)).length, 1);
});

// rules: limits-5
test('blank and too long titles and contents are refused', async () => {
  const refusal = async (title: string, content: string) => (await member.fails('POST', PATH, { title, content })).msg;
  assert.equal(await refusal(' ', 'x'), 'title cannot be blank');
  assert.equal(await refusal('x', '\n'), 'content cannot be blank');
  assert.equal(await refusal('x'.repeat(61), 'x'), 'title is too long (limit: 60 characters)');
  assert.equal(await refusal('x', 'x'.repeat(10_001)), 'content is too long (limit: 10000 characters)');
  const id = await save(member, '🧵'.repeat(60), 'x'.repeat(10_000));
  const changed = await member.fails('PATCH', `${PATH}/${id}`, { title: 'x'.repeat(61), content: 'y' });
  assert.equal(changed.msg, 'title is too long (limit: 60 characters)');
  assert.equal((await all(member)).at(-1).title, '🧵'.repeat(60));
});

// rules: limits-5
test('a user has a bounded number of snippets', async () => {
  const hoarder = await server.user();
  await sql`
    INSERT INTO saved_snippets (organization_id, user_id, title, content)
    SELECT organization_id, id, 'x', 'x' FROM users, generate_series(1, 500) WHERE id = ${hoarder.userId}`.execute(
    server.app.db,
  );
  const { msg } = await hoarder.fails('POST', PATH, { title: 'one', content: 'too many' });
  assert.equal(msg, 'Too many saved snippets (limit: 500)');
});

test('the limit also holds for concurrent requests', async () => {
  const hoarder = await server.user();
  await sql`
    INSERT INTO saved_snippets (organization_id, user_id, title, content)
    SELECT organization_id, id, 'x', 'x' FROM users, generate_series(1, 498) WHERE id = ${hoarder.userId}`.execute(
    server.app.db,
  );
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => hoarder.call('POST', PATH, { title: 'x', content: 'x' })),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 2);
  assert.equal((await all(hoarder)).length, 500);
});
