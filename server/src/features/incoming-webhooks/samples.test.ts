/** Examples that people see before the other service sends anything. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { contentOf, deliveryOf, postWebhook, recorded } from '../../testing/services/webhooks.ts';
import { INTEGRATIONS } from './all-integrations.ts';

let server: TestServer;
let member: TestClient;
before(async () => {
  server = await startTestServer();
  member = await server.user({ name: 'Member' });
});
after(() => server.stop());

// rules: webhooks-16
test('the example of every integration, sent to the URL of a bot, is the message of its recorded request', async () => {
  const channelId = await server.emptyChannel(member, 'examples');
  const bot = { full_name: 'Examples', short_name: 'examples', bot_type: 2 };
  const { api_key } = await member.ok('POST', '/bots', bot);
  for (const integration of INTEGRATIONS) {
    const { name, gallery } = integration;
    const { headers, body }: Json = await member.ok('GET', `/integrations/${name}/sample`);
    const query = { api_key, stream: String(channelId), topic: name };
    assert.equal((await postWebhook(server, name, { query, headers, body })).status, 200, name);
    const narrow = [{ operator: 'topic', operand: name }];
    const range = { anchor: 'newest', num_before: 2, num_after: 0, narrow, apply_markdown: false };
    const { messages } = await member.ok('GET', '/messages', range);
    const content = contentOf(integration, deliveryOf(await recorded(name, gallery.sample)));
    assert.deepEqual(
      messages.map((one: Json) => one.content),
      [content?.trim()],
      name,
    );
  }
});

// rules: webhooks-16
test('an unknown integration has no example, also if its name is a path', async () => {
  for (const name of ['unknown', '..', encodeURIComponent('../github'), 'constructor']) {
    const { status } = await member.call('GET', `/integrations/${name}/sample`);
    assert.equal(status, 404, name);
  }
});
