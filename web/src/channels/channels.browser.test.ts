import assert from 'node:assert/strict';
import { Role } from '@heddle/server/directory/records.ts';
import { until, untilEqual } from '@heddle/server/testing/server/until.ts';
import type { Page } from 'playwright-core';
import { checkAccessibility } from '../../testing/axe.ts';
import { browserWorld } from '../../testing/browser-world.ts';
import { sceneOf } from '../../testing/scenes.ts';

const world = browserWorld();

/** React Aria announces a button that waits by the ids of its texts, which are gone a moment later. */
const PAGE = { without: ['role-img-alt'], part: 'main' } as const;

world.test('an owner creates a channel, changes its name and adds a member', async () => {
  const ada = await world.user({ name: 'Ada Weaver' });
  const page = await world.open(world.owner, '#channels/new');
  await page.getByRole('textbox', { name: 'Name' }).fill('loom room');
  await page.getByRole('textbox', { name: 'Description' }).fill('about looms');
  await page.getByRole('radio', { name: /Private, shared history/ }).check({ force: true });
  await page.getByRole('button', { name: 'Create channel' }).click();
  await page.waitForURL(/#narrow\/channel\/\d+-loom-room/);
  const { stream_id: channelId } = await world.owner.client.ok('GET', '/get_stream_id', { stream: 'loom room' });

  await page.goto(`${world.server.url}/#channels/${channelId}/loom-room/general`);
  await page.getByRole('textbox', { name: 'Name' }).fill('shed');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'shed', level: 1 }).waitFor();
  await checkAccessibility(page, 'the settings of a channel', PAGE);

  await page.getByRole('tab', { name: 'Members' }).click();
  await page.getByRole('combobox', { name: 'Add people' }).fill('Ada');
  await page.getByRole('option', { name: 'Ada Weaver' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('grid').getByRole('link', { name: 'Ada Weaver' }).waitFor();
  const { subscribers } = await world.owner.client.ok('GET', `/streams/${channelId}/members`);
  assert.ok(subscribers.includes(ada.client.userId));
  await checkAccessibility(page, 'the members of a channel', PAGE);
});

world.test('a member finds a channel, joins it and leaves it', async () => {
  await world.owner.client.ok('POST', '/channels/create', {
    name: 'weaving',
    subscribers: [world.owner.client.userId],
  });
  const page = await world.open(await world.user({ name: 'Bob' }), '#channels/available');
  await page.getByRole('searchbox', { name: 'Filter channels' }).fill('weav');
  await page.getByRole('button', { name: 'Join weaving' }).click();
  await page.getByRole('button', { name: 'Join weaving' }).waitFor({ state: 'detached' });
  await page.getByText('You joined #weaving').waitFor();
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByRole('heading', { name: 'weaving', exact: true }).waitFor();
  await page.goBack();
  await page.getByRole('radio', { name: 'Subscribed' }).click();
  await page.getByRole('button', { name: 'Leave weaving' }).click();
  await page.getByRole('button', { name: 'Leave weaving' }).waitFor({ state: 'detached' });
  await checkAccessibility(page, 'the list of channels', PAGE);
});

/** The sidebar. */
function listOf(page: Page) {
  return page.getByRole('list', { name: 'Conversations' });
}

world.test('the menu of a channel pins it, takes it back from the top, and changes its colour', async () => {
  const { ada, channel, channelId } = await sceneOf(world);
  const page = await world.open(ada, '#inbox');
  const row = listOf(page).getByRole('link', { name: new RegExp(`^${channel}`) });
  const choose = async (name: string) => {
    await row.click({ button: 'right' });
    await page.getByRole('menu', { name: channel }).getByRole('menuitem', { name }).click();
  };
  const pinned = listOf(page).getByRole('button', { name: 'Pinned channels' });
  await choose('Pin to the top');
  await pinned.waitFor();
  await choose('Unpin');
  await pinned.waitFor({ state: 'detached' });
  await choose('Change colour…');
  const dialog = page.getByRole('dialog', { name: `Colour of #${channel}` });
  await dialog.getByRole('radio', { name: '#9a4fc4' }).check({ force: true });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await until(async () => {
    const { subscriptions } = await ada.client.ok('GET', '/users/me/subscriptions');
    const own = subscriptions.find(({ stream_id }: { stream_id: number }) => stream_id === channelId);
    return own.color === '#9a4fc4';
  }, 'the stored colour');
  await row.locator('svg').and(page.locator('[style*="#9a4fc4"]')).waitFor();
});

world.test('the menu of a channel works by keyboard, and Escape returns the focus', async () => {
  const { ada, channelId, channel } = await sceneOf(world);
  const page = await world.open(ada, `#narrow/channel/${channelId}`);
  const button = page.getByRole('main').getByRole('button', { name: 'Channel actions' });
  await button.focus();
  await page.keyboard.press('Enter');
  const menu = page.getByRole('menu', { name: channel });
  await menu.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('ArrowDown');
  await menu.getByRole('menuitem').first().and(page.locator(':focus')).waitFor();
  await page.keyboard.press('ArrowDown');
  await menu.getByRole('menuitem').nth(1).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  await button.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await menu.and(page.locator(':focus')).waitFor();
  // Letters find an entry by its name.
  await page.keyboard.type('pin');
  await menu.getByRole('menuitem', { name: 'Pin to the top' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await listOf(page).getByRole('button', { name: 'Pinned channels' }).waitFor();
});

world.test('an administrator creates a folder and puts a channel into it', async () => {
  const { channel, channelId } = await sceneOf(world);
  await world.owner.client.subscribe(channel);
  const page = await world.open(world.owner, '#channels/subscribed');
  await page.getByRole('button', { name: 'Folders' }).click();
  const dialog = page.getByRole('dialog', { name: 'Folders of channels' });
  // Enter twice creates it once, and what is typed meanwhile stays.
  const created = Promise.withResolvers<void>();
  await page.route('**/json/channel_folders/create', async (route) => {
    await created.promise;
    await route.continue();
  });
  const field = dialog.getByRole('textbox', { name: 'New folder' });
  await field.fill('Workshop');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await field.pressSequentially(' two');
  created.resolve();
  await dialog.getByRole('button', { name: 'Archive Workshop' }).waitFor();
  await dialog.getByRole('button', { name: 'Please wait' }).waitFor({ state: 'detached' });
  await untilEqual(() => field.inputValue(), 'Workshop two');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.goto(`${world.url}/#channels/${channelId}/any/general`);
  await page.getByRole('button', { name: /Folder/ }).click();
  await page.getByRole('option', { name: 'Workshop' }).click();
  await listOf(page).getByRole('button', { name: 'Workshop' }).waitFor();
});

world.test('a click on a channel in which nobody wrote opens the channel, not the notices of the server', async () => {
  const ada = await world.user({ name: 'Ada Newcomer' });
  await ada.client.ok('POST', '/channels/create', { name: 'quiet looms', subscribers: [ada.client.userId] });
  const { stream_id: channelId } = await ada.client.ok('GET', '/get_stream_id', { stream: 'quiet looms' });
  await ada.client.ok('PATCH', `/streams/${channelId}`, { description: 'about silence' });
  const page = await world.open(ada, '#inbox');
  await listOf(page).getByRole('button', { name: 'Topics of quiet looms' }).click();
  await listOf(page)
    .getByRole('link', { name: /^channel events/ })
    .waitFor();
  const row = listOf(page).getByRole('link', { name: /^quiet looms/ });
  await row.click();
  await page.getByRole('heading', { level: 1, name: 'quiet looms', exact: true }).waitFor();
  await ada.client.send(channelId, 'warp', 'the first word');
  await listOf(page).getByRole('link', { name: /^warp/ }).waitFor();
  await row.click();
  await page.getByRole('heading', { level: 1, name: 'quiet looms › warp' }).waitFor();
});

world.test('the channel list ends with a way to more channels, except for guests who see no others', async () => {
  const { channel, ada } = await sceneOf(world);
  const guest = await world.user({ name: 'Gus Guest', role: Role.guest });
  await ada.client.subscribe(channel, { principals: [guest.client.userId] });
  const guestPage = await world.open(guest, '#inbox');
  await listOf(guestPage)
    .getByRole('link', { name: new RegExp(`^${channel}`) })
    .waitFor();
  await world.settled(guestPage);
  await untilEqual(() => guestPage.getByRole('link', { name: 'Browse more channels' }).count(), 0);
  await world.server.emptyChannel(world.owner.client, `beside ${channel}`);
  const page = await world.open(ada, '#inbox');
  await listOf(page).getByRole('link', { name: 'Browse more channels' }).click();
  await page.getByRole('button', { name: `Join beside ${channel}` }).waitFor();
});
