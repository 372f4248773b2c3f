import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

test('a message reaches the subscribers of its channel, and nobody else', async () => {
  const { owner } = server;
  const other = await server.user();
  const stranger = await server.user();
  await owner.subscribe('loom', { principals: [owner.userId, other.userId] });
  const queue = await other.register({ event_types: ['message'] });
  const elsewhere = await stranger.register({ event_types: ['message'] });
  const id = await owner.send('loom', 'greetings', 'Hello, *world*!');
  const [event] = await queue.take(1);
  assert.equal(event.message.id, id);
  assert.deepEqual(await elsewhere.now(), []);
});
