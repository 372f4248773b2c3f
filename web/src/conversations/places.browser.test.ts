import assert from 'node:assert/strict';
import { until, untilEqual } from '@heddle/server/testing/server/until.ts';
import type { Locator, Page } from 'playwright-core';
import { checkAccessibility } from '../../testing/axe.ts';
import { browserWorld } from '../../testing/browser-world.ts';
import { drawn, messageOf, sceneOf } from '../../testing/scenes.ts';

const world = browserWorld();

/** More rows than a screen shows. */
const MANY_ROWS = 45;

/** The list has come to rest when a row is in the same place for so many frames. */
const RESTING_FRAMES = 40;

async function topOf(row: Locator): Promise<number> {
  const top = await row.evaluate(
    (element, frames) =>
      new Promise<number>((resolve) => {
        let [last, same] = [Number.NaN, 0];
        const look = () => {
          const { y } = element.getBoundingClientRect();
          same = y === last ? same + 1 : 0;
          last = y;
          if (same >= frames) resolve(y);
          else requestAnimationFrame(look);
        };
        look();
      }),
    RESTING_FRAMES,
  );
  return Math.round(top);
}

/** Scrolls the list, as a wheel or a finger does. */
async function scroll(page: Page, inside: Locator, pixels: number): Promise<void> {
  await inside.evaluate((element, by) => {
    let scroller: Element | null = element;
    while (scroller !== null && scroller.scrollHeight <= scroller.clientHeight + 1) scroller = scroller.parentElement;
    if (scroller !== null) scroller.scrollTop += by;
  }, pixels);
  await drawn(page);
  await drawn(page);
}

async function isBack(row: Locator, top: number, what: string): Promise<void> {
  await row.waitFor();
  const isThere = async () => Math.abs(((await row.boundingBox())?.y ?? Number.NaN) - top) <= 2;
  await until(isThere, `the row of ${what} at ${top} pixels`);
}

for (const device of ['desktop', 'phone'] as const) {
  world.test(`the back button returns to the same rows and the same focus on a ${device}`, async () => {
    const { ada, channel, channelId, write } = await sceneOf(world);
    for (let number = 1; number <= MANY_ROWS; number += 1) {
      await write(`text of ${number}`, `topic ${number}.`);
    }
    const page = await world.open(ada, '#inbox', { device });
    const main = page.getByRole('main');
    const row = (number: number) => main.getByRole('link', { name: new RegExp(`^topic ${number}\\.`) });
    const focused = page.locator(':focus');

    // The conversation is read meanwhile, so its row is gone. The others stay where they were.
    const inbox = page.getByRole('list', { name: 'Unread conversations' });
    await row(MANY_ROWS).waitFor();
    await scroll(page, inbox, 500);
    const inInbox = await topOf(row(27));
    await row(26).click();
    await messageOf(page, 'text of 26').waitFor();
    await world.settled(page);
    await page.goBack();
    await isBack(row(27), inInbox, 'the inbox');
    await main
      .getByRole('link', { name: /^topic (25|26)\./ })
      .and(focused)
      .waitFor();

    await page.evaluate(() => {
      window.location.hash = '#recent';
    });
    await row(MANY_ROWS).waitFor();
    await page.getByRole('searchbox', { name: 'Filter by name' }).fill('topic');
    await scroll(page, page.getByRole('rowgroup', { name: 'Conversations' }), 500);
    const inRecent = await topOf(row(35));
    await row(35).click();
    await messageOf(page, 'text of 35').waitFor();
    await page.goBack();
    await isBack(row(35), inRecent, 'recent conversations');
    await row(35).and(focused).waitFor();
    await untilEqual(() => page.getByRole('searchbox', { name: 'Filter by name' }).inputValue(), 'topic');

    await page.evaluate((hash) => {
      window.location.hash = hash;
    }, `#narrow/channel/${channelId}`);
    await messageOf(page, /text of 3$/).waitFor();
    await page.evaluate(() => {
      window.location.hash = '#settings/notifications';
    });
    const last = main.getByRole('switch').last();
    await last.waitFor();
    await scroll(page, last, 300);
    const inSettings = await topOf(last);
    await page.evaluate(() => {
      window.location.hash = '#drafts';
    });
    await page.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor();
    await page.goBack();
    await isBack(last, inSettings, 'settings');

    await page.evaluate(() => {
      window.location.hash = '#channels/subscribed';
    });
    const ownChannel = main.getByRole('link', { name: channel, exact: true });
    await ownChannel.waitFor();
    await page.getByRole('searchbox', { name: 'Filter channels' }).fill(channel);
    await ownChannel.click();
    await page.getByRole('heading', { level: 1, name: channel }).waitFor();
    await page.goBack();
    await ownChannel.and(focused).waitFor();
    await untilEqual(() => page.getByRole('searchbox', { name: 'Filter channels' }).inputValue(), channel);
  });
}

world.test('channels and people are long lists, and the back button returns into their middle', async () => {
  const { ada } = await sceneOf(world);
  for (let number = 10; number < 10 + MANY_ROWS; number += 1) {
    await world.server.emptyChannel(ada.client, `shelf ${number}`);
    await world.user({ name: `Weaver ${number}` });
  }
  const page = await world.open(world.owner, '#channels/available');
  const main = page.getByRole('main');
  await main.getByRole('link', { name: 'shelf 10', exact: true }).waitFor();
  await scroll(page, page.getByRole('grid', { name: 'Channels' }), 1200);
  const shelf = main.getByRole('link', { name: 'shelf 34', exact: true });
  const top = await topOf(shelf);
  await shelf.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'shelf 34' }).waitFor();
  await page.goBack();
  await isBack(shelf, top, 'channels');
  await shelf.and(page.locator(':focus')).waitFor();

  await page.evaluate(() => {
    window.location.hash = '#organization/users';
  });
  await main.getByRole('link', { name: 'Weaver 10' }).waitFor();
  await scroll(page, page.getByRole('grid', { name: 'Users' }), 1200);
  const weaver = main.getByRole('link', { name: 'Weaver 30' });
  await weaver.scrollIntoViewIfNeeded();
  await drawn(page);
  const ofWeaver = await topOf(weaver);
  await page.evaluate(() => {
    window.location.hash = '#inbox';
  });
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  await page.goBack();
  await isBack(weaver, ofWeaver, 'people');
});

world.test('marking everything, a channel or a topic as read can be undone exactly', async () => {
  const { ada, channelId, channel, write, read } = await sceneOf(world);
  const unread = async () => {
    const { messages } = await ada.client.ok('GET', '/messages', {
      anchor: 'oldest',
      num_before: 0,
      num_after: 5000,
      narrow: [{ operator: 'is', operand: 'unread' }],
    });
    return messages.map(({ id }: { id: number }) => id);
  };
  const ids: number[] = [];
  for (let number = 1; number <= 12; number += 1) ids.push(await write(`text ${number}`, `topic ${number % 3}`));
  await write(`@**${ada.name}** look`, 'topic 0');
  // Some were read before. They stay read.
  await read(ids.filter((_, index) => index % 2 === 0));
  const before = await unread();
  for (const device of ['desktop', 'phone'] as const) {
    const page = await world.open(ada, '#inbox', { device });
    const main = page.getByRole('main');
    const notices = page.getByRole('region', { name: 'Notices' });
    const all = main.getByRole('button', { name: 'Mark everything as read' });
    await untilEqual(() => all.textContent(), 'Mark everything as read', 'the button says what it does');
    const undo = async (press: () => Promise<void>) => {
      await press();
      // A notice below the pointer stays.
      await notices.getByRole('button', { name: 'Undo' }).hover();
      await world.settled(page);
      await notices.getByRole('button', { name: 'Undo' }).click();
      await notices.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
      await main.getByRole('link', { name: /^topic 0.*mentions you/ }).waitFor();
      await world.settled(page);
      assert.deepEqual(await unread(), before);
    };
    await undo(async () => {
      await all.click();
      await page.getByText('You have read everything.').waitFor();
    });
    await undo(() => main.getByRole('button', { name: `Mark all as read: ${channel}` }).click());
    await undo(() => main.getByRole('button', { name: `Mark ${channel} › topic 0 as read` }).click());
    await checkAccessibility(page, `the inbox on a ${device}`, { part: 'main' });
  }

  // A message that is deleted meanwhile does not hold up the others. The server refuses requests that name it.
  world.expectProblems('status 400');
  const page = await world.open(ada, '#inbox');
  const doomed = await ada.client.send(channelId, 'topic 1', 'soon gone');
  await ada.client.ok('POST', '/messages/flags', { messages: JSON.stringify([doomed]), op: 'remove', flag: 'read' });
  await world.settled(page);
  await page.getByRole('main').getByRole('button', { name: 'Mark everything as read' }).click();
  await page.getByText('You have read everything.').waitFor();
  await page.getByText('Everything is marked as read.').waitFor();
  await world.owner.client.ok('DELETE', `/messages/${doomed}`);
  await page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Undo' }).click();
  await page
    .getByRole('main')
    .getByRole('link', { name: /^topic 0.*mentions you/ })
    .waitFor();
  await world.settled(page);
  assert.deepEqual(await unread(), before);
});

world.test(
  'an open channel that one has not joined says so, is in the list, and can be joined from its preview',
  async () => {
    const { ada, channel, channelId, write } = await sceneOf(world);
    await write('a word to read first');
    await ada.client.ok('DELETE', '/users/me/subscriptions', { subscriptions: [channel] });
    for (const device of ['desktop', 'phone'] as const) {
      const page = await world.open(ada, '#channels/available', { device });
      const main = page.getByRole('main');
      const row = page
        .getByRole('list', { name: 'Conversations' })
        .getByRole('link', { name: new RegExp(`^${channel}`) });
      await page.getByRole('searchbox', { name: 'Filter channels' }).fill(channel);
      await main.getByRole('link', { name: `Preview of ${channel}` }).click();
      await messageOf(page, 'a word to read first').waitFor();
      await main.getByText('You have not joined this channel.').waitFor();
      if (device === 'desktop') await row.waitFor();
      await checkAccessibility(page, `a channel that one has not joined, on a ${device}`, { part: 'main' });
      await main.getByRole('button', { name: 'Join', exact: true }).click();
      await main.getByText('You have not joined this channel.').waitFor({ state: 'detached' });
      // The button that had the focus is gone. The app moves the focus in a later task.
      await page.waitForFunction(() => document.activeElement?.localName !== 'body');
      const { subscriptions } = await ada.client.ok('GET', '/users/me/subscriptions');
      assert(subscriptions.some(({ stream_id }: { stream_id: number }) => stream_id === channelId));
      await ada.client.ok('DELETE', '/users/me/subscriptions', { subscriptions: [channel] });
      await main.getByText('You have not joined this channel.').waitFor();
      if (device === 'desktop') {
        await page.keyboard.press('Shift+I');
        await row.waitFor({ state: 'detached' });
      }
    }
  },
);

for (const device of ['desktop', 'phone'] as const) {
  world.test(`one key leads to the next unread conversation, and one to the previous, on a ${device}`, async () => {
    const { ada, bob, channel, write } = await sceneOf(world);
    if (device === 'phone') await ada.client.ok('PATCH', '/settings', { default_language: 'de' });
    await write('older', 'first');
    await write('newer', 'second');
    await bob.client.direct([ada.client.userId], 'hello');
    const page = await world.open(ada, '#inbox', { device });
    await page
      .getByRole('main')
      .getByRole('link', { name: /^second/ })
      .waitFor();
    const heading = (name: string) => page.getByRole('heading', { level: 1, name });
    // The header of a phone has the channel below.
    const topic = (name: string) => heading(device === 'phone' ? name : `${channel} › ${name}`);
    const press = (key: string) => page.locator('body').press(key);
    const read = async (name: string, left: number) => {
      await page.waitForFunction((count) => document.title.startsWith(`(${count})`), left);
      if (device === 'phone') return;
      await page
        .getByRole('list', { name: 'Conversations' })
        .getByRole('link', { name: new RegExp(`^.*${name}.*1 unread`) })
        .waitFor({ state: 'detached' });
    };
    await press(']');
    await heading(bob.name).waitFor();
    await read(bob.name, 2);
    await press(']');
    await topic('second').waitFor();
    await read('second', 1);
    await press('[');
    await topic('first').waitFor();
  });
}

world.test('recent conversations show the last message with its sender, also after an edit', async () => {
  const { ada, bob, write } = await sceneOf(world);
  const id = await write('the **warp** is ready');
  await ada.client.direct([bob.client.userId], 'see you there');
  const page = await world.open(ada, '#recent', { device: 'phone' });
  const table = page.getByRole('table');
  await table.getByText(`${bob.name}: the warp is ready`).waitFor();
  await table.getByText('You: see you there').waitFor();
  await bob.client.ok('PATCH', `/messages/${id}`, { content: 'the weft is ready' });
  await table.getByText(`${bob.name}: the weft is ready`).waitFor();
  const newer = await write('/me weaves');
  await table.getByText(`${bob.name} weaves`).waitFor();
  await bob.client.ok('PATCH', `/messages/${newer}`, { topic: 'elsewhere' });
  await table.getByText(`${bob.name}: the weft is ready`).waitFor();
  await checkAccessibility(page, 'recent conversations on a phone', { part: 'main' });
});
