import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until, untilEqual } from '@heddle/server/testing/server/until.ts';
import type { Page } from 'playwright-core';
import { ensureWebBuild } from '../../scripts/web-build/ensure.ts';
import { browserWorld } from './browser-world.ts';
import { messageOf, sceneOf } from './scenes.ts';

const world = browserWorld();

/** Fails unless the page shows this number of unread messages now, without waiting. */
async function assertUnread(page: Page, count: number): Promise<void> {
  const conversations = page.getByRole('navigation', { name: 'Conversations' });
  const names = await conversations.getByRole('link', { name: `Inbox ${count} unread` }).count();
  assert.equal(names, 1, `the page shows ${count} unread messages`);
}

world.test('a settled page shows each event that the server had for it', async () => {
  const { ada, bob, channelId, write } = await sceneOf(world);
  const page = await world.open(ada, '#inbox');
  for (let count = 1; count <= 5; count += 1) {
    await write(`thread ${count}`);
    await world.settled(page);
    await assertUnread(page, count);
  }
  await page.goto(`${world.url}/#narrow/channel/${channelId}/topic/looms`);
  await world.settled(page);
  await untilEqual(() => messageOf(page, 'thread').count(), 5);
  const ids = await Promise.all(Array.from({ length: 10 }, (_, index) => write(`more ${index}`)));
  await Promise.all(ids.map((id) => bob.client.ok('PATCH', `/messages/${id}`, { content: `changed ${id}` })));
  await world.settled(page);
  await untilEqual(() => messageOf(page, 'more').count(), 0);
  await untilEqual(() => messageOf(page, 'changed').count(), 10);
});

world.test('a settled page has a response to what its user did', async () => {
  const { ada, route } = await sceneOf(world);
  const page = await world.open(ada, route);
  // What the app requests at its start has responses before.
  await world.settled(page);
  const [sent, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(/\/json\/messages$/, async (request) => {
    sent.resolve();
    await finished.promise;
    await request.continue();
  });
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('the red thread');
  await page.keyboard.press('Control+Enter');
  await sent.promise;
  await assert.rejects(
    world.settled(page, { timeoutMs: 100 }),
    /#narrow.*looms is not settled after 0.1 s: no response yet: .*POST http\S*\/json\/messages(,|$)/,
  );
  finished.resolve();
  await world.settled(page);
  await untilEqual(() => page.getByText('Not sent yet').count(), 0);
});

world.test('a tab that leaves polling to another one settles with it', async () => {
  const { ada, write } = await sceneOf(world);
  const polling = await world.open(ada, '#inbox');
  const following = await world.open(ada, '#inbox', { beside: polling });
  for (let count = 1; count <= 5; count += 1) {
    await write(`thread ${count}`);
    await world.settled(following);
    await assertUnread(following, count);
  }
});

world.test(
  'a page that reconnects settles when it has what it missed, and says before that it does not poll',
  async () => {
    world.expectProblems('ERR_INTERNET_DISCONNECTED', 'ERR_NETWORK_CHANGED');
    const { ada, write } = await sceneOf(world);
    const page = await world.open(ada, '#inbox');
    await world.settled(page);
    await page.context().setOffline(true);
    await write('the red thread');
    // What the app tries meanwhile has no response for a moment.
    await until(async () => {
      const reason = await world.settled(page, { timeoutMs: 100 }).then(() => 'it is settled', String);
      assert.match(reason, /is not settled after/);
      return /no tab of its profile polls|events are not applied/.test(reason);
    }, 'the reason why the page is not settled');
    await page.context().setOffline(false);
    await world.settled(page);
    await assertUnread(page, 1);
  },
);

world.test('a hidden page settles without painting', async () => {
  const { ada, write } = await sceneOf(world);
  const blank = await world.open(ada, '#inbox');
  await blank.context().addInitScript(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
    window.requestAnimationFrame = () => 0;
  });
  await blank.reload();
  await write('the red thread');
  await world.settled(blank);
  await assertUnread(blank, 1);
});

world.test('a page without a login settles when it has its responses', async () => {
  const page = await world.openAsSpectator();
  await world.settled(page);
  await untilEqual(() => page.locator('[aria-busy=true]').count(), 0);
});

world.test('the app that the tests open is the build of the product: no file of it knows the tests', async () => {
  const build = await ensureWebBuild();
  const entries = await readdir(build, { recursive: true, withFileTypes: true });
  const scripts = entries.filter(({ name }) => /\.(js|html)$/.test(name));
  assert(scripts.length > 5);
  for (const { parentPath, name } of scripts) {
    const text = await readFile(join(parentPath, name), 'utf8');
    for (const sign of ['heddle-test', 'settled after']) assert(!text.includes(sign), `${name} contains ${sign}`);
  }
});
