import assert from 'node:assert/strict';
import { until } from '@heddle/server/testing/server/until.ts';
import type { Page } from 'playwright-core';
import { checkAccessibility } from '../../testing/axe.ts';
import { browserWorld } from '../../testing/browser-world.ts';
import { drawn } from '../../testing/scenes.ts';

const world = browserWorld();

/** Where to put pictures of the views, to look at them. */
const PICTURES = process.env.PEOPLE_PICTURES;

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/${name}.png` });
}

async function team() {
  const [ada, bob] = [await world.user({ name: 'Ada Weaver' }), await world.user({ name: 'Bob Dyer' })];
  return { ada, bob };
}

world.test('a name in the feed opens the card of the person, which leads to the profile', async () => {
  const { ada, bob } = await team();
  await bob.client.ok('POST', '/users/me/status', { status_text: 'at the loom', emoji_name: 'coffee' });
  await bob.client.direct([ada.client.userId], 'hello');
  const page = await world.open(ada, `#narrow/dm/${bob.client.userId}-dm`);
  await page.getByRole('article').getByRole('button', { name: 'Bob Dyer' }).click();
  const card = page.getByRole('dialog', { name: 'Bob Dyer' });
  await card.getByText('at the loom').waitFor();
  await picture(page, 'card');
  await checkAccessibility(page, 'the card of a person', { part: 'overlays' });
  await card.getByRole('button', { name: 'More about Bob Dyer' }).click();
  await picture(page, 'card-menu');
  await page.getByRole('menuitem', { name: 'Mute' }).click();
  await page.getByRole('article', { name: 'Message of a muted person' }).waitFor();
  await picture(page, 'muted');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('article').getByRole('button', { name: 'Bob Dyer' }).click();
  await card.getByRole('button', { name: 'View profile' }).click();
  await page.getByRole('main').getByRole('heading', { name: 'Channels' }).waitFor();
  await page.getByRole('main').getByRole('heading', { name: 'Bob Dyer' }).waitFor();
  await picture(page, 'profile');
  await checkAccessibility(page, 'a profile');
});

world.test('the list of people shows who is here, and finds everybody by name', async () => {
  const [ada, bob] = [await world.user({ name: 'Cleo Fuller' }), await world.user({ name: 'Dan Spinner' })];
  await bob.client.ok('POST', '/users/me/presence', { status: 'active', new_user_input: 'true' });
  const page = await world.open(ada);
  const people = page.getByRole('complementary', { name: 'People' });
  const list = people.getByRole('grid', { name: 'People' });
  await list.getByRole('row', { name: /Dan Spinner/ }).waitFor();
  await page.keyboard.press('w');
  await page.getByRole('searchbox', { name: 'Filter people' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.type('spi');
  await list.getByRole('row', { name: /Cleo Fuller/ }).waitFor({ state: 'detached' });
  await picture(page, 'people');
  await checkAccessibility(page, 'the list of people');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Dan Spinner' }).getByRole('button', { name: 'Write a message' }).click();
  await page.waitForURL(/#narrow\/dm\//);
});

world.test('names in the list of people have one colour, and stay where they are below the pointer', async () => {
  const [ada, dan] = [await world.user({ name: 'Cleo Reed' }), await world.user({ name: 'Dan Reed' })];
  const first = await world.user({ name: 'Aaron Reed' });
  const guest = await world.user({ name: 'Gil Reed', role: 600 });
  const arrive = { status: 'active', new_user_input: 'true' };
  await dan.client.ok('POST', '/users/me/presence', arrive);
  const blank = await world.open(ada, '#inbox');
  await blank.context().clock.install();
  const page = await world.open(ada, '#inbox', { beside: blank });
  await blank.close();
  const rows = page.getByRole('grid', { name: 'People' }).getByRole('row');
  for (const { name } of [dan, first, guest]) await rows.filter({ hasText: name }).waitFor();
  const colours = await rows
    .locator('[dir=auto]')
    .evaluateAll((names) => names.map((one) => getComputedStyle(one).color));
  assert(colours.length > 3);
  assert.equal(new Set(colours).size, 1, colours.join());
  const row = rows.filter({ hasText: 'Dan Reed' });
  const top = async () => (await row.boundingBox())?.y;
  await row.hover();
  const before = await top();
  await first.client.ok('POST', '/users/me/presence', arrive);
  await world.settled(page);
  // The list follows presences once a second.
  await page.clock.fastForward('00:05');
  await drawn(page);
  assert.equal(await top(), before);
  await page.mouse.move(700, 300);
  await until(async () => (await top()) !== before, 'the list in its new order');
});

world.test('a person sets a status and becomes invisible', async () => {
  const { ada } = await team();
  const page = await world.open(ada, `#user/${ada.client.userId}`);
  await page.getByRole('button', { name: 'Your account: Ada Weaver' }).click();
  await picture(page, 'account');
  await page.getByRole('menuitem', { name: 'Set a status' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set a status' });
  await dialog.getByRole('button', { name: 'In a meeting' }).click();
  await dialog.getByText('Show others when I am active').click();
  await picture(page, 'status');
  await checkAccessibility(page, 'the dialog of the status', { part: 'overlays' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('main').getByText('In a meeting').waitFor();
  const { status } = await ada.client.ok('GET', `/users/${ada.client.userId}/status`);
  assert.deepEqual(
    { text: status.status_text, emoji: status.emoji_code, isInvisible: status.away },
    { text: 'In a meeting', emoji: '1f4c5', isInvisible: true },
  );
});

world.test('a status ends at the time that the person chose', async () => {
  const { ada } = await team();
  const statusOfAda = async () => (await ada.client.ok('GET', `/users/${ada.client.userId}/status`)).status.status_text;
  const blank = await world.open(ada, '#inbox');
  await blank.context().clock.install();
  const page = await world.open(ada, `#user/${ada.client.userId}`, { beside: blank });
  await blank.close();
  await page.getByRole('button', { name: 'Your account: Ada Weaver' }).click();
  await page.getByRole('menuitem', { name: 'Set a status' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set a status' });
  await dialog.getByRole('button', { name: 'In a meeting' }).click();
  await dialog.getByRole('button', { name: /^In 1 hour/ }).waitFor();
  await dialog.getByRole('button', { name: 'Save' }).click();
  // The hour begins when the server has the status. Its event can come earlier.
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('main').getByText('In a meeting').waitFor();
  await page.clock.fastForward('55:00');
  assert.equal(await statusOfAda(), 'In a meeting');
  await page.clock.fastForward('06:00');
  await page.getByRole('main').getByText('In a meeting').waitFor({ state: 'detached' });
  assert.equal(await statusOfAda(), undefined);
  // Without an end in this browser, the same status stays.
  await ada.client.ok('POST', '/users/me/status', { status_text: 'In a meeting', emoji_name: 'calendar' });
  await page.getByRole('main').getByText('In a meeting').waitFor();
  await page.clock.fastForward('02:00');
  assert.equal(await statusOfAda(), 'In a meeting');
});

world.test('a conversation shows who is typing', async () => {
  const { ada, bob } = await team();
  await bob.client.direct([ada.client.userId], 'hello');
  const page = await world.open(ada, `#narrow/dm/${bob.client.userId}-dm`);
  await page.getByText('hello').waitFor();
  await bob.client.ok('POST', '/typing', { type: 'direct', op: 'start', to: JSON.stringify([ada.client.userId]) });
  await page.getByText('Bob Dyer is typing…').waitFor();
  await bob.client.direct([ada.client.userId], 'done');
  await page.getByText('Bob Dyer is typing…').waitFor({ state: 'detached' });
});

world.test('on a phone the card of a person is a sheet', async () => {
  const { ada, bob } = await team();
  await bob.client.direct([ada.client.userId], 'hello');
  const page = await world.open(ada, `#narrow/dm/${bob.client.userId}-dm`, { device: 'phone', theme: 'dark' });
  await page.getByRole('article').getByRole('button', { name: 'Bob Dyer' }).tap();
  await page.getByRole('dialog', { name: 'Person' }).getByText('Write a message').waitFor();
  await picture(page, 'card-phone');
  await checkAccessibility(page, 'the sheet of a person', { part: 'overlays' });
});

world.test('the profile of a deactivated person leads to the messages of the person', async () => {
  const { ada, bob } = await team();
  await bob.client.direct([ada.client.userId], 'before I go');
  await world.owner.client.ok('DELETE', `/users/${bob.client.userId}`);
  const page = await world.open(ada, `#user/${bob.client.userId}`);
  await page.getByText('Deactivated').waitFor();
  await page.getByRole('main').getByRole('button', { name: 'List messages' }).click();
  await page.getByRole('article').getByText('before I go').waitFor();
});
