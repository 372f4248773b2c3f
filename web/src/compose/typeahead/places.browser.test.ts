import assert from 'node:assert/strict';
import { until, untilEqual } from '@heddle/server/testing/server/until.ts';
import type { Page } from 'playwright-core';
import { checkAccessibility } from '../../../testing/axe.ts';
import { browserWorld } from '../../../testing/browser-world.ts';

const world = browserWorld();

const boxOf = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });

let made = 0;

/** Two channels with topics. Their names end with a number, because all tests share the server. */
async function scene() {
  made += 1;
  const ada = await world.user({ name: `Ada ${made}` });
  const [design, garden] = [`design ${made}`, `garden ${made}`];
  const designId = await world.server.emptyChannel(ada.client, design);
  const gardenId = await world.server.emptyChannel(ada.client, garden);
  await ada.client.send(designId, 'icons', 'one');
  await ada.client.send(designId, 'logos', 'two');
  await ada.client.send(gardenId, 'desire paths', 'three');
  return { ada, design, garden, route: `#narrow/channel/${designId}/topic/logos` };
}

world.test('topics are offered behind #>, behind a finished link and >, and behind # by their name', async () => {
  const { ada, design, garden, route } = await scene();
  const page = await world.open(ada, route);
  const box = boxOf(page);
  const list = page.getByRole('listbox', { name: 'Suggestions' });
  const expectValue = (value: string) => until(async () => (await box.inputValue()) === value, value);
  await box.pressSequentially('#>ic');
  await list.getByRole('option', { name: 'icons' }).waitFor();
  await box.press('Enter');
  await expectValue(`#**${design}>icons** `);
  await box.fill('');
  await box.pressSequentially('#gard');
  await list.getByRole('option', { name: garden }).waitFor();
  await box.press('Enter');
  await expectValue(`#**${garden}** `);
  await box.pressSequentially('>');
  await list.getByRole('option', { name: 'desire paths' }).waitFor();
  await box.press('Tab');
  await expectValue(`#**${garden}>desire paths** `);
  await box.fill('');
  // Channels come first, then topics of all channels.
  await box.pressSequentially('#des');
  await list.getByRole('option', { name: 'desire paths' }).waitFor();
  const names = await list.getByRole('option').allTextContents();
  assert.match(names[0] ?? '', /^design/);
  assert.match(names.at(-1) ?? '', /^desire paths#garden/);
  await checkAccessibility(page, 'channels and topics', { without: ['aria-required-children', 'heading-order'] });
  await box.press('ArrowUp');
  await box.press('Enter');
  await expectValue(`#**${garden}>desire paths** `);
});

world.test('<time opens the picker; what is typed while it loads stays in the text', async () => {
  const { ada, route } = await scene();
  const page = await world.open(ada, route);
  const loading = Promise.withResolvers<void>();
  await page.route(/\/parts-[^/]*\.js$/, async (request) => {
    await loading.promise;
    await request.continue();
  });
  await page.reload();
  const box = boxOf(page);
  await box.pressSequentially('at <time');
  await box.pressSequentially(' sharp');
  await untilEqual(() => box.inputValue(), 'at <time sharp');
  loading.resolve();
  const dialog = page.getByRole('dialog', { name: 'Insert a time' });
  await dialog.getByLabel('Day').fill('2031-03-04');
  await dialog.getByLabel('Time').fill('09:30');
  await dialog.getByRole('button', { name: 'Insert' }).click();
  await until(async () => /^at <time:2031-03-04T\d\d:30:00Z> sharp$/.test(await box.inputValue()), 'the time');
  await box.fill('');
  await box.pressSequentially('`<time');
  await world.settled(page);
  await untilEqual(() => dialog.count(), 0);
});

world.test('on a phone, what is typed while the picker of channels loads goes into its field', async () => {
  const { ada, garden } = await scene();
  const page = await world.open(ada, '#recent', { device: 'phone' });
  const loading = Promise.withResolvers<void>();
  await page.route(/\/parts-[^/]*\.js$/, async (request) => {
    await loading.promise;
    await request.continue();
  });
  await page.reload();
  await page.getByRole('button', { name: /^New message/ }).waitFor();
  await page.keyboard.press('c');
  await page.keyboard.type(garden);
  loading.resolve();
  const channel = page.getByRole('combobox', { name: 'Channel' });
  await until(async () => (await channel.inputValue()) === garden, 'the typed name');
  await page.getByRole('option', { name: garden }).waitFor();
});
