/** Files reach a message by drop and by paste, and an upload continues after the connection was lost. */
import assert from 'node:assert/strict';
import { open } from '@heddle/server/testing/clients/user-files.ts';
import type { Page } from 'playwright-core';
import { browserWorld } from './browser-world.ts';
import { messageOf, sceneOf } from './scenes.ts';

const world = browserWorld();

const boxOf = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });

/** What a person drags or has copied: files with these names. */
function filesIn(page: Page, names: readonly string[]) {
  return page.evaluateHandle((all) => {
    const data = new DataTransfer();
    for (const name of all) data.items.add(new File([`the content of ${name}`], name, { type: 'text/plain' }));
    return data;
  }, names);
}

async function untilWritten(page: Page, name: string): Promise<void> {
  await page.waitForFunction(
    (link) => document.querySelector('textarea')?.value.includes(link),
    `[${name}](/user_uploads/`,
  );
}

world.test('files that are dropped anywhere or pasted become links in the message', async () => {
  const { ada, route } = await sceneOf(world);
  const page = await world.open(ada, route);
  await boxOf(page).waitFor();
  const dropped = await filesIn(page, ['warp.txt', 'weft.txt']);
  const main = page.getByRole('main').first();
  await main.dispatchEvent('dragover', { dataTransfer: dropped });
  await main.dispatchEvent('drop', { dataTransfer: dropped });
  await untilWritten(page, 'warp.txt');
  await untilWritten(page, 'weft.txt');
  const pasted = await filesIn(page, ['shuttle.txt']);
  await boxOf(page).evaluate((box, clipboardData) => {
    box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, pasted);
  await untilWritten(page, 'shuttle.txt');
  await boxOf(page).press('Control+Enter');
  const message = messageOf(page, 'shuttle.txt');
  for (const name of ['warp.txt', 'weft.txt', 'shuttle.txt']) {
    await message.getByRole('link', { name }).first().waitFor();
  }
});

world.test('an upload continues where it was when the connection is back', async () => {
  const { ada, route } = await sceneOf(world);
  world.expectProblems(/no response: (?:PATCH|HEAD|GET|POST)/, 'ERR_INTERNET_DISCONNECTED');
  const page = await world.open(ada, route);
  const size = 3_000_000;
  let isLost = false;
  let sent = 0;
  let asked = 0;
  const secondChunk = Promise.withResolvers<void>();
  const cut = Promise.withResolvers<void>();
  await page.route('**/api/v1/tus/**', async (request) => {
    const method = request.request().method();
    if (method === 'PATCH' && sent > 0 && !isLost && asked === 0) {
      secondChunk.resolve();
      await cut.promise;
    }
    if (isLost) {
      await request.abort('internetdisconnected');
      return;
    }
    if (method === 'HEAD') asked += 1;
    if (method === 'PATCH') sent += request.request().postDataBuffer()?.length ?? 0;
    await request.continue();
  });
  const file = { name: 'fabric.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(size, 7) };
  await page.getByLabel('Files', { exact: true }).setInputFiles([file]);
  const progress = page.getByRole('progressbar', { name: 'Upload of fabric.bin' });
  await progress.waitFor();
  await secondChunk.promise;
  isLost = true;
  await page.context().setOffline(true);
  cut.resolve();
  await progress.waitFor();
  await page.context().setOffline(false);
  isLost = false;
  await untilWritten(page, 'fabric.bin');
  assert.ok(asked > 0, 'the app asked the server how much it has');
  assert.equal(sent, size, 'no byte was sent twice');
  const path = /\((\/user_uploads\/[^)]+)\)/.exec(await boxOf(page).inputValue())?.[1];
  assert(path !== undefined);
  const stored = await open(world.server.url, ada.client, path);
  assert.equal((await stored.arrayBuffer()).byteLength, size);
});
