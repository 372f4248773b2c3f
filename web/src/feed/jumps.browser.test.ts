import assert from 'node:assert/strict';
import { until, untilEqual } from '@heddle/server/testing/server/until.ts';
import type { Page } from 'playwright-core';
import { checkAccessibility } from '../../testing/axe.ts';
import { browserWorld } from '../../testing/browser-world.ts';
import { drawn, messageOf, type Scene, sceneOf } from '../../testing/scenes.ts';

const world = browserWorld();

/** Bob has written 60 messages in March 2024, 60 in May 2024, and 60 now. All are read. */
async function yearsOf({ write, read }: Scene): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let number = 1; number <= 180; number += 1) ids.push(await write(`thread ${number}.`));
  for (const [part, day] of [ids.slice(0, 60), ids.slice(60, 120)].entries()) {
    const sent_at = new Date(`2024-0${3 + 2 * part}-05T12:00:00Z`);
    await world.server.app.db.updateTable('messages').set({ sent_at }).where('id', 'in', day).execute();
  }
  // In Berlin, the second of each pair is the first one of its day. On March 31 the clocks change.
  const edges = { 59: '2024-03-30T22:59Z', 60: '2024-03-30T23:30Z', 61: '2024-05-04T21:59Z', 62: '2024-05-04T22:30Z' };
  for (const [number, time] of Object.entries(edges)) {
    const change = world.server.app.db.updateTable('messages').set({ sent_at: new Date(time) });
    await change.where('id', '=', ids[Number(number) - 1] ?? 0).execute();
  }
  await read(ids);
  return ids;
}

/** Where the first whole message of the list is, and which one it is. */
function placeOf(page: Page): Promise<{ readonly id: string | null; readonly top: number }> {
  return page.evaluate(() => {
    const list = document.querySelector('[data-feed-scroller]');
    const top = list?.getBoundingClientRect().top ?? 0;
    const first = [...(list?.querySelectorAll('[data-message-id]') ?? [])].find(
      (message) => message.getBoundingClientRect().top >= top,
    );
    return {
      id: first?.getAttribute('data-message-id') ?? null,
      top: Math.round((first?.getBoundingClientRect().top ?? 0) - top),
    };
  });
}

async function isBackAt(page: Page, place: Awaited<ReturnType<typeof placeOf>>): Promise<void> {
  const isThere = async () => {
    const now = await placeOf(page);
    return now.id === place.id && Math.abs(now.top - place.top) <= 2;
  };
  await until(isThere, `the message ${place.id} at ${place.top} pixels`);
}

/** The notice is below the list, so it covers neither what the user has jumped to nor anything that counts as read. It has room. */
async function coversNothing(page: Page, name = 'Back to where I was'): Promise<void> {
  const button = page.getByRole('button', { name });
  await button.waitFor();
  const [notice, list] = [await button.boundingBox(), await page.locator('[data-feed-scroller]').boundingBox()];
  assert(notice !== null && list !== null && notice.y >= list.y + list.height, 'the notice covers messages');
  assert(notice.x >= 0 && notice.x + notice.width <= (page.viewportSize()?.width ?? 0), 'the notice has no room');
}

/** A list that is still loading moves, and returns to where it was before. So it has settled before and after. */
async function scrollBy(page: Page, pixels: number): Promise<void> {
  await world.settled(page);
  await page.locator('[data-feed-scroller]').evaluate((list, by) => {
    // As a wheel does, so the list leaves the position to the user.
    list.dispatchEvent(new WheelEvent('wheel', { bubbles: true }));
    list.scrollBy(0, by);
  }, pixels);
  await drawn(page);
  await drawn(page);
  await world.settled(page);
}

world.test('a calendar leads to a day, and after each jump a key and a button lead back', async () => {
  const scene = await sceneOf(world);
  const { ada, bob, channel, channelId, route } = scene;
  const ids = await yearsOf(scene);
  const page = await world.open(ada, route, { timezone: 'Europe/Berlin' });
  await messageOf(page, 'thread 180.').waitFor();
  const back = page.getByRole('button', { name: 'Back to where I was' });
  const calendar = page.getByRole('dialog', { name: 'Go to a date' });
  const choose = async (label: string, option: string) => {
    await calendar.getByRole('button', { name: label }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await untilEqual(() => back.count(), 0);

  // A date, by keyboard.
  await scrollBy(page, -300);
  const before = await placeOf(page);
  await page.locator('body').press('g');
  await calendar.getByRole('button', { name: /Today/ }).and(page.locator(':focus')).waitFor();
  await choose('Year', '2024');
  await choose('Month', 'April');
  await calendar.getByRole('button', { name: /April 20, 2024/ }).press('Enter');
  await calendar.waitFor({ state: 'detached' });
  await messageOf(page, 'thread 61.').waitFor();
  await page.getByRole('heading', { name: /Sunday, May 5, 2024/ }).waitFor();
  await page.getByRole('heading', { level: 1, name: `${channel} › looms` }).waitFor();
  await back.waitFor();
  await coversNothing(page);
  await checkAccessibility(page, 'the notice that leads back', { part: 'main' });

  // The same jump again, from another place of the list.
  await world.settled(page);
  const landed = await placeOf(page);
  await scrollBy(page, -300);
  const away = await placeOf(page);
  assert.notEqual(away.id, landed.id);
  await page.locator('body').press('g');
  await choose('Year', '2024');
  await choose('Month', 'April');
  await calendar.getByRole('button', { name: /April 20, 2024/ }).press('Enter');
  await calendar.waitFor({ state: 'detached' });
  await isBackAt(page, landed);
  await page.locator('body').press('o');
  await isBackAt(page, away);
  await page.locator('body').press('o');
  await isBackAt(page, before);
  await back.waitFor({ state: 'detached' });

  // A day begins and ends at midnight of the user's zone.
  for (const [month, day, number] of [
    ['May', /Sunday, May 5, 2024/, 62],
    ['March', /Sunday, March 31, 2024/, 60],
  ] as const) {
    await page.locator('body').press('g');
    await choose('Year', '2024');
    await choose('Month', month);
    await calendar.getByRole('button', { name: day }).press('Enter');
    await page.waitForURL(new RegExp(`/near/${ids[number - 1]}$`));
    await messageOf(page, `thread ${number}.`).waitFor();
    await page.locator('body').press('o');
    await isBackAt(page, before);
  }

  // The newest message, in the same list.
  await scrollBy(page, -1200);
  const middle = await placeOf(page);
  await page.keyboard.press('End');
  await messageOf(page, 'thread 180.').waitFor();
  await coversNothing(page);
  await back.click();
  await isBackAt(page, middle);
  await back.waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement?.closest('main') !== null);

  // The view goes to what the user sends.
  const box = page.getByRole('textbox', { name: 'Message', exact: true });
  await box.fill('I read on above.');
  await scrollBy(page, -600);
  const above = await placeOf(page);
  await box.press('Control+Enter');
  await messageOf(page, 'I read on above.').waitFor();
  await back.click();
  await isBackAt(page, above);
  await back.waitFor({ state: 'detached' });

  // A hit of a search, in another view.
  await page.evaluate(() => location.assign('#narrow/search/thread'));
  await messageOf(page, 'thread 180.').waitFor();
  await scrollBy(page, -900);
  const hit = await placeOf(page);
  // A click of Playwright can scroll the list first, because the bar is inside of it.
  const atTop = page.getByRole('group', { name: 'Conversation at the top' });
  await atTop.getByRole('link', { name: 'looms' }).dispatchEvent('click');
  await page.getByRole('heading', { level: 1, name: `${channel} › looms` }).waitFor();
  await back.waitFor();
  await page.locator('body').press('o');
  await page
    .getByRole('status')
    .filter({ hasText: /results/ })
    .waitFor();
  await isBackAt(page, hit);

  // A link to a message. The browser's buttons know the offer, too.
  await bob.client.direct(
    [ada.client.userId],
    `look at ${world.url}/#narrow/channel/${channelId}/topic/looms/near/${ids[9]}`,
  );
  await page.evaluate((id) => location.assign(`#narrow/dm/${id}`), bob.client.userId);
  await messageOf(page, 'look at').getByRole('link', { name: /looms/ }).click();
  await messageOf(page, 'thread 10.').waitFor();
  await back.waitFor();
  await page.goBack();
  await messageOf(page, 'look at').waitFor();
  await untilEqual(() => back.count(), 0);
  await page.goForward();
  await back.click();
  await page.getByRole('heading', { level: 1, name: bob.name }).waitFor();
  await messageOf(page, 'look at').waitFor();

  // The palette has the command, in a feed of several conversations as well. Without later messages, it leads to the newest one.
  await page.evaluate(() => location.assign('#feed'));
  await messageOf(page, 'look at').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Go to' }).fill('go to a date');
  await page.getByRole('option', { name: /Go to a date/ }).click();
  await choose('Year', '2024');
  await choose('Month', 'March');
  await calendar.getByRole('button', { name: /March 5, 2024/ }).click();
  await messageOf(page, 'thread 1.').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Combined feed' }).waitFor();
  await page.getByRole('link', { name: 'Combined feed' }).and(page.locator('[aria-current=page]')).waitFor();
});

world.test('a search for a day that was closed leads nowhere, and closes nothing else', async () => {
  const { ada, route, write, read } = await sceneOf(world);
  await read([await write('thread 1.')]);
  const page = await world.open(ada, route);
  await messageOf(page, 'thread 1.').waitFor();
  await world.settled(page);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  let searches = 0;
  await page.context().route(/\/json\/messages\?/, async (request) => {
    searches += 1;
    ask();
    await released;
    await request.continue();
  });
  await page.locator('body').press('g');
  const calendar = page.getByRole('dialog', { name: 'Go to a date' });
  await calendar.getByRole('button', { name: /Today/ }).press('Enter');
  await asked;
  // Meanwhile the focus stays, and another day starts no other search.
  await calendar.locator('[aria-busy=true]').waitFor();
  await calendar.getByRole('button', { name: /Today/ }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await calendar.waitFor({ state: 'detached' });
  assert.equal(searches, 1);
  await page.locator('body').press('Control+p');
  const other = page.getByRole('dialog');
  await other.waitFor();
  const answered = page.waitForResponse(/\/json\/messages\?/);
  release();
  await answered;
  await world.settled(page);
  await other.getByText('1 message').waitFor();
  assert.equal(await page.evaluate(() => location.hash), route);
});

world.test('on a phone, in German, the menu leads to a day and the notice back', async () => {
  const scene = await sceneOf(world);
  const { ada, route } = scene;
  await yearsOf(scene);
  await ada.client.ok('PATCH', '/settings', { default_language: 'de' });
  const page = await world.open(ada, route, { device: 'phone', timezone: 'Europe/Berlin' });
  await messageOf(page, 'thread 180.').waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Aktionen des Themas' }).tap();
  await page.getByRole('menuitem', { name: /^Zu einem Tag gehen/ }).tap();
  const calendar = page.getByRole('dialog', { name: 'Zu einem Tag gehen' });
  await calendar.getByRole('button', { name: 'Jahr' }).tap();
  await page.getByRole('option', { name: '2024' }).tap();
  await calendar.getByRole('button', { name: 'Monat' }).tap();
  await page.getByRole('option', { name: 'März' }).tap();
  await checkAccessibility(page, 'the calendar on a phone', { part: 'overlays' });
  await calendar.getByRole('button', { name: /, 5\. März 2024/ }).tap();
  await messageOf(page, 'thread 1.').waitFor();
  await coversNothing(page, 'Zurück zur vorigen Stelle');
  await page.getByRole('button', { name: 'Zurück zur vorigen Stelle' }).tap();
  await messageOf(page, 'thread 180.').waitFor();

  // A conversation without messages says so. Its header has a button.
  const quiet = await world.user({ name: 'Quiet' });
  await page.evaluate((id) => location.assign(`#narrow/dm/${id}`), quiet.client.userId);
  await page.getByRole('button', { name: 'Zu einem Tag gehen' }).tap();
  await calendar.getByRole('button', { name: /Heute/ }).tap();
  await calendar.getByText('Hier gibt es noch keine Nachrichten.').waitFor();
});
