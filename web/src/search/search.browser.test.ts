import { untilEqual } from '@heddle/server/testing/server/until.ts';
import { checkAccessibility } from '../../testing/axe.ts';
import { browserWorld } from '../../testing/browser-world.ts';
import { messageOf } from '../../testing/scenes.ts';

const world = browserWorld();

world.test('a search has suggestions for conditions, pills, and highlighted results', async () => {
  const [ada, bo] = [await world.user({ name: 'Ada Search' }), await world.user({ name: 'Bo Search' })];
  await bo.client.direct([ada.client.userId], 'the purple shuttle');
  await bo.client.direct([ada.client.userId], 'the green shuttle');
  const page = await world.open(ada, '#inbox');
  await page.keyboard.press('/');
  const field = page.getByRole('combobox', { name: 'Search' });
  await field.fill('bo sea');
  await page.getByRole('option', { name: /sent by Bo Search/ }).click();
  await page.getByRole('button', { name: 'Remove the condition: sent by Bo Search' }).waitFor();
  await field.pressSequentially('is:d');
  await page
    .getByRole('option', { name: /direct messages/ })
    .first()
    .waitFor();
  await checkAccessibility(page, 'the search', { part: 'overlays' });
  await field.press('Enter');
  await page.getByRole('button', { name: 'Remove the condition: direct messages' }).waitFor();
  await field.pressSequentially('purple');
  await field.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const result = page.getByText('purple', { exact: true });
  await result.first().waitFor();
  await world.settled(page);
  await untilEqual(() => page.getByText('green').count(), 0);
  await untilEqual(() => page.locator('.highlight').first().textContent(), 'purple');
});

world.test('a search without results says what to try', async () => {
  const ada = await world.user({ name: 'Ada Nothing' });
  const page = await world.open(ada, '#narrow/search/xylophone/has/link');
  await page.getByText('No message matches').waitFor();
  await page.getByRole('button', { name: 'Search all public channels' }).click();
  await page.getByRole('button', { name: /^Change the search: all public channels, xylophone/ }).waitFor();
  await page.getByText('No message matches').waitFor();
  await page.getByRole('button', { name: 'Without “messages with links”' }).click();
  await page.getByRole('button', { name: 'Change the search: all public channels, xylophone' }).waitFor();
  // No account has this name.
  const other = await world.open(ada, '#narrow/search/sender.3Axylophone.20green');
  await other.getByText('Not understood as a condition, so searched as text: sender:xylophone.').waitFor();
});

world.test('a condition can be typed, and a date begins the search there', async () => {
  const ada = await world.user({ name: 'Ada Typing' });
  await ada.client.direct([ada.client.userId], 'a note to myself');
  const page = await world.open(ada, '#inbox');
  await page.keyboard.press('/');
  const field = page.getByRole('combobox', { name: 'Search' });
  await field.pressSequentially('sender:me -has:link ');
  await page.getByRole('button', { name: 'Remove the condition: sent by you' }).waitFor();
  await page.getByRole('button', { name: 'Remove the condition: not: messages with links' }).waitFor();
  await field.pressSequentially('near:2020-01-01 ');
  await field.press('Enter');
  // The inbox shows the text, too.
  await page.waitForURL(/#narrow\/sender\/me.*\/-has\/link\/near\/\d+$/);
  await messageOf(page, 'a note to myself').waitFor();
});

world.test('the palette goes to channels, people and commands', async () => {
  const ada = await world.user({ name: 'Ada Palette' });
  await world.user({ name: 'Zoe Palette' });
  const { client } = world.owner;
  const subscription = { subscriptions: [{ name: 'palette colours' }], principals: [ada.client.userId] };
  await client.ok('POST', '/users/me/subscriptions', subscription);
  const page = await world.open(ada, '#inbox');
  // Also from a field.
  await page.getByRole('searchbox', { name: 'Filter conversations' }).press('Control+k');
  const field = page.getByRole('combobox', { name: 'Go to' });
  await field.fill('pal col');
  await page.getByRole('option', { name: /^palette colours/ }).waitFor();
  await checkAccessibility(page, 'the palette', { part: 'overlays' });
  await field.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'palette colours' }).waitFor();
  await page.keyboard.press('Control+k');
  await field.fill('zoe');
  await page.getByRole('option', { name: /Zoe Palette/ }).waitFor();
  await field.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Zoe Palette' }).waitFor();
  await page.keyboard.press('Control+k');
  await field.fill('dark theme');
  await page.getByRole('option', { name: 'Dark theme' }).waitFor();
  await field.press('Enter');
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
});

world.test('on a phone the search opens from the bar and fills the screen', async () => {
  const ada = await world.user({ name: 'Ada Phone' });
  await ada.client.direct([ada.client.userId], 'a phone number');
  const page = await world.open(ada, '#inbox', { device: 'phone' });
  await page.getByRole('navigation', { name: 'Views' }).getByText('Search').tap();
  const field = page.getByRole('combobox', { name: 'Search' });
  await field.fill('phone');
  await page.getByRole('option', { name: /Messages with/ }).tap();
  await page.getByRole('region', { name: 'Messages', exact: true }).getByText('phone', { exact: true }).waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Search', exact: true }).tap();
  await untilEqual(() => field.inputValue(), 'phone');
  await page.getByRole('button', { name: 'Close' }).tap();
  await field.waitFor({ state: 'detached' });
});
