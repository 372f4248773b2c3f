import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { checkAccessibility } from '../../../testing/axe.ts';
import { browserWorld } from '../../../testing/browser-world.ts';
import { ORGANIZATION_SECTIONS, OWN_SECTIONS } from '../../base/settings-sections.ts';
import { type IndexedSetting, ORGANIZATION_INDEX, OWN_INDEX } from './settings-index.ts';

const world = browserWorld();

/** Lists, a gallery, the steps of an import, and the own settings once more for new users. Only the pages are found. */
const WITHOUT_SETTINGS: ReadonlySet<string> = new Set([
  'your-bots',
  'bots',
  'users',
  'integrations',
  'import',
  'organization-level-user-defaults',
]);

/** A part of a page that depends on the browser. */
const ABOUT_THE_BROWSER = 'The browser does not show notifications';

/**
 * What the page lets people set: the possible names of each field, and the heading of each part without fields. Filters are no settings, and
 * neither is what belongs to one row of a list.
 */
function settingsOn(main: Element): string[][] {
  const textOf = (element: Element | null | undefined) => element?.textContent.trim() ?? '';
  const namesOf = (field: Element): string[] => {
    const [label] =
      field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? (field.labels ?? []) : [];
    const ids = field.getAttribute('aria-labelledby')?.split(' ') ?? [];
    const named = [label?.querySelector('span > span'), label, ...ids.map((id) => document.getElementById(id))];
    return [...named.map(textOf), field.getAttribute('aria-label') ?? '', field.matches('th') ? textOf(field) : ''];
  };
  const all = '[role=radiogroup], input, textarea, button[aria-haspopup=listbox], th[scope=row]';
  const none = '[type=search], [type=radio], td *, li *, [aria-hidden=true] *';
  const fields = [...main.querySelectorAll(all)].filter((field) => !field.matches(none));
  const parts = [...main.querySelectorAll('section')].filter((part) => part.querySelector('h2') !== null);
  return [
    ...fields.map((field) => [...namesOf(field), textOf(field.closest('section')?.querySelector('h2'))]),
    ...parts
      .filter((part) => !fields.some((field) => part.contains(field)))
      .map((part) => [textOf(part.querySelector('h2'))]),
  ].map((names) => names.filter((name) => name !== ''));
}

world.test('each setting of the list is on its page, and each setting of the pages is in the list', async () => {
  const page = await world.open(world.owner, '#settings/profile', { permissions: ['notifications'] });
  const problems: string[] = [];
  for (const [view, sections, index] of [
    ['settings', OWN_SECTIONS, OWN_INDEX],
    ['organization', ORGANIZATION_SECTIONS, ORGANIZATION_INDEX],
  ] as const) {
    for (const [section, { label: title }] of Object.entries(sections)) {
      if (WITHOUT_SETTINGS.has(section)) continue;
      const settings = (index as Readonly<Record<string, readonly IndexedSetting[]>>)[section] ?? [];
      await page.goto(`${world.url}/#${view}/${section}`);
      await page.getByRole('heading', { level: 1, name: String(title), exact: true }).waitFor();
      await world.settled(page);
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
      // Now the page is there, and not the one before.
      for (const names of await page.getByRole('main').evaluate(settingsOn)) {
        if (names.includes(ABOUT_THE_BROWSER)) continue;
        // A page of one thing is found by its own name.
        const known = settings.length === 0 ? [title] : settings.map(({ label }) => label);
        if (!names.some((name) => known.some((label) => name === String(label))))
          problems.push(`${view}/${section}: "${names.join('" or "')}" is not in the list`);
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
  // The field of a permission has the focus, and not the button that removes what is chosen. The frame stays where it is.
  await choose(page, 'Search all settings', 'pin mess', /Who can pin messages/);
  await page.getByRole('combobox', { name: 'Who can pin messages' }).and(page.locator(':focus')).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollTop), 0);
  await page.keyboard.press('Escape');
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
  // Of a setting that others change, the page shows the value, which has the focus.
  await page.goto(`${world.url}/#settings`);
  await choose(page, 'Alle Einstellungen durchsuchen', 'wöchentl', /^Tag der wöchentlichen E-Mail/);
  await page.waitForURL(/#organization\/organization-settings$/);
  const found = page.locator('[data-found]').and(page.locator(':focus'));
  await found.getByText('Tag der wöchentlichen E-Mail').waitFor();
  await found.getByText('Dienstag').waitFor();
  assert.equal(await found.evaluate((area) => area.querySelector('input, button, select') === null), true);
  const box = await found.boundingBox();
  assert(box !== null && box.y > 0 && box.y + box.height < 844, `the setting is in the window: ${JSON.stringify(box)}`);
});
