import assert from 'node:assert/strict';
import { untilEqual } from '@heddle/server/testing/server/until.ts';
import type { Page } from 'playwright-core';
import { checkAccessibility } from '../../../testing/axe.ts';
import { browserWorld } from '../../../testing/browser-world.ts';

const world = browserWorld();

const WEAVERS = 'https://weavers.example';

/** Answers for the server of another organization. Returns what it learns of each visit: address and headers. */
async function otherServer(page: Page): Promise<readonly string[]> {
  const learned: string[] = [];
  await page.context().route(`${WEAVERS}/**`, async (route) => {
    const request = route.request();
    learned.push(`${request.url()} ${JSON.stringify(await request.allHeaders())}`);
    await route.fulfill({ contentType: 'text/html', body: '<h1>The weavers</h1>' });
  });
  return learned;
}

world.test('one tap in the menu opens another organization, and its server learns of no other', async () => {
  const ada = await world.user({ name: 'Ada Organizations' });
  const page = await world.open(ada, '#settings/organizations', { device: 'phone' });
  const learned = await otherServer(page);
  const address = page.getByRole('textbox', { name: 'Address of another organization' });
  for (const wrong of ['ftp://weavers.example', 'two words', world.url]) {
    await address.fill(wrong);
    await page.getByRole('button', { name: 'Add', exact: true }).tap();
    await page.getByText('This is no address of another organization.').waitFor();
  }
  await address.fill(`${WEAVERS}/some/page`);
  await page.getByRole('button', { name: 'Add', exact: true }).tap();
  const list = page.getByRole('main').getByRole('list', { name: 'Your organizations' });
  await list.getByText(WEAVERS).waitFor();
  await address.fill('potters.example');
  await address.press('Enter');
  await list.getByText('potters.example', { exact: true }).waitFor();
  await checkAccessibility(page, 'other organizations');
  const openMenu = async () => {
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Menu' }).tap();
    await page.getByRole('button', { name: /Your account/ }).tap();
  };
  await page.reload();
  await openMenu();
  await page.getByRole('menuitem', { name: /potters\.example/ }).waitFor();
  await page.getByRole('menuitem', { name: /weavers\.example/ }).tap();
  await page.getByRole('heading', { name: 'The weavers' }).waitFor();
  assert.equal(page.url(), `${WEAVERS}/`);

  // The user can take the list there. Its server does not get it either.
  await page.goto(`${world.url}/#settings/organizations`);
  await list
    .getByRole('listitem')
    .filter({ hasText: 'weavers' })
    .getByRole('link', { name: 'Take this list there' })
    .tap();
  await page.getByRole('heading', { name: 'The weavers' }).waitFor();
  const { hash } = new URL(page.url());
  const { realm_name: name } = await ada.client.ok('GET', '/server_settings');
  assert.deepEqual(JSON.parse(decodeURIComponent(hash.replace('#settings/organizations/', ''))), [
    { name, url: world.url },
    { name: 'potters.example', url: `${new URL(world.url).protocol}//potters.example` },
  ]);
  assert(learned.length >= 2);
  for (const visit of learned)
    assert.doesNotMatch(visit, new RegExp(`potters|organizations|${new URL(world.url).host}`));
});

world.test(
  'auf Deutsch: eine mitgebrachte Liste übersteht die Anmeldung, ohne dass der Server sie erfährt',
  async () => {
    const ada = await world.user({ name: 'Ada Liste' });
    await ada.client.ok('PATCH', '/settings', { default_language: 'de' });
    const passed = [
      { name: 'Weber', url: WEAVERS },
      { name: 'Böse', url: 'javascript:alert(1)' },
      { name: 'Diese', url: world.url },
    ];
    const fragment = `#settings/organizations/${encodeURIComponent(JSON.stringify(passed))}`;
    const page = await world.openAsSpectator(`login/?next=%2F${fragment}`, { device: 'phone', locale: 'de-DE' });
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
    await page.locator('#username').fill(ada.client.email);
    await page.getByLabel('Passwort', { exact: true }).fill(ada.password);
    await page.getByRole('button', { name: 'Anmelden' }).tap();
    await page.getByText(`Weber (${WEAVERS})`).waitFor();
    assert(sent.some((one) => /login/.test(one)));
    assert.deepEqual(
      sent.filter((one) => /weavers|Weber/.test(one)),
      [],
    );
    await untilEqual(() => page.getByText('Böse').count(), 0);
    await untilEqual(() => page.getByText('Diese (').count(), 0);
    const list = page.getByRole('main').getByRole('list', { name: 'Deine Organisationen' });
    await untilEqual(() => list.getByRole('listitem').count(), 0, 'nothing is in the menu before the user says so');
    await checkAccessibility(page, 'organizations that another app passes on');
    await page.getByRole('button', { name: 'Ins Menü aufnehmen' }).tap();
    await list.getByText('Weber', { exact: true }).waitFor();
    await page.getByText(`Weber (${WEAVERS})`).waitFor({ state: 'detached' });
    const kept = () => page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }).includes('weavers'));
    assert.equal(await kept(), true);
    await list.getByRole('button', { name: 'Weber entfernen' }).tap();
    await list.getByText('Weber').waitFor({ state: 'detached' });
    assert.equal(await kept(), false);
  },
);
