import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { browserWorld } from '../../testing/browser-world.ts';

const world = browserWorld();

/** What screen readers say without a move of the focus. */
const said = (page: Page) => page.locator('[data-announcements]');
/** What has the focus, with its name. */
const focused = (page: Page) =>
  page.evaluate(() => `${document.activeElement?.localName} ${document.activeElement?.getAttribute('aria-label')}`);
/** Remembers all that is said from now on. Returns how to read it. */
async function listen(page: Page): Promise<() => Promise<string>> {
  await said(page).evaluate((region) => {
    const heard: string[] = [];
    new MutationObserver(() => heard.push(region.textContent)).observe(region, { childList: true });
    Object.assign(window, { heard });
  });
  return () => page.evaluate(() => (window as unknown as { heard: string[] }).heard.join('\n'));
}

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
  const heard = await listen(page);
  await bob.client.send(channelId, 'two', 'elsewhere');
  await ada.client.send(channelId, 'one', 'my own');
  await bob.client.send(channelId, 'one', 'the *loom* is ready :tada:');
  await said(page).filter({ hasText: 'Bob: the loom is ready' }).waitFor({ state: 'attached' });
  assert.doesNotMatch(await heard(), /elsewhere|my own/);
  // Of many that arrive together, only the number is said.
  world.expectProblems('ERR_INTERNET_DISCONNECTED', 'ERR_NETWORK_CHANGED', /no response/);
  await page.context().setOffline(true);
  for (let index = 0; index < 5; index += 1) await bob.client.send(channelId, 'one', `many ${index}`);
  await page.context().setOffline(false);
  await said(page).filter({ hasText: '5 new messages' }).waitFor({ state: 'attached' });
  assert.doesNotMatch(await heard(), /many/);
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
  assert.match(await focused(page), /^input /);
});

world.test('the focus never falls on the document', async () => {
  const { ada, bob, channelId, routeOf } = await scene();
  const page = await world.open(ada, routeOf('one'), { device: 'phone' });
  // A message with the focus is deleted. The next one gets it.
  const id = await bob.client.send(channelId, 'one', 'short');
  const message = page.getByRole('article').filter({ hasText: 'short' });
  await message.focus();
  await bob.client.ok('DELETE', `/messages/${id}`);
  await message.waitFor({ state: 'detached' });
  await page.getByRole('article').filter({ hasText: 'first' }).and(page.locator(':focus')).waitFor();
  // Something goes of which no part of the app takes care.
  await page.evaluate(() => {
    const button = document.createElement('button');
    document.querySelector('main')?.append(button);
    button.focus();
    button.remove();
  });
  await page.waitForFunction(() => document.activeElement?.localName === 'main');
  // The view changes while a button of it has the focus.
  await page.getByRole('main').getByRole('button', { name: 'Topic actions' }).first().focus();
  await page.evaluate(() => window.location.assign('#recent'));
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Recent conversations');
  assert.equal(await focused(page), 'main Recent conversations');
});
