/** The rules of reading, as a user meets them. Each compares with what the server counts as unread. */
import assert from 'node:assert/strict';
import { until, untilEqual } from '@heddle/server/testing/server/until.ts';
import type { Page } from 'playwright-core';
import { checkAccessibility } from '../../testing/axe.ts';
import { browserWorld, type Person } from '../../testing/browser-world.ts';
import { send } from '../../testing/fault-scene.ts';
import { drawn, messageOf, sceneOf, topOf } from '../../testing/scenes.ts';

const world = browserWorld();

/** The unread messages of a person, as a second client of the server sees them. */
async function unreadOf({ client }: Person): Promise<readonly number[]> {
  const query = { narrow: [{ operator: 'is', operand: 'unread' }], anchor: 'newest', num_before: 1000, num_after: 0 };
  const { messages } = await client.ok('GET', '/messages', query);
  return messages.map(({ id }: { readonly id: number }) => id);
}

async function untilUnread(person: Person, wanted: readonly number[], what: string): Promise<void> {
  await until(async () => (await unreadOf(person)).join() === wanted.join(), what);
}

function numbered(number: number): RegExp {
  return new RegExp(`thread ${number}\\.`);
}

/** Scrolls as far as it goes, screen by screen. */
async function scrollThrough(page: Page, direction: 1 | -1): Promise<void> {
  const list = page.locator('[data-feed-scroller]');
  let before = Number.NaN;
  for (let turn = 0; turn < 100; turn += 1) {
    const now = await list.evaluate((element, by) => {
      element.scrollBy(0, by * 400);
      return element.scrollTop;
    }, direction);
    await drawn(page);
    if (now === before) return;
    before = now;
  }
}

for (const device of ['desktop', 'phone'] as const) {
  world.test(`fragments open at the newest hit without a line, and never mark as read, on a ${device}`, async () => {
    const { ada, bob, route, channelId, write } = await sceneOf(world);
    const ids: number[] = [];
    for (let number = 1; number <= 40; number += 1) {
      ids.push(await write(`thread ${number}. @**${ada.name}** https://heddle.example/${number}`));
    }
    const marked = JSON.stringify(ids);
    await ada.client.ok('POST', '/messages/flags', { messages: marked, op: 'add', flag: 'starred' });
    for (const id of ids) await ada.client.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'octopus' });
    const other = await write('about spindles', 'spindles');
    const fragments = [
      'search/thread',
      `channel/${channelId}/search/thread`,
      `sender/${bob.client.userId}`,
      'has/link',
      'has/reaction',
      'is/starred',
      'is/mentioned',
      'is/unread',
      `channel/${channelId}/topic/looms/has/link`,
    ];
    const page = await world.open(ada, '#inbox', { device });
    for (const fragment of fragments) {
      await page.evaluate((hash) => location.assign(hash), `#narrow/${fragment}`);
      await messageOf(page, numbered(40)).waitFor();
      await page.getByRole('button', { name: 'Newest messages' }).waitFor({ state: 'detached' });
      await untilEqual(() => page.getByRole('separator', { name: 'New messages' }).count(), 0, fragment);
      await scrollThrough(page, -1);
      await scrollThrough(page, 1);
      if (device === 'desktop') await page.keyboard.press('End');
      await world.settled(page);
      assert.match(await page.title(), /^\(41\)/, fragment);
    }
    // Marks arrive in their order. So after this one, none of the fragments are on their way.
    await page.evaluate((hash) => location.assign(hash), `#narrow/channel/${channelId}/topic/spindles`);
    await messageOf(page, 'about spindles').waitFor();
    await until(async () => !(await unreadOf(ada)).includes(other), 'the other topic to be read');
    assert.deepEqual(await unreadOf(ada), ids);
    // A whole conversation opens at its first unread message.
    await page.evaluate((hash) => location.assign(hash), route);
    await page.getByRole('separator', { name: 'New messages' }).waitFor();
    await messageOf(page, numbered(1)).waitFor();
  });
}

world.test('the end of a conversation means that it is read, and a notice leads back', async () => {
  const { ada, bob, route, write } = await sceneOf(world);
  const ids: number[] = [];
  // More than one page, so that most of them are never loaded.
  for (let number = 1; number <= 180; number += 1) ids.push(await write(`thread ${number}.`));
  const page = await world.open(ada, route);
  await messageOf(page, numbered(1)).waitFor();
  await page.keyboard.press('End');
  await messageOf(page, numbered(180)).waitFor();
  await untilUnread(ada, [], 'all to be read');
  await page.waitForFunction(() => !document.title.startsWith('('));
  const notice = page.getByRole('status').filter({ has: page.getByRole('button', { name: 'Keep unread' }) });
  await notice.getByRole('button', { name: /unread above/ }).waitFor();
  await checkAccessibility(page, 'the notice of skipped messages');
  const count = Number.parseInt(await notice.innerText(), 10);
  assert(count > 100 && count < 180, `${count} messages were not on the screen`);
  await notice.getByRole('button', { name: /unread above/ }).click();
  // They are not above any more.
  await notice.getByText(`${count} messages count as read`).waitFor();
  const marker = page.getByRole('separator', { name: 'New messages' });
  await marker.waitFor();
  // The server refuses a request that names it. The others are unread again all the same.
  world.expectProblems(/status 400: POST .*\/json\/messages\/flags$/);
  await bob.client.ok('DELETE', `/messages/${ids[100]}`);
  await notice.getByRole('button', { name: 'Keep unread' }).click();
  await notice.waitFor({ state: 'detached' });
  await until(async () => (await unreadOf(ada)).length === count - 1, 'the skipped messages to be unread again');
  const [firstUnread] = await unreadOf(ada);
  const number = ids.indexOf(firstUnread ?? 0) + 1;
  // The first of them is on the screen, below the line.
  await messageOf(page, numbered(number)).waitFor();
  await world.settled(page);
  const line = (await marker.boundingBox())?.y ?? 0;
  assert(line > 0 && line < (await topOf(page, numbered(number))) && line < 400);
  // They stay unread in this visit, and are read in the next one.
  await page.keyboard.press('End');
  await messageOf(page, numbered(180)).waitFor();
  await world.settled(page);
  assert.equal((await unreadOf(ada)).length, count - 1);
});

world.test('“Newest messages” reads all, and who never wants to mark by scrolling marks nothing', async () => {
  const { ada, route, write } = await sceneOf(world);
  const ids: number[] = [];
  for (let number = 1; number <= 18; number += 1) ids.push(await write(`thread ${number}.${'\nmore of it'.repeat(9)}`));
  await ada.client.ok('PATCH', '/settings', { web_mark_read_on_scroll_policy: 3, default_language: 'de' });
  const page = await world.open(ada, route, { device: 'phone' });
  const newest = page.getByRole('button', { name: 'Neueste Nachrichten' });
  await newest.click();
  await messageOf(page, numbered(18)).waitFor();
  await newest.waitFor({ state: 'detached' });
  await scrollThrough(page, -1);
  assert.match(await page.title(), /^\(18\)/);
  await page.evaluate(() => location.assign('#inbox'));
  await page.getByRole('heading', { level: 1, name: 'Eingang' }).waitFor();
  await world.settled(page);
  assert.deepEqual(await unreadOf(ada), ids);
  await ada.client.ok('PATCH', '/settings', { web_mark_read_on_scroll_policy: 1 });
  await world.settled(page);
  await page.evaluate((hash) => location.assign(hash), route);
  await messageOf(page, numbered(1)).waitFor();
  await newest.click();
  await untilUnread(ada, [], 'all to be read');
  const notice = page.getByRole('status').filter({ has: page.getByRole('button', { name: 'Ungelesen lassen' }) });
  await notice.getByRole('button', { name: /ungelesene darüber/ }).waitFor();
  await checkAccessibility(page, 'the notice of skipped messages on a phone');
  await notice.getByRole('button', { name: /ungelesene darüber/ }).click();
  await page.getByRole('separator', { name: 'Neue Nachrichten' }).waitFor();
  await notice.getByText(/gelten als gelesen/).waitFor();
  await notice.getByRole('button', { name: 'Ausblenden' }).click();
  await notice.waitFor({ state: 'detached' });
});

/** Whether the whole message is on the screen, above the box. */
async function isAboveBox(page: Page, text: string | RegExp): Promise<boolean> {
  const message = messageOf(page, text);
  if (!(await message.isVisible())) return false;
  const [list, row] = [await page.locator('[data-feed-scroller]').boundingBox(), await message.boundingBox()];
  return list !== null && row !== null && row.y >= list.y - 1 && row.y + row.height <= list.y + list.height + 1;
}

for (const device of ['desktop', 'phone'] as const) {
  world.test(`what was sent is seen, wherever it belongs, on a ${device}`, async () => {
    const { ada, route, channel, channelId, write, read } = await sceneOf(world);
    const ids: number[] = [];
    for (let number = 1; number <= 150; number += 1) ids.push(await write(`thread ${number}.`));
    await read(ids);
    const page = await world.open(ada, route, { device });
    await messageOf(page, numbered(150)).waitFor();
    await scrollThrough(page, -1);
    await send(page, 'sent from far above');
    await until(() => isAboveBox(page, 'sent from far above'), 'the sent message on the screen');
    // The range that is loaded may be elsewhere.
    await page.evaluate((hash) => location.assign(hash), `${route}/near/${ids[20]}`);
    await messageOf(page, numbered(21)).waitFor();
    await send(page, 'sent from an old message');
    await until(() => isAboveBox(page, 'sent from an old message'), 'the sent message on the screen');
    if (device === 'phone') return;

    // In a search, which shows nothing of it, a notice leads to it.
    await ada.client.ok('PATCH', '/settings', { web_navigate_to_sent_message: false });
    await page.evaluate(() => location.assign('#narrow/search/150'));
    await messageOf(page, numbered(150)).waitFor();
    for (let number = 151; number <= 190; number += 1) await write(`thread ${number}.`);
    await world.settled(page);
    await messageOf(page, numbered(150)).focus();
    await page.keyboard.press('r');
    await send(page, 'sent from a search');
    await page.getByText(`Message sent to ${channel} › looms`).waitFor();
    await page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Open' }).click();
    await until(() => isAboveBox(page, 'sent from a search'), 'the sent message on the screen');
    const skipped = page.getByRole('button', { name: /unread above/ });
    const skippedBefore = page.getByRole('status').filter({ hasText: /count as read/ });
    await skipped.click();
    await skippedBefore.waitFor();
    // The next time at the end settles it.
    await page.keyboard.press('End');
    await skippedBefore.waitFor({ state: 'detached' });
    await until(() => isAboveBox(page, 'sent from a search'), 'the end on the screen');
    await untilEqual(() => skipped.count(), 0);

    // A mixed feed shows what belongs to it.
    await page.evaluate((hash) => location.assign(hash), `#narrow/channel/${channelId}`);
    await messageOf(page, 'sent from a search').waitFor();
    await scrollThrough(page, -1);
    await page.keyboard.press('k');
    await page.keyboard.press('r');
    await send(page, 'sent from the feed of the channel');
    await until(() => isAboveBox(page, 'sent from the feed of the channel'), 'the sent message on the screen');
    await page.getByRole('heading', { level: 1, name: channel, exact: true }).waitFor();
    // With the setting, the view goes to the conversation, and there to the message.
    await ada.client.ok('PATCH', '/settings', { web_navigate_to_sent_message: true });
    await page.evaluate(() => location.assign('#inbox'));
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    for (let number = 1; number <= 40; number += 1) await write(`spindle ${number}.`, 'spindles');
    await world.settled(page);
    await page.evaluate(() => location.assign('#narrow/search/spindle'));
    await messageOf(page, 'spindle 40.').focus();
    await page.keyboard.press('r');
    await send(page, 'sent to the spindles');
    await page.getByRole('heading', { level: 1, name: `${channel} › spindles` }).waitFor();
    await until(() => isAboveBox(page, 'sent to the spindles'), 'the sent message on the screen');
  });

  world.test(`what waits says so, and a view at its end stays there on a ${device}`, async () => {
    world.expectProblems('ERR_INTERNET_DISCONNECTED', 'ERR_NETWORK_CHANGED', /no response/);
    const { ada, bob, route, write, read } = await sceneOf(world);
    const ids: number[] = [];
    for (let number = 1; number <= 60; number += 1) ids.push(await write(`thread ${number}.`));
    await read(ids);
    const page = await world.open(ada, route, { device });
    await messageOf(page, numbered(60)).waitFor();
    await page.context().setOffline(true);
    const own = ['the first', 'the second', 'the third', 'the fourth'].map((name) => `${name} of four`);
    for (const text of own) await send(page, text);
    const waiting = page.getByRole('article').filter({ hasText: 'of four' });
    for (const text of own) await messageOf(page, text).getByText('Not sent yet').waitFor();
    await untilEqual(() => waiting.locator('svg').count(), 4);
    await until(() => isAboveBox(page, 'the fourth of four'), 'the newest waiting message on the screen');
    for (let number = 61; number <= 68; number += 1) await write(`thread ${number}.${'\nmore of it'.repeat(3)}`);
    await page.context().setOffline(false);
    await page.getByText('Not sent yet').first().waitFor({ state: 'detached' });
    await world.settled(page);
    await until(() => isAboveBox(page, 'the fourth of four'), 'the own messages on the screen');
    await untilUnread(ada, [], 'all to be read');
    // A reaction, a notice of a bot and a window of another size.
    const last = await write('the newest of all');
    await messageOf(page, 'the newest of all').waitFor();
    await bob.client.ok('POST', `/messages/${last}/reactions`, { emoji_name: 'octopus' });
    await messageOf(page, 'the newest of all')
      .getByRole('button', { name: /octopus/ })
      .waitFor();
    await until(() => isAboveBox(page, 'the newest of all'), 'the message with its reaction on the screen');
    await bob.client.ok('PATCH', `/messages/${last}`, { topic: '✔ looms', propagate_mode: 'change_all' });
    await until(() => isAboveBox(page, /marked this topic as resolved/), 'the notice on the screen');
    // Who reads the layout lets the browser move the list before the app knows of all changes: the bar of a phone gives way to its keyboard.
    await page.evaluate(() => window.addEventListener('resize', () => document.body.getBoundingClientRect()));
    const size = page.viewportSize() ?? { width: 1440, height: 900 };
    await page.setViewportSize({ width: size.width, height: size.height - 250 });
    await until(() => isAboveBox(page, /marked this topic as resolved/), 'the notice in a smaller window');
    await page.setViewportSize(size);
    await until(() => isAboveBox(page, /marked this topic as resolved/), 'the notice in a larger window');
  });
}

world.test('the end of a conversation also reads old messages that the server has not named', async () => {
  const { ada, route, write } = await sceneOf(world);
  for (let number = 1; number <= 180; number += 1) await write(`thread ${number}.`);
  const other = await write('about spindles', 'spindles');
  const page = await world.open(ada, '#inbox');
  // As if there were more unread messages than a registration names.
  await page.context().route('**/json/register', async (request) => {
    const response = await request.fetch();
    const state = await response.json();
    state.unread_msgs.old_unreads_missing = true;
    const { streams: topics } = state.unread_msgs; // wire name: the key of the state
    for (const one of topics) one.unread_message_ids = one.unread_message_ids.slice(-5);
    await request.fulfill({ response, json: state });
  });
  let requests = 0;
  await page.context().route('**/json/messages/flags/narrow', async (request) => {
    requests += 1;
    await request.continue();
  });
  await page.goto('about:blank');
  // The browser forgets what the app has stored, so the app registers.
  const browser = await page.context().newCDPSession(page);
  const storageTypes = 'indexeddb,local_storage,service_workers';
  await browser.send('Storage.clearDataForOrigin', { origin: world.url, storageTypes });
  await page.goto(`${world.url}/${route}`);
  await messageOf(page, numbered(1)).waitFor();
  await page.keyboard.press('End');
  await untilUnread(ada, [other], 'all of the topic to be read');
  // Once in a visit, also if more arrives.
  const newest = await write('thread 181.');
  await messageOf(page, numbered(181)).waitFor();
  await untilUnread(ada, [other], 'the new message to be read');
  await world.settled(page);
  assert.equal(requests, 1);
  // All that was not on the screen, and nothing else, is unread again.
  const notice = page.getByRole('status').filter({ hasText: /unread above/ });
  const count = Number.parseInt(await notice.innerText(), 10);
  assert(count > 100 && count < 180, `${count} messages were not on the screen`);
  await notice.getByRole('button', { name: 'Keep unread' }).click();
  await until(async () => (await unreadOf(ada)).length === count + 1, 'the skipped messages to be unread again');
  assert(!(await unreadOf(ada)).includes(newest));
});
