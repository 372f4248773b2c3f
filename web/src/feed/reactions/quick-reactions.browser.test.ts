import assert from 'node:assert/strict';
import { untilEqual } from '@heddle/server/testing/server/until.ts';
import type { Locator, Page } from 'playwright-core';
import { checkAccessibility } from '../../../testing/axe.ts';
import { browserWorld } from '../../../testing/browser-world.ts';

const world = browserWorld();

const message = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text });
async function quickNames(row: Locator): Promise<readonly (string | null)[]> {
  const buttons = row.getByRole('toolbar').getByRole('button', { name: /^React with :/ });
  await buttons.nth(2).waitFor();
  return buttons.evaluateAll((all) => all.map((button) => button.getAttribute('aria-label')));
}

world.test('the bar of a message offers the three emoji that the user chose most often', async () => {
  const ada = await world.user({ name: 'Ada' });
  const channelId = await world.server.emptyChannel(ada.client, 'weaving');
  for (const text of ['warp', 'weft', 'shuttle']) await ada.client.send(channelId, 'looms', text);
  const page = await world.open(ada, `#narrow/channel/${channelId}/topic/looms`);
  // At the beginning, common ones.
  await message(page, 'warp').hover();
  const first = await quickNames(message(page, 'warp'));
  assert.deepEqual(first, ['React with :+1:', 'React with :tada:', 'React with :smile:']);
  await checkAccessibility(page, 'quick reactions', { without: ['aria-required-children', 'heading-order'] });
  const tada = message(page, 'warp').getByRole('toolbar').getByRole('button', { name: 'React with :tada:' });
  await tada.click();
  await message(page, 'warp').getByRole('button', { name: 'You reacted with :tada:' }).waitFor();
  await untilEqual(() => tada.getAttribute('aria-pressed'), 'true');
  await tada.click();
  await message(page, 'warp').getByRole('button', { name: 'You reacted with :tada:' }).waitFor({ state: 'detached' });
  // Octopus twice, tada once.
  for (const text of ['warp', 'weft']) {
    await message(page, text).focus();
    await page.keyboard.press(':');
    const search = page.getByRole('combobox', { name: 'Search emoji' });
    await search.fill('octop');
    await page.getByRole('gridcell', { name: 'octopus' }).waitFor();
    await search.press('Enter');
    await message(page, text).getByRole('button', { name: 'You reacted with :octopus:' }).waitFor();
  }
  await message(page, 'shuttle').hover();
  assert.deepEqual(await quickNames(message(page, 'shuttle')), [
    'React with :octopus:',
    'React with :tada:',
    'React with :+1:',
  ]);
  await message(page, 'shuttle').focus();
  await page.keyboard.press('2');
  await message(page, 'shuttle').getByRole('button', { name: 'You reacted with :tada:' }).waitFor();
  // The same key takes it back, also if the order has changed since.
  await page.keyboard.press('2');
  await message(page, 'shuttle')
    .getByRole('button', { name: 'You reacted with :tada:' })
    .waitFor({ state: 'detached' });
});

world.test('the toolbar has six icons and one menu of the rest, also on a phone and in German', async () => {
  const ada = await world.user({ name: 'Ada Weaver' });
  await ada.client.ok('PATCH', '/settings', { default_language: 'de' });
  const channelId = await world.server.emptyChannel(ada.client, 'knots');
  await ada.client.send(channelId, 'looms', 'one');
  for (const device of ['desktop', 'phone'] as const) {
    const page = await world.open(ada, `#narrow/channel/${channelId}/topic/looms`, { device });
    const box = page.getByRole('region', { name: 'Schreiben', exact: true });
    await box.getByRole('button').first().waitFor();
    const names = await box.getByRole('button').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
    assert.equal(names.length, 9, names.join());
    for (const button of await box.getByRole('button').all()) {
      const place = await button.boundingBox();
      assert(place !== null && place.x >= 0 && place.x + place.width <= (page.viewportSize()?.width ?? 0), device);
    }
    await page.getByRole('button', { name: 'Weitere Werkzeuge' }).click();
    await page.getByRole('menuitem', { name: 'Umfrage' }).waitFor();
  }
});
