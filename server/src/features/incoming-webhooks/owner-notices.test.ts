import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { holding } from '../../testing/database/lock-waits.ts';
import { systemGroup } from '../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { until } from '../../testing/server/until.ts';
import { postWebhook, recorded } from '../../testing/services/webhooks.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

type Query = Readonly<Record<string, string>>;

async function post(integration: string, query: Query, body: string, headers: Query = {}) {
  return postWebhook(server, integration, { query, body, headers });
}

/** The messages of the notification bot to the person, newest last. */
async function notices(person: TestClient): Promise<readonly string[]> {
  const range = { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false };
  const { messages } = await person.ok('GET', '/messages', { ...range, narrow: [{ operator: 'is', operand: 'dm' }] });
  const fromServer = messages.filter(({ sender_full_name }: Json) => sender_full_name === 'Notification Bot');
  return fromServer.map(({ content }: Json) => content);
}

const ping = () => recorded('github', 'ping');

const newBot = (owner: TestClient, name: string): Promise<Json> =>
  owner.ok('POST', '/bots', { full_name: name, short_name: name, bot_type: 2 });

let made = 0;

// rules: webhooks-11
test('learns once in an hour why a bot cannot post, for each bot and reason', async () => {
  const owner = await server.user({ name: 'Owner of Bots' });
  const [one, two] = await Promise.all(['one', 'two'].map((name) => newBot(owner, name)));
  const { body, headers } = await ping();
  const sendTo = async (api_key: string, stream: string) =>
    (await post('github', { api_key, stream, topic: 'x' }, body, headers)).code;
  assert.equal(await sendTo(one.api_key, 'no such @**all** channel`'), 'STREAM_DOES_NOT_EXIST');
  assert.equal(await sendTo(one.api_key, 'nor this one'), 'STREAM_DOES_NOT_EXIST');
  const [notice, ...others] = await notices(owner);
  assert.deepEqual(others, []);
  assert.match(
    notice ?? '',
    /^Your bot @_\*\*one\|\d+\*\* could not post a message about an event of GitHub in the channel \*\*no such/,
  );
  assert.doesNotMatch(notice ?? '', /@\*\*all/);
  assert.equal(await sendTo(two.api_key, 'no such channel'), 'STREAM_DOES_NOT_EXIST');
  assert.equal((await notices(owner)).length, 2);
  // A channel where it may not post is another reason.
  const id = await server.emptyChannel(server.owner, 'for administrators');
  const administrators = await systemGroup(server, 'role:administrators');
  await server.owner.ok('PATCH', `/streams/${id}`, { can_send_message_group: { new: administrators } });
  assert.notEqual(await sendTo(two.api_key, 'for administrators'), undefined);
  assert.equal((await notices(owner)).length, 3);
  // A success causes no notice.
  await server.emptyChannel(owner, 'fine');
  assert.equal((await post('github', { api_key: one.api_key, stream: 'fine' }, body, headers)).status, 200);
  assert.equal((await notices(owner)).length, 3);
});

// rules: webhooks-11
test('who was deactivated gets no notice, and the bot stops with its owner or goes on', async () => {
  const owner = await server.user();
  const { api_key } = await newBot(owner, 'orphan');
  await server.owner.ok('DELETE', `/users/${owner.userId}`);
  const { body, headers } = await ping();
  const answer = await post('github', { api_key, stream: 'nowhere' }, body, headers);
  assert.equal(answer.result, 'error');
  assert(answer.status < 500);
});

// rules: webhooks-13
test('learns once of each kind of request that an integration does not know, for each bot', async () => {
  const owner = await server.user({ name: 'Owner of unknown events' });
  const [one, two] = [await newBot(owner, 'unknown-one'), await newBot(owner, 'unknown-two')];
  await server.emptyChannel(owner, 'loom');
  const { body } = await ping();
  const send = async (bot: Json, integration: string, event: string, text = body) =>
    (await post(integration, { api_key: bot.api_key, stream: 'loom' }, text, { 'x-github-event': event })).status;
  for (let times = 0; times < 3; times++) assert.equal(await send(one, 'github', 'treadle'), 400);
  const [notice, ...others] = await notices(owner);
  assert.deepEqual(others, []);
  assert.match(
    notice ?? '',
    /^Your bot @_\*\*unknown-one\|\d+\*\* received a request of GitHub that causes no message:\n\n> The integration does not know the event 'treadle'/,
  );
  assert.match(notice ?? '', /\/integrations\/#github\)/);
  // Another event, another bot, another integration, and another format are other kinds.
  const kinds = [
    () => send(one, 'github', '@**all** `shuttle`'),
    () => send(two, 'github', 'treadle'),
    () => send(one, 'stripe', '', '{"type": "treadle", "data": {"object": {}}}'),
    () => send(one, 'stripe', '', '{"type": "charge.succeeded", "data": {}}'),
    () => send(one, 'jira', '', 'not JSON'),
  ];
  for (const [index, act] of kinds.entries()) {
    for (let times = 0; times < 2; times++) assert.equal(await act(), 400);
    assert.equal((await notices(owner)).length, index + 2);
  }
  assert(!(await notices(owner)).some((text) => text.includes('@**all**')));
  // What is ignored on purpose, and what the URL leaves out, causes no notice.
  const pinned = await recorded('github', 'issue-pinned');
  const query = { api_key: one.api_key, stream: 'loom' };
  assert.equal((await post('github', query, pinned.body, pinned.headers)).status, 200);
  for (const filter of [{ exclude_events: '["heddle*"]' }, { only_events: '["push*"]' }])
    assert.equal((await post('github', { ...query, ...filter }, body, { 'x-github-event': 'heddle_1' })).status, 200);
  assert.equal((await notices(owner)).length, kinds.length + 1);
});

// rules: webhooks-13
test('a restart repeats no notice, numbers make no kind of their own, and a bot causes 50 notices at most', async () => {
  const owner = await server.user({ name: 'Owner of many unknown events' });
  const bot = await newBot(owner, 'many-unknown');
  const { body } = await ping();
  const send = (event: string) => post('github', { api_key: bot.api_key }, body, { 'x-github-event': event });
  await send('pick-17');
  await send('pick-18');
  assert.equal((await notices(owner)).length, 1);
  // As if another process, or this one before a restart, had sent 48 more.
  const kinds = Array.from({ length: 48 }, (_, index) => `kind ${'x'.repeat(index)}`);
  await sql`
    INSERT INTO webhook_notices (organization_id, bot_id, integration, kind)
    SELECT organization_id, bot_id, integration, unnest(${[...kinds, "The integration does not know the event 'seen'"]}::text[])
      FROM webhook_notices WHERE bot_id = ${bot.user_id}`.execute(server.app.db);
  await send('seen');
  await send('one too many');
  assert.equal((await notices(owner)).length, 1);
});

// rules: webhooks-13
test('a bot causes 50 notices at most, also with requests at once', async (t) => {
  const lock = await holding(server.shared.url);
  t.after(() => lock.end());
  const { body } = await ping();
  const { count } = await until(async () => {
    const owner = await server.user({ name: 'Owner of events at once' });
    made += 1;
    const bot = await newBot(owner, `at-once-${made}`);
    await sql`
      INSERT INTO webhook_notices (organization_id, bot_id, integration, kind)
      SELECT organization_id, id, 'github', number::text FROM users, generate_series(1, 49) AS number
       WHERE id = ${bot.user_id}`.execute(server.app.db);
    const send = (event: string) => () => post('github', { api_key: bot.api_key }, body, { 'x-github-event': event });
    const isDone = await lock.together(
      (holder) => holder.query('SELECT FROM logs FOR NO KEY UPDATE'),
      [send('one'), send('other')],
    );
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::integer AS count FROM webhook_notices WHERE bot_id = ${bot.user_id}`.execute(server.app.db);
    return isDone && rows[0];
  }, 'two requests at once');
  assert(count <= 50, `${count} notices`);
});
