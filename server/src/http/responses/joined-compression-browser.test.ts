import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { startBrowser, withoutBrowser } from '../../testing/clients/browser.ts';
import { shared } from '../answers/raw-json.ts';
import { compressJoined } from './joined-compression.ts';

const PIECES = [
  Buffer.from('{"users":['),
  shared(Buffer.from(`"${'Ada Lovelace, '.repeat(30_000)}"`)),
  Buffer.from(','),
  shared(Buffer.from(`"${'Grace Hopper, '.repeat(30_000)}"`)),
  Buffer.from(`],"own":"${'x'.repeat(5_000)}"}`),
];

test('a browser reads responses that were compressed in pieces', { skip: withoutBrowser }, async (t) => {
  const server = createServer(async (request, response) => {
    const coding = request.url === '/zstd' ? 'zstd' : 'gzip';
    if (request.url === '/') response.setHeader('content-type', 'text/html').end('<title>page</title>');
    else {
      const body = Buffer.concat(await compressJoined(PIECES, coding));
      response.setHeader('content-encoding', coding).setHeader('content-length', body.length).end(body);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const browser = await startBrowser();
  t.after(() => browser.stop());
  const page = await browser.page();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  for (const coding of ['zstd', 'gzip']) {
    const text = await page.evaluate(async (path) => (await fetch(path)).text(), `/${coding}`);
    assert.equal(text, Buffer.concat(PIECES).toString(), coding);
  }
});
