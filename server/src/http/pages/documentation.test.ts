import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startSample } from '../../testing/server/sample-server.ts';

const sample = await startSample();
after(() => sample.server.stop(1000));
const site = new URL(sample.base).origin;

test('the OpenAPI document describes every endpoint', async () => {
  const response = await fetch(`${sample.base}/openapi.json`);
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^application\/json\b/);
  const document = (await response.json()) as { openapi: string; paths: Record<string, object> };
  assert.match(document.openapi, /^3\.1\./);
  assert.deepEqual(Object.keys(document.paths['/users/{user_id_or_email}'] ?? {}), ['get', 'patch']);
  assert.ok(document.paths['/echo']);
});

test('the page and all of its assets come from this server', async () => {
  const response = await fetch(`${site}/api/docs`);
  assert.equal(response.url, `${site}/api/docs/`);
  assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
  const policy = response.headers.get('content-security-policy') ?? '';
  assert.match(policy, /script-src 'self';/);
  const html = await response.text();
  const loaded = Array.from(html.matchAll(/(?:src|href)="([^"]+)"/g), ([, url = '']) => new URL(url, response.url));
  assert.equal(loaded.length, 6);
  for (const url of loaded) {
    assert.equal(url.origin, site);
    const asset = await fetch(url);
    assert.equal(asset.status, 200, url.href);
    assert.ok((await asset.arrayBuffer()).byteLength > 0);
  }
});

test('the page has no inline scripts or styles, which its policy forbids', async () => {
  const html = await (await fetch(`${site}/api/docs/`)).text();
  assert.doesNotMatch(html, /<script>|<style|\son\w+=|javascript:/);
});

test('other files of the package are not served', async () => {
  for (const path of [
    'assets/package.json',
    'assets/',
    'assets/../package.json',
    'assets/%2e%2e/fastify/package.json',
  ]) {
    const response = await fetch(`${site}/api/docs/${path}`);
    assert.equal(response.status, 404, path);
    assert.equal(((await response.json()) as { code: string }).code, 'NOT_FOUND');
  }
});

test('the path without a trailing slash redirects to the page', async () => {
  const answer = await fetch(new URL('/api/docs', sample.base), { redirect: 'manual' });
  assert.equal(answer.status, 302);
  assert.equal(answer.headers.get('location'), '/api/docs/');
});

async function addressesOfFiles(): Promise<string[]> {
  const html = await (await fetch(`${site}/api/docs/`)).text();
  return Array.from(html.matchAll(/(?:src|href)="([^"]+)"/g), ([, url = '']) => new URL(url, `${site}/api/docs/`).href);
}

test('browsers cache the assets of the page for a year, at URLs that change with their content', async () => {
  for (const url of await addressesOfFiles()) {
    const versioned = await fetch(url);
    assert.equal(versioned.headers.get('cache-control'), 'public, max-age=31536000, immutable', url);
    const unversioned = await fetch(url.replace(/\?.*/, '?v=other'));
    assert.equal(unversioned.headers.get('cache-control'), 'no-cache');
    assert.deepEqual(await unversioned.bytes(), await versioned.bytes());
  }
});

test('the page and the document are revalidated each time, and not sent again while unchanged', async () => {
  for (const encoding of ['identity', 'gzip', 'br', 'zstd']) {
    // Otherwise `fetch` sends `no-cache` with a conditional request.
    const headers = { 'accept-encoding': encoding, 'cache-control': 'max-age=0' };
    const first = await fetch(`${sample.base}/openapi.json`, { headers });
    assert.equal(first.headers.get('cache-control'), 'no-cache');
    assert.equal(first.headers.get('vary'), 'Accept-Encoding');
    const etag = first.headers.get('etag') ?? '';
    const again = await fetch(`${sample.base}/openapi.json`, { headers: { ...headers, 'if-none-match': etag } });
    assert.equal(again.status, 304);
    const other = { ...headers, 'accept-encoding': encoding === 'br' ? 'gzip' : 'br', 'if-none-match': etag };
    assert.equal((await fetch(`${sample.base}/openapi.json`, { headers: other })).status, 200);
  }
});

test('scripts, styles and the document are compressed if the client accepts it, images are not', async () => {
  const urls = [...(await addressesOfFiles()), `${sample.base}/openapi.json`];
  for (const url of urls.filter((each) => !/start|theme|style/.test(each))) {
    const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
    const length = Number(plain.headers.get('content-length'));
    for (const coding of ['gzip', 'br', 'zstd']) {
      const coded = await fetch(url, { headers: { 'accept-encoding': coding } });
      const head = await fetch(url, { headers: { 'accept-encoding': coding }, method: 'HEAD' });
      assert.equal(head.headers.get('content-length'), coded.headers.get('content-length'));
      assert.equal(coded.headers.get('content-encoding'), url.includes('.png') ? null : coding);
      if (!url.includes('.png')) assert.ok(Number(coded.headers.get('content-length')) < length / 2, url);
      await coded.body?.cancel();
    }
    assert.equal((await plain.bytes()).length, length);
  }
});

test('the page applies the color scheme of the browser before its body loads', async () => {
  const html = await (await fetch(`${site}/api/docs/`)).text();
  assert.match(html, /<meta name="color-scheme" content="light dark">/);
  const theme = /src="(theme\.js[^"]*)"/.exec(html.slice(0, html.indexOf('<body>')))?.[1] ?? '';
  assert.match(await (await fetch(new URL(theme, `${site}/api/docs/`))).text(), /prefers-color-scheme: dark/);
});
