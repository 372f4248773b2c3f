import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startSample } from '../testing/sample-server.ts';

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

test('the page and all that it loads come from this server', async () => {
  const response = await fetch(`${site}/api/docs`);
  assert.equal(response.url, `${site}/api/docs/`);
  assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
  const policy = response.headers.get('content-security-policy') ?? '';
  assert.match(policy, /script-src 'self';/);
  const html = await response.text();
  const loaded = Array.from(html.matchAll(/(?:src|href)="([^"]+)"/g), ([, url = '']) => new URL(url, response.url));
  assert.equal(loaded.length, 4);
  for (const url of loaded) {
    assert.equal(url.origin, site);
    const asset = await fetch(url);
    assert.equal(asset.status, 200, url.href);
    assert.ok((await asset.arrayBuffer()).byteLength > 0);
  }
});

test('the page has no code of its own inside, which its policy would forbid', async () => {
  const html = await (await fetch(`${site}/api/docs/`)).text();
  assert.doesNotMatch(html, /<script>|<style|\son\w+=|javascript:/);
});

test('nothing else of the package is served', async () => {
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

test('its address without the slash leads to the page', async () => {
  const answer = await fetch(new URL('/api/docs', sample.base), { redirect: 'manual' });
  assert.equal(answer.status, 302);
  assert.equal(answer.headers.get('location'), '/api/docs/');
});
