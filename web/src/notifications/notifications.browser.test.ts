import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { browserWorld } from '../../testing/browser-world.ts';

const world = browserWorld();

interface Shown {
  readonly title: string;
  readonly body: string;
  readonly isClosed: boolean;
}

/** Records what the page notifies of, because a headless browser shows nothing. The page must be loaded again after it. */
async function recordNotifications(page: Page, permission: NotificationPermission): Promise<void> {
  await page.addInitScript((granted) => {
    const shown: { title: string; body: string; isClosed: boolean; click: () => void }[] = [];
    class RecordedNotification {
      static permission = granted;
      static requestPermission = async () => {
        RecordedNotification.permission = 'granted';
        return 'granted' as const;
      };
      onclick: (() => void) | undefined;
      onclose: (() => void) | undefined;
      readonly entry: (typeof shown)[number];
      constructor(title: string, { body }: { body: string }) {
        this.entry = { title, body, isClosed: false, click: () => this.onclick?.() };
        shown.push(this.entry);
      }
      close() {
        this.entry.isClosed = true;
        this.onclose?.();
      }
    }
    Object.assign(globalThis, { Notification: RecordedNotification, shownNotifications: shown });
  }, permission);
  await page.reload();
  await page.getByRole('main').first().waitFor();
}

function shown(page: Page): Promise<readonly Shown[]> {
  return page.evaluate(() => {
    const { shownNotifications } = globalThis as unknown as { shownNotifications: Shown[] };
    return shownNotifications.map(({ title, body, isClosed }) => ({ title, body, isClosed }));
  });
}

async function waitForNotifications(page: Page, count: number): Promise<void> {
  await page.waitForFunction(
    (wanted) => (globalThis as unknown as { shownNotifications: unknown[] }).shownNotifications.length >= wanted,
    count,
  );
}

world.test(
  'a direct message notifies, a click opens it, and reading it elsewhere closes the notification',
  async () => {
    const [ada, bob] = [await world.user({ name: 'Ada Weaver' }), await world.user({ name: 'Bob Dyer' })];
    const page = await world.open(ada, '#inbox');
    await recordNotifications(page, 'granted');
    const first = await bob.client.direct([ada.client.userId], 'the **warp** is ready');
    await waitForNotifications(page, 1);
    assert.deepEqual(await shown(page), [{ title: 'Bob Dyer', body: 'the warp is ready', isClosed: false }]);
    await ada.client.ok('POST', '/messages/flags', { op: 'add', flag: 'read', messages: JSON.stringify([first]) });
    await page.waitForFunction(
      () => (globalThis as unknown as { shownNotifications: Shown[] }).shownNotifications[0]?.isClosed === true,
    );
    await bob.client.direct([ada.client.userId], 'and the weft');
    await waitForNotifications(page, 2);
    await page.evaluate(() => {
      const all = (globalThis as unknown as { shownNotifications: { click: () => void }[] }).shownNotifications;
      all[1]?.click();
    });
    await page.getByRole('article').getByText('and the weft').waitFor();
  },
);

world.test('the app asks for the permission when the first message was missed', async () => {
  const [ada, bob] = [await world.user({ name: 'Ada Weaver' }), await world.user({ name: 'Bob Dyer' })];
  const page = await world.open(ada, '#inbox');
  await recordNotifications(page, 'default');
  await bob.client.direct([ada.client.userId], 'hello');
  await page.getByText('Bob Dyer wrote to you.').waitFor();
  await page.getByRole('button', { name: 'Turn on notifications' }).click();
  await page.getByText('Bob Dyer wrote to you.').waitFor({ state: 'detached' });
  await bob.client.direct([ada.client.userId], 'again');
  await waitForNotifications(page, 1);
});

world.test('the app does not ask for the permission because of a notice of the server', async () => {
  const [ada, bob] = [await world.user({ name: 'Ada Weaver' }), await world.user({ name: 'Bob Dyer' })];
  const page = await world.open(ada, '#inbox');
  await recordNotifications(page, 'default');
  await world.server.emptyChannel(bob.client, 'looms of Bob');
  // The Notification Bot writes to Ada about it.
  await bob.client.subscribe('looms of Bob', { principals: [ada.client.userId] });
  await page
    .getByRole('list', { name: 'Conversations' })
    .getByRole('link', { name: /^Notification Bot/ })
    .first()
    .waitFor();
  await bob.client.direct([ada.client.userId], 'hello');
  await page.getByText('Bob Dyer wrote to you.').waitFor();
});
