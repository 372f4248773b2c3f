import assert from 'node:assert/strict';
import { upload } from '@heddle/server/testing/clients/user-files.ts';
import { age } from '@heddle/server/testing/operations/expiring.ts';
import { until, untilEqual } from '@heddle/server/testing/server/until.ts';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { browserWorld, type Person } from '../../testing/browser-world.ts';
import { drawn, messageOf, sceneOf, topOf } from '../../testing/scenes.ts';

const world = browserWorld();

/** A text of several lines, so that messages have different heights. */
function lines(number: number): string {
  return `thread ${number}.${'\nmore of it'.repeat(number % 4)}`;
}

function thread(number: number): RegExp {
  return new RegExp(`thread ${number}\\.`);
}

/** Scrolls with the wheel until the message is on the screen. */
async function scrollTo(page: Page, text: RegExp, step: number): Promise<void> {
  await page.mouse.move(700, 450);
  await until(async () => {
    if (await isInView(page, text)) return true;
    await page.mouse.wheel(0, step);
    await drawn(page);
    return false;
  }, `${text} on the screen`);
  // A list that is still loading moves.
  await world.settled(page);
}

/** Resolves when the server knows that the person has read everything. */
async function untilAllIsRead({ client }: Person): Promise<void> {
  const query = { narrow: [{ operator: 'is', operand: 'unread' }], anchor: 'newest', num_before: 1, num_after: 0 };
  const isRead = async () => (await client.ok('GET', '/messages', query)).messages.length === 0;
  await until(isRead, 'no unread message on the server');
}

async function isInView(page: Page, text: RegExp): Promise<boolean> {
  if (!(await messageOf(page, text).isVisible())) return false;
  const box = await messageOf(page, text).boundingBox();
  return box !== null && box.y > 100 && box.y + box.height < 750;
}

world.test(
  'a conversation opens at the first unread message below a marker, and scrolling reads the rest',
  async () => {
    const { ada, route, write, read } = await sceneOf(world);
    const ids: number[] = [];
    for (let number = 1; number <= 120; number += 1) ids.push(await write(lines(number)));
    await read(ids.slice(0, 60));
    const page = await world.open(ada, route);
    const marker = page.getByRole('separator', { name: 'New messages' });
    await marker.waitFor();
    await messageOf(page, thread(61)).waitFor();
    await world.settled(page);
    const [above, line, below] = [
      await topOf(page, thread(60)),
      (await marker.boundingBox())?.y ?? 0,
      await topOf(page, thread(61)),
    ];
    assert(above < line && line < below, 'the marker is between what was read and what was not');
    assert(line > 50 && line < 300, `the marker is at the top of the list, and not at ${line}`);
    // What nobody has seen is unread.
    await page.waitForFunction(() => /^\(\d{2}\)/.test(document.title));
    await scrollTo(page, thread(115), 400);
    await page.mouse.wheel(0, 2_000);
    await page.waitForFunction(() => !document.title.startsWith('('));
    await untilAllIsRead(ada);
    await scrollTo(page, thread(61), -400);
    await marker.waitFor();
  },
);

world.test(
  'reading upwards to the first message shows each message, also when older ones arrive at the top',
  async () => {
    const { ada, write, read, channelId } = await sceneOf(world);
    const count = 330;
    const ids: number[] = [];
    // Dates and places stand above the first loaded message, and move when older messages arrive.
    for (let number = 1; number <= count; number += 1) ids.push(await write(lines(number), `loom ${number % 2}`));
    await read(ids);
    const page = await world.open(ada, '#inbox');
    // The network delivers older messages only when the view stands at the top of what is loaded.
    await page.route(/\/json\/messages\?.*num_before=100/, async (request) => {
      await page.waitForFunction(() => document.querySelector('[data-feed-scroller]')?.scrollTop === 0);
      await request.continue();
    });
    await page.goto(`${world.url}/#narrow/channel/${channelId}`);
    await messageOf(page, thread(count)).waitFor();
    await page.evaluate(() => {
      const seen = new Set<number>();
      (window as unknown as { seen: Set<number> }).seen = seen;
      const note = () => {
        for (const article of document.querySelectorAll('article')) {
          const { bottom, top } = article.getBoundingClientRect();
          const [, number] = /thread (\d+)\./.exec(article.textContent) ?? [];
          if (number !== undefined && bottom > 0 && top < window.innerHeight) seen.add(Number(number));
        }
        requestAnimationFrame(note);
      };
      note();
    });
    // So far that the view stands at the top of what is loaded.
    await scrollTo(page, thread(1), -500);
    const seen = await page.evaluate(() => [...(window as unknown as { seen: Set<number> }).seen]);
    const missing = ids.map((_, index) => index + 1).filter((number) => !seen.includes(number));
    assert.deepEqual(missing, []);
  },
);

world.test(
  'older messages that could not be loaded are requested again, also if the user waits at the top',
  async () => {
    const { ada, route, write, read } = await sceneOf(world);
    world.expectProblems(/no response: GET .*\/json\/messages/, 'ERR_FAILED');
    const ids: number[] = [];
    for (let number = 1; number <= 90; number += 1) ids.push(await write(lines(number)));
    await read(ids);
    const page = await world.open(ada, '#inbox');
    // A call repeats a request without a response twice.
    let refused = 0;
    await page.route(/\/json\/messages\?.*num_before=100/, async (request) => {
      refused += 1;
      if (refused <= 3) await request.abort();
      else await request.continue();
    });
    await page.goto(`${world.url}/${route}`);
    await messageOf(page, thread(90)).waitFor();
    await page.keyboard.press('Home');
    await page.waitForFunction(() => document.querySelector('[data-feed-scroller]')?.scrollTop === 0);
    // The list grows above what the user sees.
    await page.waitForFunction(() => (document.querySelector('[data-feed-scroller]')?.scrollTop ?? 0) > 0);
    assert.equal(refused, 4);
  },
);

world.test('opening a conversation reads the messages whose end is on the screen, and no others', async () => {
  const { ada, route, write } = await sceneOf(world);
  for (let number = 1; number <= 8; number += 1) await write(`thread ${number}.${'\nmore of it'.repeat(29)}`);
  const page = await world.open(ada, route);
  await messageOf(page, thread(1)).waitFor();
  // The title is empty before the app has counted.
  await page.waitForFunction(() => document.title.startsWith('(7)'));
  await page.mouse.move(700, 450);
  await page.mouse.wheel(0, 700);
  await page.waitForFunction(() => document.title.startsWith('(6)'));
});

world.test('a conversation that is on the screen from the first to the last message is read', async () => {
  const { ada, route, write } = await sceneOf(world);
  for (let number = 1; number <= 18; number += 1) await write(`thread ${number}.`);
  const page = await world.open(ada, route);
  await messageOf(page, thread(18)).waitFor();
  await untilAllIsRead(ada);
  await page.waitForFunction(() => !document.title.startsWith('('));
});

world.test('messages that become visible without a scroll are read', async () => {
  const { ada, route, write, read } = await sceneOf(world);
  const ids: number[] = [];
  for (let number = 1; number <= 3; number += 1) {
    ids.push(await write(`thread ${number}.${'\nmore of it'.repeat(29)}`));
  }
  await read(ids.slice(0, 1));
  const page = await world.open(ada, route, { size: { width: 1440, height: 1000 } });
  await messageOf(page, thread(2)).waitFor();
  await page.waitForFunction(() => document.title.startsWith('(1)'));
  await page.setViewportSize({ width: 1440, height: 2400 });
  await page.waitForFunction(() => !document.title.startsWith('('));
});

for (const device of ['desktop', 'phone'] as const) {
  world.test(`a list at its end stays there when the space above the text becomes smaller on a ${device}`, async () => {
    const { ada, route, write, read } = await sceneOf(world);
    const ids: number[] = [];
    for (let number = 1; number <= 40; number += 1) ids.push(await write(lines(number)));
    await read(ids);
    const page = await world.open(ada, route, { device });
    const box = page.getByRole('textbox', { name: 'Message', exact: true });
    await messageOf(page, thread(40)).waitFor();
    const isAboveBox = async (text: RegExp) => {
      const [message, field] = [await messageOf(page, text).boundingBox(), await box.boundingBox()];
      return message !== null && field !== null && message.y > 0 && message.y + message.height <= field.y;
    };
    await until(() => isAboveBox(thread(40)), 'message 40 above the box');
    await box.click();
    // A phone shows its keyboard.
    if (device === 'phone') await page.setViewportSize({ width: 390, height: 480 });
    for (let number = 1; number <= 8; number += 1) await page.keyboard.press('Shift+Enter');
    await until(() => isAboveBox(thread(40)), 'message 40 above the box');
    await write('thread 41.');
    await until(() => isAboveBox(thread(41)), 'message 41 above the box');
    await page.waitForFunction(() => !document.title.startsWith('('));
  });
}

/** Ada looks at message 70 of 150, all of which she has read. */
async function amongMessages() {
  const { ada, bob, route, write, read } = await sceneOf(world);
  const ids: number[] = [];
  for (let number = 1; number <= 150; number += 1) ids.push(await write(lines(number)));
  await read(ids);
  const page = await world.open(ada, route);
  await messageOf(page, thread(150)).waitFor();
  await scrollTo(page, thread(70), -500);
  return { page, bob, ids, write };
}

world.test('new messages never move the view; a button leads to the newest, which the list then follows', async () => {
  const { page, bob, ids, write } = await amongMessages();
  const before = await topOf(page, thread(70));
  await write('a new one at the end');
  await bob.client.ok('POST', `/messages/${ids[69]}/reactions`, { emoji_name: 'octopus' });
  await messageOf(page, thread(70))
    .getByRole('button', { name: /reacted with :octopus:/ })
    .waitFor();
  await world.settled(page);
  assert.equal(await topOf(page, thread(70)), before);
  // A message above the screen becomes longer.
  await bob.client.ok('PATCH', `/messages/${ids[64]}`, { content: `thread 65.${'\nand more'.repeat(12)}` });
  await messageOf(page, thread(65)).getByText('and more').first().waitFor({ state: 'attached' });
  await world.settled(page);
  assert.equal(await topOf(page, thread(70)), before);

  await page.getByRole('button', { name: 'Newest messages' }).click();
  await messageOf(page, 'a new one at the end').waitFor();
  await page.getByRole('button', { name: 'Newest messages' }).waitFor({ state: 'detached' });
  for (let number = 1; number <= 5; number += 1) await write(`followed ${number}.${'\nline'.repeat(6)}`);
  await messageOf(page, 'followed 5.').waitFor();
  await page.waitForFunction(() => !document.title.startsWith('('));
  const end = await messageOf(page, 'followed 5.').boundingBox();
  assert(end !== null && end.y + end.height < 900, 'the list shows the end of the newest message');
});

world.test('edits above do not move the view while the user scrolls upwards', async () => {
  const { page, bob, ids, write } = await amongMessages();
  // Scrolls one pixel in each frame until the edits are there. Returns how far a message on the screen moved in one frame at most.
  const largest = page.evaluate(async () => {
    const scroller = document.querySelector('[data-feed-scroller]');
    const named = (text: string) =>
      [...document.querySelectorAll('article')].find((one) => one.textContent.includes(text));
    const top = () => named('thread 70.')?.getBoundingClientRect().top ?? Number.NaN;
    let before = top();
    let most = 0;
    for (let frame = 0; frame < 400 && !named('thread 61.')?.textContent.includes('and more'); frame += 1) {
      scroller?.scrollBy(0, -1);
      await new Promise(requestAnimationFrame);
      most = Math.max(most, Math.abs(top() - before));
      before = top();
    }
    return most;
  });
  for (const number of [64, 63, 62, 61]) {
    const content = `thread ${number}.${'\nand more'.repeat(12)}`;
    await Promise.all([
      write('a new one at the end'),
      bob.client.ok('PATCH', `/messages/${ids[number - 1]}`, { content }),
    ]);
  }
  assert((await largest) <= 3, `the view moved by ${await largest} pixels at once`);
});

world.test('pictures that load late do not move the view', async () => {
  const { ada, bob, route, write, read } = await sceneOf(world);
  const png = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#48a' } })
    .png()
    .toBuffer();
  const url = await upload(world.server.url, bob.client, png, { name: 'wide.png', type: 'image/png' });
  const ids: number[] = [];
  for (let number = 1; number <= 20; number += 1) {
    ids.push(await write(number % 3 === 0 ? `thread ${number}. [wide.png](${url})` : lines(number)));
  }
  await read(ids);
  const first = await world.open(ada, '#inbox');
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await first.context().route(/thumbnail/, async (request) => {
    await released;
    await request.continue();
  });
  const page = await world.open(ada, route, { beside: first });
  await messageOf(page, thread(20)).waitFor();
  await world.settled(page);
  const before = await topOf(page, thread(20));
  const loaded = page.waitForResponse(/thumbnail/);
  release();
  await loaded;
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  await world.settled(page);
  assert.equal(await topOf(page, thread(20)), before);
});

world.test('back and forward return to the same position of the list', async () => {
  const { ada, route, channelId, write, read } = await sceneOf(world);
  const ids: number[] = [];
  for (let number = 1; number <= 150; number += 1) ids.push(await write(lines(number)));
  await read([...ids, await write('in another topic', 'spindles')]);
  const page = await world.open(ada, route);
  await messageOf(page, thread(150)).waitFor();
  await scrollTo(page, thread(60), -500);
  const before = await topOf(page, thread(60));
  await page.evaluate((hash) => location.assign(hash), `#narrow/channel/${channelId}/topic/spindles`);
  await messageOf(page, 'in another topic').waitFor();
  await page.goBack();
  await messageOf(page, thread(60)).waitFor();
  await world.settled(page);
  assert.equal(await topOf(page, thread(60)), before);
  await page.goForward();
  await messageOf(page, 'in another topic').waitFor();
  await page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name: 'Inbox' }).click();
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  await page.goBack();
  await page.goBack();
  await messageOf(page, thread(60)).waitFor();
  await world.settled(page);
  assert.equal(await topOf(page, thread(60)), before);
});

world.test('a mixed feed has a line for each day, a bar for each conversation, and one name for each run', async () => {
  const { ada, bob, channel, write, read } = await sceneOf(world);
  const old = [await write('the old warp'), await write('the old weft')];
  const DAYS = 400;
  await age(world.server, old, DAYS);
  await age(world.server, [await write('yesterday')], 1);
  const rest = [await write('first of a run'), await write('second of a run'), await write('elsewhere', 'spindles')];
  rest.push(await bob.client.direct([ada.client.userId], 'a word in private'));
  await read(rest);
  const page = await world.open(ada, '#feed');
  const feed = page.getByRole('region', { name: 'Messages' });
  await messageOf(page, 'a word in private').waitFor();
  const headings = (await feed.getByRole('heading').allTextContents()).map((text) => text.trim());
  const year = String(new Date(Date.now() - DAYS * 86_400_000).getFullYear());
  assert.equal(headings.filter((text) => text.includes(year)).length, 1, headings.join(' | '));
  assert.equal(headings.filter((text) => text === 'Today').length, 1, headings.join(' | '));
  assert.equal(headings.filter((text) => text === 'Yesterday').length, 1, headings.join(' | '));
  assert.deepEqual(headings.slice(-4), ['Today', `${channel}›looms`, `${channel}›spindles`, `You and ${bob.name}`]);
  await messageOf(page, 'first of a run').getByRole('button', { name: bob.name }).first().waitFor();
  await untilEqual(() => messageOf(page, 'second of a run').getByRole('button', { name: bob.name }).count(), 0);
  await feed.getByRole('heading').getByRole('link', { name: 'spindles' }).click();
  await page.getByRole('heading', { level: 1, name: `${channel} › spindles` }).waitFor();
});

world.test('messages marked as unread stay so while one looks at them, and are read at the next visit', async () => {
  const { ada, route, write } = await sceneOf(world);
  for (const text of ['warp', 'weft', 'shuttle']) await write(text);
  const page = await world.open(ada, route);
  await messageOf(page, 'shuttle').waitFor();
  await page.waitForFunction(() => !document.title.startsWith('('));
  await messageOf(page, 'weft').focus();
  await page.keyboard.press('Shift+U');
  await page.waitForFunction(() => document.title.startsWith('(2)'));
  // Looking on, also at a new message, does not read them.
  const newest = await write('heddle');
  await messageOf(page, 'heddle').waitFor();
  await until(
    async () => (await ada.client.ok('GET', `/messages/${newest}`)).message.flags.includes('read'),
    'the newest message to be read on the server',
  );
  await page.waitForFunction(() => document.title.startsWith('(2)'));
  await page.keyboard.press('Shift+I');
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  await page
    .getByRole('main')
    .getByRole('link', { name: /^looms 2 unread messages/ })
    .waitFor();
  await page.goBack();
  await messageOf(page, 'heddle').waitFor();
  await page.waitForFunction(() => !document.title.startsWith('('));
});
