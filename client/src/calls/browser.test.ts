/** The calls in a real browser, with its session, its cookies and its rules for headers. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Page, startBrowser, type TestBrowser, withoutBrowser } from '@heddle/server/testing/clients/browser.ts';
import { startTestServer, type TestServer } from '@heddle/server/testing/server/server.ts';
import { rolldown } from 'rolldown';
import type * as client from '../index.ts';

declare const heddle: typeof client;

let server: TestServer;
let browser: TestBrowser;
let page: Page;
before(async () => {
  if (withoutBrowser !== false) return;
  [server, browser] = await Promise.all([
    startTestServer({ environment: { HEDDLE_MAX_FILE_UPLOAD_SIZE_MIB: '3' } }),
    startBrowser(),
  ]);
  page = await browser.page();
  await page.goto(`${server.url}/login/`);
  await page.fill('[name=username]', server.owner.email);
  await page.fill('[name=password]', 'correct horse battery');
  await Promise.all([
    page.waitForURL(({ pathname }) => !pathname.startsWith('/login')),
    page.press('[name=password]', 'Enter'),
  ]);
  // The server's own pages have no scripts, so their policy allows no requests.
  const blank = `${server.url}/blank`;
  await page.route(blank, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await page.goto(blank);
  const bundle = await rolldown({ input: join(import.meta.dirname, '..', 'index.ts') });
  const { output } = await bundle.generate({ format: 'iife', name: 'heddle' });
  await page.evaluate(`${output[0].code}; globalThis.heddle = heddle;`);
});
after(async () => {
  await browser?.stop();
  await server?.stop();
});

test('a page reads and writes with the session of its browser', { skip: withoutBrowser }, async () => {
  const result = await page.evaluate(async () => {
    const { addAlertWords, browserSession, Connection, getOwnUser } = heddle;
    const connection = new Connection({ url: location.origin, credentials: browserSession() });
    const { user_id } = await getOwnUser(connection);
    const { alert_words } = await addAlertWords(connection, { alert_words: ['weft'] });
    return { user_id, alert_words };
  });
  assert.deepEqual(result, { user_id: server.owner.userId, alert_words: ['weft'] });
});

test('a page uploads small and large files, and learns why a file is refused', { skip: withoutBrowser }, async () => {
  const result = await page.evaluate(async () => {
    const { browserSession, Connection, uploadFile, UploadError } = heddle;
    const connection = new Connection({ url: location.origin, credentials: browserSession() });
    const sizes: number[] = [];
    const progress: number[] = [];
    for (const size of [10, 2_000_000]) {
      const file = new File([new Uint8Array(size).fill(97)], 'ünique.txt', { type: 'text/plain' });
      const { url, filename } = await uploadFile(connection, file, { onProgress: ({ sent }) => progress.push(sent) });
      const blob = await connection.fetchFile(url);
      if (filename === 'ünique.txt' && blob.type.startsWith('text/plain')) sizes.push(blob.size);
    }
    const error = await uploadFile(connection, new File([new Uint8Array(3_200_000)], 'x')).catch((failure) => failure);
    return { sizes, progress, reason: error instanceof UploadError ? error.reason : String(error) };
  });
  assert.deepEqual([result.sizes, result.reason], [[10, 2_000_000], 'too-large']);
  assert(result.progress.length > 4 && result.progress.at(-1) === 2_000_000, `${result.progress}`);
});

test('a page without a network knows that nothing was sent', { skip: withoutBrowser }, async () => {
  await page.context().setOffline(true);
  const failure = await page.evaluate(async () => {
    const { browserSession, Connection, getOwnUser, NetworkError } = heddle;
    const connection = new Connection({ url: location.origin, credentials: browserSession() });
    const error = await getOwnUser(connection).catch((reason) => reason);
    return error instanceof NetworkError ? [error.failure, error.isOutcomeUnknown] : [String(error)];
  });
  await page.context().setOffline(false);
  assert.deepEqual(failure, ['offline', false]);
});
