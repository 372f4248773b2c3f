import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { browserWorld } from './browser-world.ts';
import { sceneOf } from './scenes.ts';

const world = browserWorld();

function views(page: Page): Locator {
  return page.getByRole('navigation', { name: 'Views' });
}

async function openMenu(page: Page): Promise<void> {
  await views(page).getByRole('button', { name: 'Menu' }).tap();
  await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
}

function menuIsGone(page: Page): Promise<void> {
  return page.getByRole('navigation', { name: 'Conversations' }).waitFor({ state: 'hidden' });
}

async function chooseOfAccount(page: Page, entry: string): Promise<void> {
  await page.getByRole('button', { name: /Your account/ }).tap();
  await page.getByRole('menuitem', { name: entry }).tap();
}

world.test('a view that is chosen in a menu is not behind the list of conversations', async () => {
  const { ada } = await sceneOf(world);
  const page = await world.open(ada, '#inbox', { device: 'phone' });
  await openMenu(page);
  await chooseOfAccount(page, 'Settings');
  await page.getByRole('link', { name: 'Notifications' }).waitFor();
  // The view is there already.
  await openMenu(page);
  await chooseOfAccount(page, 'Settings');
  await menuIsGone(page);
  await page.getByRole('link', { name: 'Notifications' }).waitFor();
  await openMenu(page);
  await page.getByRole('button', { name: 'Add channels' }).tap();
  await page.getByRole('menuitem', { name: 'Create a channel' }).tap();
  await page.getByRole('textbox', { name: 'Name' }).waitFor();
});

world.test('a link to the view behind the list of conversations shows that view', async () => {
  const { ada, write } = await sceneOf(world);
  await write('the warp is ready');
  const page = await world.open(ada, '#inbox', { device: 'phone' });
  await openMenu(page);
  await page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name: /Inbox/ }).tap();
  await menuIsGone(page);
  await openMenu(page);
  await views(page).getByRole('link', { name: /Inbox/ }).tap();
  await menuIsGone(page);
  await openMenu(page);
  await views(page).getByRole('button', { name: 'Menu' }).tap();
  await menuIsGone(page);
  await page
    .getByRole('main')
    .getByRole('link', { name: /^looms/ })
    .waitFor();
});

world.test('notices cover neither the message box nor the views of a phone', async () => {
  const { ada, route } = await sceneOf(world);
  const page = await world.open(ada, route, { device: 'phone', permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('button', { name: 'Topic actions' }).tap();
  await page.getByRole('menuitem', { name: 'Copy link' }).tap();
  const notice = page.getByRole('region', { name: 'Notices' }).getByRole('listitem');
  await notice.waitFor();
  const box = page.getByRole('textbox', { name: 'Message', exact: true });
  const [ofNotice, ofBox] = [await notice.boundingBox(), await box.boundingBox()];
  assert(ofNotice !== null && ofBox !== null);
  assert(ofNotice.y + ofNotice.height <= ofBox.y, 'the notice covers the message box');
});
