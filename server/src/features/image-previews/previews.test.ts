import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import type { TestClient } from '../../testing/clients/client.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { until } from '../../testing/server/until.ts';
import { TestImageServer } from '../../testing/services/image-server.ts';

let server: TestServer;
let images: TestImageServer;
let ada: TestClient;
let png: Buffer;
before(async () => {
  images = await TestImageServer.start();
  server = await startTestServer({ environment: { HEDDLE_IMAGE_PRIVATE_NETWORKS: '127.0.0.1' } });
  ada = await server.user({ name: 'Ada' });
  png = await sharp({ create: { width: 8, height: 6, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
});
after(async () => {
  await server.stop();
  await images.stop();
});

async function htmlOf(content: string, client = ada): Promise<string> {
  const message = await client.direct([client.userId], content);
  return (await client.ok('GET', `/messages/${message}`)).message.content;
}

/** Returns the address on this server of the image in the rendered message. */
async function proxied(url: string, client = ada): Promise<string> {
  const [, path] = /<img src="([^"]*)">/.exec(await htmlOf(`see ${url}`, client)) ?? [];
  return path ?? assert.fail('the message contains no image');
}

/** Sends a request without credentials, as browsers and apps do for images. */
function open(path: string, options: RequestInit & { readonly at?: string } = {}): Promise<Response> {
  return fetch(`${options.at ?? server.url}${path}`, options);
}

// rules: files-10
test('a message contains external images at an address of this server, which serves them to readers', async () => {
  const url = images.serveImage('/red.png', png, 'image/png');
  assert.match(
    await htmlOf(url),
    new RegExp(
      `^<div class="message_inline_image"><a href="${url}"><img src="/external_content/[0-9a-f]{64}/${Buffer.from(url).toString('hex')}"></a></div>$`,
    ),
  );
  assert.deepEqual(images.asked, [], 'sending fetches no image');
  const response = await open(await proxied(url));
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), png);
  const { headers } = response;
  assert.equal(headers.get('content-type'), 'image/png');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'.*; sandbox$/);
  assert.equal(headers.get('content-disposition'), 'inline');
  assert.equal(headers.get('cache-control'), 'private, max-age=86400');
  const head = await open(await proxied(url), { method: 'HEAD' });
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(png.length)]);
});

test('edits and rendered previews of a message contain the image, too', async () => {
  const url = images.serveImage('/edited.png', png, 'image/png');
  const { rendered } = await ada.ok('POST', '/messages/render', { content: url });
  assert.match(rendered, /<img src="\/external_content\//);
  const message = await ada.direct([ada.userId], 'nothing yet');
  await ada.ok('PATCH', `/messages/${message}`, { content: `[a](${url})` });
  const { content } = (await ada.ok('GET', `/messages/${message}`)).message;
  assert.match(content, /<div class="message_inline_image"><a href="[^"]*" title="a"><img src="\/external_content\//);
});

test('concurrent and later readers cause one fetch', async () => {
  let release: () => void = () => assert.fail('no fetch has begun');
  const url = images.serve('/once.png', (_, response) => {
    release = () => void response.writeHead(200, { 'content-type': 'image/png' }).end(png);
  });
  const path = await proxied(url);
  const arrived = Promise.all([1, 2, 3, 4, 5].map(() => open(path)));
  await until(() => images.asked.includes('/once.png'), 'the first fetch');
  release();
  for (const response of await arrived) assert.equal(response.status, 200);
  assert.equal((await open(path)).status, 200);
  assert.equal(images.asked.filter((asked) => asked === '/once.png').length, 1);
});

test('a failed fetch yields a 404, and is not repeated at once', async () => {
  const path = await proxied(images.serveImage('/page.png', Buffer.from('<script>'), 'text/html'));
  for (const attempt of [1, 2]) {
    const response = await open(path);
    assert.equal(response.status, 404, `attempt ${attempt}`);
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  }
  assert.equal(images.asked.filter((asked) => asked === '/page.png').length, 1);
});

// rules: files-10
test('the server fetches only URLs that it has signed for the organization', async () => {
  const path = await proxied(images.serveImage('/signed.png', png, 'image/png'));
  const [, , digest = '', encoded = ''] = path.split('/');
  const other = Buffer.from(images.serveImage('/other.png', png, 'image/png')).toString('hex');
  for (const wrong of [
    `${digest}/${other}`,
    `${'0'.repeat(64)}/${encoded}`,
    `${digest.slice(1)}/${encoded}`,
    `${digest}/${encoded}/`,
    `${digest}/${encoded}zz`,
    `${digest}/${encoded.slice(1)}`,
    `${digest}/`,
    digest,
  ]) {
    assert.equal((await open(`/external_content/${wrong}`)).status, 404, wrong);
  }
  const elsewhere = await server.organization('elsewhere');
  assert.equal((await elsewhere.ask('GET', path)).status, 404);
  assert.deepEqual(
    images.asked.filter((asked) => asked === '/signed.png' || asked === '/other.png'),
    [],
  );
});

// rules: files-10
test('without previews in the organization, or with a URL that is too long, a message has a link', async () => {
  const url = images.serveImage('/unwanted.png', png, 'image/png');
  await server.owner.ok('PATCH', '/realm', { inline_image_preview: false });
  assert.equal(await htmlOf(url), `<p><a href="${url}">${url}</a></p>`);
  await server.owner.ok('PATCH', '/realm', { inline_image_preview: true });
  assert.doesNotMatch(await htmlOf(`https://e.com/${'a'.repeat(2048)}.png`), /message_inline_image/);
});

test('an organization has five concurrent fetches, and another one has its own', async () => {
  const waiting = new Set<() => void>();
  const serve = (path: string) =>
    images.serve(path, (_, response) => {
      waiting.add(() => response.writeHead(200, { 'content-type': 'image/png' }).end(png));
    });
  const paths = await Promise.all(Array.from({ length: 7 }, (_, index) => proxied(serve(`/busy-${index}.png`))));
  const busy = paths.map((path) => open(path));
  await until(() => waiting.size >= 5, 'five fetches');
  const neighbour = await server.organization('neighbour');
  const theirs = neighbour.ask('GET', await proxied(serve('/theirs.png'), neighbour));
  await until(() => images.asked.includes('/theirs.png'), 'the fetch of the other organization');
  assert.equal(images.asked.filter((path) => path.startsWith('/busy-')).length, 5);
  let isDone = false;
  const all = Promise.all([...busy, theirs]).finally(() => (isDone = true));
  await until(() => {
    for (const answer of waiting) answer();
    waiting.clear();
    return isDone;
  }, 'all responses');
  for (const { status } of await all) assert.equal(status, 200);
  assert.equal(images.asked.filter((path) => path.startsWith('/busy-')).length, 7);
});

test('a server without allowed private networks fetches nothing from them', async () => {
  const strict = await startTestServer({ shared: server.shared });
  const path = await proxied(images.serveImage('/private.png', png, 'image/png'));
  assert.equal((await open(path, { at: strict.url })).status, 404);
  assert.equal(images.asked.includes('/private.png'), false);
  await strict.stop();
});

test('an operator can disable previews: new messages have links, and images of old messages are not fetched', async () => {
  const path = await proxied(images.serveImage('/off.png', png, 'image/png'));
  const off = await startTestServer({
    shared: server.shared,
    environment: { HEDDLE_IMAGE_PREVIEWS: 'off', HEDDLE_IMAGE_PRIVATE_NETWORKS: '127.0.0.1' },
  });
  const client = await off.sameUser(ada);
  assert.doesNotMatch(await htmlOf('https://example.com/a.png', client), /message_inline_image/);
  assert.equal((await open(path, { at: off.url })).status, 404);
  assert.equal(images.asked.includes('/off.png'), false);
  await off.stop();
});
