import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Json } from '../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { recordedOf } from '../../testing/services/webhooks.ts';

let server: TestServer;
let bot: Json;
before(async () => {
  server = await startTestServer();
  await server.emptyChannel(server.owner, 'hooks');
  bot = await server.owner.ok('POST', '/bots', { full_name: 'Hooks', short_name: 'hooks', bot_type: 2 });
});
after(() => server.stop());

async function post(integration: string, body: string, headers: Readonly<Record<string, string>> = {}) {
  const query = new URLSearchParams({ api_key: bot.api_key, stream: 'hooks' });
  const response = await fetch(`${server.url}/api/v1/external/${integration}?${query}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  const answer: Json = await response.json();
  return { status: response.status, ...answer };
}

const fields = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":1`)}}`;

// rules: webhooks-7
test('a payload that would take long to parse is refused with the reason, as JSON and in a form', async () => {
  for (const body of [fields(140_000), `[${'1,'.repeat(900_000)}1]`, '['.repeat(950_000)]) {
    const { status, code, msg } = await post('json', body);
    assert.deepEqual([status, code], [400, 'BAD_REQUEST']);
    assert.match(msg, /too many different values, or is nested too deeply/);
  }
  const form = await post('slack_incoming', `payload=${encodeURIComponent(fields(50_000))}`, {
    'content-type': 'application/x-www-form-urlencoded',
  });
  assert.equal(form.status, 400);
});

// rules: webhooks-9
test('a push of 2,048 commits is rendered', async () => {
  const push = (await recordedOf('github')).find(({ body }) => Array.isArray(JSON.parse(body).commits));
  assert(push !== undefined);
  const payload = JSON.parse(push.body);
  const commits = Array.from({ length: 2048 }, (_, index) => ({ ...payload.commits[0], message: `Step ${index}` }));
  const { status, msg } = await post('github', JSON.stringify({ ...payload, commits }), push.headers);
  assert.deepEqual([status, msg], [200, '']);
});
