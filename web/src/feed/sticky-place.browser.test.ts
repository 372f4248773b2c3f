import assert from 'node:assert/strict';
import { until, untilEqual } from '@heddle/server/testing/server/until.ts';
import type { Page } from 'playwright-core';
import { checkAccessibility } from '../../testing/axe.ts';
import { browserWorld, type Person } from '../../testing/browser-world.ts';
import { drawn, messageOf, sceneOf } from '../../testing/scenes.ts';

const world = browserWorld();

const barOf = (page: Page, name = 'Conversation at the top') => page.getByRole('group', { name });

async function scrollBy(page: Page, pixels: number): Promise<void> {
  await page.locator('[data-feed-scroller]').evaluate((list, by) => list.scrollBy(0, by), pixels);
  await drawn(page);
  await drawn(page);
}

async function unreadOf({ client }: Person): Promise<readonly number[]> {
  const query = { narrow: [{ operator: 'is', operand: 'unread' }], anchor: 'newest', num_before: 1000, num_after: 0 };
  const { messages } = await client.ok('GET', '/messages', query);
  return messages.map(({ id }: { readonly id: number }) => id);
}

const topicsOf = async ({ client }: Person, channelId: number): Promise<readonly string[]> =>
  (await client.ok('GET', `/users/me/${channelId}/topics`)).topics.map(({ name }: { name: string }) => name);

async function followedBy({ client }: Person): Promise<readonly string[]> {
  const { user_topics: topics } = (await client.ok('POST', '/register', { event_types: ['user_topic'] })) as {
    user_topics: readonly { readonly topic_name: string; readonly visibility_policy: number }[];
  };
  return topics.filter(({ visibility_policy: policy }) => policy === 3).map(({ topic_name: name }) => name);
}

world.test('the bar of the topic stays at the top of mixed feeds, and acts on it by button and key', async () => {
  const { ada, bob, channel, channelId, write, read } = await sceneOf(world);
  const ids: number[] = [];
  for (let number = 1; number <= 40; number += 1) ids.push(await write(`thread ${number}.`));
  for (let number = 41; number <= 80; number += 1) ids.push(await write(`thread ${number}.`, 'spindles'));
  for (let number = 1; number <= 40; number += 1) {
    ids.push(await bob.client.direct([ada.client.userId], `thread ${number + 80}.`));
  }
  await read(ids.slice(0, -2));
  const page = await world.open(ada, `#narrow/-is/muted/near/${ids[20]}`);
  const bar = barOf(page);
  await messageOf(page, 'thread 21.').waitFor();
  await bar.getByRole('link', { name: channel, exact: true }).waitFor();
  await bar.getByRole('link', { name: 'looms', exact: true }).waitFor();
  await bar.getByText('Today').waitFor();
  await checkAccessibility(page, 'the bar of the topic', { part: 'main' });

  // Each button has a name, and its tooltip a key that does the same.
  await bar.getByRole('link', { name: channel, exact: true }).hover();
  await bar.getByRole('button', { name: 'Mute', exact: true }).hover();
  await page
    .getByRole('tooltip')
    .filter({ hasText: /Mute\s*Shift\s*M/ })
    .waitFor();
  await bar.getByRole('button', { name: 'Follow', exact: true }).press('Enter');
  await bar.getByRole('button', { name: 'Stop following' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Shift+F');
  await bar.getByRole('button', { name: 'Follow', exact: true }).waitFor();

  // Below, the bar of the next topic pushes it away. The keys act on what the user reads, not on what was selected before.
  await messageOf(page, 'thread 50.').scrollIntoViewIfNeeded();
  await scrollBy(page, 400);
  await bar.getByRole('link', { name: 'spindles', exact: true }).waitFor();
  await untilEqual(() => bar.getByRole('link', { name: 'looms', exact: true }).count(), 0);
  await page.locator('body').press('y');
  await until(async () => (await topicsOf(ada, channelId)).includes('✔ spindles'), 'the topic to be resolved');
  await bar.getByRole('button', { name: 'Mark as unresolved' }).click();
  await until(async () => (await topicsOf(ada, channelId)).includes('spindles'), 'the topic to be open again');
  await world.settled(page);

  // While messages of two topics are visible, the keys act on that of the bar, which shows them. A message with the focus comes first.
  await page.evaluate((hash) => location.assign(hash), `#narrow/-is/muted/near/${ids[37]}`);
  await bar.getByRole('link', { name: 'looms', exact: true }).waitFor();
  await messageOf(page, 'thread 43.').click();
  await messageOf(page, 'thread 43.').and(page.locator(':focus')).waitFor();
  await bar.getByRole('link', { name: 'looms', exact: true }).waitFor();
  await page.keyboard.press('Shift+F');
  await until(async () => (await followedBy(ada)).join() === 'spindles', 'the topic of the message to be followed');
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  await page.keyboard.press('Shift+F');
  await bar.getByRole('button', { name: 'Stop following' }).waitFor();
  await until(async () => (await followedBy(ada)).length === 2, 'the topic of the bar to be followed');

  // Direct messages have a bar without actions, and the number of unread ones.
  await page.keyboard.press('End');
  await messageOf(page, 'thread 120.').waitFor();
  await bar.getByRole('link', { name: `You and ${bob.name}` }).waitFor();
  await untilEqual(() => bar.getByRole('button').count(), 0);

  // A feed of a channel shows the topic only, and a search shows both.
  await page.evaluate((hash) => location.assign(hash), `#narrow/channel/${channelId}/near/${ids[20]}`);
  await bar.getByRole('link', { name: 'looms', exact: true }).waitFor();
  const unread = [await write('thread 121.'), await write('thread 122.')];
  await bar.getByText('2 unread messages').waitFor();
  await page.locator('body').press('Shift+M');
  await bar.getByRole('button', { name: 'Unmute' }).click();
  await bar.getByRole('button', { name: 'Mute', exact: true }).waitFor();
  await untilEqual(() => bar.getByRole('link', { name: channel, exact: true }).count(), 0);
  await page.evaluate((hash) => location.assign(hash), `#narrow/search/thread/near/${ids[20]}`);
  await bar.getByRole('link', { name: channel, exact: true }).waitFor();
  await bar.getByRole('link', { name: 'looms', exact: true }).waitFor();
  await world.settled(page);
  assert.deepEqual(await unreadOf(ada), unread);

  // Without a selected message, the key of replies is for what the user reads. Escape leaves the filter of people, which a key enters.
  await page.evaluate((hash) => location.assign(hash), `#narrow/channel/${channelId}`);
  await page.getByRole('heading', { level: 1, name: channel, exact: true }).waitFor();
  await bar.waitFor();
  await page.locator('body').press('w');
  await page.getByRole('searchbox', { name: 'Filter people' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('main').and(page.locator(':focus')).waitFor();
  await page.keyboard.press('r');
  await page.getByRole('textbox', { name: 'Message', exact: true }).and(page.locator(':focus')).waitFor();
  await page.evaluate((hash) => location.assign(hash), `#narrow/search/thread/near/${ids[20]}`);
  await bar.getByRole('link', { name: channel, exact: true }).waitFor();

  // While the server cannot be reached, the notice is below the bar.
  world.expectProblems('ERR_INTERNET_DISCONNECTED', 'ERR_NETWORK_CHANGED', /no response/);
  await page.context().setOffline(true);
  const notice = page.getByText('You are offline.');
  await notice.waitFor();
  const [own, other] = [await bar.boundingBox(), await notice.boundingBox()];
  assert(own !== null && other !== null && other.y >= own.y + own.height, 'the notice covers the bar');
  await page.context().setOffline(false);
  await notice.waitFor({ state: 'detached' });

  // At 400 % zoom, the bar scrolls away with the messages.
  await page.setViewportSize({ width: 320, height: 225 });
  await bar.waitFor({ state: 'hidden' });
});

/** The numbers of the messages whose end is under the bar, and of those whose end is visible. */
function endsOf(page: Page) {
  return page.evaluate(() => {
    const list = document.querySelector('[data-feed-scroller]');
    const bar = document.querySelector('[data-list-top]');
    const [edges, bottom] = [list?.getBoundingClientRect(), bar?.getBoundingClientRect().bottom ?? 0];
    const ends = [...(list?.querySelectorAll('[data-message-id]') ?? [])].map((message) => ({
      id: Number(message.getAttribute('data-message-id')),
      end: Math.round(message.getBoundingClientRect().bottom),
    }));
    return {
      covered: ends.filter(({ end }) => end > (edges?.top ?? 0) && end <= bottom).map(({ id }) => id),
      visible: ends.filter(({ end }) => end > bottom && end <= (edges?.bottom ?? 0)).map(({ id }) => id),
    };
  });
}

for (const device of ['desktop', 'phone'] as const) {
  world.test(`what the bar covers does not count as read on a ${device}, where it has room for its texts`, async () => {
    const { ada, channel, channelId, write } = await sceneOf(world);
    if (device === 'phone') await ada.client.ok('PATCH', '/settings', { default_language: 'de' });
    const ids: number[] = [];
    for (let number = 1; number <= 150; number += 1) ids.push(await write(`thread ${number}.`));
    const page = await world.open(ada, `#narrow/channel/${channelId}/near/${ids[45]}`, { device });
    const bar = barOf(page, device === 'phone' ? 'Unterhaltung am oberen Rand' : undefined);
    await bar.getByRole('link', { name: 'looms', exact: true }).waitFor();
    await messageOf(page, 'thread 46.').waitFor();
    await world.settled(page);
    const { covered, visible } = await endsOf(page);
    assert(covered.length > 0 && visible.length > 5, `${covered.length} are covered, ${visible.length} visible`);
    const isRead = async () => {
      const unread = await unreadOf(ada);
      return visible.every((id) => !unread.includes(id));
    };
    await until(isRead, 'the visible messages to be read');
    // The lines above were visible before the bar came. These were not.
    await scrollBy(page, 1200);
    await world.settled(page);
    const now = await endsOf(page);
    assert(now.covered.length > 0, 'nothing is covered');
    await until(async () => !(await unreadOf(ada)).includes(now.visible[0] ?? 0), 'the visible messages to be read');
    for (const id of now.covered)
      assert((await unreadOf(ada)).includes(id), `the covered message ${id} counts as read`);
    if (device === 'desktop') return;
    // Nothing is cut: the actions are in the menu.
    await untilEqual(() => bar.getByRole('button', { name: 'Folgen' }).count(), 0);
    await bar.getByText('Heute').waitFor();
    await checkAccessibility(page, 'the bar of the topic on a phone', { part: 'main' });
    await bar.getByRole('button', { name: 'Aktionen des Themas' }).tap();
    await page.getByRole('menuitem', { name: /^Folgen/ }).tap();
    await until(async () => (await followedBy(ada)).length > 0, `the topic in ${channel} to be followed`);
  });
}
