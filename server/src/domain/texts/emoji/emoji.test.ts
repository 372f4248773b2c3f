import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;

before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

test('server_emoji_data_url serves the emoji names by code, cacheable forever', async () => {
  const { state } = await server.owner.register({ fetch_event_types: ['realm'], event_types: [] });
  const response = await fetch(state.server_emoji_data_url);
  assert.equal(response.status, 200);
  assert.match(response.headers.get('cache-control') ?? '', /immutable/);
  const { code_to_names: names } = (await response.json()) as { code_to_names: Record<string, string[]> };
  assert(names['1f44d']?.includes('thumbs_up'));
});

test('the picture of the extra emoji in a message can be loaded', async () => {
  const { rendered } = await server.owner.ok('POST', '/messages/render', { content: ':zulip:' }); // wire name: the emoji's
  const [, path] = /src="([^"]+)"/.exec(rendered) ?? [];
  const response = await fetch(`${server.url}${path}`);
  assert.equal(response.status, 200);
  assert.equal((await sharp(Buffer.from(await response.arrayBuffer())).metadata()).width, 64);
});
