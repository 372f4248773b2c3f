/** The app without a server: it starts, shows what it has, keeps what is written, and removes everything at the end of the login. */
import assert from 'node:assert/strict';
import { endSessionsOf } from '@heddle/server/domain/credentials/sessions.ts';
import { until } from '@heddle/server/testing/server/until.ts';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { checkAccessibility } from './axe.ts';
import { browserWorld } from './browser-world.ts';
import { faultScene, send } from './fault-scene.ts';
import { faultyFront } from './faulty-front.ts';
import { canStartOffline } from './offline.ts';
import { homeOf } from './settled.ts';
import { boxOf, messageOf } from './views.ts';

const front = faultyFront({ isKillable: true });
const world = browserWorld({ front: front.start, environment: { HEDDLE_BUS: 'postgres' } });

/** Without a server, requests fail, and so do those of the worker. */
const WITHOUT_SERVER = ['no response', 'status 5', 'ERR_EMPTY_RESPONSE', 'Failed to fetch', 'Heddle continued'];

/** Kills the server, and starts it again when `run` has ended. */
async function withoutServer(run: () => Promise<void>): Promise<void> {
  await front.kill();
  try {
    await run();
  } finally {
    await front.restart();
  }
}

/** Everything in the databases of the page. The archive has bytes. */
const databasesOf = (page: Page) =>
  page.evaluate(async () => {
    const contents: unknown[] = [];
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
      });
      for (const store of database.objectStoreNames) {
        const request = database.transaction(store).objectStore(store).getAll();
        const values = await new Promise<unknown[]>((resolve) => {
          request.onsuccess = () => resolve(request.result);
        });
        contents.push(...values.map((one) => (one instanceof Uint8Array ? new TextDecoder().decode(one) : one)));
      }
      database.close();
    }
    return JSON.stringify(contents);
  });

async function stored(page: Page, ...texts: readonly string[]): Promise<void> {
  await until(
    async () => {
      const all = await databasesOf(page);
      return texts.every((text) => all.includes(text));
    },
    `${texts.join(' and ')} in the storage`,
  );
}

/** What the browser keeps of the app. */
const keptBy = (page: Page) =>
  page.evaluate(async () => ({
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    caches: await caches.keys(),
    databases: (await indexedDB.databases()).map(({ name }) => name),
  }));

const NOTHING = { workers: 0, caches: [], databases: [] };

/** A page that leaves waits for the end of the deletions, but not for long. */
async function untilKept(page: Page, kept: Awaited<ReturnType<typeof keptBy>>): Promise<void> {
  const expected = JSON.stringify(kept);
  await until(async () => JSON.stringify(await keptBy(page)) === expected, `the browser to keep ${expected}`);
}

world.test('without a server, the app starts, is read and written, and sends when the server is back', async () => {
  const { ada, bob, channelId, route, write, sentByAda } = await faultScene(world);
  world.expectProblems(...WITHOUT_SERVER);
  await write('never opened', 'other looms');
  await bob.client.direct([ada.client.userId], 'a word in private');
  const page = await world.open(ada, route, { hasWorker: true });
  await messageOf(page, 'before the fault').waitFor();
  await canStartOffline(page);
  await page.goto(`${world.url}/#recent`);
  await page.getByRole('row', { name: /other looms/ }).waitFor();
  // The unread conversations that nobody has opened were fetched ahead.
  await stored(page, 'before the fault', 'never opened', 'a word in private', '"last":{"senderId"');
  await page.goto(`${world.url}/${route}`);
  await withoutServer(async () => {
    await page.reload();
    await messageOf(page, 'before the fault').waitFor();
    await page.getByText(/The server cannot be reached.* Last updated \d+:\d\d/).waitFor();
    await page.goto(`${world.url}/#inbox`);
    await page
      .getByRole('main')
      .getByRole('link', { name: /other looms/ })
      .waitFor();
    await page.goto(`${world.url}/#narrow/channel/${channelId}/topic/other.20looms`);
    await messageOf(page, 'never opened').waitFor();
    await page.goto(`${world.url}/#narrow/dm/${bob.client.userId}`);
    await messageOf(page, 'a word in private').waitFor();
    await page.goto(`${world.url}/#recent`);
    await page.getByRole('row', { name: /other looms/ }).waitFor();
    await page.goto(`${world.url}/${route}`);
    await send(page, 'written in a tunnel');
    await messageOf(page, 'written in a tunnel').getByText('Not sent yet').waitFor();
    await boxOf(page).fill('not finished');
    await page.waitForFunction(() => JSON.stringify(localStorage).includes('not finished'));
    await page.reload();
    await messageOf(page, 'written in a tunnel').getByText('Not sent yet').waitFor();
    await until(async () => (await boxOf(page).inputValue()) === 'not finished', 'the draft');
    const second = await world.open(ada, '#drafts', { beside: page });
    await second.getByRole('main').getByText('not finished').waitFor();
    await second.close();
  });
  await page.getByText('Not sent yet').waitFor({ state: 'detached' });
  await until(async () => (await sentByAda()).length > 0, 'the message on the server');
  assert.deepEqual(await sentByAda(), ['written in a tunnel']);
  await page.getByText(/cannot be reached/).waitFor({ state: 'detached' });
});

world.test('the page of a start without a server has a policy with a nonce of its own', async () => {
  const { ada, route } = await faultScene(world);
  world.expectProblems(...WITHOUT_SERVER);
  const page = await world.open(ada, route, { hasWorker: true });
  await canStartOffline(page);
  await stored(page, 'before the fault');
  const nonces = new Set<string>();
  await withoutServer(async () => {
    for (let count = 0; count < 2; count += 1) {
      const response = await page.reload();
      const policy = (await response?.headerValue('content-security-policy')) ?? '';
      const [, nonce = ''] = /'nonce-([\w+/]{24})'/.exec(policy) ?? [];
      assert((await response?.text())?.includes(`nonce="${nonce}"`), policy);
      assert.match(policy, /require-trusted-types-for 'script'/);
      nonces.add(nonce);
      await messageOf(page, 'before the fault').waitFor();
    }
  });
  assert.equal(nonces.size, 2);
});

async function logOut(page: Page, name: string): Promise<void> {
  await page
    .getByRole('button', { name: new RegExp(name) })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
}

world.test('a logout removes worker, caches and stores', async () => {
  const { ada, route } = await faultScene(world);
  world.expectProblems(...WITHOUT_SERVER, /status 401/);
  const page = await world.open(ada, route, { hasWorker: true });
  world.forgetLogin(ada);
  await canStartOffline(page);
  await stored(page, 'before the fault');
  await logOut(page, ada.name);
  await page.waitForURL(/\/login\//);
  await untilKept(page, NOTHING);
  await withoutServer(() => assert.rejects(page.goto(world.url), /ERR_/));
});

world.test(
  'a logout without a server removes everything at once, and ends the session when the server is back',
  async () => {
    const { ada, route } = await faultScene(world);
    world.expectProblems(...WITHOUT_SERVER, /status 40[13]/);
    const page = await world.open(ada, route, { hasWorker: true });
    world.forgetLogin(ada);
    await messageOf(page, 'before the fault').waitFor();
    await canStartOffline(page);
    const second = await world.open(ada, '#inbox', { beside: page });
    const sessions = async () => {
      const found = sql<{ count: string }>`SELECT count(*) AS count FROM sessions WHERE user_id = ${ada.client.userId}`;
      return Number((await found.execute(world.server.app.db)).rows[0]?.count);
    };
    await withoutServer(async () => {
      await logOut(page, ada.name);
      for (const one of [page, second]) await one.getByRole('heading', { name: 'You are logged out' }).waitFor();
      await checkAccessibility(page, 'a logout without a server', {});
      await untilKept(page, { workers: 1, caches: ['heddle-leaving'], databases: [] });
      assert.doesNotMatch(
        await page.evaluate(() => JSON.stringify({ ...localStorage })),
        new RegExp(`heddle-${ada.client.userId}-`),
      );
      // No page opens.
      await page.goto(`${world.url}/${route}`);
      await page.getByRole('heading', { name: 'You are logged out' }).waitFor();
      assert.notEqual(await sessions(), 0);
    });
    for (const one of [page, second]) await one.waitForURL(/\/login\//);
    await page.getByLabel('Email').waitFor();
    assert.equal(await sessions(), 0);
    await untilKept(page, NOTHING);
  },
);

for (const [title, end] of [
  ['the end of the login elsewhere', 'session'],
  ['a deactivation', 'account'],
] as const) {
  world.test(`${title} removes worker, caches and stores`, async () => {
    const { ada, route } = await faultScene(world);
    world.expectProblems('status 4', 'no response');
    const page = await world.open(ada, route, { hasWorker: true });
    world.forgetLogin(ada);
    await canStartOffline(page);
    await stored(page, 'before the fault');
    if (end === 'session') await endSessionsOf(await homeOf(world.server), ada.client.userId);
    else await world.owner.client.ok('DELETE', `/users/${ada.client.userId}`);
    await page.waitForURL(/\/login\//);
    const isEmpty = async () => {
      const { workers, caches } = await keptBy(page);
      return workers === 0 && caches.length === 0;
    };
    await until(isEmpty, 'a browser without worker and caches');
    await until(async () => !(await databasesOf(page)).includes('before the fault'), 'no message in the databases');
  });
}
