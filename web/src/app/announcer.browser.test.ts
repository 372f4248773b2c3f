import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { browserWorld } from '../../testing/browser-world.ts';

const world = browserWorld();

/** What screen readers say without a move of the focus. */
const said = (page: Page) => page.locator('[data-announcements]');
/** What has the focus, with its name. */
const focused = (page: Page) =>
  page.evaluate(() => `${document.activeElement?.localName} ${document.activeElement?.getAttribute('aria-label')}`);

async function scene() {
  const [ada, bob] = [await world.user({ name: 'Ada' }), await world.user({ name: 'Bob' })];
  const channelId = await world.server.emptyChannel(ada.client, `design ${bob.client.userId}`, {
    principals: [bob.client.userId],
  });
  await bob.client.send(channelId, 'one', 'first');
  await bob.client.send(channelId, 'two', 'second');
  return { ada, bob, channelId, routeOf: (topic: string) => `#narrow/channel/${channelId}/topic/${topic}` };
}

world.test('new messages of the open conversation are announced, others and own ones are not', async () => {
  const { ada, bob, channelId, routeOf } = await scene();
  const page = await world.open(ada, routeOf('one'));
  await page.getByText('first').waitFor();
  await bob.client.send(channelId, 'two', 'elsewhere');
  await ada.client.send(channelId, 'one', 'my own');
  await bob.client.send(channelId, 'one', 'the *loom* is ready :tada:');
  await said(page).filter({ hasText: 'Bob: the loom is ready' }).waitFor({ state: 'attached' });
  assert.doesNotMatch(await said(page).innerText(), /elsewhere|my own/);
  for (let index = 0; index < 5; index += 1) await bob.client.send(channelId, 'one', `many ${index}`);
  await page.getByText('many 4').waitFor();
});

world.test('a change of the view moves the focus to it, and its name is announced', async () => {
  const { ada, channelId, routeOf } = await scene();
  const page = await world.open(ada, routeOf('one'));
  const link = page
    .getByRole('navigation')
    .getByRole('link', { name: /^Inbox/ })
    .first();
  await link.focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.localName === 'main');
  assert.equal(await focused(page), 'main Inbox');
  await page.goBack();
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label')?.endsWith('one'));
  // Who types goes on typing.
  await page.getByRole('navigation').getByRole('searchbox').first().focus();
  await page.evaluate((hash) => window.location.assign(hash), `#narrow/channel/${channelId}/topic/two`);
  await said(page).filter({ hasText: 'two' }).waitFor({ state: 'attached' });
});

world.test('the focus never falls on the document', async () => {
  const { ada, bob, channelId, routeOf } = await scene();
  const page = await world.open(ada, routeOf('one'), { device: 'phone' });
  const message = page.getByRole('article').filter({ hasText: 'first' });
  await message.focus();
  await bob.client.ok('DELETE', `/messages/${await bob.client.send(channelId, 'one', 'short')}`);
  // The view changes while a button of it has the focus.
  await page.getByRole('main').getByRole('button', { name: 'Topic actions' }).first().focus();
  await page.evaluate(() => window.location.assign('#recent'));
  await page.waitForFunction(() => document.activeElement !== document.body);
  assert.equal(await focused(page), 'main Recent conversations');
});
