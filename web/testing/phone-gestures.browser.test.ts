/** The layout of a phone: ways back, swipes, topics of a channel, the keyboard. */
import assert from 'node:assert/strict';
import { until, untilEqual } from '@heddle/server/testing/server/until.ts';
import type { Page } from 'playwright-core';
import { browserWorld } from './browser-world.ts';
import { drawn, messageOf, sceneOf, topOf } from './scenes.ts';

const world = browserWorld();

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Moves one finger over the screen. */
async function swipe(page: Page, from: Point, to: Point): Promise<void> {
  const steps = 8;
  const session = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints });
  await send('touchStart', [from]);
  for (let step = 1; step <= steps; step += 1) {
    const part = step / steps;
    await send('touchMove', [{ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }]);
  }
  await send('touchEnd', []);
  await session.detach();
  await drawn(page);
}

/** Gestures belong to the code that loads after the first view. */
async function untilGesturesWork(page: Page): Promise<void> {
  // It counts the visit last (`app/extras.ts`).
  await page.waitForFunction(() => sessionStorage.getItem('heddle-visit-counted') !== null);
  await world.settled(page);
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('heading', { level: 1, name });
const backArrow = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Back', exact: true });

world.test('an arrow and a swipe from the edge lead back to where one came from', async () => {
  const { ada, route, write } = await sceneOf(world);
  await write('the warp is ready');
  const page = await world.open(ada, '#inbox', { device: 'phone' });
  await heading(page, 'Inbox').waitFor();
  await untilGesturesWork(page);
  await untilEqual(() => backArrow(page).count(), 0, 'there is nothing to go back to');
  const toTopic = async () => {
    await page.evaluate((hash) => {
      location.hash = hash;
    }, route);
    await messageOf(page, 'the warp is ready').waitFor();
  };
  await toTopic();
  await backArrow(page).tap();
  await heading(page, 'Inbox').waitFor();
  await toTopic();
  // The finger scrolls, or it does not begin at the edge.
  await swipe(page, { x: 4, y: 300 }, { x: 60, y: 500 });
  await swipe(page, { x: 120, y: 300 }, { x: 330, y: 300 });
  await swipe(page, { x: 4, y: 300 }, { x: 40, y: 300 });
  await untilEqual(() => heading(page, /looms/).count(), 1);
  await swipe(page, { x: 4, y: 300 }, { x: 160, y: 310 });
  await heading(page, 'Inbox').waitFor();
  // The views of the bar are where ways begin.
  await swipe(page, { x: 4, y: 300 }, { x: 160, y: 310 });
  await untilEqual(() => heading(page, 'Inbox').count(), 1);
  // The list of conversations is an entry of its own.
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Menu' }).tap();
  await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
  await swipe(page, { x: 4, y: 300 }, { x: 160, y: 310 });
  await page.getByRole('navigation', { name: 'Conversations' }).waitFor({ state: 'hidden' });
});

world.test('a conversation that the app opens with has a way to the home view', async () => {
  const { ada, route, write } = await sceneOf(world);
  await write('the warp is ready');
  const page = await world.open(ada, route, { device: 'phone' });
  await messageOf(page, 'the warp is ready').waitFor();
  await backArrow(page).tap();
  await heading(page, 'Inbox').waitFor();
  // Settings have an arrow of their own inside, and only one.
  await page.evaluate(() => {
    location.hash = '#settings/profile';
  });
  await heading(page, 'Profile').waitFor();
  await backArrow(page).first().waitFor();
  await untilEqual(() => backArrow(page).count(), 1);
  await backArrow(page).tap();
  await heading(page, 'Settings').waitFor();
  await backArrow(page).waitFor();
});

world.test('a swipe on a message quotes it, and scrolling, code and selections do not', async () => {
  const { ada, route, write } = await sceneOf(world);
  for (let number = 1; number <= 30; number += 1) await write(`thread ${number}`);
  await write(`\`\`\`\n${'a line of code that no phone can show '.repeat(5)}\n\`\`\``);
  await write('the warp is ready');
  const page = await world.open(ada, route, { device: 'phone' });
  await messageOf(page, 'thread 1').first().waitFor();
  await untilGesturesWork(page);
  await page.keyboard.press('End');
  await messageOf(page, 'the warp is ready').waitFor();
  await drawn(page);
  await world.settled(page);
  const box = page.getByRole('textbox', { name: 'Message', exact: true });
  const at = async (text: string): Promise<Point> => ({ x: 300, y: (await topOf(page, text)) + 12 });
  // Code scrolls sideways itself.
  const code = messageOf(page, 'a line of code').locator('pre');
  const area = await code.boundingBox();
  assert(area !== null);
  const onCode = { x: area.x + area.width - 40, y: area.y + area.height / 2 };
  await swipe(page, onCode, { ...onCode, x: onCode.x - 150 });
  await until(async () => (await code.evaluate((pre) => pre.scrollLeft)) > 0, 'the code to scroll');
  await world.settled(page);
  const start = await at('the warp is ready');
  await swipe(page, start, { x: start.x - 120, y: start.y - 200 });
  await page
    .getByRole('button', { name: 'Newest messages' })
    .or(messageOf(page, 'the warp is ready'))
    .first()
    .waitFor();
  await messageOf(page, 'the warp is ready').scrollIntoViewIfNeeded();
  await drawn(page);
  await world.settled(page);
  // Short ways, and the other direction.
  const again = await at('the warp is ready');
  await swipe(page, again, { ...again, x: again.x - 40 });
  await swipe(page, { ...again, x: 100 }, again);
  // A finger moves the handle of a selection.
  await messageOf(page, 'the warp is ready').evaluate((one) => getSelection()?.selectAllChildren(one));
  await swipe(page, again, { ...again, x: again.x - 150 });
  await page.evaluate(() => getSelection()?.removeAllRanges());
  await world.settled(page);
  await untilEqual(() => box.inputValue(), '');
  await swipe(page, again, { ...again, x: again.x - 150 });
  await page.waitForFunction(
    (field) => (field as HTMLTextAreaElement).value.includes('the warp is ready'),
    await box.elementHandle(),
  );
  const quotes = (await box.inputValue()).match(/```quote/g);
  assert.equal(quotes?.length, 1);
});

world.test('auf Deutsch: eine Seite hat die Themen eines Kanals, die ungelesenen zuerst', async () => {
  const { ada, channel, channelId, write, read } = await sceneOf(world);
  // A press on a channel leads to the list of its topics.
  await ada.client.ok('PATCH', '/settings', { default_language: 'de', web_channel_default_view: 3 });
  await write('Wolle', 'Garn');
  const seen = [await write('Webstuhl', 'Rahmen'), await write('Schere', 'Werkzeug')];
  await read(seen);
  const page = await world.open(ada, '#inbox', { device: 'phone', locale: 'de-DE' });
  await page.getByRole('navigation', { name: 'Ansichten' }).getByRole('button', { name: 'Menü' }).tap();
  const conversations = page.getByRole('navigation', { name: 'Unterhaltungen' });
  await conversations.getByRole('link', { name: new RegExp(`^${channel}`) }).tap();
  const topics = page.getByRole('main').getByRole('list', { name: 'Themen' });
  await topics.getByRole('link').nth(2).waitFor();
  const names = () => topics.getByRole('link').evaluateAll((links) => links.map(({ textContent }) => textContent));
  const shown = await names();
  assert.match(shown[0] ?? '', /^Garn/);
  assert.match(shown[1] ?? '', /^Werkzeug/);
  for (const link of await topics.getByRole('link').all()) {
    const row = await link.boundingBox();
    assert(row !== null && row.height >= 44, `a row is ${row?.height} px high`);
  }
  // Back leads to the same list, from the topic and from all messages.
  await topics.getByRole('link', { name: /^Werkzeug/ }).tap();
  await messageOf(page, 'Schere').waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Zurück', exact: true }).tap();
  await topics.waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Alle Nachrichten des Kanals' }).tap();
  await messageOf(page, 'Wolle').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Themen', exact: true }).tap();
  await topics.waitFor();
  assert.match(page.url(), new RegExp(`#topics/channel/${channelId}-`));
});

world.test('the bar at the bottom gives way to the keyboard', async () => {
  const { ada, route, write } = await sceneOf(world);
  await write('the warp is ready');
  const page = await world.open(ada, route, { device: 'phone' });
  await messageOf(page, 'the warp is ready').waitFor();
  await untilGesturesWork(page);
  const views = page.getByRole('navigation', { name: 'Views' });
  const size = page.viewportSize();
  assert(size !== null);
  const box = page.getByRole('textbox', { name: 'Message', exact: true });
  await box.tap();
  await views.waitFor();
  await page.setViewportSize({ ...size, height: size.height - 330 });
  await views.waitFor({ state: 'hidden' });
  await world.settled(page);
  const field = await box.boundingBox();
  assert(field !== null && field.y + field.height <= size.height - 330, 'the keyboard covers the box');
  await page.setViewportSize(size);
  await views.waitFor();
  // A lower window without writing is no keyboard.
  await box.blur();
  await page.setViewportSize({ ...size, height: size.height - 330 });
  await drawn(page);
  assert(await views.isVisible());
});

/** Runs in the page. Bars, their buttons, and rows of lists that are lower than a finger needs. */
function lowRows(): string[] {
  const bars = 'main header, main header button, nav[aria-label="Views"] :is(a, button)';
  const rows = ':is(main, nav) :is([role=listitem], [role=rowgroup] > [role=row])';
  return [...document.querySelectorAll<HTMLElement>(`${bars}, ${rows}`)]
    .filter((one) => one.checkVisibility())
    .flatMap((one) => {
      const { height } = one.getBoundingClientRect();
      return height >= 44 ? [] : [`${one.localName} ${one.ariaLabel ?? one.textContent.slice(0, 30)}: ${height} px`];
    });
}

world.test('bars and rows have 44 px', async () => {
  const { ada, route, channelId, write } = await sceneOf(world);
  await write('the warp is ready');
  await write('wool', 'yarn');
  const page = await world.open(ada, '#inbox', { device: 'phone' });
  const problems: string[] = [];
  for (const hash of ['#inbox', '#recent', '#feed', route, `#topics/channel/${channelId}`, '#drafts', 'menu']) {
    if (hash === 'menu')
      await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Menu' }).tap();
    else {
      await page.evaluate((to) => {
        location.hash = to;
      }, hash);
    }
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await world.settled(page);
    problems.push(...(await page.evaluate(lowRows)).map((one) => `${hash}: ${one}`));
  }
  assert.deepEqual(problems, []);
});

/** Runs in the page. The heights of the labels of choices, in pixels. */
function choiceHeights(): number[] {
  const labels = document.querySelectorAll('main label:has(input:is([type=checkbox], [type=radio]))');
  return [...labels].map((label) => label.getBoundingClientRect().height);
}

world.test('choices have 44 px', async () => {
  const { ada } = await sceneOf(world);
  for (const [hash, role] of [
    ['#channels/new', 'radio'],
    ['#settings/notifications', 'checkbox'],
    ['#settings/preferences', 'switch'],
  ] as const) {
    const page = await world.open(ada, hash, { device: 'phone' });
    await page.getByRole('main').getByRole(role).first().waitFor({ state: 'attached' });
    const heights = await page.evaluate(choiceHeights);
    assert(heights.length > 0 && heights.every((height) => height >= 44), `${hash}: ${heights.join(' ')} px`);
  }
});
