import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { checkAccessibility } from '../../../testing/axe.ts';
import { browserWorld } from '../../../testing/browser-world.ts';
import { ORGANIZATION_SECTIONS, OWN_SECTIONS, type OwnSection } from '../../base/settings-sections.ts';
import { ORGANIZATION_INDEX, OWN_INDEX } from './settings-index.ts';

const world = browserWorld();

world.test('each setting of the list is on its page, and each switch of these pages is in the list', async () => {
  const page = await world.open(world.owner, '#settings/profile');
  const problems: string[] = [];
  for (const [view, index] of [
    ['settings', OWN_INDEX],
    ['organization', ORGANIZATION_INDEX],
  ] as const) {
    for (const [section, settings] of Object.entries(index)) {
      await page.goto(`${world.url}/#${view}/${section}`);
      const title = String({ ...OWN_SECTIONS, ...ORGANIZATION_SECTIONS }[section as OwnSection]?.label);
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
      await world.settled(page);
      await page.getByRole('main').getByRole('region').first().waitFor();
      const switches = page.getByRole('main').getByRole('switch');
      for (const one of await switches.all()) {
        const text = (await one.evaluate((input) => input.closest('label')?.textContent)) ?? '';
        if (!settings.some(({ label }) => text.startsWith(label)))
          problems.push(`${view}/${section}: "${text}" is not in the list`);
      }
      for (const { label } of settings) {
        const text = String(label);
        const shown = page
          .getByRole('main')
          .getByText(text, { exact: true })
          .or(page.getByLabel(text, { exact: true }));
        await shown
          .first()
          .waitFor()
          .catch(() => problems.push(`${view}/${section}: "${text}" is not on the page`));
      }
    }
  }
  assert.deepEqual(problems, []);
});

async function choose(page: Page, field: string, text: string, result: RegExp): Promise<void> {
  await page.getByRole('searchbox', { name: field }).fill(text);
  await page.getByRole('link', { name: result }).click();
}

world.test('one field finds own settings and those of the organization, and leads to them', async () => {
  const page = await world.open(world.owner, '#settings/profile');
  const field = page.getByRole('searchbox', { name: 'Search all settings' });
  await field.waitFor();
  await world.settled(page);
  await page.keyboard.press('Control+Shift+F');
  await field.and(page.locator(':focus')).waitFor();
  await field.fill('speech input');
  await page.getByRole('link', { name: /Shortcuts of one character/ }).waitFor();
  await checkAccessibility(page, 'found settings');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page
    .getByRole('switch', { name: /Shortcuts of one character/ })
    .and(page.locator(':focus'))
    .waitFor();
  await choose(page, 'Search all settings', 'weekly', /Day of the weekly mail/);
  await page.waitForURL(/#organization\/organization-settings$/);
  await page
    .getByRole('button', { name: /Day of the weekly mail/ })
    .and(page.locator(':focus'))
    .waitFor();
  await page.getByRole('link', { name: 'User groups' }).click();
  await page.getByRole('heading', { level: 1, name: 'User groups' }).waitFor();
});

world.test('on a phone in German, a member finds a setting, also one that only others may change', async () => {
  const ada = await world.user({ name: 'Ada' });
  await ada.client.ok('PATCH', '/settings', { default_language: 'de' });
  const page = await world.open(ada, '#settings', { device: 'phone', locale: 'de-DE' });
  await choose(page, 'Alle Einstellungen durchsuchen', 'farbsch', /^Farbschema/);
  await page.waitForURL(/#settings\/preferences$/);
  await page
    .getByRole('button', { name: /Farbschema/ })
    .and(page.locator(':focus'))
    .waitFor();
  await page.goto(`${world.url}/#user-profile/${ada.client.userId}`);
  await page.getByRole('heading', { name: 'Ada' }).first().waitFor();
});
