/** Each shortcut of the table of `navigation-shortcuts.tsx` and of the frame does its action. */
import type { Locator, Page } from 'playwright-core';
import { browserWorld } from './browser-world.ts';
import { messageOf, sceneOf } from './scenes.ts';

const world = browserWorld();

/** What is on the screen after the keys. */
type Shown = (page: Page) => Locator;

const dialog =
  (name: string): Shown =>
  (page) =>
    page.getByRole('dialog', { name });
const view =
  (name: string | RegExp): Shown =>
  (page) =>
    page.getByRole('heading', { level: 1, name, exact: true });

world.test('each view has a key', async () => {
  const { ada, bob, channel, channelId, route, write } = await sceneOf(world);
  await write('How are the looms?');
  await write('And the shuttles?', 'shuttles');
  await bob.client.direct([ada.client.userId], 'a private word');
  const otherId = await world.server.emptyChannel(ada.client, `${channel} too`);
  await ada.client.send(otherId, 'yarn', 'Wool or cotton?');
  const page = await world.open(ada, route);
  await messageOf(page, 'How are the looms?').waitFor();
  const press = async (key: string, shown: Shown) => {
    await page.keyboard.press(key);
    await shown(page).first().waitFor();
  };
  await press('s', view(channel));
  await press('Shift+I', view('Inbox'));
  await press('t', view('Recent conversations'));
  await press('a', view('Combined feed'));
  await press('Shift+P', view('Direct messages'));
  await press('*', view('Starred messages'));
  await press('d', view('Drafts'));
  // The views of all messages have read some of them.
  await ada.client.ok('POST', '/mark_all_as_read');
  await write('Which shuttle?', 'shuttles');
  await page.getByRole('link', { name: new RegExp(`^${channel} 1 unread`) }).waitFor();
  await press('n', view(/shuttles/));
  await bob.client.direct([ada.client.userId], 'another private word');
  await page.getByRole('link', { name: new RegExp(`${bob.name} 1 unread`) }).waitFor();
  await press('p', view(bob.name));
  await page.goto(`${world.url}/#narrow/channel/${channelId}`);
  await press('Shift+D', view(`${channel} too`));
  await press('Shift+A', view(channel));
  await press('Escape', view('Inbox'));
  await press('?', dialog('Keyboard shortcuts'));
  await press('Escape', view('Inbox'));
  await dialog('Keyboard shortcuts')(page).waitFor({ state: 'detached' });
  await press('Control+k', (one) => one.getByRole('combobox', { name: 'Go to' }));
  await page.keyboard.press('Escape');
  await press('/', (one) => one.getByRole('combobox', { name: 'Search' }));
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Search' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Control+.');
  await page.getByRole('complementary', { name: 'People' }).waitFor({ state: 'detached' });
  await press('Control+.', (one) => one.getByRole('complementary', { name: 'People' }));
});
