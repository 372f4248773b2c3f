import assert from 'node:assert/strict';
import { upload } from '@heddle/server/testing/clients/user-files.ts';
import { untilEqual } from '@heddle/server/testing/server/until.ts';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { browserWorld } from '../../testing/browser-world.ts';
import { messageOf, sceneOf } from '../../testing/scenes.ts';

const world = browserWorld();

function inbox(page: Page) {
  return page.getByRole('heading', { level: 1, name: 'Inbox' });
}

function menuOfTopic(page: Page) {
  return page.getByRole('main').getByRole('button', { name: 'Topic actions' }).first();
}

/** Goes from the inbox to the topic, so that the back button leads to the inbox. */
async function openFromInbox(page: Page, text: string): Promise<void> {
  await page
    .getByRole('main')
    .getByRole('link', { name: /^looms/ })
    .tap();
  await messageOf(page, text).waitFor();
}

world.test('the back button closes the lightbox, then leaves the topic', async () => {
  const { ada, bob, write } = await sceneOf(world);
  const png = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#46a' } })
    .png()
    .toBuffer();
  const file = await upload(world.server.url, bob.client, png, { name: 'cloth.png', type: 'image/png' });
  await write(`woven today [cloth.png](${file})`);
  const page = await world.open(ada, '#inbox', { device: 'phone' });
  await openFromInbox(page, 'woven today');
  const picture = page.getByRole('link', { name: 'Open picture cloth.png' });
  const lightbox = page.getByRole('dialog', { name: 'cloth.png' });
  await picture.tap();
  await lightbox.waitFor();
  await page.goBack();
  await lightbox.waitFor({ state: 'detached' });
  assert.match(page.url(), /\/topic\/looms$/);

  // Closed by its button, it needs no step of its own.
  await picture.tap();
  await lightbox.getByRole('button', { name: 'Close' }).tap();
  await lightbox.waitFor({ state: 'detached' });
  await page.goBack();
  await inbox(page).waitFor();
  await page.goForward();
  await messageOf(page, 'woven today').waitFor();
  await page.goBack();
  await inbox(page).waitFor();
});

world.test('the back button closes the uppermost dialog, also in the first view of a page', async () => {
  const { ada, route, write } = await sceneOf(world);
  await write('the warp is ready');
  const page = await world.open(ada, route, { device: 'phone' });
  await messageOf(page, 'the warp is ready').waitFor();
  const dialog = page.getByRole('dialog', { name: 'Move or rename the topic' });
  for (let time = 1; time <= 2; time += 1) {
    await menuOfTopic(page).tap();
    await page.getByRole('menuitem', { name: /^Move or rename/ }).tap();
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    assert.match(page.url(), /\/topic\/looms$/);
  }
});

world.test('a view that a dialog leads to takes the place of the dialog in the history', async () => {
  const { ada, write } = await sceneOf(world);
  await write('the warp is ready');
  const page = await world.open(ada, '#inbox', { device: 'phone' });
  await openFromInbox(page, 'the warp is ready');
  await menuOfTopic(page).tap();
  await page.getByRole('menuitem', { name: /^Move or rename/ }).tap();
  const dialog = page.getByRole('dialog', { name: 'Move or rename the topic' });
  await dialog.getByRole('combobox', { name: 'Topic' }).fill('spindles');
  await dialog.getByRole('button', { name: /^(?:Move|Rename)/ }).tap();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1, name: /spindles/ }).waitFor();
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: 'Go to' }).fill('drafts');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: /spindles/ }).waitFor();
  await messageOf(page, 'the warp is ready').waitFor();
  await page.goBack();
  await inbox(page).waitFor();
});

world.test('another view that the history leads to closes all dialogs', async () => {
  const { ada, route, write } = await sceneOf(world);
  await write('the warp is ready');
  const page = await world.open(ada, '#inbox', { device: 'phone' });
  await openFromInbox(page, 'the warp is ready');
  await menuOfTopic(page).tap();
  await page.getByRole('menuitem', { name: /^Move or rename/ }).tap();
  const dialog = page.getByRole('dialog', { name: 'Move or rename the topic' });
  await dialog.waitFor();
  await page.evaluate(() => history.go(-2));
  await inbox(page).waitFor();
  await dialog.waitFor({ state: 'detached' });
  await page.evaluate((hash) => location.assign(hash), route);
  await messageOf(page, 'the warp is ready').waitFor();
});

world.test('the back button takes menus and cards along with the view over which they float', async () => {
  const { ada, route, write } = await sceneOf(world);
  await write('the warp is ready');
  const page = await world.open(ada, '#inbox');
  const main = page.getByRole('main');
  const openings = [
    ['dialog', () => main.getByRole('button', { name: 'Bob' }).first().click()],
    ['menu', () => menuOfTopic(page).click()],
    [
      'menu',
      async () => {
        await messageOf(page, 'the warp is ready').hover();
        await main.getByRole('button', { name: 'More actions' }).first().click();
      },
    ],
  ] as const;
  for (const [role, open] of openings) {
    await page.evaluate((hash) => {
      window.location.hash = hash;
    }, route);
    await messageOf(page, 'the warp is ready').waitFor();
    await open();
    await page.getByRole(role).first().waitFor();
    await page.goBack();
    await inbox(page).waitFor();
    await page.getByRole(role).first().waitFor({ state: 'detached' });
  }
});

world.test('what was typed in a form is there again when the user comes back, and gone when they cancel', async () => {
  const { route } = await sceneOf(world);
  const page = await world.open(world.owner, '#inbox');
  const goTo = (hash: string) =>
    page.evaluate((to) => {
      window.location.hash = to;
    }, hash);
  const fields = [
    ['#channels/new', 'Description', 'all about looms'],
    ['#settings/profile', 'Name', 'Owner Weaver'],
    ['#invite', 'Email addresses', 'cleo@example.com'],
  ] as const;
  await inbox(page).waitFor();
  for (const [hash, label, text] of fields) {
    await goTo(hash);
    const field = page.getByRole('main').getByRole('textbox', { name: label, exact: true });
    if (hash === '#invite') await page.getByRole('radio', { name: 'By mail' }).click({ force: true });
    await field.fill(text);
    if (hash === '#invite') {
      await page.getByRole('radio', { name: 'By link' }).click({ force: true });
      await page.getByRole('radio', { name: 'By mail' }).click({ force: true });
      await untilEqual(() => field.inputValue(), text);
    }
    await page.goBack();
    await inbox(page).waitFor();
    await page.goForward();
    if (hash === '#invite') await page.getByRole('radio', { name: 'By mail' }).click({ force: true });
    await untilEqual(() => field.inputValue(), text, hash);
    await page.goBack();
    await inbox(page).waitFor();
  }
  await goTo(route);
  const openPoll = async () => {
    await page.getByRole('button', { name: 'More tools' }).click();
    await page.getByRole('menuitem', { name: /^Poll/ }).click();
  };
  const question = page.getByRole('dialog').getByRole('textbox', { name: 'Question' });
  await openPoll();
  await question.fill('Which yarn?');
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await openPoll();
  await untilEqual(() => question.inputValue(), 'Which yarn?');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await openPoll();
  await untilEqual(() => question.inputValue(), '');
});
