import assert from 'node:assert/strict';
import { until, untilEqual } from '@heddle/server/testing/server/until.ts';
import type { Locator, Page } from 'playwright-core';
import { browserWorld } from '../../testing/browser-world.ts';

const world = browserWorld();

/** The file that names the parts. */
const ALL_PARTS = /\/_virtual_parts-[^/]*\.js$/;

world.test('what is typed while a part loads reaches its field, and no shortcut runs', async () => {
  const ada = await world.user({ name: 'Ada' });
  const page = await world.open(ada, '#inbox');
  // The network delivers the search only after the user has typed.
  const typed = Promise.withResolvers<void>();
  let requests = 0;
  await page.route(/\/parts-[^/]*\.js$/, async (route) => {
    requests += 1;
    await typed.promise;
    await route.continue();
  });
  await page.reload();
  await page.getByRole('main').first().waitFor();
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  await page.keyboard.press('/');
  // Each of these characters is a shortcut elsewhere.
  await page.keyboard.type('Ptcx');
  // The browser reports a request after the key that caused it.
  await until(() => requests > 0, 'the first request');
  typed.resolve();
  const field = page.getByRole('combobox', { name: 'Search' });
  await field.and(page.locator(':focus')).waitFor();
  await page.waitForFunction(() => (document.activeElement as HTMLInputElement | null)?.value === 'Ptcx');
  await field.pressSequentially('!');
  await untilEqual(() => field.inputValue(), 'Ptcx!');
  assert.equal(new URL(page.url()).hash, '#inbox');
});

world.test('a part whose code and styles cannot be loaded appears when they can, and the app stays', async () => {
  const ada = await world.user({ name: 'Ada' });
  const page = await world.open(ada, '#inbox');
  world.expectProblems('right-sidebar');
  let isLost = true;
  let requests = 0;
  await page.route(/\/right-sidebar-[^/]*\.(?:js|css)$/, async (route) => {
    requests += 1;
    if (isLost) await route.abort('connectionfailed');
    else await route.continue();
  });
  await page.reload();
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  await until(() => requests >= 3, 'three requests');
  assert(await page.getByRole('heading', { name: 'Inbox' }).isVisible());
  isLost = false;
  const filter = page.getByRole('searchbox', { name: 'Filter people' });
  await filter.waitFor();
  const person = page.getByRole('complementary', { name: 'People' }).getByText('Ada', { exact: false }).first();
  assert.equal(await styleOf(person, 'text-overflow'), 'ellipsis');
});

world.test(
  'a view that is opened without a network says so, and appears with its styles when the network is back',
  async () => {
    const ada = await world.user({ name: 'Ada' });
    const channelId = await world.server.emptyChannel(ada.client, 'offline views');
    world.expectProblems('ERR_INTERNET_DISCONNECTED', 'ERR_NETWORK_CHANGED', 'no response');
    const page = await world.open(ada, '#inbox', { device: 'phone' });
    // No part loads while the browser is idle, so the view is unknown.
    await page.addInitScript(() => Object.assign(globalThis, { requestIdleCallback: () => 0 }));
    await page.reload();
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await page.context().setOffline(true);
    await page.evaluate((hash) => location.assign(hash), `#channels/${channelId}/x/general`);
    const main = page.getByRole('main');
    await main.getByText('This page appears when you are online again.').waitFor();
    await main.getByRole('heading', { name: 'offline views' }).waitFor();
    await page.context().setOffline(false);
    const tabs = main.getByRole('tablist').first();
    await tabs.waitFor();
    assert.equal(await styleOf(tabs, 'display'), 'flex');
  },
);

world.test('a page that loses the network says so, also if it had loaded no part yet', async () => {
  const ada = await world.user({ name: 'Ada' });
  world.expectProblems('ERR_INTERNET_DISCONNECTED', 'ERR_NETWORK_CHANGED', 'no response');
  const page = await world.open(ada, '#inbox');
  // Not from the cache either.
  await page.route(ALL_PARTS, (route) => route.abort('internetdisconnected'));
  await page.addInitScript(() => Object.assign(globalThis, { requestIdleCallback: () => 0 }));
  await page.reload();
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  await page.context().setOffline(true);
  await page.getByText('You are offline.').waitFor();
  await page.context().setOffline(false);
  await page.getByText('You are offline.').waitFor({ state: 'detached' });
});

function styleOf(element: Locator, property: string): Promise<string> {
  return element.evaluate((one, name) => getComputedStyle(one).getPropertyValue(name), property);
}

world.test('if the server no longer has the code of a part, a notice asks for a reload', async () => {
  const ada = await world.user({ name: 'Ada' });
  const page = await world.open(ada, '#inbox');
  world.expectProblems('right-sidebar', 'a part of the app cannot be loaded');
  await page.route(/\/right-sidebar-[^/]*\.js$/, (route) => route.fulfill({ status: 404 }));
  await page.reload();
  await page.getByText('A part of the app cannot be loaded. Reload the page.').waitFor();
  await page.unroute(/\/right-sidebar-[^/]*\.js$/);
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('searchbox', { name: 'Filter people' }).waitFor();
});

const BROKEN = "function Broken() { throw new Error('broken part'); }";

/** Serves code that throws when React shows it, until the page stops routing. */
async function breakPart(page: Page, files: RegExp, brokenLike: (code: string) => string): Promise<void> {
  await page.route(files, async (route) => {
    const response = await route.fetch();
    // Without the headers of the response, which let the browser keep the file for a year.
    await route.fulfill({ contentType: 'text/javascript', body: brokenLike(await response.text()) });
  });
  await page.reload();
}

/** The only component of a file, under its name there. */
function brokenComponent(code: string): string {
  const [, name] = /export\s*\{\s*[\w$]+ as ([\w$]+)/.exec(code) ?? [];
  assert(name !== undefined);
  return `${BROKEN} export { Broken as ${name} };`;
}

/** The file with all parts. Each is a module, whose exports are all broken. */
function brokenParts(code: string): string {
  const names = [...new Set(code.match(/\bpart\d+\b/g))];
  assert(names.length > 0);
  const part = "new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : Broken) })";
  return `${BROKEN} const part = ${part}; export { ${names.map((name) => `part as ${name}`).join(', ')} };`;
}

world.test('if a column breaks, it says so, and the rest of the app works', async () => {
  const ada = await world.user({ name: 'Ada' });
  const page = await world.open(ada, '#inbox');
  world.expectProblems('broken part');
  await breakPart(page, /\/right-sidebar-[^/]*\.js$/, brokenComponent);
  await page.getByRole('complementary', { name: 'People' }).getByText('This part of the app does not work').waitFor();
  await page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name: 'Recent' }).click();
  await page.getByRole('heading', { name: 'Recent conversations' }).waitFor();
  await page.unroute(/\/right-sidebar-[^/]*\.js$/);
  await page.reload();
  await page.getByRole('searchbox', { name: 'Filter people' }).waitFor();
});

world.test('if a part that covers the app breaks, the page says what to do instead of staying empty', async () => {
  const ada = await world.user({ name: 'Ada' });
  const page = await world.open(ada, '#inbox');
  world.expectProblems('broken part');
  await breakPart(page, ALL_PARTS, brokenParts);
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  await page.keyboard.press('/');
  await page.getByText('The app does not work').waitFor();
  await page.unroute(ALL_PARTS);
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: 'Search' }).waitFor();
});

world.test('if the texts of a language cannot be loaded, the app starts in English', async () => {
  const ada = await world.user({ name: 'Ada' });
  await ada.client.ok('PATCH', '/settings', { default_language: 'de' });
  const page = await world.open(ada, '#inbox', { locale: 'de-DE' });
  const language = () => page.locator('html').getAttribute('lang');
  await page.getByRole('heading', { name: 'Eingang' }).waitFor();
  assert.equal(await language(), 'de');
  world.expectProblems('/de-');
  await page.route(/\/de-[^/]*\.js$/, (route) => route.abort('connectionfailed'));
  await page.reload();
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  assert.equal(await language(), 'en');
});
