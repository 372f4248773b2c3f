import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { browserWorld } from '../../testing/browser-world.ts';
import { messageOf, sceneOf } from '../../testing/scenes.ts';

const world = browserWorld();

/** The requests of a page for messages. */
function messageRequests(page: Page): string[] {
  const urls: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().includes('/json/messages?')) urls.push(request.url());
  });
  return urls;
}

/** Leaves the app, and forgets that it could continue without a registration. What the app still reports would be an event for the next page. */
async function leave(page: Page): Promise<void> {
  await world.settled(page);
  await page.evaluate(() => localStorage.clear());
  await page.goto('about:blank');
}

world.test('the first view of a topic requests its messages once, while the app still loads', async () => {
  const { ada, write, route } = await sceneOf(world);
  const topic = 'warp & weft (50 %)';
  await write('the first thread', topic);
  const page = await world.open(ada, '#inbox');
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  await leave(page);
  const requests = messageRequests(page);
  const requested = page.waitForRequest(/\/json\/messages\?/);
  const held = Promise.withResolvers<void>();
  await page.route(/\/main-[^/]*\.js$/, async (script) => {
    await held.promise;
    await script.continue();
  });
  const hash = route.replace('looms', encodeURIComponent(topic).replaceAll('.', '%2E').replaceAll('%', '.'));
  await page.goto(`${world.url}/${hash}`, { waitUntil: 'commit' });
  await requested;
  held.resolve();
  await messageOf(page, 'the first thread').waitFor();
  assert.equal(requests.length, 1);
});

world.test('a message that arrives while the app loads is not lost', async () => {
  const { ada, write, route } = await sceneOf(world);
  await write('the first thread');
  const page = await world.open(ada, '#inbox');
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  await leave(page);
  const answered = page.waitForResponse(/\/json\/messages\?/);
  const held = Promise.withResolvers<void>();
  await page.route(/\/main-[^/]*\.js$/, async (script) => {
    await held.promise;
    await script.continue();
  });
  await page.goto(`${world.url}/${route}`, { waitUntil: 'commit' });
  await (await answered).finished();
  await write('the second thread');
  held.resolve();
  await messageOf(page, 'the first thread').waitFor();
  await messageOf(page, 'the second thread').waitFor();
});
