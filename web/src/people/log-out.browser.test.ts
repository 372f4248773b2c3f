import assert from 'node:assert/strict';
import { endSessionsOf } from '@heddle/server/domain/credentials/sessions.ts';
import { upload } from '@heddle/server/testing/clients/user-files.ts';
import { until } from '@heddle/server/testing/server/until.ts';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { checkAccessibility } from '../../testing/axe.ts';
import { browserWorld, type Person } from '../../testing/browser-world.ts';
import { homeOf } from '../../testing/settled.ts';

const world = browserWorld();

/** The names of the databases and of the entries in the local storage. The widths of the columns and the look are not part of an account. */
const storedIn = (page: Page) =>
  page.evaluate(async () => {
    const databases = await indexedDB.databases();
    return [...databases.map(({ name }) => name ?? ''), ...Object.keys(localStorage)].filter(
      (name) => name !== 'heddle-frame' && name !== 'heddle-look',
    );
  });

/** A browser can still be deleting what the page before has asked it to delete. */
async function untilEmpty(page: Page): Promise<void> {
  let left: readonly string[] = [];
  await until(async () => {
    left = await storedIn(page);
    return left.length === 0;
  }, 'an empty storage').catch(() => assert.deepEqual(left, []));
}

/** Whether the text is in a database of the page. */
const isInDatabase = (page: Page, text: string) =>
  page.evaluate(async (wanted) => {
    const [{ name = '' } = {}] = await indexedDB.databases();
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open(name);
      request.onsuccess = () => resolve(request.result);
    });
    const stores = [...database.objectStoreNames];
    const transaction = database.transaction(stores);
    const contents = stores.map((store) => {
      const request = transaction.objectStore(store).getAll();
      return new Promise((resolve) => {
        request.onsuccess = () => resolve(request.result);
      });
    });
    const content = JSON.stringify(await Promise.all(contents));
    database.close();
    return content.includes(wanted);
  }, text);

/** Opens the app for the last time with this login, and waits until it has a database. */
async function openedFor(person: Person): Promise<Page> {
  const page = await world.open(person);
  world.forgetLogin(person);
  await until(() => page.evaluate(async () => (await indexedDB.databases()).length > 0), 'a database');
  return page;
}

async function logOutIn(page: Page, { name }: Person): Promise<void> {
  // A poll can begin after the server has ended the session, and before the app has stopped.
  world.expectProblems(/status 401: GET .*\/json\/events/);
  await page
    .getByRole('button', { name: new RegExp(name) })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
}

world.test('after a logout, the browser has nothing of the account, and no file in its cache', async () => {
  const ada = await world.user({ name: 'Ada' });
  const file = await upload(world.url, ada.client, 'a secret');
  const page = await openedFor(ada);
  const read = () => page.evaluate(async (path) => (await fetch(path, { cache: 'force-cache' })).text(), file);
  assert.equal(await read(), 'a secret');
  await logOutIn(page, ada);
  await page.waitForURL(/\/login\//);
  await untilEmpty(page);
  await page.goto(world.url + file);
  assert.equal(new URL(page.url()).pathname, '/login/');
});

world.test('a logout on the page of sessions also removes what the app has stored', async () => {
  const ada = await world.user({ name: 'Ada' });
  for (const button of ['Log out of this browser', 'Log out of all browsers']) {
    const page = await openedFor(ada);
    await page.goto(`${world.url}/accounts/sessions/`);
    assert.notDeepEqual(await storedIn(page), []);
    await page.getByRole('button', { name: button }).click();
    await page.waitForURL(/\/login\//);
    await untilEmpty(page);
  }
});

world.test('without a connection, a logout fails with a notice, and the app goes on', async () => {
  const ada = await world.user({ name: 'Ada' });
  const page = await openedFor(ada);
  world.expectProblems('no response');
  await page.context().setOffline(true);
  await logOutIn(page, ada);
  await page.getByText(/You are not logged out/).waitFor();
  assert.notDeepEqual(await storedIn(page), []);
  await page.context().setOffline(false);
  await logOutIn(page, ada);
  await page.waitForURL(/\/login\//);
});

world.test('a logout sends drafts first, and asks before it deletes text that the server does not have', async () => {
  const ada = await world.user({ name: 'Ada' });
  const channelId = await world.server.emptyChannel(ada.client, 'drafts');
  const open = () => world.open(ada, `#narrow/channel/${channelId}/topic/cloth`);
  const box = (page: Page) => page.getByRole('textbox', { name: /^Message/ });
  const drafts = async () =>
    (await ada.client.ok('GET', '/drafts')).drafts.map(({ content }: { content: string }) => content);
  const page = await open();
  world.forgetLogin(ada);
  await box(page).fill('typed just now');
  await logOutIn(page, ada);
  await page.waitForURL(/\/login\//);
  assert.deepEqual(await drafts(), ['typed just now']);
  const again = await open();
  world.forgetLogin(ada);
  world.expectProblems('status 503');
  await again.route('**/json/drafts**', (route) => route.fulfill({ status: 503, body: '{}' }));
  await box(again).fill('typed while the server refuses drafts');
  await logOutIn(again, ada);
  await again.getByText('Some text that you typed is only in this browser.').waitFor();
  assert.notDeepEqual(await storedIn(again), []);
  await again.getByRole('button', { name: 'Log out anyway' }).click();
  await again.waitForURL(/\/login\//);
});

world.test('a logout ends, also if the browser never says that its storage is deleted', async () => {
  const ada = await world.user({ name: 'Ada' });
  const page = await openedFor(ada);
  await page.evaluate(() => {
    IDBFactory.prototype.deleteDatabase = () => new EventTarget() as IDBOpenDBRequest;
  });
  await logOutIn(page, ada);
  await page.waitForURL(/\/login\//);
});

world.test('a logout asks before it deletes an edit that is not saved', async () => {
  const ada = await world.user({ name: 'Ada' });
  const channelId = await world.server.emptyChannel(ada.client, 'edits');
  await ada.client.send(channelId, 'cloth', 'the red thread');
  const page = await world.open(ada, `#narrow/channel/${channelId}/topic/cloth`);
  world.forgetLogin(ada);
  const message = page.getByRole('article').filter({ hasText: 'the red thread' });
  await message.focus();
  await page.keyboard.press('e');
  await page.getByRole('textbox', { name: 'Edit message' }).fill('the blue thread');
  await logOutIn(page, ada);
  await page.getByText('Some text that you typed is only in this browser.').waitFor();
  await page.getByRole('button', { name: 'Log out anyway' }).click();
  await page.waitForURL(/\/login\//);
});

/** Everything that the scripts of a page could read. */
const everythingIn = (page: Page) =>
  page.evaluate(async () => {
    const contents: unknown[] = [];
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
      });
      for (const store of database.objectStoreNames) {
        const request = database.transaction(store).objectStore(store).getAll();
        contents.push(
          await new Promise((resolve) => {
            request.onsuccess = () => resolve(request.result);
          }),
        );
      }
      database.close();
    }
    return JSON.stringify([contents, { ...localStorage }, { ...sessionStorage }, document.body.innerHTML]);
  });

/** Ends all sessions of the user, as another browser does. */
async function endSessions({ client }: Person): Promise<void> {
  await endSessionsOf(await homeOf(world.server), client.userId);
}

async function logInOn(page: Page, { client, password }: Person): Promise<void> {
  await page.getByLabel('Email').fill(client.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('main').first().waitFor();
}

world.test(
  'when the login ends elsewhere, all tabs go to the login, and only the same account gets its text back',
  async () => {
    const [ada, bob] = [await world.user({ name: 'Ada' }), await world.user({ name: 'Bob' })];
    const channelId = await world.server.emptyChannel(ada.client, 'looms', { invite_only: true });
    await ada.client.send(channelId, 'cloth', 'a secret of the weavers');
    const route = `#narrow/channel/${channelId}/topic/cloth`;
    const page = await world.open(ada, route);
    const second = await world.open(ada, '#inbox', { beside: page });
    world.forgetLogin(ada);
    await until(() => isInDatabase(page, 'secret of the weavers'), 'the secret in the database');
    world.expectProblems('status 401', 'no response', /status 400: GET/);
    // The server never gets this draft.
    await page.context().route('**/json/drafts**', (request) => request.abort());
    await page.getByRole('textbox', { name: /^Message/ }).fill('an unsent thread');
    await endSessions(ada);
    for (const one of [page, second]) {
      await one.waitForURL(/\/login\//);
      assert(!(await everythingIn(one)).match(/weavers|unsent thread/));
    }
    await second.close();
    await logInOn(page, bob);
    await world.settled(page);
    assert(!(await everythingIn(page)).match(/weavers|unsent thread/));
    await endSessions(bob);
    await page.waitForURL(/\/login\//);
    await logInOn(page, ada);
    const box = page.getByRole('textbox', { name: /^Message/ });
    await until(async () => (await box.inputValue()) === 'an unsent thread', 'the draft of Ada');
  },
);

world.test(
  'what was typed returns after the next login, also if the storage of the browser fails meanwhile',
  async () => {
    const ada = await world.user({ name: 'Ada' });
    const channelId = await world.server.emptyChannel(ada.client, 'shuttles');
    const page = await world.open(ada, `#narrow/channel/${channelId}/topic/cloth`);
    world.forgetLogin(ada);
    world.expectProblems('status 401', 'no response', 'Heddle continued after a problem');
    await page.context().route('**/json/drafts**', (request) => request.abort());
    const box = page.getByRole('textbox', { name: /^Message/ });
    await box.fill('an unsent thread');
    await page.evaluate(() => {
      IDBDatabase.prototype.transaction = () => {
        throw new Error('no storage');
      };
    });
    await endSessions(ada);
    await page.waitForURL(/\/login\//);
    await logInOn(page, ada);
    await until(async () => (await box.inputValue()) === 'an unsent thread', 'the draft of Ada');
  },
);

world.test('a channel that was lost since the last visit never appears', async () => {
  const ada = await world.user({ name: 'Ada' });
  const channelId = await world.server.emptyChannel(world.owner.client, 'pattern room', {
    invite_only: true,
    principals: [ada.client.userId],
  });
  await world.owner.client.send(channelId, 'cloth', 'a secret of the weavers');
  const route = `#narrow/channel/${channelId}/topic/cloth`;
  const page = await world.open(ada, route);
  await page.getByText('a secret of the weavers').waitFor();
  await until(() => isInDatabase(page, 'secret of the weavers'), 'the secret in the database');
  await page.goto('about:blank');
  await world.owner.client.ok('DELETE', '/users/me/subscriptions', {
    subscriptions: ['pattern room'],
    principals: [ada.client.userId],
  });
  world.expectProblems(/status 400: GET/);
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  await page.route('**/json/events**', async (request) => {
    asked.resolve();
    await answered.promise;
    await request.continue();
  });
  await page.goto(`${world.url}/${route}`);
  await asked.promise;
  // The app has its stored state, and no response.
  assert.doesNotMatch(await page.evaluate(() => document.body.innerText), /weavers|pattern room/);
  answered.resolve();
  await page.getByRole('main').first().waitFor();
  await page.unroute('**/json/events**');
  await world.settled(page);
  assert.doesNotMatch(await page.evaluate(() => document.body.innerText), /weavers|pattern room/);
});

world.test('the app of a deactivated user goes to the login page, and keeps nothing readable', async () => {
  const ada = await world.user({ name: 'Ada' });
  const channelId = await world.server.emptyChannel(ada.client, 'treadles');
  await ada.client.send(channelId, 'cloth', 'a secret of the weavers');
  const page = await world.open(ada, `#narrow/channel/${channelId}/topic/cloth`);
  world.forgetLogin(ada);
  await until(() => isInDatabase(page, 'secret of the weavers'), 'the secret in the database');
  world.expectProblems('status 400', 'status 401', 'status 403');
  await world.owner.client.ok('DELETE', `/users/${ada.client.userId}`);
  await page.waitForURL(/\/login\//);
  assert(!(await everythingIn(page)).match(/weavers|treadles/));
});

/** Removes the session as the clean-up of expired ones does: nothing announces it. */
async function expire({ client }: Person): Promise<void> {
  await sql`DELETE FROM sessions WHERE user_id = ${client.userId}`.execute(world.server.app.db);
}

/** Nothing but the message finds out that the session has ended. */
async function onlySends(page: Page): Promise<void> {
  await page.context().route(/\/json\/(?:drafts|typing|users\/me\/presence)/, (request) => request.abort());
}

world.test('a message after the end of the session says "Log in to send it", and the login sends it', async () => {
  const ada = await world.user({ name: 'Ada' });
  const channelId = await world.server.emptyChannel(ada.client, 'heddles');
  await ada.client.send(channelId, 'cloth', 'a secret of the weavers');
  const page = await world.open(ada, `#narrow/channel/${channelId}/topic/cloth`, { device: 'phone' });
  world.forgetLogin(ada);
  await page.getByText('a secret of the weavers').waitFor();
  world.expectProblems('status 401', 'no response', /status 400: GET/);
  await onlySends(page);
  const box = page.getByRole('textbox', { name: /^Message/ });
  await box.fill('sent after the end');
  await world.settled(page);
  await expire(ada);
  await box.press('Control+Enter');
  const unsent = page.getByRole('listitem').filter({ hasText: 'sent after the end' });
  await unsent.getByRole('link', { name: 'Log in to send it' }).waitFor();
  assert.doesNotMatch(await page.evaluate(() => document.body.innerText), /weavers|cloth|heddles/);
  assert.doesNotMatch(JSON.stringify(await storedIn(page)), /sent after/);
  await checkAccessibility(page, 'the end of a session with a message', {});
  await unsent.getByRole('link').click();
  await page.waitForURL(/\/login\//);
  assert.doesNotMatch(await everythingIn(page), /sent after/);
  await logInOn(page, ada);
  await page.getByRole('article').filter({ hasText: 'sent after the end' }).waitFor();
  await until(async () => {
    const narrow = [{ operator: 'channel', operand: channelId }];
    const { messages } = await ada.client.ok('GET', '/messages', {
      anchor: 'newest',
      num_before: 9,
      num_after: 0,
      narrow,
    });
    return messages.filter(({ content }: { content: string }) => content.includes('sent after the end')).length === 1;
  }, 'the message on the server, once');
});

/** Sends a message after the end of the session, and resolves when the page says that it is logged out. */
async function sendAfterTheEnd(page: Page, person: Person): Promise<void> {
  await onlySends(page);
  const box = page.getByRole('textbox', { name: /^Message/ });
  await box.fill('sent after the end');
  await world.settled(page);
  await expire(person);
  await box.press('Control+Enter');
  await page.getByRole('link', { name: 'Log in to send it' }).waitFor();
  await page.getByText('You are logged out.').waitFor();
}

world.test('who looks elsewhere after the end of the session shows the next person nothing', async () => {
  const ada = await world.user({ name: 'Ada' });
  const channelId = await world.server.emptyChannel(ada.client, 'reeds');
  const page = await world.open(ada, `#narrow/channel/${channelId}/topic/cloth`);
  world.forgetLogin(ada);
  world.expectProblems('status 401', 'no response', /status 400: GET/);
  await sendAfterTheEnd(page, ada);
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await page.waitForURL(/\/login\/\?next=/);
  assert.doesNotMatch(await everythingIn(page), /sent after/);
});

world.test(
  'who looks elsewhere while the browser still deletes what it has stored goes to the login, too',
  async () => {
    const ada = await world.user({ name: 'Ada' });
    const channelId = await world.server.emptyChannel(ada.client, 'shafts');
    const page = await world.open(ada, `#narrow/channel/${channelId}/topic/cloth`);
    world.forgetLogin(ada);
    world.expectProblems('status 401', 'no response', /status 400: GET/);
    await page.evaluate(() => {
      const { deleteDatabase } = IDBFactory.prototype;
      // The deletion begins only after the user has looked elsewhere.
      IDBFactory.prototype.deleteDatabase = function later(name) {
        const request = new EventTarget() as IDBOpenDBRequest;
        window.addEventListener('blur', () => {
          const real = deleteDatabase.call(this, name);
          real.onsuccess = () => request.onsuccess?.(new Event('success'));
        });
        return request;
      };
    });
    await sendAfterTheEnd(page, ada);
    await page.evaluate(() => window.dispatchEvent(new Event('blur')));
    await page.waitForURL(/\/login\/\?next=/);
  },
);
