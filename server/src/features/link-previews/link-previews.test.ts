import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { until } from '../../testing/server/until.ts';
import { TestImageServer } from '../../testing/services/image-server.ts';

let server: TestServer;
/** Another server, with pages. */
let sites: TestImageServer;
let ada: TestClient;
before(async () => {
  sites = await TestImageServer.start();
  server = await startTestServer({ environment: { HEDDLE_IMAGE_PRIVATE_NETWORKS: '127.0.0.1' } });
  ada = await server.user({ name: 'Ada' });
});
beforeEach(() => server.owner.ok('PATCH', '/realm', { inline_url_embed_preview: true }));
after(async () => {
  await server.stop();
  await sites.stop();
});

const PAGE = `<!doctype html><html><head><title>Other</title>
<meta property="og:title" content="A &lt;title&gt; &amp; &quot;more&quot;">
<meta property="og:description" content="What it is about">
<meta property="og:image" content="/picture.png"></head><body><meta property="og:title" content="No"></body></html>`;

function page(path: string, html = PAGE, type = 'text/html; charset=utf-8'): string {
  return sites.serve(path, (_, response) => response.writeHead(200, { 'content-type': type }).end(html));
}

async function htmlOf(message: number, client = ada): Promise<string> {
  return (await client.ok('GET', `/messages/${message}`)).message.content;
}

/** Resolves when nothing more is to be done for the messages until now. */
async function settled(): Promise<void> {
  await server.app.consumers.settled();
  await server.app.jobs.settled();
}

/** The HTML of a message with this text, when its previews have come. */
async function shown(content: string): Promise<string> {
  const message = await ada.direct([ada.userId], content);
  await settled();
  return htmlOf(message);
}

// rules: link-previews-1, link-previews-2
test('a message with a link gets a preview by an event that only changes its HTML', async () => {
  const url = page('/article');
  const queue = await ada.register({ event_types: ['update_message'] });
  const message = await ada.direct([ada.userId], `see ${url} now`);
  const [event] = await queue.take(1);
  const image = `/external_content/[0-9a-f]{64}/${Buffer.from(url.replace('article', 'picture.png')).toString('hex')}`;
  const title = 'A &lt;title&gt; &amp; &quot;more&quot;';
  const expected = new RegExp(
    `^<p>see <a href="${url}">${url}</a> now</p>\n` +
      `<div class="message_embed"><a class="message_embed_image" href="${url}" style="background-image: url\\(&quot;${image}&quot;\\)"></a>` +
      `<div class="data-container"><div class="message_embed_title"><a href="${url}" title="${title}">A &lt;title&gt; &amp; "more"</a></div>` +
      '<div class="message_embed_description">What it is about</div></div></div>$',
  );
  assert.match(await htmlOf(message), expected);
  const { type, message_id, user_id, rendering_only, content, rendered_content }: Json = event;
  assert.deepEqual(
    { type, message_id, user_id, rendering_only, content },
    { type: 'update_message', message_id: message, user_id: null, rendering_only: true, content: `see ${url} now` },
  );
  assert.match(rendered_content, expected);
  const { message: fetched } = await ada.ok('GET', `/messages/${message}`);
  assert.equal(fetched.last_edit_timestamp, undefined);
});

// rules: link-previews-1
test('without the setting no website is asked', async () => {
  await server.owner.ok('PATCH', '/realm', { inline_url_embed_preview: false });
  const url = page('/unasked');
  assert.doesNotMatch(await shown(url), /message_embed/);
  assert(!sites.asked.includes('/unasked'));
  await server.owner.ok('PATCH', '/realm', { inline_url_embed_preview: true });
  const { state } = await ada.register({ fetch_event_types: ['realm'] });
  assert.deepEqual([state.realm_inline_url_embed_preview, state.server_inline_url_embed_preview], [true, true]);
  await settled();
  assert(!sites.asked.includes('/unasked'), 'earlier messages get no previews');
});

// rules: link-previews-2
test('an edit brings the previews of the new text', async () => {
  const [one, other] = [page('/one', PAGE.replace('A &lt;title', 'One &lt;')), page('/other', '<title>Second</title>')];
  const message = await ada.direct([ada.userId], one);
  await settled();
  assert.match(await htmlOf(message), /message_embed/);
  await ada.ok('PATCH', `/messages/${message}`, { content: `now ${other}` });
  await settled();
  const html = await htmlOf(message);
  assert.match(html, />Second<\/a>/);
  assert.equal(html.match(/class="message_embed"/g)?.length, 1);
});

// rules: link-previews-3
test('only links in paragraphs get previews: five, each once, and none for images', async () => {
  const urls = [1, 2, 3, 4, 5, 6, 7].map((index) => page(`/many-${index}`, `<title>T${index}</title>`));
  const html = await shown(
    `${urls.join(' ')}\n\nagain ${urls[0]}\n\n> ${page('/quoted')}\n\n* ${page('/listed')}\n\n${sites.serveImage('/i.png', Buffer.from(''), 'image/png')}`,
  );
  assert.deepEqual(
    Array.from(html.matchAll(/title="(T\d)"/g), ([, title]) => title),
    ['T1', 'T2', 'T3', 'T4', 'T5'],
  );
  for (const path of ['/quoted', '/listed', '/i.png', '/many-6']) assert(!sites.asked.includes(path), path);
  assert.doesNotMatch(await shown(`/me likes ${page('/me')}`), /message_embed/);
});

// rules: link-previews-4
test('a slow host delays no other member, and is asked for one page at a time', async (t) => {
  const slow = await TestImageServer.start();
  t.after(() => slow.stop());
  const held: (() => void)[] = [];
  const urls = [1, 2, 3, 4, 5].map((index) =>
    slow.serve(`/slow-${index}`, (_, response) => {
      held.push(() => response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Slow ${index}</title>`));
    }),
  );
  await ada.direct([ada.userId], urls.slice(0, 2).join(' '));
  for (const url of urls.slice(2)) await ada.direct([ada.userId], url);
  await until(() => held.length === 1, 'a fetch from the slow host');
  const bob = await server.user({ name: 'Bob' });
  const other = await bob.direct([bob.userId], page('/of-bob', '<title>Of Bob</title>'));
  await until(async () => (await htmlOf(other, bob)).includes('Of Bob'), 'the preview of another member');
  assert.deepEqual(slow.asked, ['/slow-1']);
  held[0]?.();
  await until(() => held.length === 2, 'the next page of the slow host');
  assert.deepEqual(slow.asked, ['/slow-1', '/slow-2']);
});

// rules: link-previews-4
test('messages with the same link cause one fetch, also if it fails', async () => {
  const url = page('/cached', '<title>Cached</title>');
  const missing = url.replace('cached', 'missing');
  for (const _ of [1, 2, 3]) await Promise.all([shown(url), shown(missing)]);
  assert.equal(sites.asked.filter((path) => path === '/cached').length, 1);
  assert.equal(sites.asked.filter((path) => path === '/missing').length, 1);
});

describe('hostile websites', () => {
  const none = async (url: string) => assert.doesNotMatch(await shown(url), /message_embed/, url);

  // rules: link-previews-4
  test('private addresses are refused, also after a redirect', async () => {
    const asked = sites.asked.length;
    for (const host of ['127.0.0.2', '10.0.0.1', '[::1]', '169.254.169.254'])
      await none(`http://${host}:${sites.port}/x`);
    await none(sites.redirect('/inside', `http://127.0.0.2:${sites.port}/secret`, 302));
    assert.deepEqual(sites.asked.slice(asked), ['/inside']);
    const loop = sites.redirect('/loop', '/loop', 302);
    await none(loop);
  });

  // rules: link-previews-4
  test('private addresses in any notation, other ports and other protocols are refused', async () => {
    const asked = sites.asked.length;
    const { port } = sites;
    const hosts = [
      '2130706434',
      '0x7f000002',
      '0177.0.0.2',
      '127.2',
      '0.0.0.0',
      '[::ffff:127.0.0.2]',
      '[::ffff:7f00:2]',
      '[::]',
    ];
    for (const host of hosts) await none(`http://${host}:${port}/x`);
    await none('http://127.0.0.1:22/');
    await none('http://127.0.0.1:25/');
    await none('ftp://127.0.0.1/x');
    for (const [index, target] of [
      'file:///etc/passwd',
      'ftp://127.0.0.1/',
      'gopher://127.0.0.1/',
      'http://127.0.0.1:25/',
    ].entries())
      await none(sites.redirect(`/elsewhere-${index}`, target, 302));
    await none(sites.redirect('/numeric', `http://2130706434:${port}/x`, 302));
    assert.deepEqual(sites.asked.slice(asked).toSorted(), [
      ...[0, 1, 2, 3].map((index) => `/elsewhere-${index}`),
      '/numeric',
    ]);
  });

  // rules: link-previews-4
  test('credentials in a URL are not sent', async () => {
    let authorization: string | undefined = 'not asked';
    const url = sites.serve('/private', (request, response) => {
      authorization = request.headers.authorization;
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Private</title>');
    });
    await shown(url.replace('http://', 'http://ada:secret@'));
    assert.equal(authorization, undefined);
  });

  // rules: link-previews-4
  test('other types, failures, compressed pages and pages that say nothing have no preview', async () => {
    await none(page('/json', PAGE, 'application/json'));
    await none(page('/empty', '<p>nothing</p>'));
    await none(page('/nothing', ''));
    await none(
      sites.serve('/500', (_, response) => response.writeHead(500, { 'content-type': 'text/html' }).end(PAGE)),
    );
    await none(
      sites.serve('/packed', (_, response) =>
        response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(PAGE),
      ),
    );
    await none(sites.serve('/broken', (request) => request.destroy()));
  });

  // rules: link-previews-4
  test('only the beginning of an endless page is read', async () => {
    const url = sites.serve('/endless', (request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write('<title>Endless</title>');
      const more = () => {
        while (!request.destroyed && response.write('x'.repeat(64 * 1024)));
      };
      response.on('drain', more);
      more();
    });
    assert.match(await shown(url), />Endless</);
  });

  // rules: link-previews-5
  test('texts of a page are escaped and bounded', async () => {
    const evil = '<script>alert(1)</script> & "x" \u0000 @**all**';
    const attribute = evil.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    const html = await shown(
      page(
        '/evil',
        `<meta property="og:title" content="${attribute}"><meta name="description" content="${'long '.repeat(5000)}">
         <meta property="og:image" content="javascript:alert(1)">`,
      ),
    );
    assert.doesNotMatch(html, /<script|javascript:|user-mention|\0/);
    assert.match(html, /&lt;script&gt;/);
    assert(html.length < 1500, `${html.length} characters`);
  });
});

describe('a message that changes while a slow website responds', () => {
  /** A message with a link to a website that has not responded yet. */
  async function waiting(path: string) {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const url = sites.serve(path, (_, response) => {
      ask();
      released.then(() => response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Slow</title>'));
    });
    const id = await server.emptyChannel(ada, path.slice(1));
    const message = await ada.send(id, 'before', `first ${url}`);
    await asked;
    return { id, message, url, release };
  }

  // rules: link-previews-2
  test('keeps the new text of an edit, with previews of its own links only', async () => {
    const { message, release } = await waiting('/edited');
    await ada.ok('PATCH', `/messages/${message}`, { content: 'second, without a link' });
    release();
    await settled();
    assert.equal(await htmlOf(message), '<p>second, without a link</p>');
  });

  // rules: link-previews-2
  test('gets its preview where it was moved to', async () => {
    const { message, release } = await waiting('/moved');
    await ada.ok('PATCH', `/messages/${message}`, { topic: 'after', send_notification_to_new_thread: false });
    release();
    await settled();
    const { message: moved } = await ada.ok('GET', `/messages/${message}`);
    assert.equal(moved.subject, 'after');
    assert.match(moved.content, />Slow<\/a>/);
  });

  // rules: link-previews-2
  test('stays deleted, and nothing fails', async () => {
    const { message, release } = await waiting('/deleted');
    await server.owner.ok('DELETE', `/messages/${message}`);
    release();
    await settled();
    assert.equal((await ada.call('GET', `/messages/${message}`)).status, 400);
  });
});

// rules: link-previews-6
test('30 messages of a user wait for previews at most, and those of others get theirs', async () => {
  const ben = await server.user({ name: 'Ben' });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const links = Array.from({ length: 32 }, (_, index) =>
    sites.serve(`/slow-${index}`, (__, response) => {
      released.then(() => response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Slow</title>'));
    }),
  );
  const flood = await Promise.all(links.map((link) => ada.direct([ada.userId], link)));
  const message = await ben.direct([ben.userId], page('/quick', '<title>Quick</title>'));
  await server.app.consumers.settled();
  release();
  await settled();
  assert.match(await htmlOf(message, ben), />Quick<\/a>/);
  const htmls = await Promise.all(flood.map((id) => htmlOf(id)));
  assert.equal(htmls.filter((html) => html.includes('message_embed')).length, 30);
});

// rules: link-previews-5
test('the image of a preview comes from this server', async () => {
  const html = await shown(page('/with-image', PAGE));
  const path = /url\(&quot;(\/external_content\/[^&]+)&quot;\)/.exec(html)?.[1] ?? assert.fail(html);
  const picture = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  );
  sites.serveImage('/picture.png', picture, 'image/png');
  const response = await fetch(`${server.url}${path}`);
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/png']);
});
