import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

// rules: send-9
test('a message reaches the subscribers of its channel, and no other users', async () => {
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

// rules: fetch-9
test('a topic link contains its newest message that the writer can read, in sent, edited and previewed messages', async () => {
  const { owner } = server;
  const writer = await server.user();
  await server.emptyChannel(owner, 'warp', { principals: [writer.userId] });
  await server.emptyChannel(owner, 'vault', {
    principals: [writer.userId],
    invite_only: true,
    history_public_to_subscribers: false,
  });
  const newest = await owner.send('warp', 'Threads', 'two');
  const hrefOf = (html: string) => /href="\/#([^"]*)"/.exec(html)?.[1]?.replace(/narrow\/channel\/\d+-/, '');
  const sent = async (text: string, client = writer) => {
    const id = await client.send('warp', 'links', text);
    return hrefOf((await client.ok('GET', `/messages/${id}`)).message.content);
  };
  assert.equal(await sent('#**warp>threads**'), `warp/topic/threads/with/${newest}`);
  assert.equal(await sent('#**warp > threads**'), `warp/topic/threads/with/${newest}`);
  assert.equal(await sent('#**warp>nothing**'), 'warp/topic/nothing');
  assert.equal(await sent(`#**warp>Threads@${newest}**`), `warp/topic/Threads/near/${newest}`);
  const { rendered } = await writer.ok('POST', '/messages/render', { content: '#**warp>Threads**' });
  assert.equal(hrefOf(rendered), `warp/topic/Threads/with/${newest}`);
  const id = await writer.send('warp', 'links', 'not yet');
  await writer.ok('PATCH', `/messages/${id}`, { content: '#**warp>Threads**' });
  assert.equal(
    hrefOf((await writer.ok('GET', `/messages/${id}`)).message.content),
    `warp/topic/Threads/with/${newest}`,
  );
  await owner.send('vault', 'a', 'before they came');
  const late = await server.user();
  await owner.subscribe('vault', { principals: [late.userId] });
  await owner.subscribe('warp', { principals: [late.userId] });
  assert.equal(await sent('#**vault>a**', late), 'vault/topic/a');
});
