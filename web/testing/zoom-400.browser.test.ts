/** 400 % zoom of a window of 1280 × 1024 pixels. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { browserWorld } from './browser-world.ts';
import { messageOf, sceneOf } from './scenes.ts';

const world = browserWorld();

const ENLARGED = { width: 320, height: 256 };

/** Runs in the page. How much of the window belongs to the messages of the view. */
function messagesShare(): number {
  const list = document.querySelector('main [data-feed-scroller]');
  if (list === null) return 0;
  const { top, bottom } = list.getBoundingClientRect();
  return (Math.min(bottom, innerHeight) - Math.max(top, 0)) / innerHeight;
}

/** Whether the page can be scrolled so that all of it is on the screen. */
async function canBeReached(element: Locator): Promise<boolean> {
  await element.scrollIntoViewIfNeeded();
  return element.evaluate((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  });
}

world.test('at 400 %, two thirds of the height belong to messages, and all else can be reached', async () => {
  const { ada, route, write } = await sceneOf(world);
  for (let number = 1; number <= 20; number += 1) await write(`thread ${number}`);
  const page = await world.open(ada, route, { size: ENLARGED });
  for (const hash of [route, '#feed']) {
    await page.evaluate((to) => {
      location.hash = to;
    }, hash);
    await messageOf(page, 'thread 1').first().waitFor();
    await world.settled(page);
    const share = await page.evaluate(messagesShare);
    assert(share >= 2 / 3, `${hash}: messages have ${Math.round(share * 100)} % of the height`);
    assert(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the page scrolls sideways');
    for (const link of await page.getByRole('navigation', { name: 'Views' }).getByRole('link').all()) {
      assert(await canBeReached(link), 'a view of the bar cannot be reached');
    }
    await page.evaluate(() => window.scrollTo(0, 0));
  }
  await page.goto(`${world.url}/${route}`);
  const box = page.getByRole('textbox', { name: 'Message', exact: true });
  await box.fill('a message');
  assert(await canBeReached(box), 'the box is cut');
  assert(await canBeReached(page.getByRole('button', { name: 'Send', exact: true })), 'the button is cut');
});
