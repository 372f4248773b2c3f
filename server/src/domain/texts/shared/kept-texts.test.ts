import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Fields, TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { type Holding, holding } from '../../../testing/database/lock-waits.ts';
import { inSeconds } from '../../../testing/server/due.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { until } from '../../../testing/server/until.ts';

/**
 * The texts in the initial state have a total limit, besides limits of number and length: otherwise one account could
 * exhaust the server.
 */

let server: TestServer;
let channel: number;
let lock: Holding;
before(async () => {
  server = await startTestServer();
  channel = await server.emptyChannel(server.owner, 'loom');
  lock = await holding(server.shared.url);
});
after(async () => {
  await lock.end();
  await server.stop();
});

const LONG = '🧵'.repeat(10_000);
/** This number of texts fits: each has 40,000 bytes, and the limit is 1,000,000. */
const KEPT = 25;

async function hoarder(keep: (client: TestClient) => Promise<unknown>): Promise<TestClient> {
  const client = await server.user();
  for (let kept = 0; kept < KEPT; kept++) await keep(client);
  return client;
}

async function refused(client: TestClient, method: string, path: string, fields: Fields): Promise<void> {
  const { code, msg } = await client.fails(method, path, fields);
  assert.equal(code, 'BAD_REQUEST');
  assert.match(msg, /^(Drafts|Saved snippets) are too long together \(limit: 1000000 bytes\)$/);
}

// rules: limits-5
test('a user’s drafts are limited to 1 MB in total, when adding and when editing', async () => {
  const draft = (content: string) => ({ type: '', to: [], topic: '', content });
  const client = await hoarder((one) => one.ok('POST', '/drafts', { drafts: [draft(LONG)] }));
  const queue = await client.register({ event_types: ['drafts'] });
  await refused(client, 'POST', '/drafts', { drafts: [draft('x')] });
  const [first] = queue.state.drafts;
  await client.ok('PATCH', `/drafts/${first.id}`, { draft: draft('short') });
  const {
    ids: [added],
  } = await client.ok('POST', '/drafts', { drafts: [draft('x')] });
  await refused(client, 'PATCH', `/drafts/${added}`, { draft: draft(LONG) });
  assert.deepEqual(
    (await queue.now()).map(({ op }: Json) => op),
    ['update', 'add'],
  );
});

// rules: limits-5
test('a user’s saved snippets are limited to 1 MB in total, when adding and when editing', async () => {
  const path = '/saved_snippets';
  const client = await hoarder((one) => one.ok('POST', path, { title: 'long', content: LONG }));
  const queue = await client.register({ event_types: ['saved_snippets'] });
  await refused(client, 'POST', path, { title: 'x', content: 'x' });
  const [first] = queue.state.saved_snippets;
  await client.ok('PATCH', `${path}/${first.id}`, { content: 'short' });
  const { saved_snippet_id: added } = await client.ok('POST', path, { title: 'x', content: 'x' });
  await refused(client, 'PATCH', `${path}/${added}`, { content: LONG });
  assert.deepEqual(
    (await queue.now()).map(({ op }: Json) => op),
    ['update', 'add'],
  );
});

test('a user’s scheduled messages are limited to 1 MB in total, with their rendered content', async () => {
  const later = inSeconds(86_400);
  // Each has about 300,000 bytes of rendered content.
  const fields = { type: 'channel', to: channel, topic: 'x', scheduled_delivery_timestamp: later };
  const path = '/scheduled_messages';
  const client = await server.user();
  const many = { ...fields, content: ':a:'.repeat(3333) };
  for (let kept = 0; kept < 3; kept++) await client.ok('POST', path, many);
  const words = /^Scheduled messages are too long together \(limit: 1000000 bytes\)$/;
  assert.match((await client.fails('POST', path, many)).msg, words);
  const { scheduled_message_id: short } = await client.ok('POST', path, { ...fields, content: 'short' });
  assert.match((await client.fails('PATCH', `${path}/${short}`, { content: many.content })).msg, words);
  assert.equal((await client.ok('GET', path)).scheduled_messages.length, 4);
});

test('a user’s reminders are limited to 1 MB in total, with their rendered content', async () => {
  const client = await server.user();
  const id = await server.owner.send('loom', 'x', 'x');
  await sql`
    INSERT INTO reminders (organization_id, user_id, message_id, note, content, rendered_content, deliver_at)
    SELECT organization_id, id, ${id}, '', repeat('x', 500000), repeat('x', 499999), now() + interval '1 day'
      FROM users WHERE id = ${client.userId}`.execute(server.app.db);
  const fields = { message_id: id, scheduled_delivery_timestamp: inSeconds(86_400) };
  const { msg } = await client.fails('POST', '/reminders', fields);
  assert.equal(msg, 'Reminders are too long together (limit: 1000000 bytes)');
});

/** 24,000 bytes, and 500,000 bytes of HTML: two of them are too much. */
const HALF = '🧵'.repeat(6000);

/** Makes two requests of which one may succeed. Both have written their rows before the first one commits. */
async function atOnce(requests: readonly (() => Promise<unknown>)[], done: () => Promise<number>): Promise<void> {
  const [first, second] = requests;
  assert(first !== undefined && second !== undefined);
  // On a busy machine, one of them can give up.
  await until(async () => (await lock.behind(first, second)) || (await done()) > 0, 'two requests at once');
  assert.equal(await done(), 1);
}

// rules: limits-5
test('of two scheduled messages that are too much together, one is refused, also if the requests come at once', async () => {
  const client = await server.user();
  const fields = { type: 'channel', to: channel, topic: 'x', scheduled_delivery_timestamp: inSeconds(86_400) };
  const add = () => client.call('POST', '/scheduled_messages', { ...fields, content: HALF });
  await atOnce([add, add], async () => (await client.ok('GET', '/scheduled_messages')).scheduled_messages.length);
});

// rules: limits-5
test('of two edits of scheduled messages that are too much together, one is refused, also if they come at once', async () => {
  const client = await server.user();
  const path = '/scheduled_messages';
  const fields = { type: 'channel', to: channel, topic: 'x', scheduled_delivery_timestamp: inSeconds(86_400) };
  const add = async () => (await client.ok('POST', path, { ...fields, content: 'short' })).scheduled_message_id;
  const ids = [await add(), await add()];
  const edits = ids.map((id) => () => client.call('PATCH', `${path}/${id}`, { content: HALF }));
  await atOnce(edits, async () => {
    const { scheduled_messages } = await client.ok('GET', path);
    return scheduled_messages.filter(({ content }: Json) => content !== 'short').length;
  });
});

// rules: limits-5
test('of two reminders that are too much together, one is refused, also if the requests come at once', async () => {
  const client = await server.user();
  const ids = [await server.owner.send('loom', 'x', HALF), await server.owner.send('loom', 'x', HALF)];
  const fields = { scheduled_delivery_timestamp: inSeconds(86_400) };
  const adding = ids.map((id) => () => client.call('POST', '/reminders', { ...fields, message_id: id }));
  await atOnce(adding, async () => (await client.ok('GET', '/reminders')).reminders.length);
});
