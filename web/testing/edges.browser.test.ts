/** Where things stand, and the look that this browser keeps. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { browserWorld } from './browser-world.ts';
import { messageOf, sceneOf } from './scenes.ts';

const world = browserWorld();

/** Where the box is, from the left edge of the messages. */
async function boxOf(page: Page, box: Locator) {
  const [area, main] = [await box.boundingBox(), await page.getByRole('main').boundingBox()];
  assert(area !== null && main !== null, 'the box is not on the screen');
  return { left: area.x - main.x, right: area.x + area.width - main.x };
}

/** The frame around the field of an open box. */
const openBox = (page: Page): Locator =>
  page.getByRole('textbox', { name: /^(?:Message|Nachricht)/ }).locator('xpath=ancestor::div[2]');

for (const [name, options] of [
  ['a large desktop', { size: { width: 1920, height: 1080 } }],
  ['a phone', { device: 'phone' }],
] as const) {
  world.test(
    `pictures, dates and the box of ${name} have one left edge, and the last line one right edge`,
    async () => {
      const { ada, write, route } = await sceneOf(world);
      await write('a thread as long as a warp '.repeat(60));
      const page = await world.open(ada, route, options);
      const message = messageOf(page, /a thread as long/);
      await message.waitFor();
      await world.settled(page);
      const edges = await message.evaluate((element) => {
        const row = element.closest('[data-message-id]');
        const main = row?.closest('main')?.getBoundingClientRect().x ?? 0;
        const text = row?.querySelector('.message-html')?.getBoundingClientRect();
        return {
          picture: (row?.querySelector('img, [class*="avatar"]')?.getBoundingClientRect().x ?? 0) - main,
          right: (text?.right ?? 0) - main,
        };
      });
      const box = await boxOf(page, openBox(page));
      assert.deepEqual([edges.picture, box.left, edges.right], [16, 16, box.right]);
    },
  );
}

for (const device of ['desktop', 'phone'] as const) {
  world.test(`times and the emoji of a channel are whole, and being offline moves nothing on a ${device}`, async () => {
    const { ada, channelId, write } = await sceneOf(world);
    const isGerman = device === 'phone';
    if (isGerman) await ada.client.ok('PATCH', '/settings', { default_language: 'de' });
    const ids = [await write('the warp'), await write('the weft')];
    // 12:58 in Berlin is as wide as times are.
    const sent_at = new Date('2024-03-05T11:58:00Z');
    await world.server.app.db.updateTable('messages').set({ sent_at }).where('id', 'in', ids).execute();
    await ada.client.ok('PATCH', `/streams/${channelId}`, { description: '🎵' });
    const page = await world.open(ada, `#narrow/channel/${channelId}`, { device });
    await page.getByRole('main').locator('header').getByText('🎵', { exact: true }).waitFor();
    const message = messageOf(page, 'the weft');
    await message.waitFor();
    await world.settled(page);
    const time = await message.evaluate((row) => {
      const range = document.createRange();
      range.selectNodeContents(row.querySelector('time') ?? row);
      const [shown, text] = [
        range.getBoundingClientRect(),
        row.querySelector('.message-html')?.getBoundingClientRect(),
      ];
      return {
        text: range.toString(),
        before: shown.left - row.getBoundingClientRect().left,
        after: (text?.left ?? 0) - shown.right,
      };
    });
    assert.match(time.text, /^12:58\sPM$/);
    assert(
      time.before >= 0 && time.after >= 0,
      `the time has ${time.before} px before it and ${time.after} px after it`,
    );

    world.expectProblems('ERR_INTERNET_DISCONNECTED', 'ERR_NETWORK_CHANGED', /no response/);
    const places = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('main, h1, [data-feed-scroller], [data-message-id]')].map((element) =>
          JSON.stringify(element.getBoundingClientRect()),
        ),
      );
    // What loads after the list: the bar of the new channel, and the people on a desktop.
    const begin = page.getByRole('button', { name: isGerman ? 'Thema beginnen' : 'Start a topic' });
    await begin.waitFor();
    if (device === 'desktop') await page.locator('h1').nth(2).waitFor();
    await world.settled(page);
    // Its sentence has at most two lines, also on a phone.
    const sentence = page.getByText(isGerman ? 'Wie geht es weiter?' : 'What comes next?');
    assert(((await sentence.boundingBox())?.height ?? 0) < 40, 'the sentence of the bar has no room');
    const before = await places();
    await page.context().setOffline(true);
    await page.getByText(isGerman ? 'Du bist offline.' : 'You are offline.').waitFor();
    assert.deepEqual(await places(), before);
  });
}

/** How the page looks: the height of a control, the colour of the accent, and the files of the font that are loaded. */
const lookOf = (page: Page) =>
  page.evaluate(async () => {
    await document.fonts.ready;
    const accent = getComputedStyle(document.documentElement).getPropertyValue('--accent');
    const fonts = [...document.fonts].filter(
      ({ family, status }) => /Inter Variable/.test(family) && status === 'loaded',
    );
    return { accent, fonts: fonts.length };
  });

const heightOf = async (control: Locator) => (await control.boundingBox())?.height;

world.test('the look of this browser is there after a reload, in German', async () => {
  const ada = await world.user();
  await ada.client.ok('PATCH', '/settings', { default_language: 'de' });
  const page = await world.open(ada, '#settings/preferences');
  const accent = page.getByRole('button', { name: /Akzentfarbe/ });
  await accent.waitFor();
  const [usual, usualHeight] = [await lookOf(page), await heightOf(accent)];
  await accent.click();
  await page.getByRole('option', { name: 'Grün' }).click();
  await page.getByRole('button', { name: /Dichte/ }).click();
  await page.getByRole('option', { name: 'Kompakt' }).click();
  await page.reload();
  await accent.waitFor();
  const { dataset } = await page.evaluate(() => ({ dataset: { ...document.documentElement.dataset } }));
  assert.deepEqual([dataset.accent, dataset.density], ['green', 'compact']);
  const look = await lookOf(page);
  assert.notEqual(look.accent, usual.accent);
  assert(look.fonts > 0, 'the font of the app is loaded');
  assert.deepEqual([usualHeight, await heightOf(accent)], [32, 28]);
});
