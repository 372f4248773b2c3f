/** What a browser loads for the first view, and what it shows before the scripts have run. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { browserWorld, type OpenOptions } from './browser-world.ts';

const world = browserWorld();

/** The most that the app loads before it paints, compressed. */
const MAX_SCRIPT_BYTES = 250 * 1024;
/** The most files until the first view is complete and the browser is idle. */
const MAX_SCRIPTS = 10;
const MAX_SHEETS = 4;

interface LoadedFile {
  readonly name: string;
  readonly bytes: number;
}

/** The scripts and sheets that the page has loaded, in their order. */
const loadedFiles = (page: Page): Promise<LoadedFile[]> =>
  page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .map(({ name, encodedBodySize }) => ({ name: name.split('/').at(-1) ?? '', bytes: encodedBodySize }))
      .filter(({ name }) => /\.(?:js|css)$/.test(name)),
  );

for (const [device, route] of [
  ['desktop', '#inbox'],
  ['phone', '#inbox'],
  ['desktop', '#feed'],
] as const) {
  world.test(`the first view of a ${device} at ${route} needs few files and few bytes`, async (t) => {
    const page = await world.open(await world.user(), route, { device });
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
    // The browser has loaded the parts when it has nothing else to do.
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => /\/parts-[^/]*\.js$/.test(name)),
    );
    await world.settled(page);
    const files = await loadedFiles(page);
    const scripts = files.filter(({ name }) => name.endsWith('.js'));
    const sheets = files.filter(({ name }) => name.endsWith('.css'));
    const names = files.map(({ name }) => name).join(', ');
    assert(scripts.length <= MAX_SCRIPTS, `${scripts.length} scripts: ${names}`);
    assert(sheets.length <= MAX_SHEETS, `${sheets.length} style sheets: ${names}`);
    // The page names what it needs for the first paint. The app requests the rest.
    const named = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLScriptElement>('script[src]')].map(({ src }) => src),
    );
    const first = scripts.filter(({ name }) => named.some((src) => src.endsWith(`/${name}`)));
    assert(first.length >= 3, `the page names ${named}`);
    const bytes = first.reduce((sum, file) => sum + file.bytes, 0);
    assert(bytes <= MAX_SCRIPT_BYTES, `${bytes} bytes: ${names}`);
    t.diagnostic(
      `${scripts.length} scripts of ${scripts.reduce((sum, file) => sum + file.bytes, 0)} bytes, ${bytes} bytes before the first paint, ${sheets.length} style sheets`,
    );
    const order = scripts.map(({ name }) => name.replace(/-.*/, ''));
    assert(order.indexOf('parts') > order.indexOf('main'), 'the parts are loaded after the first view');
  });
}

interface Frame {
  readonly language: string;
  readonly ground: string;
  readonly isShown: boolean;
  /** The width of each column, and the height of its header. */
  readonly columns: readonly (readonly number[])[];
}

/** What the page shows of the frame before the scripts have run. */
const firstFrame = (page: Page): Promise<Frame> =>
  page.evaluate(() => {
    const frame = document.getElementById('frame');
    const columns = [...(frame?.children ?? [])].filter((column) => column.getBoundingClientRect().width > 0);
    return {
      language: document.documentElement.lang,
      ground: getComputedStyle(document.documentElement).backgroundColor,
      isShown: frame?.checkVisibility() ?? false,
      columns: columns.map((column) => [
        column.getBoundingClientRect().width,
        column.firstElementChild?.getBoundingClientRect().height ?? 0,
      ]),
    };
  });

/** The same of the app. */
const framed = (page: Page): Promise<Frame> =>
  page.evaluate(() => {
    const columns = ['nav', 'main', 'aside'].flatMap((name) => [
      ...document.querySelectorAll(`#app :not(main) > ${name}:has(h1, h2):not([hidden])`),
    ]);
    return {
      language: document.documentElement.lang,
      ground: getComputedStyle(document.documentElement).backgroundColor,
      isShown: document.getElementById('frame')?.checkVisibility() ?? false,
      columns: columns.map((column) => [
        column.getBoundingClientRect().width,
        column.querySelector('header')?.getBoundingClientRect().height ?? 0,
      ]),
    };
  });

for (const device of ['desktop', 'tablet', 'phone'] as const) {
  world.test(
    `the page of a ${device} shows the frame in the user's theme and language before the scripts run`,
    async () => {
      const ada = await world.user();
      await ada.client.ok('PATCH', '/settings', { default_language: 'de', color_scheme: 2, web_font_size_px: 18 });
      const options: OpenOptions = { device, theme: 'light', locale: 'en-US' };
      const page = await world.open(ada, '#inbox', options);
      await page.addInitScript(() => {
        const seen: string[] = [];
        const note = () => seen.push(`${document.documentElement.lang} ${document.documentElement.dataset.theme}`);
        new MutationObserver(note).observe(document, { subtree: true, attributeFilter: ['lang', 'data-theme'] });
        Object.assign(window, { seen, note });
      });
      const held = Promise.withResolvers<void>();
      await page.route(/\/main-[^/]*\.(?:js|css)$/, async (file) => {
        await held.promise;
        await file.continue();
      });
      await page.reload({ waitUntil: 'commit' });
      await page.waitForFunction(() => performance.getEntriesByType('paint').length > 0);
      const before = await firstFrame(page);
      assert.deepEqual([before.isShown, before.language], [true, 'de']);
      held.resolve();
      await page.getByRole('main').getByRole('heading', { name: 'Eingang', level: 1 }).waitFor();
      if (device === 'desktop') await page.getByRole('complementary').getByRole('heading', { level: 1 }).waitFor();
      await world.settled(page);
      const after = await framed(page);
      assert.deepEqual(after, { ...before, isShown: false });
      const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
      assert.deepEqual(new Set(seen), new Set(['de dark']));
    },
  );
}
