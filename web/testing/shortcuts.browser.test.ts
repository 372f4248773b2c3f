/** Each shortcut of the tables of `navigation-shortcuts.tsx`, `message-shortcuts.ts` and the frame does its action. */
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
  await page.waitForFunction(() => !document.title.startsWith('('));
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
  await page.getByRole('combobox', { name: 'Go to' }).waitFor({ state: 'detached' });
  await press('/', (one) => one.getByRole('combobox', { name: 'Search' }));
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Search' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Control+.');
  await page.getByRole('complementary', { name: 'People' }).waitFor({ state: 'detached' });
  await press('Control+.', (one) => one.getByRole('complementary', { name: 'People' }));
});

world.test('each action on a message has a key', async () => {
  const { ada, channelId, route, write } = await sceneOf(world);
  await write('the first text');
  await write('the second text');
  await ada.client.send(channelId, 'looms', 'my own text');
  await world.owner.client.ok('PATCH', '/realm', { enable_read_receipts: true });
  const permissions = ['clipboard-read', 'clipboard-write'];
  const page = await world.open(ada, route, { permissions });
  const target = messageOf(page, 'the second text');
  await messageOf(page, 'my own text').waitFor();
  const box = page.getByRole('textbox', { name: 'Message', exact: true });
  const on = async (text: string, key: string, shown: Locator) => {
    await messageOf(page, text).focus();
    await page.keyboard.press(key);
    await shown.first().waitFor();
  };
  /** Leaves what the key opened. The focus returns to the message. */
  const leave = async (shown: Locator) => {
    const focus = page.locator(':focus');
    await shown.locator(focus).or(shown.and(focus)).waitFor();
    await page.keyboard.press('Escape');
    await shown.waitFor({ state: 'detached' });
    await page.getByRole('article').and(page.locator(':focus')).waitFor();
  };
  for (const [key, name] of [
    ['Shift+T', 'Remind me'],
    ['m', 'Move messages'],
    ['Shift+V', 'Read receipts'],
  ] as const) {
    const opened = page.getByRole('dialog', { name });
    await on('the second text', key, opened);
    await leave(opened);
  }
  await on('the second text', '+', target.getByRole('button', { name: 'You reacted with :+1:' }));
  await on('the second text', ':', page.getByRole('combobox', { name: 'Search emoji' }));
  await page.keyboard.type('octop');
  await page.getByRole('gridcell', { name: 'octopus' }).waitFor();
  await page.keyboard.press('Enter');
  await target.getByRole('button', { name: 'You reacted with :octopus:' }).waitFor();
  await on('the second text', '*', target.getByRole('button', { name: 'Remove the star' }));
  await on('the second text', 'Shift+L', page.getByText('Link copied'));
  await on('the second text', 'i', page.getByRole('menu'));
  await page.keyboard.press('ArrowDown');
  await leave(page.getByRole('menu'));
  const edit = page.getByRole('textbox', { name: 'Edit message' });
  await on('my own text', 'e', edit);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('my changed text');
  await page.keyboard.press('Control+Enter');
  // The text field contains the text already before the message does.
  await messageOf(page, 'my changed text').getByText('edited', { exact: true }).waitFor();
  const history = page.getByRole('dialog', { name: 'Edit history' });
  await on('my changed text', 'Shift+H', history);
  await leave(history);
  await on('the second text', 'r', box);
  await page.waitForFunction(() => document.activeElement instanceof HTMLTextAreaElement);
  await page.keyboard.press('Escape');
  await on('the second text', '>', box);
  await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('```quote'));
  await box.fill('');
  await page.keyboard.press('Escape');
  // The arrows move the selection like j and k.
  await messageOf(page, 'the second text').focus();
  await page.keyboard.press('k');
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('the first text'));
  await page.keyboard.press('j');
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('the second text'));
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('my changed text'));
});
