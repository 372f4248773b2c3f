/** A new build of the app, while pages of the one before are open. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until, untilEqual } from '@heddle/server/testing/server/until.ts';
import type { Page } from 'playwright-core';
import { ensureWebBuild } from '../../scripts/web-build/ensure.ts';
import { browserWorld, type Person } from './browser-world.ts';
import { faultScene, send } from './fault-scene.ts';
import { faultyFront } from './faulty-front.ts';
import { canStartOffline } from './offline.ts';
import { boxOf, messageOf } from './views.ts';

const front = faultyFront();
const world = browserWorld({ front: front.start });

const SCRIPT = { 'content-type': 'text/javascript; charset=utf-8' } as const;
const GONE = { status: 404, headers: { 'content-type': 'application/json' }, body: '{}' } as const;

const PATTERN = { name: 'pattern.txt', mimeType: 'text/plain', buffer: Buffer.from('over, under') };

/** Without a server, requests fail, and so do those of the worker. The server lacks scripts of earlier builds. */
const PROBLEMS = ['no response', 'status 4', 'status 5', 'ERR_EMPTY_RESPONSE', 'Failed to fetch', 'Heddle continued'];

/**
 * What the server has from now on. Each build has a script of its own, which only pages of this build name.
 * @param name one letter
 */
async function installBuild(name: string): Promise<void> {
  const worker = await readFile(join(await ensureWebBuild(), 'worker.js'), 'utf8');
  // The list of files is one text, which the script splits.
  const ofBuild = worker.replace(
    /name:`[\da-f]{20}`,needed:`/,
    `name:\`${name.repeat(20)}\`,needed:\`extra-${name}.js,`,
  );
  assert.notEqual(ofBuild, worker, 'the worker has its list of files elsewhere');
  front.proxy.decide = ({ path }) => {
    // With the tag of the real worker, the browser would keep the one that it has.
    if (path === '/worker.js') return { status: 200, headers: SCRIPT, body: ofBuild };
    if (!path.startsWith('/static/app/extra-')) return 'pass';
    const body = `document.documentElement.dataset.build = '${name}';`;
    return path === `/static/app/extra-${name}.js` ? { status: 200, headers: SCRIPT, body } : GONE;
  };
  front.proxy.rewrite = (body, { path }) => {
    const script = `<script type="module" src="/static/app/extra-${name}.js"></script>`;
    return path === '/' ? body.replace('</head>', `${script}</head>`) : body;
  };
}

/** The server cannot be reached. */
function loseServer(): void {
  front.proxy.decide = () => 'refuse';
  front.proxy.cutAll();
}

const buildOf = (page: Page) => page.evaluate(() => document.documentElement.dataset.build);

const untilBuild = (page: Page, name: string) =>
  page.locator(`html[data-build="${name}"]`).waitFor({ state: 'attached' });

/** Lets the browser look for a new worker, as it does at each visit. Resolves when it waits. */
async function newWorkerWaits(page: Page): Promise<void> {
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  await until(async () => (await workersOf(page)) === 'installed, activated', 'a new worker that waits');
}

/** The states of the workers, the newest first. */
const workersOf = (page: Page) =>
  page.evaluate(async () => {
    const { installing, waiting, active } = (await navigator.serviceWorker.getRegistration()) ?? {};
    return [installing, waiting, active].flatMap((worker) => worker?.state ?? []).join(', ');
  });

/** The names of the builds whose files the browser keeps. */
const keptBuilds = (page: Page) =>
  page.evaluate(async () => (await caches.keys()).flatMap((name) => /^heddle-build-(.)/.exec(name)?.[1] ?? []));

/** Two tabs of the person, whose clock a test can move, and how often each was loaded. */
async function openTwo(ada: Person, route: string, name: string): Promise<readonly [OpenTab, OpenTab]> {
  await installBuild(name);
  const blank = await world.open(ada, '#inbox', { hasWorker: true });
  await canStartOffline(blank);
  await blank.context().clock.install();
  await blank.context().addInitScript(noteFollowing);
  const tabs = [await openTab(), await openTab()] as const;
  await blank.close();
  return tabs;

  async function openTab(): Promise<OpenTab> {
    const page = await world.open(ada, route, { beside: blank });
    await messageOf(page, 'before the fault').waitFor();
    await untilBuild(page, name);
    await canStartOffline(page);
    await world.settled(page);
    await untilFollowing(page);
    const tab = { page, loads: 0 };
    page.on('domcontentloaded', () => {
      tab.loads += 1;
    });
    return tab;
  }
}

interface OpenTab {
  readonly page: Page;
  /** How often the page was loaded since the test opened it. */
  readonly loads: number;
}

/** Runs in each page before its scripts. */
function noteFollowing(): void {
  // An empty page has no workers.
  if (!('ServiceWorkerContainer' in window)) return;
  const { register } = ServiceWorkerContainer.prototype;
  ServiceWorkerContainer.prototype.register = function (...parameters) {
    Object.assign(window, { followsWorker: true, questions: 0 });
    this.addEventListener('message', ({ data }) => {
      if (data.kind === 'may-take-over') (window as unknown as AskedWindow).questions += 1;
    });
    return register.apply(this, parameters);
  };
}

type AskedWindow = Window & { questions: number };

/** The part of the app that answers the worker loads when the browser is idle. */
const untilFollowing = (page: Page) => page.waitForFunction(() => 'followsWorker' in window);

/** How often a worker has asked the page since it was loaded. */
const questionsTo = (page: Page) => page.evaluate(() => (window as unknown as AskedWindow).questions);

/** Nobody does anything for two minutes. All tabs of a profile have one clock. */
const rest = (page: Page) => page.clock.fastForward('02:00');

world.test('a new build waits while somebody types, then takes over with one reload at the same place', async () => {
  world.expectProblems(...PROBLEMS);
  const { ada, route, write } = await faultScene(world);
  const tabs = await openTwo(ada, route, 'a');
  const [reading, writing] = tabs.map(({ page }) => page) as [Page, Page];
  for (let count = 1; count <= 60; count += 1) await write(`thread ${count}`);
  await messageOf(reading, 'thread 60').waitFor();
  await boxOf(writing).fill('half a sentence');
  await reading.locator('[data-feed-scroller]').evaluate((list) => list.scrollBy(0, -700));
  await world.settled(reading);
  const topOf = () =>
    reading.getByRole('article').evaluateAll((all) => {
      const first = all.find((one) => one.getBoundingClientRect().top > 150);
      return first?.closest<HTMLElement>('[data-message-id]')?.dataset.messageId;
    });
  const place = await topOf();
  assert.notEqual(place, undefined);

  for (const name of ['b', 'c']) {
    await installBuild(name);
    await newWorkerWaits(reading);
  }
  // The second question comes after the answer to the first one.
  for (const count of [1, 2]) {
    await rest(reading);
    await until(async () => (await questionsTo(writing)) >= count, `question ${count}`);
  }
  assert.equal(await workersOf(reading), 'installed, activated');
  assert.deepEqual([await buildOf(reading), await buildOf(writing)], ['a', 'a']);
  // A part that a page of the old build loads only now. The server does not have its script any more.
  assert.equal(await reading.evaluate(() => fetch('/static/app/extra-a.js').then(({ status }) => status)), 200);

  await send(writing, 'a whole sentence');
  await messageOf(writing, 'a whole sentence').waitFor();
  await untilEqual(() => boxOf(writing).inputValue(), '');
  await rest(reading);
  for (const { page } of tabs) await untilBuild(page, 'c');
  await messageOf(writing, 'a whole sentence').waitFor();
  await reading.getByRole('article').first().waitFor();
  await until(async () => (await topOf()) === place, 'the list at the same place');
  await rest(reading);
  for (const { page } of tabs) await world.settled(page);
  assert.deepEqual([tabs[0].loads, tabs[1].loads], [1, 1]);
  // The build that only waited is gone.
  await until(async () => (await keptBuilds(reading)).join() === 'a,c', 'the files of the builds a and c alone');
});

world.test('a new build waits for a file on its way, also while its conversation is not open', async () => {
  world.expectProblems(...PROBLEMS);
  const { ada, route } = await faultScene(world);
  const [{ page }, other] = await openTwo(ada, route, 'g');
  await other.page.close();
  await installBuild('h');
  const { decide } = front.proxy;
  front.proxy.decide = (request) => (request.path.startsWith('/api/v1/tus') ? 'ignore' : decide(request));
  await page.getByLabel('Files', { exact: true }).setInputFiles([PATTERN]);
  await page.getByRole('progressbar').waitFor();
  await page.goto(`${world.url}/#inbox`);
  await page.getByRole('progressbar').waitFor({ state: 'detached' });
  await newWorkerWaits(page);
  await rest(page);
  await page.goto(`${world.url}/${route}`);
  await page.getByRole('progressbar').waitFor();
  assert.deepEqual([await buildOf(page), await workersOf(page)], ['g', 'installed, activated']);
  assert.equal(await questionsTo(page), 0);

  front.proxy.decide = decide;
  front.proxy.cutAll();
  await page.getByRole('progressbar').waitFor({ state: 'detached' });
  await until(async () => (await boxOf(page).inputValue()).includes('/user_uploads/'), 'the link to the file');
  await page.goto(`${world.url}/#inbox`);
  await rest(page);
  await untilBuild(page, 'h');
});

world.test('without a server, a page keeps its build, also after a reload, until the server is back', async () => {
  world.expectProblems(...PROBLEMS);
  const { ada, route } = await faultScene(world);
  const tabs = await openTwo(ada, route, 'c');
  const pages = tabs.map((tab) => tab.page) as [Page, Page];
  const [page, other] = pages;
  await installBuild('d');
  await newWorkerWaits(page);
  loseServer();
  // A short interruption is not worth a notice.
  await page.clock.fastForward('00:05');
  for (const one of pages) {
    await one
      .getByText(/The server cannot be reached/)
      .first()
      .waitFor();
  }
  await rest(page);
  assert.deepEqual([await buildOf(page), await buildOf(other)], ['c', 'c']);
  assert.equal(await workersOf(page), 'installed, activated');
  assert.deepEqual([await questionsTo(page), await questionsTo(other)], [0, 0]);
  await other.reload();
  await messageOf(other, 'before the fault').waitFor();
  await untilBuild(other, 'c');
  await untilFollowing(other);
  await installBuild('d');
  await page.clock.fastForward('00:30');
  for (const one of pages) {
    await one
      .getByText(/The server cannot be reached/)
      .first()
      .waitFor({ state: 'detached' });
  }
  await rest(page);
  for (const one of pages) await untilBuild(one, 'd');
  await messageOf(page, 'before the fault').waitFor();
  assert.deepEqual([tabs[0].loads, tabs[1].loads], [1, 2]);
});

world.test('a tab that begins while a new build waits has the files of one build', async () => {
  world.expectProblems(...PROBLEMS);
  const { ada, route } = await faultScene(world);
  const [{ page }, other] = await openTwo(ada, route, 'e');
  await other.page.close();
  await boxOf(page).fill('still typing');
  await installBuild('f');
  await newWorkerWaits(page);
  // The server has the new page.
  const second = await world.open(ada, route, { beside: page });
  await untilBuild(second, 'f');
  assert.equal(await second.evaluate(() => document.querySelectorAll('script[src*="/extra-"]').length), 1);
  assert.equal(await buildOf(page), 'e');
  // Without a server, a page begins with the build whose worker is active.
  loseServer();
  await second.reload();
  await untilBuild(second, 'e');
  await messageOf(second, 'before the fault').waitFor();
  await untilEqual(() => boxOf(page).inputValue(), 'still typing');
  await installBuild('f');
});
