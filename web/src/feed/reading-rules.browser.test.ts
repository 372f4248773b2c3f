/** The rules of reading, as a user meets them. Each compares with what the server counts as unread. */
import assert from 'node:assert/strict';
import { until } from '@heddle/server/testing/server/until.ts';
import type { Page } from 'playwright-core';
import { checkAccessibility } from '../../testing/axe.ts';
import { browserWorld, type Person } from '../../testing/browser-world.ts';
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
      assert.equal(await page.getByRole('separator', { name: 'New messages' }).count(), 0, fragment);
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
  const { ada, route, write } = await sceneOf(world);
  const ids: number[] = [];
  // More than one page, so that most of them are never loaded.
  for (let number = 1; number <= 180; number += 1) ids.push(await write(`thread ${number}.`));
  const page = await world.open(ada, route);
  await messageOf(page, numbered(1)).waitFor();
  await page.keyboard.press('End');
  await messageOf(page, numbered(180)).waitFor();
  await untilUnread(ada, [], 'all to be read');
  await page.waitForFunction(() => !document.title.startsWith('('));
  const notice = page.getByRole('status').filter({ hasText: /unread above/ });
  await notice.waitFor();
  await checkAccessibility(page);
  const count = Number.parseInt(await notice.innerText(), 10);
  assert(count > 100 && count < 180, `${count} messages were not on the screen`);
  await notice.getByRole('button', { name: /unread above/ }).click();
  const marker = page.getByRole('separator', { name: 'New messages' });
  await marker.waitFor();
  await notice.getByRole('button', { name: 'Keep unread' }).click();
  await notice.waitFor({ state: 'detached' });
  await until(async () => (await unreadOf(ada)).length === count, 'the skipped messages to be unread again');
  const [firstUnread] = await unreadOf(ada);
  const number = ids.indexOf(firstUnread ?? 0) + 1;
  // The first of them is on the screen, below the line.
  await messageOf(page, numbered(number)).waitFor();
  const line = (await marker.boundingBox())?.y ?? 0;
  assert(line > 0 && line < (await topOf(page, numbered(number))) && line < 400);
  // They stay unread in this visit, and are read in the next one.
  await page.keyboard.press('End');
  await messageOf(page, numbered(180)).waitFor();
  await world.settled(page);
  assert.equal((await unreadOf(ada)).length, count);
});
