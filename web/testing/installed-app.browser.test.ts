/** The app among the apps of a phone: manifest, shortcuts, sharing, the badge, the hint to install, voice messages. */
import assert from 'node:assert/strict';
import { until, untilEqual } from '@heddle/server/testing/server/until.ts';
import type { Page } from 'playwright-core';
import { checkAccessibility } from './axe.ts';
import { browserWorld } from './browser-world.ts';
import { messageOf, sceneOf } from './scenes.ts';

const world = browserWorld();

const heading = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('heading', { level: 1, name });
const box = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });

/** What belongs to the code that loads after the first view. */
async function untilExtrasWork(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /\/extras-[^/]*\.js$/.test(name)),
  );
  // The file runs when it and what it imports have arrived. It counts the visit last (`app/extras.ts`).
  await page.waitForFunction(() => sessionStorage.getItem('heddle-visit-counted') !== null);
  await world.settled(page);
}

world.test('the browser finds no reason against the installation', async (t) => {
  const page = await world.open(world.owner, '#inbox', { device: 'phone' });
  await heading(page, 'Inbox').waitFor();
  const session = await page.context().newCDPSession(page);
  const { errors, data, url } = await session.send('Page.getAppManifest');
  assert.deepEqual(errors, []);
  assert.match(url, /\/manifest\.webmanifest$/);
  const manifest = JSON.parse(data ?? '');
  assert.deepEqual(
    manifest.shortcuts.map(({ url: address }: { url: string }) => address),
    ['/#new-message', '/#inbox', '/#search'],
  );
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  t.diagnostic(`installability: ${JSON.stringify(installabilityErrors)}`);
  // A profile of a test is private, and private windows install nothing.
  const found = installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito');
  assert.deepEqual(found, []);
});

world.test('shortcuts of the app begin a message and a search', async () => {
  const page = await world.open(await world.user(), '#new-message', { device: 'phone' });
  await page.getByRole('combobox', { name: 'Channel' }).waitFor();
  await heading(page, 'Inbox').waitFor();
  await page.evaluate(() => {
    location.hash = '#search';
  });
  await page.getByRole('dialog').getByRole('combobox').waitFor();
});

world.test('what another app shares goes into the conversation that the user chooses', async () => {
  const { ada, route, write } = await sceneOf(world);
  await write('the warp is ready');
  const page = await world.open(ada, '#inbox', { device: 'phone' });
  await heading(page, 'Inbox').waitFor();
  // Without the service worker, the form reaches the server.
  const locationOf = (parts: readonly (readonly [string, string | number])[]) =>
    fetch(`${world.url}/share`, {
      method: 'POST',
      redirect: 'manual',
      body: parts.reduce((form, [name, value]) => {
        if (typeof value === 'number') form.append(name, new Blob([Buffer.alloc(value)]), 'loom.png');
        else form.append(name, value);
        return form;
      }, new FormData()),
    }).then(({ status, headers }) => [status, headers.get('location') ?? '']);
  assert.deepEqual(await locationOf([['files', 300_000]]), [303, '/#share/files/']);
  const [status, address] = await locationOf([
    ['title', 'Looms & more'],
    ['url', 'https://example.com/a?b=1#c'],
  ]);
  assert.equal(status, 303);
  await page.goto(`${world.url}${address}`);
  await heading(page, 'Share').waitFor();
  await page.getByText('Looms & more').waitFor();
  await checkAccessibility(page, 'sharing');
  await page.getByRole('list', { name: 'Recent conversations' }).getByRole('button', { name: /looms/ }).tap();
  await messageOf(page, 'the warp is ready').waitFor();
  await until(async () => /^Looms & more\nhttps:\/\/example\.com\/a\?b=1#c/.test(await box(page).inputValue()), 'text');
  // With files, the worker keeps them in this cache.
  await box(page).fill('');
  await page.evaluate(async () => {
    const cache = await caches.open('heddle-shared');
    await cache.put('/share/text', new Response('a picture'));
    const picture = document.createElement('canvas');
    picture.width = 40;
    picture.height = 40;
    const content = await new Promise<Blob | null>((done) => picture.toBlob(done));
    const headers = { 'content-type': 'image/png', 'x-file-name': encodeURIComponent('Webstuhl grün.png') };
    await cache.put('/share/files/0', new Response(content, { headers }));
    location.hash = '#share';
  });
  await page.getByText('Webstuhl grün.png').waitFor();
  await page.getByRole('list', { name: 'Recent conversations' }).getByRole('button', { name: /looms/ }).tap();
  await page.getByRole('region', { name: 'Compose' }).locator('img[src^="blob:"]').waitFor();
  await until(async () => /\[Webstuhl grün\.png\]\(\/user_uploads\//.test(await box(page).inputValue()), 'upload');
  assert.match(await box(page).inputValue(), /a picture/);
  assert.equal(await page.evaluate(() => caches.has('heddle-shared')), false);
  // The view says so when nothing is left.
  await page.evaluate(() => {
    location.hash = '#share';
  });
  await page.getByText('Nothing to share').waitFor();
  assert(page.url().startsWith(world.url) && route !== '');
});

world.test('auf Deutsch: Dateien, die nicht ankommen, führen zu einer Seite, die es sagt', async () => {
  const ada = await world.user();
  await ada.client.ok('PATCH', '/settings', { default_language: 'de' });
  const page = await world.open(ada, '#share/files', { device: 'phone', locale: 'de-DE' });
  await page.getByText('Die Dateien sind nicht in der App angekommen.').waitFor();
  await checkAccessibility(page, 'sharing without files');
});

world.test('the badge counts unread messages', async () => {
  const { ada, write } = await sceneOf(world);
  const page = await world.open(ada, '#inbox', { device: 'phone' });
  await heading(page, 'Inbox').waitFor();
  await page.addInitScript(() => {
    const badges: (number | string)[] = [];
    Object.assign(window, { badges });
    Object.assign(navigator, {
      setAppBadge: async (count: number) => void badges.push(count),
      clearAppBadge: async () => void badges.push('cleared'),
    });
  });
  await page.reload();
  await untilExtrasWork(page);
  const last = () => page.evaluate(() => (window as unknown as { badges: unknown[] }).badges.at(-1));
  const before = Number(await until(async () => (await last()) !== undefined, 'the first badge').then(last));
  await write('the warp is ready');
  await until(async () => (await last()) === before + 1, 'the badge counts the message');
});

world.test('from the second visit on, a phone offers to install the app, until somebody says no', async () => {
  const page = await world.open(await world.user(), '#inbox', { device: 'phone' });
  await heading(page, 'Inbox').waitFor();
  const hint = page.getByText('Install the app: it gets an icon');
  const offer = () =>
    page.evaluate(() => {
      const event = Object.assign(new Event('beforeinstallprompt'), {
        prompt: async () => {
          document.documentElement.dataset.prompted = 'yes';
        },
      });
      window.dispatchEvent(event);
    });
  await untilExtrasWork(page);
  await offer();
  await world.settled(page);
  await untilEqual(() => hint.count(), 0, 'the first visit is too early');
  // A visit ends with its tab.
  const again = await world.open(world.owner, '#inbox', { beside: page });
  await page.close();
  await untilExtrasWork(again);
  await again.evaluate(() =>
    window.dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt: async () => {} })),
  );
  await again.getByText('Install the app: it gets an icon').waitFor();
  await checkAccessibility(again, 'the hint to install');
  await again.getByRole('button', { name: 'Dismiss' }).tap();
  await again.getByText('Install the app: it gets an icon').waitFor({ state: 'detached' });
  await again.reload();
  await untilExtrasWork(again);
  await again.evaluate(() =>
    window.dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt: async () => {} })),
  );
  await world.settled(again);
  await untilEqual(() => again.getByText('Install the app: it gets an icon').count(), 0);
});

world.test('auf Deutsch: auf dem iPhone zeigen zwei Bilder, wie man die App installiert', async () => {
  const ada = await world.user();
  await ada.client.ok('PATCH', '/settings', { default_language: 'de' });
  const page = await world.open(ada, '#inbox', { device: 'phone', locale: 'de-DE' });
  await heading(page, 'Eingang').waitFor();
  // The code that counts visits loads after the first view.
  await page.waitForFunction(() => localStorage.getItem('heddle-visits') === '1');
  await page.addInitScript(() => {
    Object.assign(Navigator.prototype, { standalone: false });
    if (localStorage.getItem('heddle-visits') === '1') sessionStorage.removeItem('heddle-visit-counted');
  });
  await page.reload();
  await page.getByRole('button', { name: 'So geht es' }).tap();
  const dialog = page.getByRole('dialog', { name: 'App installieren' });
  await dialog.getByText('Zum Home-Bildschirm').waitFor();
  await untilEqual(() => dialog.locator('ol svg').count(), 2);
  await checkAccessibility(page, 'how to install', { part: 'overlays' });
});

world.test('messages, links and files go to other apps where the system can share', async () => {
  const { ada, route, write } = await sceneOf(world);
  await write('the **warp** is ready');
  const page = await world.open(ada, '#inbox', { device: 'phone' });
  await page.addInitScript(() => {
    const shared: ShareData[] = [];
    Object.assign(window, { shared });
    Object.assign(navigator, { share: async (data: ShareData) => void shared.push(data), canShare: () => true });
  });
  await page.goto(`${world.url}/${route}`);
  await page.reload();
  await messageOf(page, 'the warp is ready').click({ button: 'right' });
  await page
    .getByRole('menuitem', { name: 'Share…' })
    .or(page.getByRole('button', { name: 'Share…' }))
    .first()
    .tap();
  await page.getByRole('button', { name: 'Topic actions' }).tap();
  await page.getByRole('menuitem', { name: 'Share…' }).tap();
  const shared = () => page.evaluate(() => (window as unknown as { shared: ShareData[] }).shared);
  await until(async () => (await shared()).length === 2, 'both are shared');
  const [ofMessage, ofTopic] = await shared();
  assert.equal(ofMessage?.text, 'the warp is ready');
  assert.match(ofMessage?.url ?? '', /\/near\/\d+$/);
  assert.match(ofTopic?.title ?? '', /looms$/);
});
