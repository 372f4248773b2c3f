import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { defineEndpoint } from '@heddle/api/contract.ts';
import Type from 'typebox';
import { startSample } from '../../testing/server/sample-server.ts';
import { route } from '../requests/route.ts';
import { file, page, redirect } from './answers.ts';
import { fileInMemory } from './file-sources.ts';
import { rawJson } from './raw-json.ts';

const sample = await startSample();
after(() => sample.server.stop(1000));
const site = new URL(sample.base).origin;

const get = (name: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
  fetch(`${sample.base}/files/${name}`, { method, headers, redirect: 'manual' });

test('a file is sent whole, with its type and name, and headers that prevent scripts', async () => {
  const response = await get('letters');
  assert.equal(response.status, 200);
  assert.equal(await response.text(), 'abcdefghijklmnopqrstuvwxyz');
  const { headers } = response;
  assert.equal(headers.get('content-type'), 'text/plain');
  assert.equal(headers.get('content-length'), '26');
  assert.equal(headers.get('accept-ranges'), 'bytes');
  assert.equal(headers.get('last-modified'), 'Sat, 03 Feb 2024 04:05:06 GMT');
  assert.equal(headers.get('cache-control'), 'private, max-age=60');
  const disposition = headers.get('content-disposition') ?? '';
  assert.match(disposition, /^attachment; filename="[^\n]*"; filename\*=UTF-8''Gr%C3%BC%C3%9Fe%20%221%22\.txt$/);
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('referrer-policy'), 'no-referrer');
  const policy = headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /script-src/);
});

test('a range of a file is sent as requested', async () => {
  const parts: readonly (readonly [string, string, string])[] = [
    ['bytes=0-2', 'abc', 'bytes 0-2/26'],
    ['bytes=23-', 'xyz', 'bytes 23-25/26'],
    ['bytes=23-1000', 'xyz', 'bytes 23-25/26'],
    ['bytes=-2', 'yz', 'bytes 24-25/26'],
    ['bytes=-1000', 'abcdefghijklmnopqrstuvwxyz', 'bytes 0-25/26'],
  ];
  for (const [range, text, contentRange] of parts) {
    const response = await get('letters', { range });
    assert.equal(response.status, 206, range);
    assert.equal(response.headers.get('content-range'), contentRange);
    assert.equal(response.headers.get('content-length'), String(text.length));
    assert.equal(await response.text(), text);
  }
});

test('an unsatisfiable range is a 416; an invalid range or several ranges get the whole file', async () => {
  for (const range of ['bytes=26-', 'bytes=1000-2000', 'bytes=-0']) {
    const response = await get('letters', { range });
    assert.equal(response.status, 416, range);
    assert.equal(response.headers.get('content-range'), 'bytes */26');
    assert.equal(response.headers.get('cache-control'), 'no-store, private');
    assert.equal(response.headers.get('etag'), null);
    assert.equal(((await response.json()) as { code: string }).code, 'RANGE_NOT_SATISFIABLE');
  }
  for (const range of ['bytes=5-2', 'bytes=x', 'bytes=-', 'lines=1-2', 'bytes=0-1,4-5', 'bytes']) {
    const response = await get('letters', { range });
    assert.equal(response.status, 200, range);
    assert.equal((await response.text()).length, 26);
  }
});

test('a range is sent only if If-Range matches the file', async () => {
  const etag = (await get('letters')).headers.get('etag') ?? '';
  assert.match(etag, /^"[\w-]+"$/);
  const conditions: readonly (readonly [string, number])[] = [
    [etag, 206],
    ['"another"', 200],
    [`W/${etag}`, 200],
    ['Sat, 03 Feb 2024 04:05:06 GMT', 206],
    ['Sat, 03 Feb 2024 04:05:07 GMT', 200],
  ];
  for (const [condition, status] of conditions) {
    const response = await get('letters', { range: 'bytes=0-2', 'if-range': condition });
    assert.equal(response.status, status, condition);
    await response.arrayBuffer();
  }
});

test('a conditional request for an unchanged file gets a 304', async () => {
  const etag = (await get('letters')).headers.get('etag') ?? '';
  const conditions: readonly (readonly [Record<string, string>, number])[] = [
    [{ 'if-none-match': etag }, 304],
    [{ 'if-none-match': `"x", W/${etag}` }, 304],
    [{ 'if-none-match': '"x"', 'if-modified-since': 'Sat, 03 Feb 2024 04:05:06 GMT' }, 200],
    [{ 'if-modified-since': 'Sat, 03 Feb 2024 04:05:06 GMT' }, 304],
    [{ 'if-modified-since': 'Sat, 03 Feb 2024 04:05:05 GMT' }, 200],
  ];
  for (const [headers, status] of conditions) {
    const { promise, resolve } = Promise.withResolvers<number>();
    const url = `${sample.base}/files/letters`;
    request(url, { headers }, (incoming) => incoming.resume().on('end', () => resolve(incoming.statusCode ?? 0))).end();
    assert.equal(await promise, status, JSON.stringify(headers));
  }
});

test('HEAD returns the headers of a file without opening it', async () => {
  for (const [name, length] of [
    ['letters', '26'],
    ['lost', '26'],
    ['empty', '0'],
  ] as const) {
    const response = await get(name, { range: 'bytes=0-2' }, 'HEAD');
    assert.equal(response.status, 200, name);
    assert.equal(response.headers.get('content-length'), length);
    assert.equal(await response.text(), '');
  }
});

test('an empty file is sent as a file', async () => {
  const response = await get('empty');
  assert.deepEqual([response.status, await response.text()], [200, '']);
});

test('an error before the file is sent has the JSON envelope and is not cached', async () => {
  for (const [name, status, code] of [
    ['nothing', 404, 'NOT_FOUND'],
    ['lost', 500, 'INTERNAL_SERVER_ERROR'],
  ] as const) {
    const response = await get(name);
    assert.equal(response.status, status);
    assert.equal(((await response.json()) as { code: string }).code, code);
    assert.equal(response.headers.get('cache-control'), 'no-store, private');
    assert.equal(response.headers.get('etag'), null);
    assert.equal(response.headers.get('content-disposition'), null);
  }
});

test('the server stops reading the file when the client hangs up', async (t) => {
  const endless = Promise.withResolvers<Readable>();
  const source = {
    ...fileInMemory('', 'text/plain'),
    size: 1e12,
    open: () => {
      const bytes = new Readable({ read: () => bytes.push(Buffer.alloc(65_536)) });
      endless.resolve(bytes);
      return bytes;
    },
  };
  const own = await startSample('off', false, [route(download, {}, () => file(source))]);
  t.after(() => own.server.stop(1000));
  const hangUp = new AbortController();
  const response = await fetch(`${own.base}/endless`, { signal: hangUp.signal });
  assert.equal(response.headers.get('content-length'), '1000000000000');
  const bytes = await endless.promise;
  const closed = bytes.closed || once(bytes, 'close');
  hangUp.abort();
  await closed;
});

test('a redirect goes to the location that the handler returns', async () => {
  const posted = await fetch(`${sample.base}/elsewhere`, { method: 'POST', redirect: 'manual' });
  assert.deepEqual([posted.status, posted.headers.get('location')], [303, '/api/docs/']);
  const moved = await get('elsewhere');
  assert.deepEqual([moved.status, moved.headers.get('location')], [302, 'https://files.example.com/x']);
});

test('a page cannot be framed, and allows scripts only if it declares them', async () => {
  const response = await fetch(`${site}/welcome/ann`);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(response.headers.get('cache-control'), 'private, no-cache');
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(response.headers.get('referrer-policy'), 'same-origin');
  const policy = response.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /script-src/);
  assert.match(await response.text(), /Welcome/);
  const withScripts = await fetch(`${site}/welcome/ann?scripts=true`);
  assert.match(withScripts.headers.get('content-security-policy') ?? '', /script-src 'self'/);
  assert.equal((await fetch(`${site}/welcome/ann`, { method: 'HEAD' })).status, 200);
  const refused = await fetch(`${site}/welcome/nobody`);
  assert.equal(((await refused.json()) as { code: string }).code, 'NOT_FOUND');
  assert.equal((await fetch(`${site}/welcome/ann`, { method: 'DELETE' })).status, 405);
});

const shared = {
  method: 'GET',
  area: 'samples',
  summary: '',
  authentication: 'none',
  parameters: {},
  errors: [],
} as const;
const download = defineEndpoint({
  ...shared,
  operationId: 'endless',
  path: '/endless',
  response: { kind: 'file', contentTypes: ['*/*'] },
});

test('a handler can only return what its endpoint declares', () => {
  const json = defineEndpoint({ ...shared, operationId: 'json', path: '/json', response: Type.Object({}) });
  const welcome = defineEndpoint({ ...shared, operationId: 'page', path: '/page', response: { kind: 'page' } });
  const away = defineEndpoint({ ...shared, operationId: 'away', path: '/away', response: { kind: 'redirect' } });
  const source = fileInMemory('', 'text/plain');
  const take = (..._routes: readonly object[]): void => undefined;
  take(
    route(json, {}, () => ({})),
    route(welcome, {}, () => page('')),
    route(away, {}, () => redirect('/')),
    // @ts-expect-error a page is not a JSON value
    route(json, {}, () => page('')),
    // @ts-expect-error nor is a file
    route(json, {}, () => file(source)),
    // @ts-expect-error nor a redirect
    route(json, {}, () => redirect('/')),
    // @ts-expect-error a JSON value is not a page
    route(welcome, {}, () => ({})),
    // @ts-expect-error nor is serialized JSON
    route(welcome, {}, () => rawJson('{}')),
    // @ts-expect-error a file is not a page
    route(welcome, {}, () => file(source)),
    // @ts-expect-error a page is not a file
    route(download, {}, () => page('')),
    // @ts-expect-error a page is not a redirect
    route(away, {}, () => page('')),
    // @ts-expect-error a route with a form has no own body limits
    route(json, { body: { maximumBytes: 1, withinSeconds: 1 } }, () => ({})),
  );
});
