import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestClient } from '@heddle/server/testing/clients/client.ts';
import { startTestServer, type TestServer } from '@heddle/server/testing/server/server.ts';
import { BLOCK_EXAMPLES, type FormattingExample, referenceExamples, TEXT_EXAMPLES } from './formatting-examples.ts';

let server: TestServer;
let ada: TestClient;

before(async () => {
  server = await startTestServer();
  ada = await server.user({ name: 'Ada Weaver' });
});
after(() => server.stop());

async function check(examples: readonly FormattingExample[]): Promise<void> {
  for (const { markdown, html } of examples) {
    const { rendered } = await ada.ok('POST', '/messages/render', { content: markdown });
    assert.equal(html, rendered, markdown);
  }
}

test('the examples of formatting show what the server makes of them', async () => {
  await check([...TEXT_EXAMPLES, ...BLOCK_EXAMPLES]);
});

test('examples with names of the organization are what the server makes of them', async () => {
  const name = 'dyes & yarns 2.0';
  const id = await server.emptyChannel(ada, name);
  await check(referenceExamples({ user: { id: ada.userId, name: ada.name }, channel: { id, name } }));
});
