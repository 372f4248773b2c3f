/** Pages before the login, as people meet them. The page is the server's; the app only shares its looks. */
import assert from 'node:assert/strict';
import { isTooWide } from '@heddle/server/testing/clients/browser.ts';
import { untilEqual } from '@heddle/server/testing/server/until.ts';
import type { Page } from 'playwright-core';
import { checkAccessibilityEverywhere } from './axe.ts';
import { browserWorld } from './browser-world.ts';

const world = browserWorld();

/** The browser moves the focus in the first frame, which can come after the page is loaded. */
const untilFocused = (page: Page, id: string) => page.locator(`#${id}:focus`).waitFor();
const languageOf = (page: Page) => page.locator('html').getAttribute('lang');

world.test('the login page focuses its first field, shows the organization, and can show the password', async () => {
  await world.owner.client.ok('PATCH', '/realm', { description: 'We **weave** cloth.' });
  const ada = await world.user({ name: 'Ada' });
  const page = await world.openAsSpectator('login/');
  await untilFocused(page, 'username');
  const fonts = await page.evaluate(async () =>
    [...(await document.fonts.ready)].filter(({ status }) => status === 'loaded').map(({ family }) => family),
  );
  assert(
    fonts.some((family) => /^"?Inter Variable"?$/.test(family)),
    'it has the font of the app',
  );
  const name = String((await world.owner.client.ok('GET', '/server_settings')).realm_name);
  await page.getByRole('main').getByText(name, { exact: true }).waitFor();
  await page.getByText('We weave cloth.').waitFor();
  await page.keyboard.type(ada.client.email);
  const password = page.getByRole('textbox', { name: 'Password' });
  await password.fill('wrong');
  const show = page.getByRole('button', { name: 'Show the password' });
  await untilEqual(() => password.getAttribute('type'), 'password');
  await show.click();
  await untilEqual(() => password.getAttribute('type'), 'text');
  await untilEqual(() => show.getAttribute('aria-pressed'), 'true');
  world.expectProblems('status 400');
  await password.press('Enter');
  await page.getByRole('alert').getByText('do not go together').waitFor();
  await checkAccessibilityEverywhere(page, 'a refused login');
  await page.getByLabel('Password', { exact: true }).fill(ada.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL(`${world.url}/**`);
  await page.getByRole('main').first().waitFor();
});

for (const device of ['desktop', 'phone'] as const) {
  world.test(
    `the login page is centred and in the language of the browser, and remembers a choice (${device})`,
    async () => {
      const plan = 'https://example.com/?lastnext=1';
      await world.owner.client.ok('PATCH', '/realm', { description: `We **weave** cloth, see our [plan](${plan}).` });
      const page = await world.openAsSpectator('login/#narrow/is/starred', { device, locale: 'de-AT' });
      assert.equal(await languageOf(page), 'de');
      await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
      await page.getByLabel('Passwort', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Passwort anzeigen' }).waitFor();
      await untilEqual(() => page.getByRole('link', { name: 'plan' }).getAttribute('href'), plan);
      await checkAccessibilityEverywhere(page, 'the login page in German');
      assert.equal(await isTooWide(page), false);
      const box = await page.getByRole('main').boundingBox();
      const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
      assert(box !== null && Math.abs(box.x * 2 + box.width - width) <= 2, 'it is centred from left to right');
      // The choice of the language is below.
      assert(device === 'phone' || Math.abs(box.y * 2 + box.height - height) < 100, 'it is centred from top to bottom');
      await page.getByText('Sprache: Deutsch').click();
      await page.getByText('(wartet auf Prüfung)').first().waitFor();
      await checkAccessibilityEverywhere(page, 'the choice of the language');
      await page.getByRole('link', { name: 'Français' }).click();
      await page.getByRole('heading', { name: 'Se connecter' }).waitFor();
      assert.equal(await languageOf(page), 'fr');
      assert.equal(new URL(page.url()).hash, '#narrow/is/starred', 'the destination is kept');
      await page.goto(`${world.url}/accounts/password/reset/`);
      assert.equal(await languageOf(page), 'fr', 'the browser remembers it');
      await untilFocused(page, 'email');
    },
  );
}

world.test('signing up and a new password have the same looks', async () => {
  await world.owner.client.ok('PATCH', '/realm', { invite_required: false });
  const { invite_link: link } = await world.owner.client.ok('POST', '/invites/multiuse');
  const path = new URL(String(link)).pathname.slice(1);
  const page = await world.openAsSpectator(path, { device: 'phone', locale: 'ja' });
  assert.equal(await languageOf(page), 'ja');
  await untilFocused(page, 'full_name');
  await page.getByRole('button', { name: 'パスワードを表示' }).waitFor();
  await checkAccessibilityEverywhere(page, 'signing up in Japanese');
  assert.equal(await isTooWide(page), false);
});
