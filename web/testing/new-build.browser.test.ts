/** A new build of the app, while pages of the one before are open. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '@heddle/server/testing/server/until.ts';
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
  await until(() => hasWaiting(page), 'a new worker that waits');
}

const hasWaiting = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state === 'installed');

/** Two tabs of the person, whose clock a test can move. */
async function openTwo(ada: Person, route: string, name: string): Promise<readonly [Page, Page]> {
  await installBuild(name);
  const blank = await world.open(ada, '#inbox', { hasWorker: true });
  await canStartOffline(blank);
  await blank.context().clock.install();
  await blank.context().addInitScript(() => {
    // An empty page has none.
    if (!('ServiceWorkerContainer' in window)) return;
    const { register } = ServiceWorkerContainer.prototype;
    ServiceWorkerContainer.prototype.register = function (...parameters) {
      Object.assign(window, { followsWorker: true });
      return register.apply(this, parameters);
    };
  });
  const pages = [
    await world.open(ada, route, { beside: blank }),
    await world.open(ada, route, { beside: blank }),
  ] as const;
  await blank.close();
  for (const page of pages) {
    await messageOf(page, 'before the fault').waitFor();
    await untilBuild(page, name);
    await canStartOffline(page);
    await world.settled(page);
    await untilFollowing(page);
    await page.evaluate(() => {
      sessionStorage.setItem('loads', '0');
      Object.assign(window, { questions: 0 });
      navigator.serviceWorker.addEventListener('message', ({ data }) => {
        if (data.kind === 'may-take-over') (window as unknown as { questions: number }).questions += 1;
      });
    });
  }
  await pages[0].context().addInitScript(() => {
    if (location.protocol === 'about:') return;
    const loads = sessionStorage.getItem('loads');
    if (loads !== null) sessionStorage.setItem('loads', String(Number(loads) + 1));
  });
  return pages;
}

/** The part of the app that answers the worker loads when the browser is idle. */
async function untilFollowing(page: Page): Promise<void> {
  await page.waitForFunction(() => 'followsWorker' in window);
}

const loadsOf = (page: Page) => page.evaluate(() => sessionStorage.getItem('loads'));

const questionsTo = (page: Page) => page.evaluate(() => (window as unknown as { questions: number }).questions);

/** Nobody does anything for two minutes. All tabs of a profile have one clock. */
const rest = (page: Page) => page.clock.fastForward('02:00');

world.test('a new build waits while somebody types, then takes over with one reload at the same place', async () => {
  world.expectProblems(...PROBLEMS);
  const { ada, route, write } = await faultScene(world);
  const pages = await openTwo(ada, route, 'a');
  const [reading, writing] = pages;
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

  await installBuild('b');
  await newWorkerWaits(reading);
  // The second question comes after the answer to the first one.
  for (const count of [1, 2]) {
    await rest(reading);
    await until(async () => (await questionsTo(writing)) >= count, `question ${count}`);
  }
  assert.equal(await hasWaiting(reading), true);
  assert.deepEqual([await buildOf(reading), await buildOf(writing)], ['a', 'a']);
  // A part that a page of the old build loads only now. The server does not have its script any more.
  assert.equal(await reading.evaluate(() => fetch('/static/app/extra-a.js').then(({ status }) => status)), 200);

  await send(writing, 'a whole sentence');
  await messageOf(writing, 'a whole sentence').waitFor();
  assert.equal(await boxOf(writing).inputValue(), '');
  await rest(reading);
  for (const page of pages) await untilBuild(page, 'b');
  await messageOf(writing, 'a whole sentence').waitFor();
  await reading.getByRole('article').first().waitFor();
  await until(async () => (await topOf()) === place, 'the list at the same place');
  await rest(reading);
  for (const page of pages) {
    await world.settled(page);
    assert.deepEqual([await buildOf(page), await loadsOf(page)], ['b', '1']);
  }
});

world.test('without a server, a page keeps its build, also after a reload, until the server is back', async () => {
  world.expectProblems(...PROBLEMS);
  const { ada, route } = await faultScene(world);
  const pages = await openTwo(ada, route, 'c');
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
  assert.deepEqual([await buildOf(page), await buildOf(other), await hasWaiting(page)], ['c', 'c', true]);
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
  assert.deepEqual([await loadsOf(page), await loadsOf(other)], ['1', '2']);
});

world.test('a tab that begins while a new build waits has the files of one build', async () => {
  world.expectProblems(...PROBLEMS);
  const { ada, route } = await faultScene(world);
  const [page, other] = await openTwo(ada, route, 'e');
  await other.close();
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
  assert.equal(await boxOf(page).inputValue(), 'still typing');
  await installBuild('f');
});
